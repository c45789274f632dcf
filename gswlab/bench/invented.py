"""Places and dates in summaries and answers that the text lacks: there must be none.

Looked at is whatever a run prints: its answers, the evidence behind them, and every
sentence that a summary of an actor or episode of its workspace may hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from gswlab.bench.checker import Checker
from gswlab.core.nouns import Answer, Evidence, Span
from gswlab.gsw.recall.verbalise import describe, sentences_of
from gswlab.language.dates.find import find_dates

SHOWN = 10  # examples kept of what is invented


@dataclass(frozen=True, slots=True)
class Printed:
    """An answer, the evidence it was read off, and whether its items are places."""

    answer: Answer
    evidence: Evidence
    places: bool = False


class Claim(NamedTuple):
    """A date or place that a text prints, and what the text cites."""

    kind: Literal["date", "place"]
    value: str
    text: str
    spans: tuple[Span, ...]


def invented(checker: Checker, printed: Iterable[Printed] = ()) -> dict[str, Any]:
    """How many dates and places are printed, and how many of them the text lacks."""
    counts = {"date": 0, "place": 0}
    wrong: dict[tuple[str, str, str], None] = {}
    for kind, value, text, spans in _claims(checker, printed):
        counts[kind] += 1
        has = checker.has_date if kind == "date" else checker.has_place
        if not has(value, spans):
            wrong.setdefault((kind, value, text))
    names = ("kind", "value", "in")
    examples = [dict(zip(names, one, strict=True)) for one in sorted(wrong)[:SHOWN]]
    checked = {"dates": counts["date"], "places": counts["place"]}
    return {**checked, "invented": len(wrong), "examples": examples}


def _claims(checker: Checker, printed: Iterable[Printed]) -> Iterator[Claim]:
    for episode in checker.workspace.episodes:
        said = describe(episode)
        yield from _in(checker, said.text, said.spans)
    for sentence in sentences_of(checker.workspace):
        yield from _in(checker, sentence.text, sentence.spans)
    for one in printed:
        for item in one.evidence.items:
            yield from _in(checker, item.text, item.spans)
        spans = one.answer.spans
        for text in one.answer.items:
            if one.places:
                yield Claim("place", text, text, spans)
            else:
                yield from _in(checker, text, spans)


def _in(checker: Checker, text: str, spans: tuple[Span, ...]) -> Iterator[Claim]:
    if any(c.isdigit() for c in text):
        for date in find_dates(text):
            if date.value and not date.relative:
                yield Claim("date", date.value, text, spans)
    for name in checker.named(text):
        yield Claim("place", name, text, spans)

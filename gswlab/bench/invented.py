"""Places and dates in summaries and answers that the text lacks: there must be none.

- a *date* is supported when a cited span holds it, written in any way, or a relative
  one ("the next day") that leads to it from a day the text names; a year left out must
  stand elsewhere in the text;
- a *place* is supported when a cited span holds its name, a part of it, or is a mention
  of the actor so named, and the name stands in the text.

Nothing here asks the workspace when or where anything was: only which names are places
and which characters mention whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from gswlab.memory.summary import describe, sentences_of
from gswlab.text import Document, find_dates
from gswlab.workspace.cues import name_key, words
from gswlab.workspace.nouns import Answer, Evidence, Span
from gswlab.workspace.workspace import Workspace

DAY = len("2024-05-07")
SHOWN = 10  # examples kept of what is invented
Key = tuple[str, ...]


@dataclass
class Checker:
    """What a text says, ready to be asked whether a span supports a place or date."""

    documents: Sequence[Document]
    workspace: Workspace
    _resolved: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    @cached_property
    def texts(self) -> dict[str, str]:
        return {document.id: document.text for document in self.documents}

    @cached_property
    def folded(self) -> str:
        """All words of the text, folded, each between spaces."""
        found = (word.text for text in self.texts.values() for word in words(text))
        return f" {' '.join(found)} "

    @cached_property
    def days(self) -> tuple[str, ...]:
        """The days the text names outright, and no other."""
        dates = (d for t in self.texts.values() for d in find_dates(t))
        days = {d.day or "" for d in dates if not d.relative}
        return tuple(sorted(day for day in days if len(day) == DAY))

    @cached_property
    def places(self) -> dict[Key, str]:
        """Names of places by their folded words; no common noun is one."""
        named = [p.name for p in self.workspace.places if p.name and not p.actor]
        named += [
            actor.name
            for actor in self.workspace.actors
            if actor.kind == "place"
            and any(m.form in ("name", "short") for m in actor.mentions)
        ]
        return {key: name for name in named if (key := name_key(name))}

    @cached_property
    def mentions(self) -> dict[Span, Key]:
        """Whom the characters of a place's mentions mean."""
        return {
            mention.span: name_key(actor.name)
            for actor in self.workspace.actors
            if actor.kind == "place"
            for mention in actor.mentions
        }

    def cited(self, spans: Iterable[Span]) -> list[str]:
        """The characters of spans; of no other document than those read."""
        known = (s for s in spans if s.document in self.texts)
        return [self.texts[s.document][s.start : s.end] for s in known]

    def has_date(self, value: str, spans: Sequence[Span]) -> bool:
        """Whether a span's text gives `value` (ISO, compared by the day)."""
        day = value[:DAY]
        return any(day in self._readings(text) for text in self.cited(spans))

    def _readings(self, text: str) -> frozenset[str]:
        """The days a text may mean, counted from any day that the documents name."""
        if text not in self._resolved:
            plain = find_dates(text)
            found = {d.value[:DAY] for d in plain if d.value and not d.relative}
            if any(d.relative or (d.value or "-").startswith("-") for d in plain):
                based = (find_dates(text, basis=day) for day in self.days)
                found |= {d.day for dates in based for d in dates if d.day}
                found |= self._steps(text, found)
            self._resolved[text] = frozenset(found)
        return self._resolved[text]

    def _steps(self, text: str, days: set[str]) -> set[str]:
        """A step on from a step: "the day after" "the next day"."""
        based = (find_dates(text, basis=day) for day in sorted(days) if len(day) == DAY)
        return {d.day for dates in based for d in dates if d.day}

    def has_place(self, name: str, spans: Sequence[Span]) -> bool:
        """Whether the text has the name, and a span supports it."""
        key = name_key(name)
        if f" {' '.join(key)} " not in self.folded:
            return False
        if any(self.mentions.get(span) == key for span in spans):
            return True
        return any(_overlap(key, name_key(text)) for text in self.cited(spans))

    def named(self, text: str) -> Iterator[str]:
        """The places named in a text, longest first, none inside another."""
        tokens = words(text)
        taken: set[int] = set()
        for size in range(min(self._longest, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                run = range(start, start + size)
                name = self.places.get(tuple(tokens[i].text for i in run))
                if name is None or text[tokens[start].start].islower():
                    continue  # "the old mill" is no name, "the Old Mill" is
                if taken.isdisjoint(run):
                    taken.update(run)
                    yield name

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.places), default=0)


def _overlap(name: Key, cited: Key) -> bool:
    """Whether one run of words holds the other: "Old Mill" and "the Old Mill, Leeds".

    >>> _overlap(("old", "mill"), ("old", "mill", "leeds")), _overlap(("a",), ())
    (True, False)
    """
    one, two = f" {' '.join(name)} ", f" {' '.join(cited)} "
    return bool(name and cited) and (one in two or two in one)


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
    """How many dates and places are printed, and how many of them the text lacks.

    Looked at are answers, the evidence behind them, and every sentence that a summary
    of an actor or episode of the workspace may hold.
    """
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

"""From an answer to the ink: item, what the run held, the step that made it, a span."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gswlab.core.nouns import Span
from gswlab.language.dates.format import shown
from gswlab.view.ink.given import Asked
from gswlab.view.ink.held import Holdings
from gswlab.workspace.ink import Holding, clipped


class Rests(NamedTuple):
    """One thing that an answer rests on.

    `item` is the item of the answer that it says, "" where it only supports it; `step`
    made it, `because` is the decision that made it its noun's, `handed` the place in
    the evidence, `span` and `words` are the characters.
    """

    item: str
    kind: str
    name: str
    field: str
    text: str
    noun: str
    step: int
    label: str
    because: str
    handed: str
    span: Span
    words: str


def chain(held: Holdings, asked: Asked) -> tuple[Rests, ...]:
    """What an answer rests on: its items in order, then what supports them."""
    answer = asked.answer
    known = {h: _cited(h, answer.spans) for h in held.over(*answer.spans)}
    left = dict(known)
    found: list[Rests] = []
    for item in answer.items:
        for holding in _saying(held, item, known):
            spans = left.pop(holding, known[holding])
            found += _rows(held, asked, item, holding, spans)
    for holding, spans in left.items():
        found += _rows(held, asked, "", holding, spans)
    return tuple(found)


def _cited(holding: Holding, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Of the characters of a holding those that share some with an answer's."""
    return tuple(own for own in holding.spans if clipped(spans, own))


def _saying(
    held: Holdings, item: str, known: dict[Holding, tuple[Span, ...]]
) -> list[Holding]:
    """What says an item in so many words; else what rests on characters that do."""
    wanted = item.casefold()
    exact = [h for h in known if wanted in {t.casefold() for t in _forms(h)}]
    return exact or [
        h
        for h, spans in known.items()
        if any(wanted in held.words(span, 10**6).casefold() for span in spans)
    ]


def _forms(holding: Holding) -> Iterator[str]:
    for text in (holding.text, holding.name):
        yield from (text, shown(text), shown(text, "ja"))


def _rows(
    held: Holdings, asked: Asked, item: str, holding: Holding, spans: tuple[Span, ...]
) -> Iterator[Rests]:
    because = "; ".join(
        dict.fromkeys(f"{d.status}: {d.reason}" for d in held.alignments(holding))
    )
    for span in spans:
        yield Rests(
            item,
            holding.kind,
            holding.name,
            holding.field,
            holding.text,
            holding.noun,
            holding.step,
            held.label(holding.step),
            because,
            _handed(asked, span),
            span,
            held.words(span),
        )


def _handed(asked: Asked, span: Span) -> str:
    items = asked.evidence.items if asked.evidence else ()
    places = [n for n, item in enumerate(items, 1) if clipped(item.spans, span)]
    return f"item {places[0]} of {len(items)}" if places else ""

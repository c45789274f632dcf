"""Characters of a text, and what a run holds of them.

- a `Holding` is one thing that a run held of its text: a fact of a noun, a chunk, a
  triple, a message; made by a step, perhaps ended by a later one, resting on spans;
- a `SpanIndex` finds what touches a span; `cited` lists the spans of anything;
- what nobody cites left no trace: `bare`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from gswlab.core.nouns import Span, Term

_T = TypeVar("_T")


class Holding(NamedTuple):
    """One thing that a run held from step `step` until before step `until`.

    `noun` is the id of the noun that says it ("" in a run without a workspace), `kind`
    and `name` are what it is and what it is called, `field` and `text` what it says;
    `fate` says what ended it, None as `until` that nothing did.
    """

    step: int
    kind: str
    name: str
    field: str
    text: str
    spans: tuple[Span, ...]
    noun: str = ""
    until: int | None = None
    fate: str = ""

    @property
    def held(self) -> bool:
        """Whether it holds at the end of the run."""
        return self.until is None

    @property
    def second(self) -> bool:
        """Whether it is the field of an episode that lost the vote."""
        return self.field.endswith("second reading")

    @property
    def about(self) -> tuple[str, str]:
        """What it is said of: its kind, and the noun or the name.

        A place and its anchor, a date and its day: one of its name is told.
        """
        named = self.kind in ("place", "time")
        return self.kind, self.name if named else self.noun or self.name


class SpanIndex(Generic[_T]):
    """Things by the characters they rest on.

    >>> index = SpanIndex([(Span("b", 0, 3), "Ann"), (Span("b", 0, 8), "left")])
    >>> [*index.over(Span("b", 4, 6))]
    ['left']
    """

    def __init__(self, placed: Iterable[tuple[Span, _T]]) -> None:
        self._placed: dict[str, list[tuple[Span, _T]]] = {}
        for span, thing in placed:
            self._placed.setdefault(span.document, []).append((span, thing))
        for each in self._placed.values():
            each.sort(key=lambda pair: pair[0])
        # The furthest end so far: where to stop when walking back from a start.
        self._ends = {
            name: [*accumulate((span.end for span, _ in each), max)]
            for name, each in self._placed.items()
        }

    def over(self, span: Span) -> Iterator[_T]:
        """What shares a character with `span`, in the order of the text, each once."""
        return (thing for _, thing in self.placed(span))

    def placed(self, span: Span) -> Iterator[tuple[Span, _T]]:
        """The same with where it stands."""
        each = self._placed.get(span.document, [])
        ends = self._ends.get(span.document, [])
        stop = bisect_left(each, span.end, key=lambda pair: pair[0].start)
        first = stop
        while first and ends[first - 1] > span.start:
            first -= 1
        return (pair for pair in each[first:stop] if pair[0].end > span.start)


def cited(value: object) -> Iterator[Span]:
    """Every span inside a noun, a step or evidence, at any depth.

    Left out are the words that an episode is counted by (`Term`): they say nothing.

    >>> from gswlab.core.nouns import Role
    >>> [*cited((Role("a clerk", (Span("b", 0, 7),), "b:0"),))]
    [Span(document='b', start=0, end=7)]
    """
    if isinstance(value, Span):
        yield value
    elif isinstance(value, Term | str):
        return
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from cited(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from cited(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from cited(getattr(value, each.name))


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans as stretches that neither overlap nor touch, in order.

    >>> [(s.start, s.end) for s in merged([Span("b", 4, 9), Span("b", 0, 4)])]
    [(0, 9)]
    """
    found: list[Span] = []
    for span in sorted(set(spans)):
        last = found[-1] if found else None
        if last and last.document == span.document and span.start <= last.end:
            found[-1] = Span(span.document, last.start, max(last.end, span.end))
        elif span.start < span.end:
            found.append(span)
    return tuple(found)


def clipped(spans: Iterable[Span], area: Span) -> tuple[Span, ...]:
    """What of some spans lies inside an area."""
    return tuple(
        Span(area.document, max(s.start, area.start), min(s.end, area.end))
        for s in spans
        if s.document == area.document and s.start < area.end and s.end > area.start
    )


def bare(area: Span, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The stretches of an area that no span covers.

    >>> [(s.start, s.end) for s in bare(Span("b", 0, 9), [Span("b", 2, 4)])]
    [(0, 2), (4, 9)]
    """
    found, at = [], area.start
    for span in merged(clipped(spans, area)):
        if span.start > at:
            found.append(Span(area.document, at, span.start))
        at = span.end
    if at < area.end:
        found.append(Span(area.document, at, area.end))
    return tuple(found)

"""Characters of a text, and what a run holds of them: a fact, a chunk, a triple."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from gswlab.core.nouns import Span, Term

_T = TypeVar("_T")


class Holding(NamedTuple):
    """One thing that a run held from `step` until before step `until` (None: still).

    `noun` is the id of the noun that says it ("" in a run without a workspace), `field`
    and `text` are what it says; `fate` says what ended it.
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
        """Its kind, and the noun it is said of, or the name of a place or a day."""
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
        for span, thing in sorted(placed, key=lambda pair: pair[0]):
            self._placed.setdefault(span.document, []).append((span, thing))
        # The furthest end so far: before where it is passed nothing reaches a start.
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
        stop = bisect_left(each, span.end, key=lambda pair: pair[0].start)
        first = bisect_right(self._ends.get(span.document, []), span.start)
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
        return
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, tuple | list):
        inner = value
    elif is_dataclass(value) and not isinstance(value, Term):
        inner = (getattr(value, each.name) for each in fields(value))
    for item in inner:
        yield from cited(item)


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
    covered = merged(clipped(spans, area))
    ends = [area.start, *(end for s in covered for end in (s.start, s.end)), area.end]
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return tuple(Span(area.document, a, b) for a, b in pairs if a < b)

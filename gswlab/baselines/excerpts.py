"""Lines of a conversation packed into a budget, day by day: the same for every memory.

What is too long for what is left is passed over for what comes after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from gswlab.core.budget import count_tokens, tokens_of
from gswlab.core.nouns import Chunk, Item, Span
from gswlab.language.dates.format import format_date

_APART = 1  # tokens between two days
_LEAST = 6  # tokens of a line, at least about


class SaidLine(NamedTuple):
    """A line that somebody said: its place in the conversation, and its ISO day."""

    place: int
    text: str
    day: str
    spans: tuple[Span, ...]
    score: float


def line_of_turn(place: int, turn: Chunk, score: float) -> SaidLine:
    """A turn under the name of who said it."""
    day, text = (turn.time or "")[:10], f"{turn.speaker}: {turn.text}"
    return SaidLine(place, text, day, (turn.span,), score)


@lru_cache(maxsize=65536)
def _line_tokens(line: str) -> int:
    return count_tokens(f"{line}\n")


def packed_by_day(ranked: Iterable[SaidLine], budget: int) -> tuple[Item, ...]:
    """An item a day, of as many lines as fit, taken best first."""
    kept, days, used = list[SaidLine](), set[str](), 0
    for line in ranked:
        if budget - used < _LEAST:
            break
        cost = _line_tokens(line.text)
        if line.day not in days:
            cost += _line_tokens(format_date(line.day) if line.day else "") + _APART
        if used + cost <= budget:
            kept.append(line)
            days.add(line.day)
            used += cost
    while tokens_of(items := _by_day(kept)) > budget:
        kept.pop()  # texts join in fewer tokens, as a rule
    return items


def _by_day(ranked: Sequence[SaidLine]) -> tuple[Item, ...]:
    """A day's lines as one item under its date, the best day first."""
    rank = {line.place: n for n, line in enumerate(ranked)}
    ordered = sorted(ranked, key=lambda line: line.place)
    days = [list(group) for _, group in groupby(ordered, lambda line: line.day)]
    items = []
    for own in sorted(days, key=lambda own: min(rank[line.place] for line in own)):
        head = [format_date(own[0].day)] if own[0].day else []
        spans = tuple(span for line in own for span in line.spans)
        text = "\n".join([*head, *(line.text for line in own)])
        items.append(Item(text, spans, None, max(line.score for line in own)))
    return tuple(items)

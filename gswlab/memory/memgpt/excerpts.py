"""Messages as evidence: what fits a budget, day by day, each day under its date.

Short messages are cheap: they are chosen by how likely they are wanted for what they
cost, and told in the order they were said, with relative dates resolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from gswlab.core.budget import count_tokens, tokens_of
from gswlab.core.nouns import Item
from gswlab.language.dates.format import format_date
from gswlab.memory.memgpt.nouns import Hit, Message
from gswlab.memory.memgpt.said import line_of

_APART = 1  # tokens between two days
_LEAST = 6  # tokens of a message, at least about


@lru_cache(maxsize=65536)
def _tokens(line: str) -> int:
    return count_tokens(f"{line}\n")


@lru_cache(maxsize=65536)
def told(message: Message) -> str:
    """A message with its speaker, and what its relative dates come to.

    >>> said = Message(3, "user", "message", "I left yesterday.", 9, 1, "Ann",
    ...                "2024-05-08", dates=(("yesterday", "2024-05-07"),))
    >>> told(said)
    'Ann: I left yesterday. (yesterday: May 07, 2024)'
    """
    days = [(words, format_date(day)) for words, day in message.dates]
    known = ", ".join(f"{words}: {day}" for words, day in days if not _said(words, day))
    return f"{line_of(message)} ({known})" if known else line_of(message)


def _said(words: str, day: str) -> bool:
    """Whether the words name the whole date themselves."""
    return set(day.replace(",", "").split()) <= set(words.replace(",", "").split())


def excerpts(hits: Iterable[Hit], budget: int) -> tuple[Item, ...]:
    """An item a day, of as many messages as fit, taken in the order of the hits.

    What is too long for what is left is passed over for what comes after it.
    """
    kept: list[Hit] = []
    days: set[str] = set()
    used = 0
    for hit in hits:
        row = hit.row
        if not isinstance(row, Message):
            continue
        if budget - used < _LEAST:
            break
        day = _day(row)
        cost = _tokens(told(row))
        cost += 0 if day in days else _tokens(_head(day)) + _APART
        if used + cost <= budget:
            kept, used = [*kept, hit], used + cost
            days.add(day)
    items = _items(kept)
    while tokens_of(items) > budget:  # texts join in fewer tokens, as a rule
        kept.pop()
        items = _items(kept)
    return items


def _items(hits: Sequence[Hit]) -> tuple[Item, ...]:
    """A day's messages as one item, the best day first."""
    place = {hit.key: n for n, hit in enumerate(hits)}
    ordered = sorted(hits, key=lambda hit: hit.row.id)
    days = [list(group) for _, group in groupby(ordered, lambda hit: _day(hit.row))]
    days.sort(key=lambda day: min(place[hit.key] for hit in day))
    return tuple(_item(day) for day in days)


def _item(hits: Sequence[Hit]) -> Item:
    head = _head(_day(hits[0].row))
    lines = [told(hit.row) for hit in hits if isinstance(hit.row, Message)]
    spans = tuple(hit.row.span for hit in hits if hit.row.span)
    text = "\n".join([head, *lines] if head else lines)
    return Item(text, spans, None, max(hit.score for hit in hits))


def _day(row: object) -> str:
    time = getattr(row, "time", None)
    return time[:10] if time else ""


def _head(day: str) -> str:
    return format_date(day) if day else ""

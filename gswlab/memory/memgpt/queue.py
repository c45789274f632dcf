"""The FIFO queue: what of a conversation is in the window, and what goes when it fills.

Its first entry is the recursive summary of all that was evicted. Whole turns go, the
oldest first; of the turn under way only pairs of a call and its result go, never the
message it answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from gswlab.core.budget import count_tokens
from gswlab.memory.memgpt.nouns import Message
from gswlab.memory.memgpt.packed import packed


@dataclass
class Queue:
    """Entries in order, the summary before them; `hidden` counts what it stands for."""

    entries: list[Message] = field(default_factory=list)
    summary: str = ""
    hidden: int = 0

    @property
    def first(self) -> str:
        """The first entry as it is shown: the summary, "" while nothing was evicted."""
        if not self.hidden:
            return ""
        said = f"{self.hidden} earlier entries are out of the window; their summary:"
        return packed(type="summary", message=f"{said} {self.summary}".strip())

    @property
    def tokens(self) -> int:
        """Tokens of all that is in the queue, the summary included."""
        return count_tokens(self.first) + sum(entry.tokens for entry in self.entries)

    @property
    def resident(self) -> frozenset[str]:
        """The ids in the window: messages, and what results have paged in."""
        said = {e.key for e in self.entries if e.kind == "message"}
        return frozenset(said.union(*(entry.items for entry in self.entries)))

    def evictable(self, tokens: int, to: int | None = None) -> list[Message]:
        """The oldest entries that have `tokens` tokens together, whole turns of them.

        The newest turn is kept, unless the rest is still more than `to` tokens: then
        its oldest calls go too, each with its result, but never the last ones.
        """
        *older, current = [
            list(turn) for _, turn in groupby(self.entries, lambda entry: entry.turn)
        ] or [[]]
        gone: list[Message] = []
        for turn in older:
            if _sum(gone) >= tokens:
                return gone
            gone += turn
        for pair in _pairs(current)[:-1]:
            if to is None or self.tokens - _sum(gone) <= to:
                break
            gone += pair
        return gone

    def drop(self, gone: Iterable[Message]) -> None:
        """Take entries out."""
        ids = {entry.id for entry in gone}
        self.entries = [entry for entry in self.entries if entry.id not in ids]


def _sum(entries: Iterable[Message]) -> int:
    return sum(entry.tokens for entry in entries)


def _pairs(turn: list[Message]) -> list[list[Message]]:
    """Calls of a turn, each with what came of it; what was received is of none."""
    pairs: list[list[Message]] = []
    for entry in turn:
        if entry.role == "assistant" or (entry.kind == "result" and not pairs):
            pairs.append([entry])
        elif pairs:
            pairs[-1].append(entry)
    return pairs

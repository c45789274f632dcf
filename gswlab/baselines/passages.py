"""Memories that keep their chunks as they are and rank them when asked.

A step of theirs changes no workspace: its event says what was kept. Recalling hands
over whole chunks, title included, best first, as many as the budget allows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, Self

from gswlab.baselines.excerpts import line_of_turn, packed_by_day
from gswlab.core.budget import count_tokens, cut, retrieved
from gswlab.core.nouns import Chunk, Evidence, Item, TraceEvent
from gswlab.core.protocols import OF_TEXTS
from gswlab.core.step import Step
from gswlab.text.chunks import PassageUnit, titled

Ranking = Sequence[tuple[int, float]]


@dataclass
class Passages(ABC):
    """What such memories share; one of them is an `index` and a `rank`.

    Rows count the chunks in the order they were read, from 0. `unit` says what a lab
    cuts a text into for it: chunks, windows of three, or whole chapters.
    """

    experiments: ClassVar[Sequence[str]] = OF_TEXTS
    unit: PassageUnit = field(default="chunk", kw_only=True)
    chunks: list[Chunk] = field(default_factory=list, init=False, repr=False)
    _indexed: int = field(default=0, init=False, repr=False)

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep one more chunk; it is indexed when a question comes, or at the end."""
        self.chunks.append(chunk)
        kept = TraceEvent(
            "kept", {"tokens": count_tokens(titled(chunk))}, (chunk.span,)
        )
        return Step(len(self.chunks) - 1, chunk.id, events=(kept,))

    def finish(self) -> Step:
        """Index what was kept since; with nothing new nothing happens."""
        if new := len(self.chunks) - self._indexed:
            self.index([titled(chunk) for chunk in self.chunks])
            self._indexed = len(self.chunks)
        events = (TraceEvent("indexed", {"chunks": new}),) if new else ()
        return Step(len(self.chunks), None, events=events)

    def over(self, chunks: list[Chunk]) -> Self:
        """Itself, indexed over chunks that another memory keeps."""
        self.chunks = chunks
        self.finish()
        return self

    def recall(self, question: str, budget: int) -> Evidence:
        """The best chunks within `budget` tokens; a chunk is whole or left out.

        Turns of a conversation are packed as an agent's messages are, day by day.
        """
        self.finish()
        ranked = self.rank(question) if self.chunks else ()
        if self.chunks and self.chunks[0].speaker:
            lines = (line_of_turn(row, self.chunks[row], s) for row, s in ranked)
            items = packed_by_day(lines, budget)
        else:
            items = cut([self.item(row, score) for row, score in ranked], budget)
        return retrieved(items, {"by": type(self).__name__.lower()})

    def item(self, row: int, score: float) -> Item:
        """A chunk as evidence."""
        chunk = self.chunks[row]
        return Item(titled(chunk), (chunk.span,), chunk.chapter, score)

    def clone(self) -> Self:
        """The same settings, nothing read."""
        return replace(self)

    @abstractmethod
    def index(self, texts: Sequence[str]) -> None:
        """Prepare for questions over all `texts`, a text a row."""

    @abstractmethod
    def rank(self, question: str) -> Ranking:
        """Rows and scores, best first; ties keep the order of reading."""


# The two ends of every comparison: nothing recalled, and everything that fits.


@dataclass
class ClosedBook(Passages):
    """Hands over nothing: what a reader knows without the text."""

    def index(self, texts: Sequence[str]) -> None:
        """Nothing is looked up, so nothing is prepared."""

    def rank(self, question: str) -> Ranking:
        """No chunk, whatever is asked."""
        return ()


@dataclass
class LongContext(ClosedBook):
    """Hands over the text from its beginning, as far as the budget goes.

    With `end` "tail" it is the end of the text, the last chunk first.
    """

    end: Literal["head", "tail"] = "head"

    def rank(self, question: str) -> Ranking:
        """Every chunk in the order of reading, or backwards, whatever is asked."""
        rows = [(row, 0.0) for row in range(len(self.chunks))]
        return rows if self.end == "head" else rows[::-1]

"""The side of a chunk that may decide: what stands after it, or before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gswlab.workspace.nouns import Actor, Chunk, Span

Direction = Literal["forward", "backward"]


@dataclass(frozen=True, slots=True)
class Side:
    """Forward: what came after `chunk` in its document; backward: what came before.

    >>> Side("forward", Chunk("c", "d", 1, 0, "Rain.", Span("d", 0, 5))).words
    'what came later'
    """

    direction: Direction
    chunk: Chunk
    chunks: Sequence[Chunk] = ()

    @property
    def words(self) -> str:
        """What decides, as a reason says it."""
        return f"what came {'later' if self.direction == 'forward' else 'earlier'}"

    def has(self, spans: Iterable[Span]) -> bool:
        """Whether any of these characters is on this side."""
        return any(map(self._on, spans))

    def of(self, actor: Actor) -> bool:
        """Whether the text speaks of an actor on this side."""
        return self.has(mention.span for mention in actor.mentions)

    def where(self, spans: Iterable[Span]) -> str:
        """The chunk that some characters are in, else the one that is asked about."""
        for span in spans:
            for chunk in self.chunks:
                area = chunk.span
                if (
                    span.document == area.document
                    and area.start <= span.start < area.end
                ):
                    return chunk.id
        return self.chunk.id

    def _on(self, span: Span) -> bool:
        if span.document != self.chunk.document:
            return False
        if self.direction == "forward":
            return span.start >= self.chunk.span.end
        return span.end <= self.chunk.span.start

"""The window alone: an agent whose searches are taken away, as a baseline.

What was read last is in the queue; of what was evicted there is the recursive summary,
or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gswlab.core.budget import cut, tokens_of
from gswlab.core.nouns import Chunk, Evidence, Item
from gswlab.core.step import Step
from gswlab.memory.memgpt.memory import MemGPT
from gswlab.memory.memgpt.nouns import Hit
from gswlab.text.chunks import titled


@dataclass(kw_only=True)
class FixedContext(MemGPT):
    """Every chunk is a message; evidence is what is in the window, the latest first.

    >>> FixedContext().recall("Who left?", 100).items
    ()
    """

    summarises: bool = False

    def partial_fit(self, chunk: Chunk) -> Step:
        """Put a chunk into the queue, whether anybody said it or not."""
        index = len(self.chunks)
        self.chunks[chunk.id] = chunk
        of = {"chunk": chunk.id, "span": chunk.span}
        words = chunk.text if chunk.speaker else titled(chunk)
        turn = self.hear(words, chunk.time, chunk.speaker or "text", **of)
        return Step(index, chunk.id, events=turn.events)

    def recall(self, question: str, budget: int) -> Evidence:
        """The window, whatever is asked; the summary, where there is one, first."""
        items = list(self._at_hand())
        if self.main.queue.summary:
            *items, summary = items
            items = [summary, *items] if self.summarises else items
        chosen = cut(items, budget)
        return Evidence(chosen, tokens_of(chosen))

    def _item(self, hit: Hit) -> Item:
        """What nobody said is handed over as it was read."""
        found, row = super()._item(hit), hit.row
        chunk = self.chunks.get(row.chunk or "")
        said = chunk is None or chunk.speaker
        return found if said else replace(found, text=row.text)

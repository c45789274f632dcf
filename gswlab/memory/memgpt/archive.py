"""Archival memory backed by another memory, a workspace for one.

Passages are kept as ever; what reads them as well is asked first. Where it has nothing
that fits, the passages themselves are searched.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from gswlab.core.nouns import Chunk, Evidence, Span
from gswlab.core.protocols import Memory
from gswlab.memory.memgpt.archival import Archival, How
from gswlab.memory.memgpt.nouns import Hit, Page, Passage
from gswlab.memory.memgpt.pieces import PIECE


@dataclass
class Backed:
    """A memory over archival storage. `read` keeps step with what is inserted."""

    memory: Memory
    archival: Archival
    reads: int = 0

    def read(self, passage: Passage, chunk: Chunk | None = None) -> None:
        """Read a passage, or the chunk that it is of."""
        self.memory.partial_fit(chunk or _chunk(passage))
        self.reads += 1

    def again(self) -> None:
        """Read all passages anew: some were deleted, or the file is an older one."""
        self.memory = self.memory.clone()
        for passage in self.archival.all():
            self.read(passage)

    def search(self, query: str, size: int, page: int, how: How) -> Page:
        """A page of what the memory recalls; of passages where it recalls nothing."""
        room = (page + 1) * size * PIECE
        found: Evidence = self.memory.recall(query, room)
        hits = [
            Hit(
                Passage(
                    zlib.crc32(item.text.encode()),
                    item.text,
                    0,
                    span=item.spans[0] if item.spans else None,
                    store="w",
                ),
                item.score,
            )
            for item in found.items
        ]
        if not hits:
            return self.archival.search(query, size, page, how)
        shown = tuple(hits[page * size : (page + 1) * size])
        by = type(self.memory).__name__.lower()
        return Page(query, shown, len(hits), page, size, by=by)


def _chunk(passage: Passage) -> Chunk:
    """A passage as a chunk; what the agent wrote itself is of no other document."""
    span = passage.span or Span(f"archival-{passage.id}", 0, len(passage.text))
    known = f"{passage.key}:{passage.chunk or span.document}"
    return Chunk(
        known,
        span.document,
        None,
        passage.id,
        passage.text,
        span,
        time=passage.time,
    )

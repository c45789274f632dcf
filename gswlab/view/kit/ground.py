"""Where spans stand: which chunk was read at which step, and which sentence it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, Span
from gswlab.core.step import Step
from gswlab.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Read:
    """A chunk as it was read: at `step`, in these sentences (offsets in the chunk)."""

    chunk: Chunk
    step: int
    sentences: tuple[tuple[int, int], ...]

    def sentence(self, start: int) -> int:
        """The number of the sentence that holds document offset `start`."""
        starts = [a for a, _ in self.sentences]
        return max(bisect_right(starts, start - self.chunk.span.start) - 1, 0)


@dataclass(frozen=True, slots=True)
class Ground:
    """Every chunk a run has read, found by step or by a span of its document."""

    by_step: Mapping[int, Read]
    by_document: Mapping[str, tuple[Read, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        steps: Iterable[Step],
        chunks: Iterable[Chunk],
        documents: Sequence[Document],
    ) -> Ground:
        """The ground of a journal's steps."""
        known = {chunk.id: chunk for chunk in chunks}
        language = {document.id: document.language for document in documents}
        by_step: dict[int, Read] = {}
        by_document: dict[str, list[Read]] = {}
        for step in steps:
            chunk = known.get(step.chunk or "")
            if chunk is None:
                continue
            cut = sentences(chunk.text, language.get(chunk.document, "en"))
            read = Read(chunk, step.index, tuple(cut) or ((0, len(chunk.text)),))
            by_step[step.index] = read
            by_document.setdefault(chunk.document, []).append(read)
        for reads in by_document.values():
            reads.sort(key=lambda read: read.chunk.span.start)
        return cls(by_step, {k: tuple(v) for k, v in by_document.items()})

    def locate(self, span: Span) -> Read | None:
        """The chunk a span starts in, if it was read."""
        reads = self.by_document.get(span.document, ())
        spot = bisect_right(reads, span.start, key=lambda r: r.chunk.span.start) - 1
        if spot < 0 or span.start >= reads[spot].chunk.span.end:
            return None
        return reads[spot]

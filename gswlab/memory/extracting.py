"""Memories that read entities and triples out of each chunk: the graph memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import JSON, Chunk, Span, TraceEvent
from gswlab.core.step import Step
from gswlab.memory.knowledge import Knowledge
from gswlab.memory.lookup import Lookup
from gswlab.memory.passages import Passages
from gswlab.memory.triples import Extraction, Extractor
from gswlab.models.vectors.embedder import Embedder


@dataclass
class Extracting(Passages):
    """Chunks and what they say of whom; the graph is made of that when it is asked.

    A step's event holds all that was extracted, so that a graph can be drawn, and its
    growth stepped through, from the journal alone.

    Raises:
        GswlabError: a question comes and there is no embedder.
    """

    extractor: Extractor
    embedder: Embedder | None = None
    extractions: list[Extraction] = field(default_factory=list, init=False, repr=False)

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Say which chunks will be next, to an extractor that asks a model."""
        self.extractor.prepare(document, chunks)

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep and read one more chunk."""
        step = super().partial_fit(chunk)
        found = self.extractor.extract(chunk)
        self.extractions.append(found)
        event = _extracted(chunk, found)
        return replace(step, events=(*found.events, *step.events, event))

    def forget(self, document: str) -> Step:
        """Leave out a document, and all that only its chunks have said."""
        gone = [chunk for chunk in self.chunks if chunk.document == document]
        if not gone:
            known = ", ".join(dict.fromkeys(c.document for c in self.chunks)) or "none"
            raise GswlabError(f"no document {document!r} was read", f"there is {known}")
        kept = [
            pair
            for pair in zip(self.chunks, self.extractions, strict=True)
            if pair[0].document != document
        ]
        self.chunks = [chunk for chunk, _ in kept]
        self.extractions = [found for _, found in kept]
        self._indexed = 0  # the next question makes the graph anew
        spans = tuple(chunk.span for chunk in gone)
        event = TraceEvent("forgotten", {"document": document}, spans)
        return Step(len(self.chunks), None, events=(event,))

    def vectors(self) -> Embedder:
        """The embedder, or one sentence about what gives one."""
        if self.embedder is None:
            name = type(self).__name__
            rule = "what is near in meaning needs vectors"
            raise GswlabError(f"{name} has no embedder", rule, "embedder=minilm")
        return self.embedder


@dataclass
class Merging(Extracting):
    """Graph memories whose chunks merge into one graph as they are read."""

    knowledge: Knowledge = field(default_factory=Knowledge, init=False, repr=False)
    _lookup: Lookup | None = field(default=None, init=False, repr=False)

    @property
    def _look(self) -> Lookup:
        assert self._lookup is not None, "indexed before it is asked"
        return self._lookup

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep and read one more chunk; only what it names changes in the graph."""
        step = super().partial_fit(chunk)
        self.knowledge.add(chunk, self.extractions[-1])
        return step

    def forget(self, document: str) -> Step:
        """Leave out a document: what only it said goes, the rest is told by others."""
        gone = [chunk.id for chunk in self.chunks if chunk.document == document]
        step = super().forget(document)
        for chunk in gone:
            self.knowledge.drop(chunk)
        return step


def _extracted(chunk: Chunk, found: Extraction) -> TraceEvent:
    """What a chunk says; `named` and `said` are where, entity by entity and so on.

    Both count in characters of the document, as spans do.
    """
    base = chunk.span.start
    said = [(base + triple.start, base + triple.end) for triple in found.triples]
    named = [[(base + a, base + b) for a, b in e.places] for e in found.entities]
    data: dict[str, JSON] = {
        "entities": tuple(entity.name for entity in found.entities),
        "named": tuple(map(tuple, named)),
        "triples": tuple((t.subject, t.predicate, t.object) for t in found.triples),
        "said": tuple(said),
    }
    places = [*said, *(place for places in named for place in places)]
    spans = (Span(chunk.document, *place) for place in sorted(set(places)))
    return TraceEvent("extracted", data, tuple(spans))

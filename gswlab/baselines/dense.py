"""Embedding RAG: chunks by the cosine of their vectors with the question's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gswlab.baselines.passages import Passages, Ranking
from gswlab.core.errors import GswlabError
from gswlab.models.vectors.embedder import Embedder
from gswlab.models.vectors.nearest import Search, VectorIndex

FOUND = 200  # chunks that a graph of the vectors hands over


@dataclass
class Dense(Passages):
    """Chunks by meaning; the vectors are whatever `embedder` gives.

    `search` is exact, or by a graph (extra `ann`) that hands over the 200 nearest.

    Raises:
        GswlabError: a question comes and there is no embedder.
    """

    embedder: Embedder | None = None
    search: Search = "exact"
    _index: VectorIndex | None = field(default=None, init=False, repr=False)

    def index(self, texts: Sequence[str]) -> None:
        """Embed what was not embedded before; the embedder keeps the rest."""
        if self.embedder is None:
            rule = "finding by meaning needs vectors"
            raise GswlabError("memory=dense has no embedder", rule, "embedder=minilm")
        self._index = VectorIndex.of(texts, self.embedder, self.search)

    def rank(self, question: str) -> Ranking:
        """Chunks, nearest first: all, or those that the graph leads to."""
        most = len(self.chunks) if self.search == "exact" else FOUND
        return self._index.nearest(question, most) if self._index else ()

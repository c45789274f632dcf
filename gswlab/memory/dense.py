"""Embedding RAG: chunks by the cosine of their vectors with the question's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gswlab.embed import Embedder, VectorIndex
from gswlab.errors import GswlabError
from gswlab.memory.passages import Passages, Ranking


@dataclass
class Dense(Passages):
    """Chunks by meaning; the vectors are whatever `embedder` gives.

    Raises:
        GswlabError: a question comes and there is no embedder.
    """

    embedder: Embedder | None = None
    _index: VectorIndex | None = field(default=None, init=False, repr=False)

    def index(self, texts: Sequence[str]) -> None:
        """Embed what was not embedded before; the embedder keeps the rest."""
        if self.embedder is None:
            rule = "finding by meaning needs vectors"
            raise GswlabError("memory=dense has no embedder", rule, "embedder=minilm")
        self._index = VectorIndex.of(texts, self.embedder)

    def rank(self, question: str) -> Ranking:
        """All chunks, nearest first."""
        return self._index.nearest(question, len(self.chunks)) if self._index else ()

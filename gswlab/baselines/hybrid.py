"""Words and meaning together, by reciprocal rank fusion (Cormack et al. 2009)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from gswlab.baselines.bm25 import BM25
from gswlab.baselines.dense import Dense
from gswlab.baselines.passages import Passages, Ranking
from gswlab.core.nouns import Chunk
from gswlab.core.step import Step


@dataclass
class Hybrid(Passages):
    """A chunk scores the sum of 1 / (constant + rank) over both rankings.

    Scores are never compared across rankings, so neither needs a scale.
    """

    lexical: BM25
    dense: Dense
    constant: int = 60

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep one more chunk, in both."""
        self.lexical.partial_fit(chunk)
        self.dense.partial_fit(chunk)
        return super().partial_fit(chunk)

    def index(self, texts: Sequence[str]) -> None:
        """Index both."""
        self.lexical.finish()
        self.dense.finish()

    def rank(self, question: str) -> Ranking:
        """All chunks, best first by both rankings."""
        fused: defaultdict[int, float] = defaultdict(float)
        for ranking in (self.lexical.rank(question), self.dense.rank(question)):
            for rank, (row, _) in enumerate(ranking, 1):
                fused[row] += 1 / (self.constant + rank)
        return sorted(fused.items(), key=lambda found: (-found[1], found[0]))

    def clone(self) -> Self:
        """The same settings, nothing read."""
        return replace(self, lexical=self.lexical.clone(), dense=self.dense.clone())

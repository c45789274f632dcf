"""BM25 over titles and texts (Robertson and Zaragoza 2009), by bm25s.

The reference point of every comparison: k1 1.5, b 0.75, words of `[a-z0-9]`, nothing
stemmed, no word left out. `stopwords` and `title` make the tuned one of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import bm25s
import numpy as np
from bm25s.stopwords import STOPWORDS_EN
from numpy.typing import NDArray

from gswlab.baselines.passages import Passages, Ranking
from gswlab.language.stems import bm25_words

_Scores = NDArray[np.float32]

_STOP = frozenset(STOPWORDS_EN)


@dataclass
class BM25(Passages):
    """Chunks by BM25.

    `stopwords` leaves English function words out; `title` adds that share of the best
    score to a chunk whose title the question names.

    >>> BM25().recall("Who left?", 100).items
    ()
    """

    k1: float = 1.5
    b: float = 0.75
    stopwords: bool = False
    title: float = 0.0
    _titles: list[str] = field(default_factory=list, init=False, repr=False)
    _index: bm25s.BM25 | None = field(default=None, init=False, repr=False)

    def words(self, text: str) -> list[str]:
        """The words of a text that count under these settings."""
        found = bm25_words(text)
        return [w for w in found if w not in _STOP] if self.stopwords else found

    def index(self, texts: Sequence[str]) -> None:
        """Count the words of all texts; texts without one leave nothing to find."""
        counted = [self.words(text) for text in texts]
        titles = (chunk.title or "" for chunk in self.chunks)
        self._titles = [f" {' '.join(bm25_words(title))} " for title in titles]
        self._index = bm25s.BM25(k1=self.k1, b=self.b) if any(counted) else None
        if self._index is not None:
            self._index.index(counted, show_progress=False)

    def scores(self, question: str) -> _Scores:
        """A score a chunk, in the order of reading."""
        asked = self.words(question)
        if self._index is None or not asked:
            return np.zeros(len(self.chunks), np.float32)
        scores: _Scores = self._index.get_scores(asked)
        if not self.title:
            return scores
        # 1 for a chunk whose title stands in the question, word for word
        told = f" {' '.join(bm25_words(question))} "
        named = [len(title) > 2 and title in told for title in self._titles]
        share = self.title * scores.max() * np.array(named, np.float32)
        return np.asarray(scores + share)

    def rank(self, question: str) -> Ranking:
        """All chunks, best first."""
        scores = self.scores(question)
        order = np.argsort(-scores, kind="stable")
        return [(int(row), float(scores[row])) for row in order]

"""Passages tied to passages: words and meaning find some, a walk finds the rest.

Our own memory without a model. A question of several hops names one passage and wants
another that the first one tells of: so the walk starts from what BM25 and the vectors
find, sharpened to the few best, and goes along two kinds of ties, a title that another
passage names and a name that few passages share. The defaults were tuned on HotpotQA's
training questions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log2

import numpy as np

from gswlab.baselines.bm25 import BM25
from gswlab.baselines.dense import Dense
from gswlab.baselines.page_rank import Ranks, RankWalk
from gswlab.baselines.passages import Passages, Ranking
from gswlab.baselines.static_graph import grams, naming
from gswlab.baselines.triples import phrase, title_of
from gswlab.core.nouns import Chunk
from gswlab.models.vectors.embedder import Embedder

_NAME = re.compile(
    r"\b[^\W\da-z_][\w'’.-]*(?:\s+(?:(?:of|the|and|de|von|van|&)\s+)?[^\Wa-z_][\w'’.-]*)*"
)

MEANING = 0.35  # share of the cosine in the first score; the rest is BM25's
_BACK = 0.3  # weight of a title's tie from the passage named to the one that names it


@dataclass
class Linked(Passages):
    """Passages by personalised PageRank from the best by words and meaning.

    Args:
        embedder: vectors of passages and questions.
        title: added to the first score of a passage whose title the question names.
        sharpness: power of the first score that the walk starts from.
        damping: chance to go on along a tie.
        titles: whether a passage that names another's title is tied to it. Off, it is
            the ablation: in Wikipedia such ties are its links in disguise.
        names: weight of the tie of two passages that share a name.
        common: passages that may share a name; one that more share ties none.
    """

    embedder: Embedder | None = None
    title: float = 0.5
    sharpness: float = 5.0
    damping: float = 0.5
    titles: bool = True
    names: float = 0.1
    common: int = 5
    _words: BM25 = field(init=False, repr=False, compare=False)
    _near: Dense = field(init=False, repr=False, compare=False)
    _titles: list[str] = field(default_factory=list, init=False, repr=False)
    _walk: RankWalk | None = field(default=None, init=False, repr=False)

    def index(self, texts: Sequence[str]) -> None:
        """Count words, embed, tie."""
        self._words = BM25(stopwords=True).over(self.chunks)
        self._near = Dense(embedder=self.embedder).over(self.chunks)
        self._titles = [phrase(title_of(chunk) or "") for chunk in self.chunks]
        ties: defaultdict[tuple[int, int], float] = defaultdict(float)
        for one, other in dict.fromkeys(naming(self.chunks)) if self.titles else ():
            ties[one, other] += 1.0
            ties[other, one] += _BACK
        for (one, other), weight in sharing(self.chunks, self.common):
            ties[one, other] += self.names * weight
            ties[other, one] += self.names * weight
        self._walk = RankWalk.of(len(texts), ties, directed=True)

    def rank(self, question: str) -> Ranking:
        """All passages by their share of the walk, then by their first score."""
        assert self._walk is not None
        found = self._found(question)
        ranks = self._walk.ranks(found**self.sharpness, self.damping)
        order = np.lexsort((-found, -ranks))
        return [(int(row), float(ranks[row])) for row in order]

    def _found(self, question: str) -> Ranks:
        """The first score of each passage, the best one 1."""
        words = np.asarray(self._words.scores(question), np.float64)
        near = np.zeros(len(words))
        for row, cosine in self._near.rank(question):
            near[row] = cosine
        asked = set(grams(question, 12))
        named = np.array([title in asked for title in self._titles], np.float64)
        score: Ranks = (1 - MEANING) * to_one(words)
        score = score + MEANING * to_one(near - near.min()) + self.title * named
        return to_one(score)


def to_one(scores: Ranks) -> Ranks:
    """Scores over the best one; zeros stay."""
    top = scores.max()
    return scores / top if top > 0 else scores


def sharing(
    chunks: Sequence[Chunk], common: int
) -> Iterator[tuple[tuple[int, int], float]]:
    """Pairs of passages with a name in common, worth less the more passages have it."""
    held: defaultdict[str, list[int]] = defaultdict(list)
    for row, chunk in enumerate(chunks):
        said = {phrase(found) for found in _NAME.findall(chunk.text)}
        for name in sorted(said | {phrase(title_of(chunk) or "")}):
            if len(name) > 2:
                held[name].append(row)
    for rows in held.values():
        if len(rows) <= common:
            worth = 1 / log2(1 + len(rows))
            yield from ((pair, worth) for pair in combinations(rows, 2))

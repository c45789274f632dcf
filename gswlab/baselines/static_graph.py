"""Static graph RAG, our reading: a graph built before any question, never changed.

The paper on geDIG (Miyauchi) names such a baseline in one phrase: retrieval from a
graph built beforehand. Here passages and entities are nodes; a mention ties a passage
to an entity, a title named ties two passages, and so does a cosine of 0.7 (the
threshold of that paper's longer text). No gate, no model, no update.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gswlab.baselines.bm25 import BM25
from gswlab.baselines.dense import Dense
from gswlab.baselines.knowledge_graph import Extracting, neighbours
from gswlab.baselines.page_rank import RankWalk
from gswlab.baselines.passages import Passages, Ranking
from gswlab.baselines.triples import phrase, title_of
from gswlab.core.nouns import Chunk

Pairs = dict[tuple[int, int], float]


@dataclass
class StaticGraph(Extracting):
    """Passages by personalised PageRank from the best passages and named entities.

    Args:
        seeds: how many passages, and how many entities, the walk starts from.
        damping: chance to go on along an edge.
        similar: cosine from which two passages are tied; above 1 none are.
        titles: whether a passage that names another's title is tied to it. Off, it is
            the ablation: in Wikipedia such ties are its links in disguise.
        score: how passages are found at first.
    """

    seeds: int = 5
    damping: float = 0.5
    similar: float = 0.7
    titles: bool = True
    score: Literal["bm25", "dense"] = "bm25"
    _found: Passages | None = field(default=None, init=False, repr=False)
    _entities: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    _walk: RankWalk | None = field(default=None, init=False, repr=False)

    def index(self, texts: Sequence[str]) -> None:
        """Make the graph of all that was read."""
        bm25 = self.score == "bm25"
        scorer = BM25() if bm25 else Dense(embedder=self.vectors())
        self._found = scorer.over(self.chunks)
        held = [[e.key for e in found.entities] for found in self.extractions]
        keys = dict.fromkeys(key for each in held for key in each)
        self._entities = {key: len(texts) + i for i, key in enumerate(keys)}
        edges: Pairs = {}
        if self.similar <= 1:
            near = neighbours(self.vectors().embed(texts), self.similar)
            edges |= {(min(a, b), max(a, b)): cosine for a, b, cosine in near}
        if self.titles:
            edges |= dict.fromkeys(naming(self.chunks), 1.0)
        for row, each in enumerate(held):
            edges |= {(row, self._entities[key]): 1.0 for key in each}
        self._walk = RankWalk.of(len(texts) + len(keys), edges)

    def rank(self, question: str) -> Ranking:
        """All chunks by their share of the walk, then by their first score."""
        assert self._walk is not None
        assert self._found is not None
        reset = np.zeros(len(self._walk.stuck))
        ranked = self._found.rank(question)
        best = [(row, score) for row, score in ranked[: self.seeds] if score > 0]
        for row, score in best:
            reset[row] = score / sum(score for _, score in best)
        named = self._named(question)
        for node in named:
            reset[node] = 1 / len(named)
        ranks = self._walk.ranks(reset, self.damping)
        order = sorted((row for row, _ in ranked), key=lambda row: -ranks[row])
        return [(row, float(ranks[row])) for row in order]

    def _named(self, question: str) -> list[int]:
        """The nodes of the entities whose names the question holds, longest first."""
        found = sorted(grams(question), key=lambda key: -len(key.split()))
        nodes: dict[int, None] = {}
        taken: set[str] = set()
        for key in found:
            if key in self._entities and key not in taken:
                nodes[self._entities[key]] = None
                taken |= set(grams(key))
        return list(nodes)[: self.seeds]


def grams(text: str, most: int = 8) -> Iterator[str]:
    """Every run of up to `most` words of a text, as phrases are written.

    >>> list(grams("To St. Ann"))
    ['to', 'to st', 'to st ann', 'st', 'st ann', 'ann']
    """
    words = phrase(text).split()
    for start in range(len(words)):
        for end in range(start + 1, min(start + most, len(words)) + 1):
            yield " ".join(words[start:end])


def naming(chunks: Sequence[Chunk]) -> Iterator[tuple[int, int]]:
    """Pairs of chunks of which one's text holds the other's title, word for word."""
    titled: defaultdict[str, list[int]] = defaultdict(list)
    for row, chunk in enumerate(chunks):
        if key := phrase(title_of(chunk) or ""):
            titled[key].append(row)
    for row, chunk in enumerate(chunks):
        for key in dict.fromkeys(grams(chunk.text)):
            yield from ((row, other) for other in titled.get(key, ()) if other != row)

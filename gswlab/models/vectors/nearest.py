"""The nearest of a fixed set of texts by cosine, behind one protocol.

`Exact` compares with every vector: one product, what scikit-learn's `NearestNeighbors`
does by brute force, but ties keep the order given. `HNSW` is faiss's HNSW (extra
`ann`): for millions of texts, where it is right to miss one now and then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gswlab.core.errors import GswlabError
from gswlab.models.vectors.embedder import Embedder, Vectors, query_vector

Search = Literal["exact", "graph"]
Hits = tuple[tuple[int, float], ...]
_LINKS, _BUILT, _ASKED = 32, 200, 200  # of HNSW, as the longer text on geDIG has them


def cosines(rows: Vectors, query: Vectors) -> Vectors:
    """Of each row with a query; of no rows a server has not said how wide they are."""
    return rows @ query if len(rows) else np.zeros(0, np.float32)


@dataclass(frozen=True)
class Exact:
    """Every vector is looked at."""

    vectors: Vectors

    def find(self, query: Vectors, count: int) -> Hits:
        """The nearest; of equal ones the first."""
        scores = cosines(self.vectors, query)
        return tuple((row, float(scores[row])) for row in best(scores, count))


class HNSW:
    """A navigable small world of the vectors (Malkov and Yashunin 2018), by faiss.

    Raises:
        GswlabError: faiss is not installed.
    """

    def __init__(self, vectors: Vectors) -> None:
        try:
            import faiss
        except ImportError as error:
            rule = "approximate search comes with the extra ann"
            command = 'pip install "gswlab[ann]"'
            raise GswlabError("faiss is not installed", rule, command) from error
        faiss.omp_set_num_threads(1)  # else the graph depends on who comes first
        found: Any = faiss.IndexHNSWFlat(
            vectors.shape[1], _LINKS, faiss.METRIC_INNER_PRODUCT
        )
        found.hnsw.efConstruction = _BUILT
        found.hnsw.efSearch = _ASKED
        found.add(np.ascontiguousarray(vectors))
        self._index = found

    def find(self, query: Vectors, count: int) -> Hits:
        """The nearest that the graph leads to; of equal ones the first."""
        scores, rows = self._index.search(query[None], min(count, self._index.ntotal))
        pairs = zip(rows[0].tolist(), scores[0].tolist(), strict=True)
        hits = [(row, score) for row, score in pairs if row >= 0]
        return tuple(sorted(hits, key=lambda hit: (-hit[1], hit[0])))


@dataclass
class VectorIndex:
    """The nearest of a fixed set of texts by cosine; ties keep the order given.

    >>> from gswlab.models.vectors.minilm import MiniLM
    >>> index = VectorIndex.of(["a boat", "a loaf of bread"], MiniLM())
    >>> index.nearest("a ship", 1)[0][0]
    0
    """

    vectors: Vectors
    embedder: Embedder
    search: Search = "exact"

    def __post_init__(self) -> None:
        made = Exact if self.search == "exact" or not len(self.vectors) else HNSW
        self._nearest: Exact | HNSW = made(self.vectors)

    @classmethod
    def of(
        cls, texts: Iterable[str], embedder: Embedder, search: Search = "exact"
    ) -> VectorIndex:
        """Embed the texts, all at once, and index them; rows are in their order."""
        return cls(embedder.embed(list(texts)), embedder, search)

    def nearest(self, query: str, count: int) -> Hits:
        """Row and cosine of the `count` nearest texts, best first."""
        if not len(self.vectors):
            return ()
        return self._nearest.find(query_vector(query, self.embedder), count)


def best(scores: Vectors, count: int) -> list[int]:
    """The rows of the `count` highest scores, best first; ties keep the order."""
    if not 0 < count < len(scores):
        return list(map(int, np.argsort(-scores, kind="stable")[:count]))
    least = np.partition(scores, -count)[-count]
    rows = np.flatnonzero(scores >= least)
    order = np.argsort(-scores[rows], kind="stable")[:count]
    return list(map(int, rows[order]))

"""Personalised PageRank over a weighted graph, by scipy.

x = (1 - d) r + d Wt x: `damping` d is the chance to go on along an edge, r the reset
weights as a distribution, W the edge weights with rows that sum to 1. A node without an
edge jumps back to r, as in networkx, whose ranks these are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, diags_array

Ranks = NDArray[np.float64]
Edges = Mapping[tuple[int, int], float]
_TOLERANCE = 1e-9  # summed over the nodes; d = 0.5 gets there in some 30 rounds
_MOST = 1000


@dataclass(frozen=True)
class RankWalk:
    """A graph made ready: `steps[j, i]` is the chance to go from i to j."""

    steps: csr_array
    stuck: NDArray[np.bool_]

    @classmethod
    def of(cls, size: int, edges: Edges, *, directed: bool = False) -> RankWalk:
        """A graph of nodes 0 to `size` - 1; an edge is given once, either way round.

        Of a `directed` graph an edge is walked from its first node to its second.

        >>> RankWalk.of(3, {(0, 1): 2.0}).steps.toarray()[1, 0]
        np.float64(1.0)
        """
        rows, columns = np.array(list(edges), np.int64).reshape(-1, 2).T
        weights = np.fromiter(edges.values(), np.float64, len(edges))
        upper = coo_array((weights, (rows, columns)), (size, size)).tocsr()
        both = upper if directed else upper + upper.T - diags_array(upper.diagonal())
        degree = both.sum(axis=1)
        each = np.divide(1.0, degree, out=np.zeros(size), where=degree > 0)
        return cls(csr_array(both.T @ diags_array(each)), degree == 0)

    def ranks(self, reset: Ranks, damping: float = 0.5) -> Ranks:
        """The share of the walk that each node gets; zeros for a reset of zeros."""
        if not reset.sum() > 0:
            return np.zeros_like(reset)
        home = reset / reset.sum()
        ranks: Ranks = home
        for _ in range(_MOST):
            went = self.steps @ ranks + ranks[self.stuck].sum() * home
            before, ranks = ranks, (1 - damping) * home + damping * went
            if np.abs(ranks - before).sum() < _TOLERANCE:
                break
        return ranks

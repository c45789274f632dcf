"""What an edit does to the ways between nodes that were connected before it.

The mean distance over the pairs reachable before ("fixed pairs"), inside a ball. A new
edge (u, v) changes a distance exactly by

    d'(i, j) = min(d(i, j), d(i, u) + 1 + d(v, j), d(i, v) + 1 + d(u, j))

so nothing is walked again; an edge taken away has the ball's distances computed anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gswlab.gedig.edit import Edge, Links, Node, Proposal

Distances = npt.NDArray[np.float64]


def shortening(proposal: Proposal, ball: Sequence[Node]) -> float:
    """By what share the fixed pairs of a ball come closer: (before - after) / before.

    Positive is shorter, negative longer; a pair that the edit parts keeps the distance
    it had. 0.0 when no two nodes of the ball were connected.
    """
    return shortened(*proposal.links(ball), proposal, ball)


def shortened(
    links: Links, linked: Links, proposal: Proposal, ball: Sequence[Node]
) -> float:
    """`shortening`, where the links of the ball before and after are at hand."""
    before = distances(links)
    pairs = np.triu(np.isfinite(before), 1)
    if not pairs.any():
        return 0.0
    updated = () if proposal.lost else proposal.fresh
    after = closer(before, updated, ball) if updated else distances(linked)
    after = np.where(np.isfinite(after), after, before)
    had = before[pairs].mean()
    return float((had - after[pairs].mean()) / had)


def distances(links: Links) -> Distances:
    """Steps between every two nodes on the links there are: (n, n).

    Infinite where there is no way.
    """
    steps = np.where(links, 1.0, np.inf)
    np.fill_diagonal(steps, 0.0)
    known = np.isfinite(steps)
    step, ways = 1, links.astype(np.float32)
    while True:
        reached = (known.astype(np.float32) @ ways > 0) & ~known
        if not reached.any():
            return steps
        step += 1
        steps[reached] = step
        known |= reached


def closer(before: Distances, edges: Iterable[Edge], ball: Sequence[Node]) -> Distances:
    """Distances after edges are added, each by its one-edge update."""
    at = {node: row for row, node in enumerate(ball)}
    after = before
    for u, v in ((at[a], at[b]) for a, b in edges if a in at and b in at):
        way = after[:, u, None] + 1 + after[None, v, :]
        after = np.minimum(after, np.minimum(way, way.T))
    return after

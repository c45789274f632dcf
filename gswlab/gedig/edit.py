"""A change of a graph, priced before it is made: the graph itself is never touched."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import shortest_path

Vertex: TypeAlias = Hashable
VertexPair: TypeAlias = tuple[Vertex, Vertex]
NxGraph: TypeAlias = "nx.Graph[Any]"
Adjacency: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Edit:
    """Nodes and edges to add, and edges to take away; undirected, without weights.

    An end of a new edge that the graph lacks is a new node, named or not.
    """

    nodes: tuple[Vertex, ...] = ()
    edges: tuple[VertexPair, ...] = ()
    gone: tuple[VertexPair, ...] = ()

    def apply(self, graph: NxGraph) -> None:
        """Make the change."""
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.edges)
        graph.remove_edges_from(self.gone)


class Proposal:
    """A graph and an edit of it: both sides can be walked, neither is copied.

    Edges that are there already, or gone already, are no part of what is `fresh`,
    `lost` and `cost`.
    """

    def __init__(self, graph: NxGraph, edit: Edit) -> None:
        self.adj: Mapping[Vertex, Mapping[Vertex, Any]] = graph.adj
        self.fresh = _once(e for e in edit.edges if not graph.has_edge(*e))
        self.lost = _once(edge for edge in edit.gone if graph.has_edge(*edge))
        named = [*edit.nodes, *(end for edge in self.fresh for end in edge)]
        self.born = [node for node in dict.fromkeys(named) if node not in graph]

    @property
    def cost(self) -> int:
        """Operations: a node or an edge added or taken away is one each."""
        return len(self.born) + len(self.fresh) + len(self.lost)

    def near(self, node: Vertex) -> Iterator[Vertex]:
        """The neighbours of a node as the edit would have them."""
        gone = {frozenset(edge) for edge in self.lost if node in edge}
        there = self.adj.get(node, {})
        yield from (o for o in there if not gone or frozenset((node, o)) not in gone)
        yield from (b if node == a else a for a, b in self.fresh if node in (a, b))

    def links(self, ball: Sequence[Vertex]) -> tuple[Adjacency, Adjacency]:
        """Who is linked to whom in a ball, before and after: each (n, n), symmetric."""
        at = {node: row for row, node in enumerate(ball)}
        before = np.zeros((len(ball), len(ball)), bool)
        for node, row in at.items():
            known = self.adj.get(node, {})
            # a hub has more neighbours than a ball has nodes
            few = known if len(known) <= len(ball) else ball
            before[row, [at[o] for o in few if o in at and o in known]] = True
        after = before.copy()
        for edges, linked in ((self.fresh, True), (self.lost, False)):
            for one, other in ((at[a], at[b]) for a, b in edges if a in at and b in at):
                after[one, other] = after[other, one] = linked
        return before, after

    def rings(self, hops: int, most: int) -> tuple[tuple[Vertex, ...], tuple[int, ...]]:
        """The nodes within `hops` of those that appear or change their degree.

        As the edit would have it, nearest first, at most `most` beside those: a walk of
        bounded length, however large the graph. Beside them how many of the first are
        within 0, 1, ... `hops`.
        """
        ends = (end for edge in (*self.fresh, *self.lost) for end in edge)
        seen = dict.fromkeys([*self.born, *ends])
        ring = [*seen]
        limit, sizes = len(seen) + most, [len(seen)]
        for _ in range(hops):
            fresh = (near for node in ring for near in self.near(node))
            found = dict.fromkeys(near for near in fresh if near not in seen)
            ring = [*found][: limit - len(seen)]
            seen.update(dict.fromkeys(ring))
            sizes.append(len(seen))
        return tuple(seen), tuple(sizes)


def _once(edges: Iterable[VertexPair]) -> tuple[VertexPair, ...]:
    """Undirected edges, each once, no loops, in their order."""
    kept: dict[frozenset[Vertex], VertexPair] = {}
    for one, other in edges:
        if one != other:
            kept.setdefault(frozenset((one, other)), (one, other))
    return tuple(kept.values())


# What an edit does to the ways between nodes that were connected before it.


def shortening(
    proposal: Proposal,
    ball: Sequence[Vertex],
    links: tuple[Adjacency, Adjacency] | None = None,
) -> float:
    """By what share the fixed pairs of a ball come closer: (before - after) / before.

    Positive is shorter, negative longer; a pair that the edit parts keeps the distance
    it had. 0.0 when no two nodes of the ball were connected. `links` are the ball's,
    where they are at hand.
    """
    links = links or proposal.links(ball)
    before = _steps(links[0])
    pairs = np.triu(np.isfinite(before), 1)
    if not pairs.any():
        return 0.0
    if proposal.lost or not proposal.fresh:
        after = _steps(links[1])
    else:  # what edges that are added do to all ways, edge by edge
        after = before
        at = {node: row for row, node in enumerate(ball)}
        inside = ((at[a], at[b]) for a, b in proposal.fresh if a in at and b in at)
        for u, v in inside:
            way = after[:, u, None] + 1 + after[None, v, :]
            after = np.minimum(after, np.minimum(way, way.T))
    after = np.where(np.isfinite(after), after, before)
    had = before[pairs].mean()
    return float((had - after[pairs].mean()) / had)


def _steps(links: Adjacency) -> FloatArray:
    """Between every two nodes, (n, n); infinite where there is no way."""
    return np.asarray(shortest_path(links, directed=False, unweighted=True))

"""Communities by hierarchical Leiden (Traag et al. 2019), by leidenalg on igraph.

Level 0 is the partition of the whole graph by modularity; a community larger than the
cap is partitioned again by itself, which makes the next level, until nothing splits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import igraph
import leidenalg

Weights = Mapping[tuple[str, str], float]


@dataclass
class Community:
    """Entities that belong together, by key; `number` counts all communities."""

    number: int
    level: int
    members: tuple[str, ...]
    parent: int | None = None
    children: list[int] = field(default_factory=list)


def communities(
    weights: Weights, cap: int = 10, largest: bool = False, seed: int = 0xDEADBEEF
) -> list[Community]:
    """All communities, parents before children; nodes and edges in sorted order.

    Args:
        weights: of undirected edges, each given once.
        cap: members from which on a community is split again.
        largest: leave out what is not tied to the largest connected component.
        seed: of the partition's random order.
    """
    whole = _graph(weights)
    if largest and whole.vcount():
        whole = whole.connected_components().giant()
    found: list[Community] = []
    waiting: list[tuple[igraph.Graph, Community | None]] = [(whole, None)]
    while waiting:
        graph, parent = waiting.pop(0)
        parts = partition(graph, seed)
        if parent and len(parts) < 2:
            continue
        for part in parts:
            child = _community(len(found), graph, part, parent)
            found.append(child)
            if len(part) > cap:
                waiting.append((graph.induced_subgraph(part), child))
    return found


def partition(graph: igraph.Graph, seed: int) -> list[list[int]]:
    """Leiden's partition by modularity, resolution 1, as lists of vertices."""
    if not graph.vcount():
        return []
    found = leidenalg.find_partition(
        graph,
        leidenalg.ModularityVertexPartition,
        weights="weight",
        n_iterations=-1,  # until nothing improves
        seed=seed,
    )
    return [list(part) for part in found if part]


def _graph(weights: Weights) -> igraph.Graph:
    names = sorted({end for ends in weights for end in ends})
    rows = {name: row for row, name in enumerate(names)}
    edges = sorted((rows[a], rows[b], weight) for (a, b), weight in weights.items())
    graph = igraph.Graph(len(names), [(a, b) for a, b, _ in edges])
    graph.vs["name"] = names
    graph.es["weight"] = [weight for _, _, weight in edges]
    return graph


def _community(
    number: int, graph: igraph.Graph, part: Sequence[int], parent: Community | None
) -> Community:
    members = tuple(sorted(graph.vs[row]["name"] for row in part))
    if parent is None:
        return Community(number, 0, members)
    parent.children.append(number)
    return Community(number, parent.level + 1, members, parent.number)

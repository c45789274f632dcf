"""Property graphs in this process, on networkx: the default store.

Nothing outlives the process: a run writes its graph again from what it read.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from gswlab.hybridrag.stores.common import (
    Ids,
    check_edges,
    check_nodes,
    edge_named,
    no_end,
    node_fits,
    paths,
    within_hops,
)
from gswlab.hybridrag.stores.nouns import (
    MOST_NODES,
    MOST_PATHS,
    Counts,
    GraphEdge,
    GraphNode,
    Neighbourhood,
    NodeLabel,
    NodePattern,
    Path,
    PathPattern,
    Properties,
    PropertyGraph,
)


@dataclass
class InMemory:
    """Graphs that live as long as their process; as fast as Python goes.

    >>> store = InMemory()
    >>> store.upsert([GraphNode("c1", "Character", {"name": "Alice"})])
    >>> store.counts()
    Counts(nodes=1, edges=0)
    """

    name: str = "graph"
    # of graphs: networkx's classes take no parameter when the program runs
    _place: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def _graph(self) -> nx.MultiDiGraph[str]:
        graph: nx.MultiDiGraph[str] = self._place.setdefault(
            self.name, nx.MultiDiGraph()
        )
        return graph

    def upsert(
        self, nodes: Iterable[GraphNode] = (), edges: Iterable[GraphEdge] = ()
    ) -> None:
        """Checked as a whole before the first is written."""
        named, tied, graph = check_nodes(nodes), check_edges(edges), self._graph
        for edge in tied:
            if any(e not in named and e not in graph for e in edge.key[:3:2]):
                raise no_end(edge)
        for node in named.values():
            graph.add_node(node.id, noun=node)
        for edge in tied:
            graph.add_edge(edge.source, edge.target, key=edge.key, noun=edge)

    def delete(self, nodes: Iterable[str] = (), edges: Iterable[str] = ()) -> None:
        """Unknown ids are passed over."""
        graph = self._graph
        for edge in [edge_named(id_) for id_ in edges]:
            if graph.has_edge(edge.source, edge.target, key=edge.key):
                graph.remove_edge(edge.source, edge.target, key=edge.key)
        graph.remove_nodes_from(nodes)

    def nodes(self, ids: Iterable[str]) -> tuple[GraphNode, ...]:
        """By id."""
        known = self._graph.nodes
        return tuple(known[i]["noun"] for i in sorted(set(ids)) if i in known)

    def find(
        self, label: NodeLabel | None = None, where: Properties | None = None
    ) -> tuple[GraphNode, ...]:
        """By id; looks at every node of the graph."""
        wanted = NodePattern(label, where or {})
        every = (data["noun"] for _, data in self._graph.nodes(data=True))
        found = (node for node in every if node_fits(node, wanted))
        return tuple(sorted(found, key=lambda node: node.id))

    def neighbourhood(
        self, seeds: Sequence[str], k: int = 1, limit: int = MOST_NODES
    ) -> Neighbourhood:
        """Work is bounded by the degrees of the nodes let in, not by the graph."""
        graph = self._graph

        def reach(ids: Ids, seen: Ids, room: int) -> list[str]:
            sides = (graph.succ, graph.pred)
            near = {other for id_ in ids for side in sides for other in side[id_]}
            return heapq.nsmallest(room, near.difference(seen))

        known = [seed for seed in seeds if seed in graph]
        distance, cut = within_hops(known, k, limit, reach)
        nodes = tuple(graph.nodes[i]["noun"] for i in distance)
        edges: list[GraphEdge] = []
        for source in distance:
            leads = graph.succ[source]  # of a hub and its few neighbours, walk the few
            fewer = len(leads) < len(distance)
            few, many = (leads, distance) if fewer else (distance, leads)
            for target in (target for target in few if target in many):
                edges += (data["noun"] for data in leads[target].values())
        return Neighbourhood(nodes, _sorted(edges), distance, cut)

    def match(self, pattern: PathPattern, limit: int = MOST_PATHS) -> tuple[Path, ...]:
        """Followed edge by edge from the nodes that fit the pattern's first."""
        first = pattern.nodes[0]
        return paths(pattern, self.find(first.label, first.where), self._ties, limit)

    def _ties(self, ids: Ids) -> tuple[list[GraphEdge], list[GraphNode]]:
        """An edge between two of the ids comes twice: `paths` takes it once."""
        graph = self._graph
        edges = [data["noun"] for _, _, data in graph.out_edges(ids, data=True)]
        edges += [data["noun"] for _, _, data in graph.in_edges(ids, data=True)]
        ends = {end for e in edges for end in (e.source, e.target)}
        return edges, [graph.nodes[i]["noun"] for i in ends]

    def graph(self) -> PropertyGraph:
        """Sorted, as every result is."""
        edges = (data["noun"] for _, _, data in self._graph.edges(data=True))
        return PropertyGraph(self.find(), _sorted(edges))

    def counts(self) -> Counts:
        """Of this graph."""
        return Counts(self._graph.number_of_nodes(), self._graph.number_of_edges())

    def clear(self) -> None:
        """Of this graph."""
        self._graph.clear()

    def named(self, name: str) -> InMemory:
        """Another graph of this process."""
        return InMemory(name, self._place)

    def close(self) -> None:
        """Nothing to let go of."""


def _sorted(edges: Iterable[GraphEdge]) -> tuple[GraphEdge, ...]:
    return tuple(sorted(edges, key=lambda edge: edge.key))

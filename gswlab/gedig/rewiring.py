"""Phase 2: a graph rewired between episodes, each edit at its price.

What episodes used is known, nothing new is seen. Three kinds of edit are priced by the
gauge, in its widest ball, and made where F = cost - lam * (gain + gamma * shorter) is
at or below theta. What is kept is what costs: an edge or node that goes counts -1.

- `prune`: an edge that is hardly used goes, where its ends stay connected without it or
  one of them is a leaf that nobody wants to keep;
- `shortcut`: an edge that is offered, between nodes that were used together, comes;
- `consolidate`: a node between two others that nobody wants to keep is folded into one
  edge, which has under `via` what it passes, from the node `first` on, and a `length`.

The gain is of certainty: the entropy of use over the edges around, where those whose
edge is missing have to guess. Fewer ways that nobody takes are less doubt where to go,
a way that many take and that is gone is more. The given graph is not touched.

Source: the paper's phase 2 (a design there, min GED + H + |E|); not in the public code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from typing import Literal

import networkx as nx

from gswlab.gedig.edit import Edit, NxGraph, Vertex, VertexPair
from gswlab.gedig.entropy import entropy
from gswlab.gedig.gauge import Gauge, Price, Terms

EditKind = Literal["prune", "shortcut", "consolidate"]
_SMOOTH = 0.1  # the use of an edge that nobody used
_Use = Mapping[frozenset[Vertex], float]
EDIT_KINDS: tuple[EditKind, ...] = ("prune", "shortcut", "consolidate")


@dataclass(frozen=True)
class MadeEdit:
    """An edit that was made, and what it was priced at."""

    kind: EditKind
    price: Price


@dataclass(frozen=True)
class Rewired:
    """The graph after all changes, and the changes in their order."""

    graph: NxGraph
    changes: tuple[MadeEdit, ...]

    def count(self, kind: EditKind) -> int:
        """How many changes of a kind were made."""
        return sum(change.kind == kind for change in self.changes)


@dataclass(frozen=True)
class Rewiring:
    """Settings of the rewiring; calling it gives the graph rewired.

    `theta` is the price up to which an edit is made, `kinds` what is done, in this
    order.

    >>> import networkx as nx
    >>> ring = nx.cycle_graph(4)
    >>> done = Rewiring()(ring, used([(0, 1, 2)] * 5), keep={0, 2})
    >>> list(done.graph.edges(data="via")), done.count("prune")
    ([(0, 2, (1,))], 2)
    """

    gauge: Gauge = field(default_factory=lambda: Gauge(lam=1.0, hops=2))
    theta: float = 0.0
    kinds: tuple[EditKind, ...] = EDIT_KINDS

    def __call__(
        self,
        graph: NxGraph,
        use: _Use,
        offers: Iterable[VertexPair] = (),
        keep: Collection[Vertex] = (),
    ) -> Rewired:
        """The graph rewired.

        Args:
            graph: as episodes left it; it is copied.
            use: how much each edge, or pair of nodes, was used (`used`).
            offers: edges that may be added: walkable, or worth following.
            keep: nodes that are neither dropped nor folded.
        """
        work = _Work(self, graph.copy(), dict(use), set(keep), offers)
        for kind in self.kinds:
            getattr(work, kind)()
        return Rewired(work.graph, tuple(work.changes))


def used(trails: Iterable[Sequence[Vertex]]) -> dict[frozenset[Vertex], float]:
    """How much each edge was used by trails of nodes: one for every passing."""
    found: dict[frozenset[Vertex], float] = {}
    for trail in trails:
        for one, other in pairwise(trail):
            if one != other:
                pair = frozenset((one, other))
                found[pair] = found.get(pair, 0.0) + 1
    return found


@dataclass
class _Work:
    """A graph under rewiring."""

    settings: Rewiring
    graph: NxGraph
    use: dict[frozenset[Vertex], float]
    keep: set[Vertex]
    offers: Iterable[VertexPair]
    changes: list[MadeEdit] = field(default_factory=list)

    def prune(self) -> None:
        """The least used first; a leaf that goes may leave another one."""
        edges = sorted(self.graph.edges, key=self._used)
        while edges:
            gone = [
                edge
                for edge in edges
                if self._spare(edge) and self._made("prune", Edit(gone=(edge,)))
            ]
            near = {end for edge in gone for end in edge}
            edges = [e for e in edges if self.graph.has_edge(*e) and near & {*e}]
            if not gone:
                break

    def _spare(self, edge: VertexPair) -> bool:
        """Whether an edge leads to a leaf, or its ends are connected without it."""
        if any(self.graph.degree[n] == 1 and n not in self.keep for n in edge):
            return True
        kept = dict(self.graph.edges[edge])
        self.graph.remove_edge(*edge)
        found = nx.has_path(self.graph, *edge)
        self.graph.add_edge(*edge, **kept)
        return bool(found)

    def shortcut(self) -> None:
        """The most used first."""
        for edge in sorted(self.offers, key=lambda edge: -self._used(edge)):
            known = all(end in self.graph for end in edge)
            if known and not self.graph.has_edge(*edge):
                self._made("shortcut", Edit(edges=(edge,)))

    def consolidate(self) -> None:
        """Nodes of two edges, each as it comes."""
        for node in list(self.graph):
            near = list(self.graph[node])
            if len(near) != 2 or node in self.keep or self.graph.has_edge(*near):
                continue
            one, other = near
            length = sum(self.graph.edges[e, node].get("length", 1) for e in near)
            via = (*self._via(one, node), node, *self._via(node, other))
            self.use[frozenset(near)] = min(self._used((end, node)) for end in near)
            edit = Edit(edges=((one, other),), gone=((one, node), (node, other)))
            if self._made("consolidate", edit):
                self.graph.add_edge(one, other, via=via, first=one, length=length)

    def _via(self, one: Vertex, other: Vertex) -> tuple[Vertex, ...]:
        """What an edge passes, in the order from `one` on."""
        data = self.graph.edges[one, other]
        passed: tuple[Vertex, ...] = data.get("via", ())
        return passed if data.get("first", one) == one else passed[::-1]

    def _made(self, kind: EditKind, edit: Edit) -> bool:
        """Price an edit, what goes counted as saved; make it where it is worth that."""
        gauge, graph = self.settings.gauge, self.graph
        ends = dict.fromkeys(end for edge in edit.gone for end in edge)
        left = [end for end in ends if end not in self.keep]
        lost = {node: sum(node in edge for edge in edit.gone) for node in left}
        bare = sum(graph.degree[node] == count for node, count in lost.items())
        kept = len(edit.edges) - len(edit.gone) - bare
        share = kept / (len(edit.edges) + len(edit.gone))
        told = gauge(graph, edit, self._gain(edit)).terms
        terms = [Terms(t.cost * share, t.gain, t.shorter) for t in told]
        price = gauge.price(edit, terms)
        if price.series[-1] > self.settings.theta:
            return False
        edit.apply(graph)
        graph.remove_nodes_from([node for node in left if not graph.degree[node]])
        self.changes.append(MadeEdit(kind, price))
        return True

    def _gain(self, edit: Edit) -> float:
        """Certainty gained, among the edges around, about which one is used."""
        fresh = {frozenset(edge) for edge in edit.edges}
        gone = {frozenset(edge) for edge in edit.gone}
        ends = (end for edge in (*edit.edges, *edit.gone) for end in edge)
        around = (frozenset((e, near)) for e in ends for near in self.graph.adj[e])
        pairs = dict.fromkeys([*around, *fresh])
        held = {pair: self.use.get(pair, 0.0) + _SMOOTH for pair in pairs}
        return _doubt(held, fresh) - _doubt(held, gone)

    def _used(self, edge: VertexPair) -> float:
        return self.use.get(frozenset(edge), 0.0)


def _doubt(held: _Use, missing: Collection[frozenset[Vertex]]) -> float:
    """Expected entropy over its maximum: who finds an edge missing has to guess.

    A weight of one goes elsewhere in any case: else the only edge of a place, however
    little it is used, would be all there is.
    """
    there = [1.0, *(weight for pair, weight in held.items() if pair not in missing)]
    lost = 1 - sum(there) / (1 + sum(held.values()))
    return lost + (1 - lost) * entropy(there) / log(len(held) + 1) if held else 0.0

"""The seam of graph stores: the same calls give the same results on every one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, runtime_checkable

from gswlab.store.nouns import (
    Counts,
    Direction,
    Edge,
    EdgeType,
    Graph,
    Label,
    Neighbourhood,
    Node,
    Path,
    Pattern,
    Properties,
)

NODES = 1_000  # a neighbourhood's nodes, unless the caller says otherwise
PATHS = 1_000  # a pattern's matches, unless the caller says otherwise


@runtime_checkable
class GraphStore(Protocol):
    """One named graph of a place that may hold many.

    Every call is one transaction: it happens as a whole or not at all, and happens
    once however often it is repeated. What is asked for and not there is no error.

    Raises:
        GswlabError: from any call: the server is away, refuses or is no graph store;
            from `upsert`: an edge without its ends, a value no graph can hold.
    """

    name: str

    def upsert(self, nodes: Iterable[Node] = (), edges: Iterable[Edge] = ()) -> None:
        """Write nodes, then edges: new ones are added, known ones replaced whole."""

    def delete(self, nodes: Iterable[str] = (), edges: Iterable[str] = ()) -> None:
        """Remove edges by `Edge.id` and nodes by id, with every edge at those."""

    def nodes(self, ids: Iterable[str]) -> tuple[Node, ...]:
        """Those of `ids` that are there, each once, by id."""

    def find(
        self, label: Label | None = None, where: Properties | None = None
    ) -> tuple[Node, ...]:
        """Nodes with this label and all these values, by id. 1 is not True."""

    def neighbourhood(
        self,
        seeds: Sequence[str],
        k: int = 1,
        types: Collection[EdgeType] = (),
        direction: Direction = "both",
        limit: int = NODES,
    ) -> Neighbourhood:
        """Breadth-first from the seeds over at most `k` edges of `types` (none: all).

        At most `limit` nodes: the seeds in the order of their ids, then hop by hop,
        within a hop the smallest ids; unknown seeds are left out. The edges of the
        result obey `types` and join any two of its nodes, whatever their direction.
        """

    def match(self, pattern: Pattern, limit: int = PATHS) -> tuple[Path, ...]:
        """Every path that fits, by `Path.key`: the first `limit` of them."""

    def graph(self) -> Graph:
        """All there is."""

    def counts(self) -> Counts:
        """How many nodes and edges there are."""

    def clear(self) -> None:
        """Remove every node and edge of this graph, and of no other."""

    def named(self, name: str) -> GraphStore:
        """The graph of that name at the same place: empty, or as it was left."""

    def close(self) -> None:
        """Let go of connections; a graph in memory stays."""

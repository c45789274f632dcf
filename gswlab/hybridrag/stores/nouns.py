"""The nouns of a property graph, and the vocabulary its labels and types come from.

- A node is known by its `id`; an edge by its ends, its type, the word the text has for
  it and the event at which it holds: writing either twice leaves one.
- Labels and types are a closed vocabulary, so none is ever data from outside; what a
  text calls a tie ("friend", "brother of") is the edge's `name`.
- A value is text, a number, a truth value or a tuple of texts: what every property
  graph can hold. There is no null: a property without a value is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args, runtime_checkable

PropertyValue: TypeAlias = str | int | float | bool | tuple[str, ...]
Properties: TypeAlias = Mapping[str, PropertyValue]
Direction = Literal["out", "in", "both"]
NodeLabel = Literal[
    "Character", "Event",  # of a plot
    "Actor", "Episode", "Place", "Question", "Time", "VerbPhrase",  # of a workspace
]  # fmt: skip
EdgeType = Literal["APPEARS_IN", "RELATES_TO", "NEXT", "LINKS_TO"]
LABELS: tuple[NodeLabel, ...] = get_args(NodeLabel)
EDGE_TYPES: tuple[EdgeType, ...] = get_args(EdgeType)


@dataclass(frozen=True, slots=True)
class GraphNode:
    """What a graph is about. `id` is unique in its graph."""

    id: str
    label: NodeLabel
    properties: Properties = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An arrow between two nodes of one graph, by their ids.

    `name` is the text's own word for it, `at` the id of the event at which it holds;
    both may be "". Two edges that differ only in `properties` are one edge.
    """

    source: str
    type: EdgeType
    target: str
    name: str = ""
    at: str = ""
    properties: Properties = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Its identity as text, by which `GraphStore.delete` takes it.

        >>> GraphEdge("c1", "RELATES_TO", "c2", "friend", "e4").id
        '["c1", "RELATES_TO", "c2", "friend", "e4"]'
        """
        return json.dumps(self.key, ensure_ascii=False)

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """Its identity, by which edges are ordered."""
        return (self.source, self.type, self.target, self.name, self.at)


@dataclass(frozen=True, slots=True)
class PropertyGraph:
    """Nodes by id and edges by key, both in that order; every end is among `nodes`."""

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What lies within k hops of some seeds.

    Attributes:
        nodes: the seeds and what was reached, by distance, then id.
        edges: every edge between two of `nodes`, by key.
        distance: hops from the nearest seed, by node id.
        cut: whether more nodes lie within k hops than the limit let in.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    distance: Mapping[str, int]
    cut: bool = False


class Counts(NamedTuple):
    """How many nodes and edges a graph has."""

    nodes: int
    edges: int


@dataclass(frozen=True, slots=True)
class NodePattern:
    """Nodes with this label (None: any) whose properties have all these values.

    The key `id` stands for the node's id.
    """

    label: NodeLabel | None = None
    where: Properties = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EdgePattern:
    """Edges of one of these types (none: any), followed in this direction.

    The keys `name` and `at` of `where` stand for the edge's own fields.
    """

    types: tuple[EdgeType, ...] = ()
    where: Properties = field(default_factory=dict)
    direction: Direction = "out"


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A chain to look for: `nodes[0] edges[0] nodes[1] ...`, one edge less than nodes.

    >>> friends = PathPattern(
    ...     (NodePattern("Character", {"name": "Alice"}), NodePattern("Character")),
    ...     (EdgePattern(("RELATES_TO",), {"name": "friend"}),),
    ... )
    """

    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """One place where a pattern fits. No edge is used twice; a node may be."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...] = ()

    @property
    def key(self) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """What paths are ordered by: the ids along it, then its edges' keys."""
        return tuple(n.id for n in self.nodes), tuple(e.key for e in self.edges)


# The seam of graph stores: the same calls give the same results on every one.

MOST_NODES = 1_000  # a neighbourhood's nodes, unless the caller says otherwise
MOST_PATHS = 1_000  # a pattern's matches, unless the caller says otherwise


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

    def upsert(
        self, nodes: Iterable[GraphNode] = (), edges: Iterable[GraphEdge] = ()
    ) -> None:
        """Write nodes, then edges: new ones are added, known ones replaced whole."""

    def delete(self, nodes: Iterable[str] = (), edges: Iterable[str] = ()) -> None:
        """Remove edges by `GraphEdge.id` and nodes by id, with every edge at those."""

    def nodes(self, ids: Iterable[str]) -> tuple[GraphNode, ...]:
        """Those of `ids` that are there, each once, by id."""

    def find(
        self, label: NodeLabel | None = None, where: Properties | None = None
    ) -> tuple[GraphNode, ...]:
        """Nodes with this label and all these values, by id. 1 is not True."""

    def neighbourhood(
        self, seeds: Sequence[str], k: int = 1, limit: int = MOST_NODES
    ) -> Neighbourhood:
        """Breadth-first from the seeds over at most `k` edges, in either direction.

        At most `limit` nodes: the seeds in the order of their ids, then hop by hop,
        within a hop the smallest ids; unknown seeds are left out. The edges of the
        result join any two of its nodes.
        """

    def match(self, pattern: PathPattern, limit: int = MOST_PATHS) -> tuple[Path, ...]:
        """Every path that fits, by `Path.key`: the first `limit` of them."""

    def graph(self) -> PropertyGraph:
        """All there is."""

    def counts(self) -> Counts:
        """How many nodes and edges there are."""

    def clear(self) -> None:
        """Remove every node and edge of this graph, and of no other."""

    def named(self, name: str) -> GraphStore:
        """The graph of that name at the same place: empty, or as it was left."""

    def close(self) -> None:
        """Let go of connections; a graph in memory stays."""

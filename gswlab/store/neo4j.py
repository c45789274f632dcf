"""Property graphs on a server: Neo4j, or any other that speaks Bolt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from gswlab.core.errors import GswlabError
from gswlab.store import cypher
from gswlab.store.check import check_edges, check_nodes, no_end
from gswlab.store.connection import Connection
from gswlab.store.nouns import (
    Counts,
    Direction,
    Edge,
    EdgeType,
    Graph,
    Label,
    Neighbourhood,
    Node,
    NodePattern,
    Path,
    Pattern,
    Properties,
)
from gswlab.store.patterns import fits, paths
from gswlab.store.protocol import NODES, PATHS
from gswlab.store.rows import (
    edge_named,
    edge_of,
    edge_row,
    node_key,
    node_of,
    node_row,
    sent,
)
from gswlab.store.spread import spread

T = TypeVar("T")

if TYPE_CHECKING:
    from neo4j import ManagedTransaction


@dataclass
class Neo4j:
    """One graph on a server that may hold many; what others keep there is left alone.

    Attributes:
        uri: `bolt://HOST:PORT`, `neo4j://...`, or either with `+s`.
        name: of the graph; no other graph's nodes are ever read or written.
        database: of the server; None is its default.
        user_variable: the environment variable with the user's name; unset: no login.
        password_variable: the environment variable with the password.
        batch: rows a statement is handed at most.
        retry_seconds: how long a transaction is tried again before it is an error.
    """

    uri: str = field(default="bolt://localhost:7687", metadata={"path": True})
    name: str = "graph"
    database: str | None = field(default=None, metadata={"path": True})
    user_variable: str = field(default="NEO4J_USERNAME", metadata={"path": True})
    password_variable: str = field(default="NEO4J_PASSWORD", metadata={"path": True})
    batch: int = field(default=1_000, metadata={"path": True})
    retry_seconds: float = field(default=5.0, metadata={"path": True})
    _opened: Connection | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.name or not self.name.isprintable():
            raise GswlabError(f"store.name is {self.name!r}", "a name to be printed")
        if self.batch < 1 or self.retry_seconds < 0:
            problem = (
                f"store.batch is {self.batch}, .retry_seconds {self.retry_seconds}"
            )
            raise GswlabError(problem, "at least 1, and at least 0")

    @property
    def _connection(self) -> Connection:
        if self._opened is None:
            variables = (self.user_variable, self.password_variable)
            self._opened = Connection(
                self.uri, self.database, *variables, self.retry_seconds
            )
        return self._opened

    def upsert(self, nodes: Iterable[Node] = (), edges: Iterable[Edge] = ()) -> None:
        """One transaction of batches; MERGE by key, so it may be repeated."""
        named, tied = check_nodes(nodes), check_edges(edges)
        rows = [node_row(self.name, node) for node in named.values()]

        def work(transaction: ManagedTransaction) -> None:
            for batch in self._batches(rows):
                transaction.run(cypher.WRITE_NODES, rows=batch).consume()
            for kind, write in cypher.WRITE_EDGES.items():
                of_kind = [edge for edge in tied if edge.type == kind]
                for part in self._batches(of_kind):
                    sent_ = [edge_row(self.name, edge) for edge in part]
                    done = {row["key"] for row in transaction.run(write, rows=sent_)}
                    for edge in part:
                        if edge.id not in done:
                            raise no_end(edge)

        if named or tied:
            self._connection.write(work)

    def delete(self, nodes: Iterable[str] = (), edges: Iterable[str] = ()) -> None:
        """One transaction of batches."""
        keys = [node_key(self.name, id_) for id_ in nodes]
        rows = [edge_row(self.name, edge_named(id_)) for id_ in edges]

        def work(transaction: ManagedTransaction) -> None:
            for batch in self._batches(rows):
                transaction.run(cypher.DELETE_EDGES, rows=batch).consume()
            for part in self._batches(keys):
                transaction.run(cypher.DELETE_NODES, keys=part).consume()

        if keys or rows:
            self._connection.write(work)

    def nodes(self, ids: Iterable[str]) -> tuple[Node, ...]:
        """By id."""
        keys = self._keys(ids)
        return self._connection.read(lambda work: _nodes(work, cypher.NODES, keys=keys))

    def find(
        self, label: Label | None = None, where: Properties | None = None
    ) -> tuple[Node, ...]:
        """By id; what the server thinks equal is looked at again here."""
        wanted = NodePattern(label, where or {})
        asked = {"graph": self.name, "label": label, "where": sent(wanted.where)}
        found = self._connection.read(lambda work: _nodes(work, cypher.FIND, **asked))
        return tuple(node for node in found if fits(node, wanted))

    def neighbourhood(
        self,
        seeds: Sequence[str],
        k: int = 1,
        types: Collection[EdgeType] = (),
        direction: Direction = "both",
        limit: int = NODES,
    ) -> Neighbourhood:
        """One transaction, one statement a hop."""
        some = sorted(types)

        def work(transaction: ManagedTransaction) -> Neighbourhood:
            known: dict[str, Node] = {}

            def ask(statement: str, ids: Iterable[str], **more: Any) -> list[str]:
                keys = self._keys(ids)
                found = _nodes(transaction, statement, keys=keys, **more)
                known.update((node.id, node) for node in found)
                return [node.id for node in found]

            def reach(
                ids: Collection[str], seen: Collection[str], room: int
            ) -> list[str]:
                most = room + len(seen)
                near = ask(cypher.HOP[direction], ids, types=some, room=most)
                return [id_ for id_ in near if id_ not in seen][:room]

            distance, cut = spread(ask(cypher.NODES, seeds), k, limit, reach)
            asked = {"keys": self._keys(distance), "types": some}
            edges = _edges(transaction, cypher.BETWEEN, **asked)
            return Neighbourhood(
                tuple(known[id_] for id_ in distance), edges, distance, cut
            )

        return self._connection.read(work)

    def match(self, pattern: Pattern, limit: int = PATHS) -> tuple[Path, ...]:
        """One statement a link; what fits is decided here."""
        first = pattern.nodes[0]
        return paths(pattern, self.find(first.label, first.where), self._ties, limit)

    def _ties(self, ids: Collection[str]) -> tuple[tuple[Edge, ...], tuple[Node, ...]]:
        keys = self._keys(ids)
        return self._connection.read(
            lambda work: (
                _edges(work, cypher.TIES, keys=keys),
                _nodes(work, cypher.ENDS, keys=keys),
            )
        )

    def graph(self) -> Graph:
        """Sorted, as every result is."""
        asked: dict[str, Any] = {"graph": self.name, "label": None, "where": {}}
        return self._connection.read(
            lambda work: Graph(
                _nodes(work, cypher.FIND, **asked),
                _edges(work, cypher.EDGES, graph=self.name),
            )
        )

    def counts(self) -> Counts:
        """Of this graph."""

        def work(transaction: ManagedTransaction) -> Counts:
            both = (cypher.COUNT_NODES, cypher.COUNT_EDGES)
            runs = [transaction.run(s, graph=self.name).single() for s in both]
            return Counts(*(run["n"] if run else 0 for run in runs))

        return self._connection.read(work)

    def clear(self) -> None:
        """Of this graph."""
        name = self.name
        self._connection.write(lambda w: w.run(cypher.CLEAR, graph=name).consume())

    def named(self, name: str) -> Neo4j:
        """Another graph of this server, over the same connections."""
        return replace(self, name=name, _opened=self._connection)

    def close(self) -> None:
        """Close the connections, those of every graph named from this one too."""
        self._connection.close()

    def _keys(self, ids: Iterable[str]) -> list[str]:
        return [node_key(self.name, id_) for id_ in sorted(set(ids))]

    def _batches(self, rows: Sequence[T]) -> Iterator[Sequence[T]]:
        return (rows[i : i + self.batch] for i in range(0, len(rows), self.batch))


def _nodes(work: ManagedTransaction, statement: str, **asked: Any) -> tuple[Node, ...]:
    found = (node_of(row["n"]) for row in work.run(statement, asked))
    return tuple(sorted(found, key=lambda node: node.id))


def _edges(work: ManagedTransaction, statement: str, **asked: Any) -> tuple[Edge, ...]:
    found = (edge_of(row["r"]) for row in work.run(statement, asked))
    return tuple(sorted(found, key=lambda edge: edge.key))

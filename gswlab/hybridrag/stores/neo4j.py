"""Property graphs on a server: Neo4j, or any other that speaks Bolt."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

from gswlab.core.errors import GswlabError
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
    EDGE_TYPES,
    MOST_NODES,
    MOST_PATHS,
    Counts,
    EdgeType,
    GraphEdge,
    GraphNode,
    Neighbourhood,
    NodeLabel,
    NodePattern,
    Path,
    PathPattern,
    Properties,
    PropertyGraph,
    PropertyValue,
)

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction


# The Cypher of a graph on a server: constants, whose values are parameters.

CONSTRAINT: Final = (
    "CREATE CONSTRAINT gswlab_key IF NOT EXISTS FOR (n:Gswlab) REQUIRE n._key IS UNIQUE"
)
INDEX: Final = "CREATE INDEX gswlab_graph IF NOT EXISTS FOR (n:Gswlab) ON (n._graph)"

WRITE_NODES: Final = (
    "UNWIND $rows AS row MERGE (n:Gswlab {_key: row.key}) SET n = row.properties"
)
WRITE_EDGES: Final[dict[EdgeType, str]] = {
    kind: "UNWIND $rows AS row "
    "MATCH (a:Gswlab {_key: row.source}), (b:Gswlab {_key: row.target}) "
    f"MERGE (a)-[r:{kind} {{_key: row.key}}]->(b) SET r = row.properties "
    "RETURN row.key AS key"
    for kind in EDGE_TYPES
}
DELETE_NODES: Final = "UNWIND $keys AS key MATCH (n:Gswlab {_key: key}) DETACH DELETE n"
DELETE_EDGES: Final = (
    "UNWIND $rows AS row "
    "MATCH (a:Gswlab {_key: row.source})-[r {_key: row.key}]->"
    "(b:Gswlab {_key: row.target}) DELETE r"
)
CLEAR: Final = "MATCH (n:Gswlab {_graph: $graph}) DETACH DELETE n"

READ_NODES: Final = "UNWIND $keys AS key MATCH (n:Gswlab {_key: key}) RETURN n"
FIND: Final = (
    "MATCH (n:Gswlab {_graph: $graph}) "
    "WHERE ($label IS NULL OR n.label = $label) "
    "AND all(k IN keys($where) WHERE n[k] = $where[k]) RETURN n"
)
HOP: Final = (
    "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]-(b:Gswlab) "
    "WITH DISTINCT b ORDER BY b._rank LIMIT $room RETURN b AS n"
)
BETWEEN: Final = (
    "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]->(b:Gswlab) "
    "WHERE b._key IN $keys RETURN properties(r) AS r"
)
TIES: Final = (
    "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]-(b:Gswlab) "
    "RETURN DISTINCT properties(r) AS r"
)
ENDS: Final = (
    "UNWIND $keys AS key MATCH (a:Gswlab {_key: key})-[r]-(b:Gswlab) "
    "RETURN DISTINCT b AS n"
)
EDGES: Final = (
    "MATCH (a:Gswlab {_graph: $graph})-[r]->(b:Gswlab) RETURN properties(r) AS r"
)
COUNTS: Final = (
    "MATCH (n:Gswlab {_graph: $graph}) RETURN count(n) AS n",
    "MATCH (a:Gswlab {_graph: $graph})-[r]->(b:Gswlab) RETURN count(r) AS n",
)
_T = TypeVar("_T")

# Transactions on a Bolt server: retried while it may help, then one sentence.

_SCHEMES = {f"{name}{how}" for name in ("bolt", "neo4j") for how in ("", "+s", "+ssc")}
_USER, _PASSWORD = "NEO4J_USERNAME", "NEO4J_PASSWORD"  # unset: no login
_START = "NEO4J_PASSWORD=WORD python -m gswlab.hybridrag.stores.serve FOLDER"


@dataclass
class Connection:
    """One server, one pool of connections, opened when first asked.

    A transaction that fails because the server is away or busy is tried again for
    `retry_seconds`; it is the same transaction, so nothing is written twice.
    """

    uri: str
    database: str | None
    retry_seconds: float

    def read(self, work: Callable[[ManagedTransaction], _T]) -> _T:
        """What `work` returns, from a transaction that may not write."""
        return self._run("execute_read", work)

    def write(self, work: Callable[[ManagedTransaction], _T]) -> _T:
        """What `work` returns; an exception of its own undoes what it wrote."""
        _ = self._schema
        return self._run("execute_write", work)

    def close(self) -> None:
        """Close the pool; the next call opens another, perhaps to another server."""
        self.__dict__.pop("_schema", None)
        if (driver := self.__dict__.pop("_driver", None)) is not None:
            driver.close()

    def _run(self, method: str, work: Callable[[ManagedTransaction], _T]) -> _T:
        driver = self._driver  # says so where neo4j is not installed
        import neo4j.exceptions as said

        parts = urlsplit(self.uri)
        where = f"the graph server at {parts.scheme}://{parts.hostname}:{parts.port}"
        try:
            with driver.session(database=self.database) as session:
                done: _T = getattr(session, method)(work)
                return done
        except said.AuthError:
            rule = f"{_USER} and {_PASSWORD} hold who may"
            command = f"export {_USER}=USER {_PASSWORD}=WORD"
            raise GswlabError(f"{where} refuses us", rule, command) from None
        except said.ClientError as error:
            short = str(error.message).splitlines()[0][:200]
            raise GswlabError(f"{where} refuses: {short}") from error
        except (said.Neo4jError, said.DriverError, OSError) as error:
            rule = "a server that speaks Bolt; what was written is kept, a run goes on"
            raise GswlabError(f"{where} is away", rule, _START) from error

    @cached_property
    def _schema(self) -> None:
        """Asked for before the first write; no harm when it is there."""
        self._run("execute_write", lambda work: work.run(CONSTRAINT).consume())
        self._run("execute_write", lambda work: work.run(INDEX).consume())

    @cached_property
    def _driver(self) -> Driver:
        try:
            import neo4j
        except ImportError:
            rule = "the client of graph databases is in the extra graphdb"
            command = 'pip install "gswlab[graphdb]"'
            raise GswlabError("neo4j is not installed", rule, command) from None
        logging.getLogger("neo4j").addHandler(logging.NullHandler())  # errors say it
        user, password = os.environ.get(_USER), os.environ.get(_PASSWORD, "")
        try:
            if self.uri.partition("://")[0] not in _SCHEMES:
                raise ValueError(self.uri)
            return neo4j.GraphDatabase.driver(
                self.uri,
                auth=(user, password) if user else None,
                max_transaction_retry_time=self.retry_seconds,
                connection_timeout=max(self.retry_seconds, 1),
                connection_acquisition_timeout=max(self.retry_seconds, 1) * 2,
                user_agent="gswlab",
            )
        except (ValueError, neo4j.exceptions.ConfigurationError):
            rule = "bolt://HOST:PORT or neo4j://HOST:PORT, either with +s"
            rule += ", and no password"
            command = "python -m gswlab run experiment=plot store=neo4j store.uri=URI"
            problem = "store.uri is no address of a Bolt server"
            raise GswlabError(problem, rule, command) from None


@dataclass
class Neo4j:
    """One graph on a server that may hold many; what others keep there is left alone.

    Attributes:
        uri: `bolt://HOST:PORT`, `neo4j://...`, or either with `+s`.
        name: of the graph; no other graph's nodes are ever read or written.
        database: of the server; None is its default.
        batch: rows a statement is handed at most.
        retry_seconds: how long a transaction is tried again before it is an error.
    """

    uri: str = field(
        default="bolt://localhost:7687", metadata={"path": True, "reaches": "server"}
    )
    name: str = "graph"
    database: str | None = field(default=None, metadata={"path": True})
    batch: int = field(default=1_000, metadata={"path": True})
    retry_seconds: float = field(default=5.0, metadata={"path": True})
    _connection: Connection = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.name or not self.name.isprintable():
            raise GswlabError(f"store.name is {self.name!r}", "a name to be printed")
        if self.batch < 1 or self.retry_seconds < 0:
            batch, seconds = self.batch, self.retry_seconds
            problem = f"store.batch is {batch}, .retry_seconds {seconds}"
            raise GswlabError(problem, "at least 1, and at least 0")
        self._connection = Connection(self.uri, self.database, self.retry_seconds)

    def upsert(
        self, nodes: Iterable[GraphNode] = (), edges: Iterable[GraphEdge] = ()
    ) -> None:
        """One transaction of batches; MERGE by key, so it may be repeated."""
        named, tied = check_nodes(nodes), check_edges(edges)
        rows = []
        for id_, node in named.items():
            key = _node_key(self.name, id_)
            own = {"_key": key, "_graph": self.name, "_rank": id_.encode().hex()}
            kind = {"id": id_, "label": node.label}
            rows.append({"key": key, "properties": _sent(node.properties) | kind | own})

        def work(transaction: ManagedTransaction) -> None:
            for batch in self._batches(rows):
                transaction.run(WRITE_NODES, rows=batch).consume()
            for kind, write in WRITE_EDGES.items():
                for part in self._batches([edge for edge in tied if edge.type == kind]):
                    sent = [_edge_row(self.name, edge) for edge in part]
                    done = {row["key"] for row in transaction.run(write, rows=sent)}
                    for edge in part:
                        if edge.id not in done:
                            raise no_end(edge)

        if named or tied:
            self._connection.write(work)

    def delete(self, nodes: Iterable[str] = (), edges: Iterable[str] = ()) -> None:
        """One transaction of batches."""
        keys = [_node_key(self.name, id_) for id_ in nodes]
        rows = [_edge_row(self.name, edge_named(id_)) for id_ in edges]

        def work(transaction: ManagedTransaction) -> None:
            for batch in self._batches(rows):
                transaction.run(DELETE_EDGES, rows=batch).consume()
            for part in self._batches(keys):
                transaction.run(DELETE_NODES, keys=part).consume()

        if keys or rows:
            self._connection.write(work)

    def nodes(self, ids: Iterable[str]) -> tuple[GraphNode, ...]:
        """By id."""
        keys = self._keys(ids)
        return self._connection.read(lambda work: _nodes(work, READ_NODES, keys=keys))

    def find(
        self, label: NodeLabel | None = None, where: Properties | None = None
    ) -> tuple[GraphNode, ...]:
        """By id; what the server thinks equal is looked at again here."""
        wanted = NodePattern(label, where or {})
        asked = {"graph": self.name, "label": label, "where": _sent(wanted.where)}
        found = self._connection.read(lambda work: _nodes(work, FIND, **asked))
        return tuple(node for node in found if node_fits(node, wanted))

    def neighbourhood(
        self, seeds: Sequence[str], k: int = 1, limit: int = MOST_NODES
    ) -> Neighbourhood:
        """One transaction, one statement a hop."""

        def work(transaction: ManagedTransaction) -> Neighbourhood:
            known: dict[str, GraphNode] = {}

            def ask(statement: str, ids: Iterable[str], **more: Any) -> list[str]:
                keys = self._keys(ids)
                found = _nodes(transaction, statement, keys=keys, **more)
                known.update((node.id, node) for node in found)
                return [node.id for node in found]

            def reach(ids: Ids, seen: Ids, room: int) -> list[str]:
                most = room + len(seen)
                near = ask(HOP, ids, room=most)
                return [id_ for id_ in near if id_ not in seen][:room]

            distance, cut = within_hops(ask(READ_NODES, seeds), k, limit, reach)
            edges = _edges(transaction, BETWEEN, keys=self._keys(distance))
            nodes = tuple(known[id_] for id_ in distance)
            return Neighbourhood(nodes, edges, distance, cut)

        return self._connection.read(work)

    def match(self, pattern: PathPattern, limit: int = MOST_PATHS) -> tuple[Path, ...]:
        """One statement a link; what fits is decided here."""
        first = pattern.nodes[0]
        return paths(pattern, self.find(first.label, first.where), self._ties, limit)

    def _ties(self, ids: Ids) -> tuple[tuple[GraphEdge, ...], tuple[GraphNode, ...]]:
        asked = {"keys": self._keys(ids)}
        return self._connection.read(
            lambda work: (_edges(work, TIES, **asked), _nodes(work, ENDS, **asked))
        )

    def graph(self) -> PropertyGraph:
        """Sorted, as every result is."""
        asked: dict[str, Any] = {"graph": self.name, "label": None, "where": {}}

        def work(transaction: ManagedTransaction) -> PropertyGraph:
            nodes = _nodes(transaction, FIND, **asked)
            return PropertyGraph(nodes, _edges(transaction, EDGES, graph=self.name))

        return self._connection.read(work)

    def counts(self) -> Counts:
        """Of this graph."""

        def work(transaction: ManagedTransaction) -> Counts:
            runs = [transaction.run(s, graph=self.name).single() for s in COUNTS]
            return Counts(*(run["n"] if run else 0 for run in runs))

        return self._connection.read(work)

    def clear(self) -> None:
        """Of this graph."""
        self._connection.write(lambda w: w.run(CLEAR, graph=self.name).consume())

    def named(self, name: str) -> Neo4j:
        """Another graph of this server, over the same connections."""
        other = replace(self, name=name)
        other._connection = self._connection
        return other

    def close(self) -> None:
        """Close the connections, those of every graph named from this one too."""
        self._connection.close()

    def _keys(self, ids: Iterable[str]) -> list[str]:
        return [_node_key(self.name, id_) for id_ in sorted(set(ids))]

    def _batches(self, rows: Sequence[_T]) -> Iterator[Sequence[_T]]:
        return (rows[i : i + self.batch] for i in range(0, len(rows), self.batch))


# Nouns as the rows a server is handed, and back.


def _node_key(graph: str, id_: str) -> str:
    """What is unique on a server of many graphs: no graph's name has the separator."""
    return f"{graph}\x1f{id_}"


def _edge_row(graph: str, edge: GraphEdge) -> dict[str, Any]:
    own = {"_key": edge.id, "name": edge.name, "at": edge.at}
    return {
        "key": edge.id,
        "source": _node_key(graph, edge.source),
        "target": _node_key(graph, edge.target),
        "properties": {**_sent(edge.properties), **own},
    }


def _sent(properties: Properties) -> dict[str, Any]:
    """Properties as a parameter: a tuple is a list."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in properties.items()}


def _received(properties: Mapping[str, Any], *own: str) -> dict[str, PropertyValue]:
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in sorted(properties.items())
        if key not in own and not key.startswith("_")
    }


def _nodes(
    work: ManagedTransaction, statement: str, **asked: Any
) -> tuple[GraphNode, ...]:
    rows = (row["n"] for row in work.run(statement, asked))
    found = (GraphNode(n["id"], n["label"], _received(n, "id", "label")) for n in rows)
    return tuple(sorted(found, key=attrgetter("id")))


def _edges(
    work: ManagedTransaction, statement: str, **asked: Any
) -> tuple[GraphEdge, ...]:
    rows = (row["r"] for row in work.run(statement, asked))
    found = [
        replace(edge_named(r["_key"]), properties=_received(r, "name", "at"))
        for r in rows
    ]
    return tuple(sorted(found, key=attrgetter("key")))

"""Where a pattern fits, one edge at a time: the same steps whatever the store.

A store says which nodes the first link of the chain may be and which edges lie at given
nodes; what fits, in which order, and when to stop is decided here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from gswlab.core.errors import GswlabError
from gswlab.hybridrag.stores.nouns import (
    EDGE_TYPES,
    LABELS,
    Edge,
    EdgePattern,
    Graph,
    GraphStore,
    Node,
    NodePattern,
    Path,
    Pattern,
    Properties,
    Value,
)

# What a property graph can hold, checked before anything is written.

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_TEXT = ("text that UTF-8 can write, of a node at least one character",)
_OF_NODE, _OF_EDGE = ("id", "label"), ("name", "at")  # kept beside properties


def check_nodes(nodes: Iterable[Node]) -> dict[str, Node]:
    """Nodes by id, the last of an id winning."""
    known: dict[str, Node] = {}
    for node in nodes:
        if node.label not in LABELS:
            _refuse(f"node {node.id!r} has the label {node.label!r}", LABELS)
        if not node.id or not _are_texts((node.id,)):
            _refuse(f"a node's id is {node.id!r:.80}", _TEXT)
        _properties(f"node {node.id!r}", node.properties, _OF_NODE)
        known[node.id] = node
    return known


def check_edges(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Edges each once, the last of a key winning."""
    known: dict[tuple[str, ...], Edge] = {}
    for edge in edges:
        key = edge.key
        if edge.type not in EDGE_TYPES:
            _refuse(f"edge {edge.id} has the type {edge.type!r}", EDGE_TYPES)
        if not _are_texts(key):
            _refuse(f"an end, the name or the event of {key!r:.80}", _TEXT)
        if edge.properties:
            _properties(f"edge {edge.id}", edge.properties, _OF_EDGE)
        known[key] = edge
    return tuple(known.values())


def no_end(edge: Edge) -> GswlabError:
    """The error of an edge one of whose ends is not in the graph."""
    rule = "write the nodes at its ends before an edge, or with it"
    return GswlabError(f"edge {edge.id} has an end that is no node", rule)


def _properties(where: str, properties: Properties, own: Collection[str]) -> None:
    for key, value in properties.items():
        if key in own or not _KEY.fullmatch(key):
            rule = f"letters, digits and _, not {' nor '.join(own)}"
            raise GswlabError(f"{where} has a property {key!r}", rule)
        if not _is_value(value):
            rule = "text, a 64-bit integer, a finite number, a truth value or texts"
            raise GswlabError(f"{key} of {where} is {str(value)[:60]!r}", rule)


def _is_value(value: Value) -> bool:
    if isinstance(value, tuple):
        return all(isinstance(text, str) and _is_value(text) for text in value)
    if isinstance(value, str):
        return not _LONE_SURROGATE.search(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and -(2**63) <= value < 2**63


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(v, str) and not _LONE_SURROGATE.search(v) for v in values)


def _refuse(problem: str, allowed: Iterable[str]) -> None:
    raise GswlabError(problem, ", ".join(allowed))


# Breadth-first with a bound, hop by hop: the same steps whatever the store.

Ids = Collection[str]
Reach = Callable[[Ids, Ids, int], list[str]]


def spread(
    seeds: Iterable[str], k: int, limit: int, reach: Reach
) -> tuple[dict[str, int], bool]:
    """Hops from the nearest seed by id, nearest first, and whether the limit cut some.

    A hub costs one sorted cut, not its neighbours' neighbours: what does not fit in is
    never followed.

    Args:
        seeds: ids that are in the graph.
        k: hops at most.
        limit: ids at most, the seeds among them; within a hop the smallest.
        reach: from ids, but for those seen, the smallest so many one edge away, in
            order.
    """
    known = sorted(set(seeds))
    level, cut = known[:limit], len(known) > limit
    distance = dict.fromkeys(level, 0)
    for hop in range(1, k + 1):
        if cut or not level:
            break
        room = limit - len(distance)
        level = reach(level, distance.keys(), room + 1)
        cut, level = len(level) > room, level[:room]
        distance.update(dict.fromkeys(level, hop))
    return distance, cut


WIDEST = 100_000  # paths held at once: a pattern is looked for in memory
Ties = Callable[[Collection[str]], tuple[Iterable[Edge], Iterable[Node]]]
_Sides: TypeAlias = dict[str, list[tuple[Edge, Node]]]


def fits(node: Node, wanted: NodePattern) -> bool:
    """Whether a node has the label and every value of a pattern.

    >>> fits(Node("c1", "Character", {"brave": True}), NodePattern(None, {"brave": 1}))
    False
    """
    has = {**node.properties, "id": node.id}
    return wanted.label in (None, node.label) and _has(has, wanted.where)


def leads(edge: Edge, wanted: EdgePattern) -> bool:
    """Whether an edge has a type and every value of a pattern."""
    has = {**edge.properties, "name": edge.name, "at": edge.at}
    return (not wanted.types or edge.type in wanted.types) and _has(has, wanted.where)


def _has(values: Properties, wanted: Properties) -> bool:
    return all(_same(values.get(key), value) for key, value in wanted.items())


def _same(value: Value | None, wanted: Value) -> bool:
    """Equal as a graph database has it: 1 is 1.0, but no truth value."""
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def paths(
    pattern: Pattern, starts: Iterable[Node], ties: Ties, limit: int
) -> tuple[Path, ...]:
    """The first `limit` paths by `Path.key`.

    Args:
        pattern: the chain to look for.
        starts: the nodes that fit its first node.
        ties: ids to all edges at those nodes and the nodes at their ends.
        limit: how many to return at most.

    Raises:
        GswlabError: more than `WIDEST` paths fit half of the chain.
    """
    found = [Path((node,)) for node in starts]
    for wanted, end in zip(pattern.edges, pattern.nodes[1:], strict=True):
        edges, nodes = ties({path.nodes[-1].id for path in found})
        kept = {node.id: node for node in nodes if fits(node, end)}
        at = _sides(edges, wanted, kept)
        found = list(islice(_longer(found, at), WIDEST + 1))
        if len(found) > WIDEST:
            problem = f"more than {WIDEST} paths fit half of the pattern"
            raise GswlabError(problem, "a pattern names a label, a value or a type")
    return tuple(sorted(found, key=lambda path: path.key)[:limit])


def _longer(found: Iterable[Path], at: _Sides) -> Iterator[Path]:
    for path in found:
        used = {edge.key for edge in path.edges}
        for edge, node in at.get(path.nodes[-1].id, ()):
            if edge.key not in used:
                yield Path((*path.nodes, node), (*path.edges, edge))


def _sides(
    edges: Iterable[Edge], wanted: EdgePattern, kept: Mapping[str, Node]
) -> _Sides:
    """What can be reached from each node: over which edge, to which node; no twice."""
    at: _Sides = {}
    for edge in {edge.key: edge for edge in edges if leads(edge, wanted)}.values():
        ways = {(edge.source, edge.target)} if wanted.direction != "in" else set()
        if wanted.direction != "out":
            ways.add((edge.target, edge.source))
        for near, far in sorted(ways):
            if far in kept:
                at.setdefault(near, []).append((edge, kept[far]))
    return at


# Nouns as the rows a Bolt server is handed, and back.

Row = dict[str, Any]
_PART = "\x1f"  # unit separator: no graph's name has it


def node_key(graph: str, id_: str) -> str:
    """What is unique on a server of many graphs."""
    return f"{graph}{_PART}{id_}"


def node_row(graph: str, node: Node) -> Row:
    """A node as `WRITE_NODES` takes it."""
    key = node_key(graph, node.id)
    own = {"_key": key, "_graph": graph, "_rank": node.id.encode().hex()}
    kind = {"id": node.id, "label": node.label}
    return {"key": key, "properties": {**sent(node.properties), **kind, **own}}


def edge_row(graph: str, edge: Edge) -> Row:
    """An edge as `WRITE_EDGES` and `DELETE_EDGES` take it."""
    own = {"_key": edge.id, "name": edge.name, "at": edge.at}
    return {
        "key": edge.id,
        "source": node_key(graph, edge.source),
        "target": node_key(graph, edge.target),
        "properties": {**sent(edge.properties), **own},
    }


def node_of(properties: Mapping[str, Any]) -> Node:
    """The node whose properties a server returned."""
    own = ("id", "label")
    return Node(properties["id"], properties["label"], _received(properties, own))


def edge_of(properties: Mapping[str, Any]) -> Edge:
    """The edge whose properties a server returned."""
    told = _received(properties, ("name", "at"))
    return replace(edge_named(properties["_key"]), properties=told)


def edge_named(id_: str) -> Edge:
    """The edge of an `Edge.id`, without its properties.

    Raises:
        GswlabError: no edge has such an id.
    """
    try:
        source, kind, target, name, at = json.loads(id_)
        return Edge(source, kind, target, name, at)
    except ValueError:
        rule = '["SOURCE", "TYPE", "TARGET", "NAME", "AT"]'
        raise GswlabError(f"no edge has the id {id_[:80]!r}", rule) from None


def sent(properties: Properties) -> Row:
    """Properties as a parameter: a tuple is a list."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in properties.items()}


def _received(properties: Mapping[str, Any], own: tuple[str, ...]) -> dict[str, Value]:
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in sorted(properties.items())
        if key not in own and not key.startswith("_")
    }


# The least there is to write when what a graph was made from has been edited.


class Update(NamedTuple):
    """What was written: ids of nodes and edges, each in the order of its graph."""

    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    deleted_nodes: tuple[str, ...] = ()
    deleted_edges: tuple[str, ...] = ()


def update(store: GraphStore, graph: Graph) -> Update:
    """Make a store hold exactly `graph`, writing only what differs.

    Interrupted anywhere and called again, it ends in the same graph.
    """
    held = store.graph()
    nodes = {node.id: node for node in held.nodes}
    edges = {edge.key: edge for edge in held.edges}
    new = [n for n in graph.nodes if not _is_same(nodes.pop(n.id, None), n)]
    tied = [e for e in graph.edges if not _is_same(edges.pop(e.key, None), e)]
    gone, untied = tuple(nodes), tuple(edge.id for edge in edges.values())
    if new or tied:
        store.upsert(new, tied)
    if gone or untied:
        store.delete(gone, untied)
    ids = (tuple(node.id for node in new), tuple(edge.id for edge in tied))
    return Update(*ids, gone, untied)


def _is_same(held: Node | Edge | None, wanted: Node | Edge) -> bool:
    """Equal, and of equal types: 1 is neither 1.0 nor True."""
    if held is None or held != wanted:
        return False
    values = wanted.properties.items()
    return all(type(held.properties[key]) is type(value) for key, value in values)

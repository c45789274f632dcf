"""What every graph store does alike: checks what is written, finds what fits.

A store says which nodes the first link of a chain may be and which edges lie at given
nodes; what fits, in which order, and when to stop is decided here.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from gswlab.core.errors import GswlabError
from gswlab.hybridrag.stores.nouns import (
    EDGE_TYPES,
    LABELS,
    GraphEdge,
    GraphNode,
    GraphStore,
    NodePattern,
    Path,
    PathPattern,
    Properties,
    PropertyGraph,
)

# What a property graph can hold, checked before anything is written.

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_TEXT = "text that UTF-8 can write, of a node at least one character"


def check_nodes(nodes: Iterable[GraphNode]) -> dict[str, GraphNode]:
    """Nodes by id, the last of an id winning."""
    known: dict[str, GraphNode] = {}
    for node in nodes:
        if node.label not in LABELS:
            problem = f"node {node.id!r} has the label {node.label!r}"
            raise GswlabError(problem, ", ".join(LABELS))
        if not node.id or not _is_text(node.id):
            raise GswlabError(f"a node's id is {node.id!r:.80}", _TEXT)
        _check(f"node {node.id!r}", node.properties)
        known[node.id] = node
    return known


def check_edges(edges: Iterable[GraphEdge]) -> tuple[GraphEdge, ...]:
    """Edges, each once."""
    known: dict[GraphEdge, None] = {}
    for edge in edges:
        if edge.type not in EDGE_TYPES:
            problem = f"edge {edge.id} has the type {edge.type!r}"
            raise GswlabError(problem, ", ".join(EDGE_TYPES))
        if not all(map(_is_text, edge.key)):
            problem = f"an end, the name or the event of {edge.key!r:.80}"
            raise GswlabError(problem, _TEXT)
        known[edge] = None
    return tuple(known)


def no_end(edge: GraphEdge) -> GswlabError:
    """The error of an edge one of whose ends is not in the graph."""
    rule = "write the nodes at its ends before an edge, or with it"
    return GswlabError(f"edge {edge.id} has an end that is no node", rule)


def edge_named(id_: str) -> GraphEdge:
    """The edge of a `GraphEdge.id`.

    Raises:
        GswlabError: no edge has such an id.
    """
    try:
        source, kind, target, name, at = json.loads(id_)
        return GraphEdge(source, kind, target, name, at)
    except ValueError:
        rule = '["SOURCE", "TYPE", "TARGET", "NAME", "AT"]'
        raise GswlabError(f"no edge has the id {id_[:80]!r}", rule) from None


def _check(where: str, properties: Properties) -> None:
    for key, value in properties.items():
        if key in ("id", "label") or not _KEY.fullmatch(key):
            rule = "letters, digits and _, not id nor label"
            raise GswlabError(f"{where} has a property {key!r}", rule)
        if isinstance(value, tuple):
            holds = all(map(_is_text, value))
        elif isinstance(value, float):
            holds = math.isfinite(value)
        elif isinstance(value, int):
            holds = -(2**63) <= value < 2**63
        else:
            holds = _is_text(value)
        if not holds:
            rule = "text, a 64-bit integer, a finite number, a truth value or texts"
            raise GswlabError(f"{key} of {where} is {str(value)[:60]!r}", rule)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not _LONE_SURROGATE.search(value)


# Breadth-first with a bound, hop by hop: the same steps whatever the store.

Ids = Collection[str]


def within_hops(
    seeds: Iterable[str],
    k: int,
    limit: int,
    reach: Callable[[Ids, Ids, int], list[str]],
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


# Where a pattern fits, one edge at a time.

WIDEST = 100_000  # paths held at once: a pattern is looked for in memory


def node_fits(node: GraphNode, wanted: NodePattern) -> bool:
    """Whether a node has the label and every value of a pattern.

    >>> brave = NodePattern(None, {"brave": 1})
    >>> node_fits(GraphNode("c1", "Character", {"brave": True}), brave)
    False
    """
    has = {**node.properties, "id": node.id}
    return wanted.label in (None, node.label) and _has(has, wanted.where)


def _has(values: Properties, wanted: Properties) -> bool:
    """Equal as a graph database has it: 1 is 1.0, but no truth value."""
    return all(
        values.get(key) == value
        and isinstance(values[key], bool) == isinstance(value, bool)
        for key, value in wanted.items()
    )


def paths(
    pattern: PathPattern,
    starts: Iterable[GraphNode],
    ties: Callable[[Ids], tuple[Iterable[GraphEdge], Iterable[GraphNode]]],
    limit: int,
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
        # 1. where each edge at the ends so far leads; none is told twice
        edges, nodes = ties({path.nodes[-1].id for path in found})
        kept = {node.id: node for node in nodes if node_fits(node, end)}
        leads: defaultdict[str, list[tuple[GraphEdge, GraphNode]]] = defaultdict(list)
        for edge in dict.fromkeys(edges):
            has = {"name": edge.name, "at": edge.at}
            typed = not wanted.types or edge.type in wanted.types
            if not (typed and _has(has, wanted.where)):
                continue
            ways = {(edge.source, edge.target)} if wanted.direction != "in" else set()
            if wanted.direction != "out":
                ways.add((edge.target, edge.source))
            for near, far in sorted(ways):
                if far in kept:
                    leads[near].append((edge, kept[far]))
        # 2. every path goes on over every edge that it has not used
        shorter, found = found, []
        for path in shorter:
            for edge, node in leads[path.nodes[-1].id]:
                if edge not in path.edges:
                    found.append(Path((*path.nodes, node), (*path.edges, edge)))
            if len(found) > WIDEST:
                problem = f"more than {WIDEST} paths fit half of the pattern"
                rule = "a pattern names a label, a value or a type"
                raise GswlabError(problem, rule)
    return tuple(sorted(found, key=lambda path: path.key)[:limit])


# The least there is to write when what a graph was made from has been edited.


class Update(NamedTuple):
    """What was written: ids of nodes and edges, each in the order of its graph."""

    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    deleted_nodes: tuple[str, ...] = ()
    deleted_edges: tuple[str, ...] = ()


def update(store: GraphStore, graph: PropertyGraph) -> Update:
    """Make a store hold exactly `graph`, writing only what differs.

    Interrupted anywhere and called again, it ends in the same graph.
    """
    held = store.graph()
    nodes, edges = {node.id: node for node in held.nodes}, set(held.edges)
    new = [n for n in graph.nodes if not _is_same(nodes.pop(n.id, None), n)]
    tied = [edge for edge in graph.edges if edge not in edges]
    left = edges.difference(graph.edges)
    gone, untied = tuple(nodes), tuple(e.id for e in held.edges if e in left)
    if new or tied:
        store.upsert(new, tied)
    if gone or untied:
        store.delete(gone, untied)
    ids = (tuple(node.id for node in new), tuple(edge.id for edge in tied))
    return Update(*ids, gone, untied)


def _is_same(held: GraphNode | None, wanted: GraphNode) -> bool:
    """Equal, and of equal types: 1 is neither 1.0 nor True."""
    if held is None or held != wanted:
        return False
    values = wanted.properties.items()
    return all(type(held.properties[key]) is type(value) for key, value in values)

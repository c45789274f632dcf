"""Where a pattern fits, one edge at a time: the same steps whatever the store.

A store says which nodes the first link of the chain may be and which edges lie at given
nodes; what fits, in which order, and when to stop is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from gswlab.core.errors import GswlabError
from gswlab.store.nouns import (
    Edge,
    EdgePattern,
    Node,
    NodePattern,
    Path,
    Pattern,
    Properties,
    Value,
)

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

"""What a property graph can hold, checked before anything is written."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable

from gswlab.errors import GswlabError
from gswlab.store.nouns import EDGE_TYPES, LABELS, Edge, Node, Properties, Value

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_OF_NODE, _OF_EDGE = ("id", "label"), ("name", "at")  # kept beside properties


def check_nodes(nodes: Iterable[Node]) -> dict[str, Node]:
    """Nodes by id, the last of an id winning."""
    known: dict[str, Node] = {}
    for node in nodes:
        if node.label not in LABELS:
            _refuse(f"node {node.id!r} has the label {node.label!r}", LABELS)
        _texts(f"node {node.id!r}", node.id)
        if not node.id:
            _refuse("a node's id is ''", ("at least one character",))
        _properties(f"node {node.id!r}", node.properties, _OF_NODE)
        known[node.id] = node
    return known


def check_edges(edges: Iterable[Edge]) -> dict[str, Edge]:
    """Edges by their id, the last of an id winning."""
    known: dict[str, Edge] = {}
    for edge in edges:
        if edge.type not in EDGE_TYPES:
            _refuse(f"edge {edge.id} has the type {edge.type!r}", EDGE_TYPES)
        _texts(f"edge {edge.id}", *edge.key)
        _properties(f"edge {edge.id}", edge.properties, _OF_EDGE)
        known[edge.id] = edge
    return known


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


def _texts(where: str, *texts: str) -> None:
    for text in texts:
        if not isinstance(text, str) or _LONE_SURROGATE.search(text):
            _refuse(f"{where[:80]} is no text", ("text that UTF-8 can write",))


def _refuse(problem: str, allowed: Iterable[str]) -> None:
    raise GswlabError(problem, ", ".join(allowed))

"""What a property graph can hold, checked before anything is written."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable

from gswlab.core.errors import GswlabError
from gswlab.store.nouns import EDGE_TYPES, LABELS, Edge, Node, Properties, Value

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

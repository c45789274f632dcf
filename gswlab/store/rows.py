"""Nouns as the rows a Bolt server is handed, and back.

The identity of an edge is its `_key`: its ends, type, name and event are read from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.store.nouns import Edge, Node, Properties, Value

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

"""The least there is to write when what a graph was made from has been edited."""

from __future__ import annotations

from typing import NamedTuple

from gswlab.store.nouns import Edge, Graph, Node
from gswlab.store.protocol import GraphStore


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

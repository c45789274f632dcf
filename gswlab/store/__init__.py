"""Property graphs behind one protocol: in memory (default), or any Bolt server."""

from gswlab.store.memory import InMemory
from gswlab.store.nouns import (
    Counts,
    Edge,
    EdgePattern,
    Graph,
    Neighbourhood,
    Node,
    NodePattern,
    Path,
    Pattern,
)
from gswlab.store.protocol import GraphStore

__all__ = [
    "Counts",
    "Edge",
    "EdgePattern",
    "Graph",
    "GraphStore",
    "InMemory",
    "Neighbourhood",
    "Node",
    "NodePattern",
    "Path",
    "Pattern",
]

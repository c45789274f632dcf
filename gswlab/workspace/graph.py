"""A workspace as a networkx graph: nouns are nodes, what names what is an edge.

Relations are edges, not nodes: `r3` is the `id` of the edge between its two nouns. The
order of nodes and edges is that of ids, so equal workspaces give equal graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gswlab.workspace.links import label, links, live
from gswlab.workspace.nouns import Noun, Relation
from gswlab.workspace.wire import NOUNS
from gswlab.workspace.workspace import KIND, Workspace

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(workspace: Workspace) -> nx.MultiDiGraph[str]:
    """The graph of a workspace.

    Nodes have `kind`, `label`, `chapter` and `chunk`; edges have `label`, and those of
    a relation its `id` and `reason`. Ids that were merged away point to where they
    went; an arrow to a dropped noun is no edge.

    >>> to_networkx(Workspace()).number_of_nodes()
    0
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    nouns = [n for kind in NOUNS if kind != "relation" for n in workspace.of(kind)]
    for noun in nouns:
        graph.add_node(noun.id, **_attributes(noun))
    for noun in nouns:
        for name, target in links(noun):
            if (found := live(workspace, target)) is not None and found in graph:
                graph.add_edge(noun.id, found, key=name, label=name)
    for relation in workspace.relations:
        _relate(graph, workspace, relation)
    return graph


def _attributes(noun: Noun) -> dict[str, str | int | None]:
    return {
        "kind": KIND[noun.id[:1]],
        "label": label(noun),
        "chapter": getattr(noun, "chapter", None),
        "chunk": getattr(noun, "chunk", None),
    }


def _relate(
    graph: nx.MultiDiGraph[str], workspace: Workspace, relation: Relation
) -> None:
    source = live(workspace, relation.source)
    target = live(workspace, relation.target)
    if source is not None and target is not None and {source, target} <= graph.nodes:
        graph.add_edge(
            source,
            target,
            key=relation.id,
            id=relation.id,
            label=relation.kind,
            reason=relation.reason,
        )

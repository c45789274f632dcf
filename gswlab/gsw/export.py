"""A workspace as a graph for others' tools; equal workspaces give equal graphs."""

from __future__ import annotations

import re
from typing import Any

import networkx as nx

from gswlab.core.facts import links, live
from gswlab.core.nouns import label
from gswlab.core.workspace import KIND, NOUNS, Workspace

_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def to_networkx(workspace: Workspace) -> nx.MultiDiGraph[str]:
    """Nouns with `kind`, `label`, `chapter` and `chunk`, and what names what.

    Edges have a `label`, and those of a relation its `id` and `reason`.
    """
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    nouns = [n for kind in NOUNS if kind != "relation" for n in workspace.of(kind)]
    for noun in nouns:
        here = {name: getattr(noun, name, None) for name in ("chapter", "chunk")}
        graph.add_node(noun.id, kind=KIND[noun.id[:1]], label=label(noun), **here)
    for noun in nouns:
        for name, target, _ in links(noun):
            if (found := live(workspace, target)) is not None and found in graph:
                graph.add_edge(noun.id, found, key=name, label=name)
    for relation in workspace.relations:
        one, two = (live(workspace, i) for i in (relation.source, relation.target))
        if one is not None and two is not None and {one, two} <= graph.nodes:
            told = {"label": relation.kind, "reason": relation.reason}
            graph.add_edge(one, two, key=relation.id, id=relation.id, **told)
    return graph


def to_graphml(workspace: Workspace) -> str:
    """The graph of a workspace for Gephi, yEd or igraph; what XML cannot write goes."""
    graph = to_networkx(workspace)
    for *_, data in (*graph.nodes(data=True), *graph.edges(data=True)):
        for key, value in [*data.items()]:
            if value is None:
                del data[key]
            elif isinstance(value, str):
                data[key] = _NO_XML.sub("", value)
    return "\n".join(nx.generate_graphml(graph))


def to_cytoscape(workspace: Workspace) -> dict[str, Any]:
    """The graph of a workspace as the JSON of Cytoscape and Cytoscape.js."""
    return dict(nx.cytoscape_data(to_networkx(workspace), name="label"))

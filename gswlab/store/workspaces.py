"""A workspace as a property graph, to be asked in the same way as a plot.

Every noun but a relation is a node, what names what is an edge `LINKS_TO` by the
capacity in which it is named, a relation is an edge `RELATES_TO` by its kind. Spans are
texts, `document:start-end`, so that whatever is found can be cited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gswlab.store.nouns import Edge, Graph, Label, Node, Value
from gswlab.workspace.links import label, links, live
from gswlab.workspace.nouns import (
    Actor,
    Bound,
    Episode,
    Noun,
    Place,
    Question,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.workspace.wire import NOUNS
from gswlab.workspace.workspace import Workspace

LABELS: Mapping[type[Noun], Label] = {
    Actor: "Actor",
    Episode: "Episode",
    Place: "Place",
    Question: "Question",
    Time: "Time",
    VerbPhrase: "VerbPhrase",
}
_TOLD = (
    "aliases", "chapter", "chunk", "document", "gender", "granularity", "kind",
    "modality", "negated", "predicate", "status", "value",
)  # fmt: skip
_READ = ("date", "place", "protagonist")  # of an episode: its readings


def graph_of(workspace: Workspace) -> Graph:
    """The graph of a workspace: of what lives in it, ids as they are there.

    A node has a `name` and what its noun says of itself in a word; nodes and edges have
    `spans`. Ids that were merged away lead to where they went.
    """
    kinds = [kind for kind in NOUNS if kind != "relation"]
    nodes = [_node(noun) for kind in kinds for noun in workspace.of(kind)]
    known = {node.id for node in nodes}
    edges: dict[str, Edge] = {}
    for edge in _edges(workspace):
        if {edge.source, edge.target} <= known:
            edges[edge.id] = _joined(edges.get(edge.id, edge), edge)
    return Graph(
        tuple(sorted(nodes, key=lambda node: node.id)),
        tuple(sorted(edges.values(), key=lambda edge: edge.key)),
    )


def _node(noun: Noun) -> Node:
    names = (*_TOLD, *_READ) if isinstance(noun, Episode) else _TOLD
    told = {name: _plain(getattr(noun, name, None)) for name in names}
    told |= {"name": label(noun), "spans": _texts(_rests(noun))}
    kept = {name: value for name, value in sorted(told.items()) if value is not None}
    return Node(noun.id, LABELS[type(noun)], kept)


def _plain(value: Value | Bound | None) -> Value | None:
    return value.value if isinstance(value, Bound) else value


def _rests(noun: Noun) -> Iterator[Span]:
    match noun:
        case Actor():
            yield from (mention.span for mention in noun.mentions)
        case Time() | Place():
            yield from (span for each in noun.readings for span in each.spans)
        case Episode():
            bounds = (noun.date, noun.place, noun.protagonist, noun.kind)
            yield from (span for bound in bounds if bound for span in bound.spans)
        case _:
            yield from noun.spans


def _edges(workspace: Workspace) -> Iterator[Edge]:
    kinds = [kind for kind in NOUNS if kind != "relation"]
    for noun in (noun for kind in kinds for noun in workspace.of(kind)):
        for name, target, spans in links(noun):
            if (found := live(workspace, target)) is not None:
                told = {"spans": _texts(spans)}
                yield Edge(noun.id, "LINKS_TO", found, name, properties=told)
    for tie in workspace.relations:
        ends = (live(workspace, tie.source), live(workspace, tie.target))
        if ends[0] is not None and ends[1] is not None:
            told = {"spans": _texts(tie.spans)}
            yield Edge(ends[0], "RELATES_TO", ends[1], tie.kind, properties=told)


def _joined(one: Edge, other: Edge) -> Edge:
    """One edge for what was said twice, resting on both."""
    spans = {*_spans(one), *_spans(other)}
    return replace(one, properties={"spans": tuple(sorted(spans))})


def _spans(edge: Edge) -> tuple[str, ...]:
    spans = edge.properties["spans"]
    return spans if isinstance(spans, tuple) else ()


def _texts(spans: Iterable[Span]) -> tuple[str, ...]:
    told = sorted(set(spans))
    return tuple(f"{span.document}:{span.start}-{span.end}" for span in told)

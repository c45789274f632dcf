"""A step in the Reconciler's own keys, under one published JSON schema.

`step.schema.json` (JSON Schema 2020-12) ships with the package. Every id an export
uses exists in it: it is listed in `updated_workspace`, the workspace after the step.
Merged ids are followed to where they live; where a noun is gone the reference is null,
or its entry is left out when it would say nothing without it.

A `new_actor_id` is local to its chunk, so it is written `<chunk>::<local id>` and
listed in `local_ids` of the actor that it became.

As a graph for others' tools, a workspace has nouns for nodes, and what names what for
edges; a relation is the edge between its two nouns. Nodes and edges are in the order of
their ids, so equal workspaces give equal graphs.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gswlab.core.codec import SCHEMA_VERSION, plain_data
from gswlab.core.facts import links, live
from gswlab.core.nouns import Actor, Bound, Noun, Place, Span, Time, label
from gswlab.core.step import Alignment, Conflict, Resolution, Step
from gswlab.core.workspace import KIND, NOUNS, Workspace

if TYPE_CHECKING:
    import networkx as nx

RESOLVED = {"answered": "answered", "partly": "partially_answered"}
UNRESOLVED = {
    "open": "unanswered",
    "contradictory": "contradictory",
    "insufficient": "insufficient_information",
}
_SUPPORT = {"a": "actors", "v": "events", "e": "events"}
_SUPPORT |= {"t": "spacetime", "p": "spacetime"}
_BOUND = ("date", "place", "protagonist", "kind")


def step_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) that every exported step fits.

    >>> step_schema()["$schema"]
    'https://json-schema.org/draft/2020-12/schema'
    """
    text = files("gswlab.gsw").joinpath("step.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def export_step(step: Step, after: Workspace) -> dict[str, Any]:
    """A step and the workspace it led to (`after`), as published JSON.

    >>> sorted(export_step(Step(0, "book:1:0"), Workspace()))[:3]
    ['chunk_id', 'entity_alignment', 'resolved_queries']
    """

    here = step.chunk or f"step {step.index}"
    aligned = [each for each in step.decisions if isinstance(each, Alignment)]
    locals_ = defaultdict(set)
    for each in aligned:
        locals_[live(after, each.actor)].add(f"{here}::{each.new}")
    anchors: tuple[Time | Place, ...] = (*after.times, *after.places)
    return {
        "schema_version": SCHEMA_VERSION,
        "step": step.index,
        "chunk_id": step.chunk,
        "updated_workspace": {
            "actors": [_actor(a, sorted(locals_[a.id])) for a in after.actors],
            "events": [*_events(after)],
            "states": [
                {
                    "actor_id": actor.id,
                    "role": state.role,
                    "state": state.text,
                    "since": live(after, state.since),
                    "source": state.source,
                    "chunk_id": state.chunk,
                    "spans": _spans(state.spans),
                }
                for actor in after.actors
                for state in actor.states
            ],
            "spacetime": [_anchor(anchor, after) for anchor in anchors],
            "relations": [*_relations(after)],
            "notes": [*_notes(step, after)],
        },
        "entity_alignment": [
            {
                "new_actor_id": f"{here}::{each.new}",
                "workspace_actor_id": known if each.status == "merged" else None,
                "status": each.status,
                "comment": each.reason,
            }
            for each in aligned
            if (known := live(after, each.actor)) is not None
        ],
        **_queries(step, after),
    }


def _queries(step: Step, after: Workspace) -> dict[str, Any]:
    """What was found out about open questions, and what was not."""
    found = (each for each in step.decisions if isinstance(each, Resolution))
    queries = [(q, each) for each in found if (q := live(after, each.question))]
    return {
        "resolved_queries": [
            {
                "query_id": query,
                "status": RESOLVED[each.status],
                "answer": each.answer,
                "support": _support(each, after),
            }
            for query, each in queries
            if each.status in RESOLVED
        ],
        "unresolved_queries": [
            {
                "query_id": query,
                "status": UNRESOLVED[each.status],
                "reason": each.reason,
            }
            for query, each in queries
            if each.status in UNRESOLVED
        ],
    }


def _own(noun: Noun, *fields: str) -> dict[str, Any]:
    return {name: plain_data(getattr(noun, name)) for name in fields}


def _spans(spans: Iterable[Span]) -> list[Any]:
    return [plain_data(span) for span in spans]


def _alive(ids: Iterable[str], after: Workspace) -> list[str]:
    """Living ids, each once, in the order given."""
    found = (live(after, noun_id) for noun_id in ids)
    return [*dict.fromkeys(noun_id for noun_id in found if noun_id is not None)]


def _actor(actor: Actor, local_ids: list[str]) -> dict[str, Any]:
    return {
        "id": actor.id,
        "local_ids": local_ids,
        **_own(actor, "kind", "name", "aliases", "value"),
        "roles": [
            {"role": role.text, "chunk_id": role.chunk, "spans": _spans(role.spans)}
            for role in actor.roles
        ],
        "mentions": _spans(mention.span for mention in actor.mentions),
        "chunk_id": actor.chunk,
    }


def _events(after: Workspace) -> Iterator[dict[str, Any]]:
    """Verb phrases, the queries they leave open, and episodes."""
    for verb in after.verb_phrases:
        yield {
            "id": verb.id,
            "type": "verb_phrase",
            **_own(verb, "predicate", "negated", "implied", "modality"),
            "arguments": [
                {"slot": a.slot, "text": a.text, "actor_id": live(after, a.actor)}
                for a in verb.arguments
            ],
            "time_id": live(after, verb.time),
            "place_id": live(after, verb.place),
            "description": [*verb.description],
            "chunk_id": verb.chunk,
            "spans": _spans(verb.spans),
        }
    for query in after.questions:
        yield {
            "id": query.id,
            "type": "query",
            **_own(query, "text", "slot", "status"),
            "event_id": live(after, query.verb_phrase),
            **_own(query, "predicted", "standing"),
            "answers": [
                {
                    "text": a.text,
                    "actor_id": live(after, a.actor),
                    "spans": _spans(a.spans),
                }
                for a in query.answers
            ],
            "chunk_id": query.chunk,
        }

    def bound(found: Bound | None) -> dict[str, Any] | None:
        return {"value": found.value, "id": live(after, found.id)} if found else None

    for episode in after.episodes:
        yield {
            "id": episode.id,
            "type": "episode",
            **_own(episode, "document", "chapter"),
            **{name: bound(getattr(episode, name)) for name in _BOUND},
            "participants": [bound(each) for each in episode.participants],
            "chunk_ids": [*episode.chunks],
        }


def _anchor(anchor: Time | Place, after: Workspace) -> dict[str, Any]:
    if isinstance(anchor, Time):
        kind, value, parent = "time", anchor.value, anchor.refines
    else:
        kind, value, parent = "place", anchor.name, anchor.inside
    return {
        "id": anchor.id,
        "type": kind,
        "value": value,
        "granularity": getattr(anchor, "granularity", None),
        "within": live(after, parent),
        "actors": _alive(anchor.actors, after),
        "history": [
            {"chunk_id": r.chunk, "text": r.text, "value": r.value}
            for r in anchor.readings
        ],
    }


def _relations(after: Workspace) -> Iterator[dict[str, Any]]:
    for tie in after.relations:
        source, target = live(after, tie.source), live(after, tie.target)
        if source is not None and target is not None:
            ends = {"id": tie.id, "source": source, "target": target, "kind": tie.kind}
            yield {**ends, "comment": tie.reason, "spans": _spans(tie.spans)}


def _notes(step: Step, after: Workspace) -> Iterator[dict[str, Any]]:
    """The notes of all nouns, then the step's conflicts."""
    for kind in NOUNS:
        for noun in after.of(kind):
            for note in getattr(noun, "notes", ()):
                yield {"subject": noun.id, "type": "note", "text": note.text}
    for each in (d for d in step.decisions if isinstance(d, Conflict)):
        if (subject := live(after, each.subject)) is not None:
            time = each.kind == "conflicting_time"
            text = f"kept {each.kept!r} over {each.other!r}: {each.reason}"
            named = "conflicting_time_hypothesis" if time else each.kind
            yield {"subject": subject, "type": named, "text": text}


def _support(each: Resolution, after: Workspace) -> dict[str, list[str]]:
    support: dict[str, list[str]] = {"actors": [], "events": [], "spacetime": []}
    for noun_id in _alive(each.support, after):
        if part := _SUPPORT.get(noun_id[:1]):
            support[part].append(noun_id)
    return support


_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


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
    """The graph of a workspace for Gephi, yEd or igraph; what XML cannot write goes.

    >>> to_graphml(Workspace()).splitlines()[0][:8]
    '<graphml'
    """
    import networkx as nx

    graph = to_networkx(workspace)
    told: list[dict[str, Any]] = [d for _, d in graph.nodes(data=True)]
    told += [d for *_, d in graph.edges(data=True)]
    for data in told:
        for key, value in [*data.items()]:
            if value is None:
                del data[key]
            elif isinstance(value, str):
                data[key] = _NO_XML.sub("", value)
    return "\n".join(nx.generate_graphml(graph))


def to_cytoscape(workspace: Workspace) -> dict[str, Any]:
    """The graph of a workspace as the JSON of Cytoscape and Cytoscape.js.

    >>> sorted(to_cytoscape(Workspace())["elements"])
    ['edges', 'nodes']
    """
    import networkx as nx

    found: dict[str, Any] = nx.cytoscape_data(to_networkx(workspace), name="label")
    return found

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
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gswlab.core.codec import SCHEMA_VERSION, plain_data
from gswlab.core.facts import links, live
from gswlab.core.nouns import Actor, Place, Time, label
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
SUPPORT = {"actors": "a", "events": "ve", "spacetime": "tp"}  # first letters of ids
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
    return _Exported(step, after).keys()


# Fields that name a noun: its living id is exported, null where it is gone.
_IDS = frozenset({"actor", "time", "place", "verb_phrase", "since", "id"})
_IDS |= {"refines", "inside", "source", "target"}


@dataclass(frozen=True)
class _Exported:
    step: Step
    after: Workspace

    def keys(self) -> dict[str, Any]:
        """All keys of the schema."""
        after, here = self.after, self.step.chunk or f"step {self.step.index}"
        aligned = [each for each in self.step.decisions if isinstance(each, Alignment)]
        locals_ = defaultdict(set)
        for each in aligned:
            locals_[live(after, each.actor)].add(f"{here}::{each.new}")
        return {
            "schema_version": SCHEMA_VERSION,
            "step": self.step.index,
            "chunk_id": self.step.chunk,
            "updated_workspace": {
                "actors": [self._actor(a, locals_[a.id]) for a in after.actors],
                "events": [*self._events()],
                "states": [
                    {"actor_id": actor.id, "source": state.source}
                    | self._told(state, "role", "since", "spans", state="text")
                    | {"chunk_id": state.chunk}
                    for actor in after.actors
                    for state in actor.states
                ],
                "spacetime": [
                    *(self._anchor(t, "refines", "value") for t in after.times),
                    *(self._anchor(p, "inside", "name") for p in after.places),
                ],
                "relations": [*self._relations()],
                "notes": [*self._notes()],
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
            **self._queries(),
        }

    def _told(self, thing: Any, *same: str, **renamed: str) -> dict[str, Any]:
        """Fields of a thing under their own names, or others; ids are living ones."""
        told = {}
        for name, field in (dict(zip(same, same, strict=True)) | renamed).items():
            value = getattr(thing, field)
            told[name] = live(self.after, value) if field in _IDS else plain_data(value)
        return told

    def _actor(self, actor: Actor, local_ids: set[str]) -> dict[str, Any]:
        same = "id", "kind", "name", "aliases", "value"
        named = {"role": "text", "chunk_id": "chunk"}
        return {
            **self._told(actor, *same, chunk_id="chunk"),
            "local_ids": sorted(local_ids),
            "roles": [self._told(role, "spans", **named) for role in actor.roles],
            "mentions": [plain_data(mention.span) for mention in actor.mentions],
        }

    def _events(self) -> Iterator[dict[str, Any]]:
        """Verb phrases, the queries they leave open, and episodes."""
        for verb in self.after.verb_phrases:
            same = "id", "predicate", "negated", "implied", "modality", "description"
            anchors = {"time_id": "time", "place_id": "place", "chunk_id": "chunk"}
            filled = [
                self._told(a, "slot", "text", actor_id="actor") for a in verb.arguments
            ]
            told = self._told(verb, *same, "spans", **anchors)
            yield {"type": "verb_phrase", **told, "arguments": filled}
        for query in self.after.questions:
            same = "id", "text", "slot", "status", "predicted", "standing"
            told = self._told(query, *same, event_id="verb_phrase", chunk_id="chunk")
            answers = [
                self._told(a, "text", "spans", actor_id="actor") for a in query.answers
            ]
            yield {"type": "query", **told, "answers": answers}
        for episode in self.after.episodes:
            bounds = {name: getattr(episode, name) for name in _BOUND}
            told = self._told(episode, "id", "document", "chapter", chunk_ids="chunks")
            yield {
                "type": "episode",
                **told,
                **{k: b and self._told(b, "value", "id") for k, b in bounds.items()},
                "participants": [
                    self._told(each, "value", "id") for each in episode.participants
                ],
            }

    def _anchor(self, anchor: Time | Place, within: str, value: str) -> dict[str, Any]:
        named = {"text": "text", "value": "value", "chunk_id": "chunk"}
        return {
            "type": "time" if isinstance(anchor, Time) else "place",
            "granularity": getattr(anchor, "granularity", None),
            **self._told(anchor, "id", value=value, within=within),
            "actors": self._alive(anchor.actors),
            "history": [self._told(each, **named) for each in anchor.readings],
        }

    def _relations(self) -> Iterator[dict[str, Any]]:
        for tie in self.after.relations:
            same = "id", "source", "target", "kind", "spans"
            told = self._told(tie, *same, comment="reason")
            if told["source"] is not None and told["target"] is not None:
                yield told

    def _notes(self) -> Iterator[dict[str, Any]]:
        """The notes of all nouns, then the step's conflicts."""
        for kind in NOUNS:
            for noun in self.after.of(kind):
                for note in getattr(noun, "notes", ()):
                    yield {"subject": noun.id, "type": "note", "text": note.text}
        for each in (d for d in self.step.decisions if isinstance(d, Conflict)):
            if (subject := live(self.after, each.subject)) is not None:
                time = each.kind == "conflicting_time"
                text = f"kept {each.kept!r} over {each.other!r}: {each.reason}"
                named = "conflicting_time_hypothesis" if time else each.kind
                yield {"subject": subject, "type": named, "text": text}

    def _queries(self) -> dict[str, Any]:
        """What was found out about open questions, and what was not."""
        resolved, unresolved = list[Any](), list[Any]()
        for each in (d for d in self.step.decisions if isinstance(d, Resolution)):
            if (query := live(self.after, each.question)) is None:
                continue
            if status := UNRESOLVED.get(each.status):
                told = {"query_id": query, "status": status, "reason": each.reason}
                unresolved.append(told)
                continue
            alive = self._alive(each.support)
            support = {
                part: [noun_id for noun_id in alive if noun_id[0] in kinds]
                for part, kinds in SUPPORT.items()
            }
            told = {"query_id": query, "status": RESOLVED[each.status]}
            resolved.append({**told, "answer": each.answer, "support": support})
        return {"resolved_queries": resolved, "unresolved_queries": unresolved}

    def _alive(self, ids: Iterable[str]) -> list[str]:
        """Living ids, each once, in the order given."""
        found = (live(self.after, noun_id) for noun_id in ids)
        return [*dict.fromkeys(noun_id for noun_id in found if noun_id is not None)]


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

"""A step in the Reconciler's own keys, under one published JSON schema.

`step.schema.json` (JSON Schema 2020-12) ships with the package. Every id an export
uses exists in it, which means here: it is listed in `updated_workspace`, the workspace
after the step. Merged ids are followed to where they live; where a noun is gone the
reference is null, or its entry is left out when it would say nothing without it.

A `new_actor_id` is local to its chunk, so it is written `<chunk>::<local id>` and
listed in `local_ids` of the actor that it became.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from gswlab.core.codec import NOUNS, SCHEMA_VERSION, plain
from gswlab.core.nouns import Actor, Bound, Episode, Place, Question, Span, Time
from gswlab.core.references import live
from gswlab.core.step import Alignment, Conflict, Resolution, Step
from gswlab.core.workspace import Workspace

RESOLVED = {"answered": "answered", "partly": "partially_answered"}
UNRESOLVED = {
    "open": "unanswered",
    "contradictory": "contradictory",
    "insufficient": "insufficient_information",
}
_SUPPORT = {"a": "actors", "v": "events", "e": "events"}
_SUPPORT |= {"t": "spacetime", "p": "spacetime"}


@cache
def _schema_text() -> str:
    return files("gswlab.gsw.official").joinpath("step.schema.json").read_text("utf-8")


def step_schema() -> dict[str, Any]:
    """The JSON Schema that every exported step fits.

    >>> step_schema()["$schema"]
    'https://json-schema.org/draft/2020-12/schema'
    """
    schema: dict[str, Any] = json.loads(_schema_text())
    return schema


def export_step(step: Step, after: Workspace) -> dict[str, Any]:
    """A step and the workspace it led to (`after`), as published JSON.

    >>> sorted(export_step(Step(0, "book:1:0"), Workspace()))[:3]
    ['chunk_id', 'entity_alignment', 'resolved_queries']
    """
    alignments = _of(step, Alignment)
    locals_ = defaultdict(set)
    for each in alignments:
        locals_[live(after, each.actor)].add(_local(step, each))
    resolutions = _of(step, Resolution)
    return {
        "schema_version": SCHEMA_VERSION,
        "step": step.index,
        "chunk_id": step.chunk,
        "updated_workspace": {
            "actors": [_actor(a, locals_[a.id]) for a in after.actors],
            "events": [*_events(after)],
            "states": [s for a in after.actors for s in _states(a, after)],
            "spacetime": [*_spacetime(after)],
            "relations": [*_relations(after)],
            "notes": [*_notes(after), *_conflicts(_of(step, Conflict), after)],
        },
        "entity_alignment": [
            _alignment(step, each, after)
            for each in alignments
            if live(after, each.actor) is not None
        ],
        "resolved_queries": [
            _resolved(each, query, after)
            for each in resolutions
            if each.status in RESOLVED and (query := live(after, each.question))
        ],
        "unresolved_queries": [
            {
                "query_id": query,
                "status": UNRESOLVED[each.status],
                "reason": each.reason,
            }
            for each in resolutions
            if each.status in UNRESOLVED and (query := live(after, each.question))
        ],
    }


def _of(step: Step, cls: type[Any]) -> list[Any]:
    return [each for each in step.decisions if isinstance(each, cls)]


def _local(step: Step, alignment: Alignment) -> str:
    return f"{step.chunk or f'step {step.index}'}::{alignment.new}"


def _spans(spans: Iterable[Span]) -> list[Any]:
    return [plain(span) for span in spans]


def _alive(ids: Iterable[str], after: Workspace) -> list[str]:
    """Living ids, each once, in the order given."""
    found = (live(after, noun_id) for noun_id in ids)
    return [*dict.fromkeys(noun_id for noun_id in found if noun_id is not None)]


def _actor(actor: Actor, local_ids: set[str]) -> dict[str, Any]:
    return {
        "id": actor.id,
        "local_ids": sorted(local_ids),
        "kind": actor.kind,
        "name": actor.name,
        "aliases": [*actor.aliases],
        "value": actor.value,
        "roles": [
            {"role": role.text, "chunk_id": role.chunk, "spans": _spans(role.spans)}
            for role in actor.roles
        ],
        "mentions": _spans(mention.span for mention in actor.mentions),
        "chunk_id": actor.chunk,
    }


def _states(actor: Actor, after: Workspace) -> Iterator[dict[str, Any]]:
    for state in actor.states:
        yield {
            "actor_id": actor.id,
            "role": state.role,
            "state": state.text,
            "since": live(after, state.since),
            "source": state.source,
            "chunk_id": state.chunk,
            "spans": _spans(state.spans),
        }


def _events(after: Workspace) -> Iterator[dict[str, Any]]:
    """Verb phrases, the queries they leave open, and episodes."""
    for verb in after.verb_phrases:
        yield {
            "id": verb.id,
            "type": "verb_phrase",
            "predicate": verb.predicate,
            "negated": verb.negated,
            "implied": verb.implied,
            "modality": verb.modality,
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
    yield from (_query(question, after) for question in after.questions)
    yield from (_episode(episode, after) for episode in after.episodes)


def _query(question: Question, after: Workspace) -> dict[str, Any]:
    return {
        "id": question.id,
        "type": "query",
        "text": question.text,
        "slot": question.slot,
        "status": question.status,
        "event_id": live(after, question.verb_phrase),
        "predicted": question.predicted,
        "standing": question.standing,
        "answers": [
            {"text": a.text, "actor_id": live(after, a.actor), "spans": _spans(a.spans)}
            for a in question.answers
        ],
        "chunk_id": question.chunk,
    }


def _episode(episode: Episode, after: Workspace) -> dict[str, Any]:
    def bound(found: Bound | None) -> dict[str, Any] | None:
        if found is None:
            return None
        return {"value": found.value, "id": live(after, found.id)}

    return {
        "id": episode.id,
        "type": "episode",
        "document": episode.document,
        "chapter": episode.chapter,
        "date": bound(episode.date),
        "place": bound(episode.place),
        "protagonist": bound(episode.protagonist),
        "kind": bound(episode.kind),
        "participants": [bound(each) for each in episode.participants],
        "chunk_ids": [*episode.chunks],
    }


def _spacetime(after: Workspace) -> Iterator[dict[str, Any]]:
    anchors: tuple[Time | Place, ...] = (*after.times, *after.places)
    for anchor in anchors:
        yield {
            "id": anchor.id,
            **(_time(anchor) if isinstance(anchor, Time) else _place(anchor)),
            "within": live(after, _parent(anchor)),
            "actors": _alive(anchor.actors, after),
            "history": [
                {"chunk_id": r.chunk, "text": r.text, "value": r.value}
                for r in anchor.readings
            ],
        }


def _time(time: Time) -> dict[str, Any]:
    return {"type": "time", "value": time.value, "granularity": time.granularity}


def _place(place: Place) -> dict[str, Any]:
    return {"type": "place", "value": place.name, "granularity": None}


def _parent(anchor: Time | Place) -> str | None:
    return anchor.refines if isinstance(anchor, Time) else anchor.inside


def _relations(after: Workspace) -> Iterator[dict[str, Any]]:
    for relation in after.relations:
        source, target = live(after, relation.source), live(after, relation.target)
        if source is not None and target is not None:
            yield {
                "id": relation.id,
                "source": source,
                "target": target,
                "kind": relation.kind,
                "comment": relation.reason,
                "spans": _spans(relation.spans),
            }


def _notes(after: Workspace) -> Iterator[dict[str, Any]]:
    for kind in NOUNS:
        for noun in after.of(kind):
            for note in getattr(noun, "notes", ()):
                yield {"subject": noun.id, "type": "note", "text": note.text}


def _conflicts(found: Iterable[Conflict], after: Workspace) -> Iterator[dict[str, Any]]:
    for conflict in found:
        subject = live(after, conflict.subject)
        if subject is not None:
            time = conflict.kind == "conflicting_time"
            text = f"kept {conflict.kept!r} over {conflict.other!r}: {conflict.reason}"
            kind = "conflicting_time_hypothesis" if time else conflict.kind
            yield {"subject": subject, "type": kind, "text": text}


def _alignment(step: Step, each: Alignment, after: Workspace) -> dict[str, Any]:
    known = live(after, each.actor) if each.status == "merged" else None
    return {
        "new_actor_id": _local(step, each),
        "workspace_actor_id": known,
        "status": each.status,
        "comment": each.reason,
    }


def _resolved(each: Resolution, query: str, after: Workspace) -> dict[str, Any]:
    support: dict[str, list[str]] = {"actors": [], "events": [], "spacetime": []}
    for noun_id in _alive(each.support, after):
        if part := _SUPPORT.get(noun_id[:1]):
            support[part].append(noun_id)
    return {
        "query_id": query,
        "status": RESOLVED[each.status],
        "answer": each.answer,
        "support": support,
    }

"""The first task of a reply, in the rules' own moves.

A reply says what is so; how a workspace takes it (coupling and propagation, specific
over coarse, what contradicts, what is kept beside) is the rules' business as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from gswlab.core.nouns import Note, Relation, Role, Span, State, Time
from gswlab.core.step import Conflict
from gswlab.gsw.reconciler import anchors as shared
from gswlab.gsw.reconciler.conflicts import hold, settle_time
from gswlab.gsw.reconciler.model.reply import (
    NoteUpdate,
    ReplyGround,
    StateUpdate,
    Updates,
)
from gswlab.gsw.reconciler.occurrences import settle_place
from gswlab.gsw.reconciler.relations import put_relation
from gswlab.gsw.reconciler.states import append, conflict
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.names import key

_PATH = "updated_workspace"


def couple_reply(
    ground: ReplyGround, updates: Updates, anchors: dict[str, str]
) -> None:
    """Couple actors to times and places; `anchors` gains the actors these are."""
    scene = ground.scene
    for i, said in enumerate(updates.spacetime):
        path = f"{_PATH}.spacetime.{i}"
        coupled = ground.all_named(f"{path}.actors", said.actors)
        spans = ground.quoted(f"{path}.quote", said.quote)
        judge = ground.day if said.type == "time" else ground.place
        value = judge(f"{path}.value", said.value)
        if not spans or not value:
            continue
        found = _anchored(ground, said.type, value, said.value, spans, coupled)
        if noun := getattr(scene.workspace.get(found), "actor", None):
            anchors[scene.workspace.resolve(noun)] = found
        # What lies inside what; a ring of places says nothing.
        path, within = f"{path}.within", said.within if said.type == "place" else None
        if within and (outside := ground.place(path, within)):
            outer = _anchored(ground, "place", outside, within, spans)
            if found in shared.chain(scene.workspace, outer):
                ground.refuse(path, f"{within!r} lies inside that place")
            else:
                scene.draft.set(found, "inside", outer)


def _anchored(
    ground: ReplyGround,
    kind: Literal["time", "place"],
    value: str,
    text: str,
    spans: tuple[Span, ...],
    coupled: Sequence[str] = (),
) -> str:
    """The anchor of a value, put if there is none; the actor it is, is its noun."""
    own = [
        actor
        for actor in ground.scene.actors()
        if actor.kind == kind
        and (actor.value == value if kind == "time" else key(actor.name) == key(value))
    ][:1]
    found = shared.FoundAnchor(
        kind,
        own[0].name if own and kind == "place" else value,
        text,
        spans,
        tuple(dict.fromkeys((*coupled, *(actor.id for actor in own)))),
        own[0].id if own else None,
        parse_iso(value).granularity if kind == "time" else "unknown",
    )
    return shared.anchor(ground.scene, found)


def tell_reply(ground: ReplyGround, updates: Updates, by: str) -> None:
    """Give events a time and place, actors roles and states, nouns ties and notes.

    Asked when the chunk's verb phrases and states are told; reasons say that it was
    `by`.
    """
    scene, draft = ground.scene, ground.scene.draft
    for i, event in enumerate(updates.events):
        path = f"{_PATH}.events.{i}"
        named = ground.named(f"{path}.id", event.id, "v")
        spans = ground.quoted(f"{path}.quote", event.quote)
        if not named or not spans:
            continue
        if event.time and (day := ground.day(f"{path}.time", event.time)):
            time = _anchored(ground, "time", day, event.time, spans)
            settle_time(scene, named, replace(scene.workspace.get(named), time=time))
        if event.place and (name := ground.place(f"{path}.place", event.place)):
            place = _anchored(ground, "place", name, event.place, spans)
            settle_place(scene, named, replace(scene.workspace.get(named), place=place))
    for i, actor in enumerate(updates.actors):
        path = f"{_PATH}.actors.{i}"
        named = ground.named(f"{path}.id", actor.id)
        spans = ground.quoted(f"{path}.role", actor.role)
        if named and spans:
            known = {r.text for r in scene.actor(named).roles}
            new = Role(actor.role.strip(), spans, scene.chunk.id)
            draft.extend(named, "roles", [new][new.text in known :])
    for i, state in enumerate(updates.states):
        _state(ground, f"{_PATH}.states.{i}", state)
    ties = {(r.source, r.target, r.kind): r.id for r in scene.shelf("relation")}
    for i, said in enumerate(updates.relations):
        path = f"{_PATH}.relations.{i}"
        source = ground.named(f"{path}.source", said.source, "avtp")
        target = ground.named(f"{path}.target", said.target, "avtp")
        spans = ground.quoted(f"{path}.quote", said.quote)
        if source and target and spans and source != target:
            tie = Relation("", source, target, said.kind.strip(), by, spans)
            put_relation(scene, tie, ties)
    for i, note in enumerate(updates.notes):
        _note(ground, f"{_PATH}.notes.{i}", note, by)


def _state(ground: ReplyGround, path: str, said: StateUpdate) -> None:
    scene = ground.scene
    actor_id = ground.named(f"{path}.actor_id", said.actor_id)
    spans = ground.quoted(f"{path}.state", said.state)
    if not actor_id or not spans:
        return
    since, role = None, said.role
    if said.since and (day := ground.day(f"{path}.since", said.since)):
        since = _anchored(ground, "time", day, said.since, spans, (actor_id,))
    if role and key(role) not in {key(r.text) for r in scene.actor(actor_id).roles}:
        ground.refuse(f"{path}.role", f"{role!r} is no role that it has")
        role = None
    append(
        scene, actor_id, State(said.state.strip(), spans, scene.chunk.id, role, since)
    )


def _note(ground: ReplyGround, path: str, said: NoteUpdate, by: str) -> None:
    """Write a note down, or the conflict it names; both readings stay."""
    scene, reason = ground.scene, f"{by}: {said.text.strip()}"
    kinds = {"note": "avtp", "state_conflict": "a"}.get(said.type, "av")
    subject = ground.named(f"{path}.subject", said.subject, kinds)
    if not subject:
        return
    if said.type == "note":
        note = Note(reason, (), scene.chunk.id)
        scene.draft.extend(subject, "notes", (note,))
        return
    if said.type == "state_conflict":  # of states that it has, or the chunk says
        actor, pair = scene.actor(subject), (said.kept.strip(), said.other.strip())
        states = {state.text: state.spans for state in actor.states}
        for name, text in zip(("kept", "other"), pair, strict=True):
            if text not in states and not ground.quoted(f"{path}.{name}", text):
                return
        told = [d for d in scene.decisions if isinstance(d, Conflict)]
        if any((d.subject, {d.kept, d.other}) == (actor.id, {*pair}) for d in told):
            return
        kept, other = pair
        spans = states.get(other) or ground.spans(other)
        conflict(scene, actor, kept, State(other, spans, scene.chunk.id), reason)
        return
    found: list[Time] = []  # two times of the chapter for what happened once
    for name in ("kept", "other"):
        value = ground.day(f"{path}.{name}", getattr(said, name))
        known = [t for t in scene.shelf("time") if value and t.value == value]
        if value and not known:
            ground.refuse(f"{path}.{name}", f"nothing was told to be at {value}")
        found += known[:1]
    if len({time.id for time in found}) == 2:
        hold(scene, subject, found[0], found[1], reason)

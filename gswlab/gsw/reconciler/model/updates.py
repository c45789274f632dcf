"""The first task of a reply, in the rules' own moves.

A reply says what is so; how a workspace takes it (coupling and propagation, specific
over coarse, what contradicts, what is kept beside) is the rules' business as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gswlab.core.nouns import Actor, Note, Relation, Role, Span, State, Time
from gswlab.core.step import Conflict
from gswlab.gsw.reconciler.anchors import Found, anchor, chain
from gswlab.gsw.reconciler.conflicts import hold, settle_time
from gswlab.gsw.reconciler.model.reply import (
    AnchorUpdate,
    EventUpdate,
    Ground,
    NoteUpdate,
    StateUpdate,
    Updates,
)
from gswlab.gsw.reconciler.occurrences import settle_place
from gswlab.gsw.reconciler.relations import put_relation
from gswlab.gsw.reconciler.states import append, conflict
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.names import key

# What a reply doubts: notes, states that clash, two times for what happened once.


def doubt(ground: Ground, path: str, said: NoteUpdate, by: str) -> None:
    """Write a note down, or the conflict it names; both readings stay."""
    kinds = {"note": "avtp", "state_conflict": "a"}.get(said.type, "av")
    subject = ground.named(f"{path}.subject", said.subject, kinds)
    reason = f"{by}: {said.text.strip()}"
    if subject and said.type == "note":
        note = Note(reason, (), ground.scene.chunk.id)
        ground.scene.draft.extend(subject, "notes", (note,))
    elif subject and said.type == "state_conflict":
        _states(ground, path, subject, said, reason)
    elif subject:
        _times(ground, path, subject, said, reason)


def _states(
    ground: Ground, path: str, subject: str, said: NoteUpdate, reason: str
) -> None:
    """Two states that the actor has, or the chunk says, once for each pair."""
    scene, actor = ground.scene, ground.scene.actor(subject)
    states = {state.text: state.spans for state in actor.states}
    pair = said.kept.strip(), said.other.strip()
    for name, text in zip(("kept", "other"), pair, strict=True):
        if text not in states and not ground.quoted(f"{path}.{name}", text):
            return
    told = [d for d in scene.decisions if isinstance(d, Conflict)]
    if not any((d.subject, {d.kept, d.other}) == (actor.id, {*pair}) for d in told):
        kept, other = pair
        spans = states.get(other) or ground.spans(other)
        conflict(scene, actor, kept, State(other, spans, scene.chunk.id), reason)


def _times(
    ground: Ground, path: str, subject: str, said: NoteUpdate, reason: str
) -> None:
    """Two times of the chapter for what happened once."""
    found: list[Time] = []
    for name in ("kept", "other"):
        value = ground.day(f"{path}.{name}", getattr(said, name))
        known = [t for t in ground.scene.shelf("time") if value and t.value == value]
        if value and not known:
            ground.refuse(f"{path}.{name}", f"nothing was told to be at {value}")
        found += known[:1]
    if len({time.id for time in found}) == 2:
        hold(ground.scene, subject, found[0], found[1], reason)


_PATH = "updated_workspace"


@dataclass
class Told:
    """The updates of a reply; `ground` judges them, reasons say that it was `by`."""

    ground: Ground
    updates: Updates
    by: str

    def anchor(self, anchors: dict[str, str]) -> None:
        """Couple actors to times and places; `anchors` gains the actors these are."""
        for i, said in enumerate(self.updates.spacetime):
            self._spacetime(f"{_PATH}.spacetime.{i}", said, anchors)

    def tell(self) -> None:
        """Give events a time and place, actors roles and states, nouns ties and notes.

        Asked when the chunk's verb phrases and states are told.
        """
        for i, event in enumerate(self.updates.events):
            self._event(f"{_PATH}.events.{i}", event)
        self._roles()
        for i, state in enumerate(self.updates.states):
            self._state(f"{_PATH}.states.{i}", state)
        self._relate()
        for i, note in enumerate(self.updates.notes):
            doubt(self.ground, f"{_PATH}.notes.{i}", note, self.by)

    def _spacetime(
        self, path: str, said: AnchorUpdate, anchors: dict[str, str]
    ) -> None:
        coupled = self.ground.all_named(f"{path}.actors", said.actors)
        spans = self.ground.quoted(f"{path}.quote", said.quote)
        value = self._value(f"{path}.value", said.type, said.value)
        if not spans or not value:
            return
        found = self._anchored(said.type, value, said.value, spans, coupled)
        workspace = self.ground.scene.workspace
        if noun := getattr(workspace.get(found), "actor", None):
            anchors[workspace.resolve(noun)] = found
        if said.within and said.type == "place":
            self._within(f"{path}.within", found, said.within, spans)

    def _value(
        self, path: str, kind: Literal["time", "place"], said: str
    ) -> str | None:
        judge = self.ground.day if kind == "time" else self.ground.place
        return judge(path, said)

    def _anchored(
        self,
        kind: Literal["time", "place"],
        value: str,
        text: str,
        spans: tuple[Span, ...],
        coupled: Sequence[str] = (),
    ) -> str:
        """The anchor of a value, put if there is none; the actor it is, is its noun."""
        actors = self.ground.scene.actors()
        noun = next((a for a in actors if _is(a, kind, value)), None)
        own = () if noun is None else (noun.id,)
        found = Found(
            kind,
            noun.name if noun and kind == "place" else value,
            text,
            spans,
            tuple(dict.fromkeys((*coupled, *own))),
            noun.id if noun else None,
            parse_iso(value).granularity if kind == "time" else "unknown",
        )
        return anchor(self.ground.scene, found)

    def _within(
        self, path: str, inner: str, said: str, spans: tuple[Span, ...]
    ) -> None:
        """What lies inside what; a ring of places says nothing."""
        if value := self.ground.place(path, said):
            outer = self._anchored("place", value, said, spans)
            if inner in chain(self.ground.scene.workspace, outer):
                self.ground.refuse(path, f"{said!r} lies inside that place")
            else:
                self.ground.scene.draft.set(inner, "inside", outer)

    def _event(self, path: str, said: EventUpdate) -> None:
        scene, ground = self.ground.scene, self.ground
        event = ground.named(f"{path}.id", said.id, "v")
        spans = ground.quoted(f"{path}.quote", said.quote)
        if not event or not spans:
            return
        if said.time and (day := ground.day(f"{path}.time", said.time)):
            time = self._anchored("time", day, said.time, spans)
            settle_time(scene, event, replace(scene.workspace.get(event), time=time))
        if said.place and (name := ground.place(f"{path}.place", said.place)):
            place = self._anchored("place", name, said.place, spans)
            settle_place(scene, event, replace(scene.workspace.get(event), place=place))

    def _roles(self) -> None:
        scene = self.ground.scene
        for i, said in enumerate(self.updates.actors):
            path = f"{_PATH}.actors.{i}"
            actor_id = self.ground.named(f"{path}.id", said.id)
            spans = self.ground.quoted(f"{path}.role", said.role)
            if actor_id and spans:
                known = {r.text for r in scene.actor(actor_id).roles}
                new = Role(said.role.strip(), spans, scene.chunk.id)
                scene.draft.extend(actor_id, "roles", [new][new.text in known :])

    def _state(self, path: str, said: StateUpdate) -> None:
        scene, ground = self.ground.scene, self.ground
        actor_id = ground.named(f"{path}.actor_id", said.actor_id)
        spans = ground.quoted(f"{path}.state", said.state)
        if not actor_id or not spans:
            return
        since, role = None, said.role
        if said.since and (day := ground.day(f"{path}.since", said.since)):
            since = self._anchored("time", day, said.since, spans, (actor_id,))
        if role and key(role) not in {key(r.text) for r in scene.actor(actor_id).roles}:
            ground.refuse(f"{path}.role", f"{role!r} is no role that it has")
            role = None
        state = State(said.state.strip(), spans, scene.chunk.id, role, since)
        append(scene, actor_id, state)

    def _relate(self) -> None:
        scene, ground = self.ground.scene, self.ground
        known = {(r.source, r.target, r.kind): r.id for r in scene.shelf("relation")}
        for i, said in enumerate(self.updates.relations):
            path = f"{_PATH}.relations.{i}"
            source = ground.named(f"{path}.source", said.source, "avtp")
            target = ground.named(f"{path}.target", said.target, "avtp")
            spans = ground.quoted(f"{path}.quote", said.quote)
            if source and target and spans and source != target:
                tie = Relation("", source, target, said.kind.strip(), self.by, spans)
                put_relation(scene, tie, known)


def _is(actor: Actor, kind: str, value: str) -> bool:
    """Whether an actor is the time or place of a value."""
    if actor.kind != kind:
        return False
    return actor.value == value if kind == "time" else key(actor.name) == key(value)

"""What a reply doubts: notes, states that clash, two times for what happened once."""

from __future__ import annotations

from gswlab.core.nouns import Note, State, Time
from gswlab.core.step import Conflict
from gswlab.reconcile.conflicts import hold
from gswlab.reconcile.llm.ground import Ground
from gswlab.reconcile.llm.reply import NoteUpdate
from gswlab.reconcile.states import conflict


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

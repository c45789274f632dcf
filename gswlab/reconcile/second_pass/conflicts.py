"""Conflicts weighed again: two days for one occurrence, two states at one time.

More evidence decides as before; where it is even, the day or state of which the side
that decides speaks more often. What lost stays: as a hypothesis, or in the timeline.
"""

from __future__ import annotations

from gswlab.reconcile.conflicts import HYPOTHESIS, evidence, hold, hypotheses
from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.second_pass.side import Side
from gswlab.workspace.nouns import Actor, Note, Relation, Time, VerbPhrase
from gswlab.workspace.step import Conflict

_STATES = "state_conflict: "
_SETTLED = "settled "


def settle_days(scene: Scene, side: Side, rules: RulesReconciler) -> None:
    """Weigh the chunk's hypotheses of another day against the day that is kept."""
    for relation in list(scene.shelf("relation")):
        ours = relation.kind == HYPOTHESIS and relation.chunk == scene.chunk.id
        if ours and relation.source[:1] == "v":
            _settle_day(scene, relation, side)


def _settle_day(scene: Scene, relation: Relation, side: Side) -> None:
    phrase: VerbPhrase = scene.workspace.get(relation.source)
    if phrase.time is None:
        return
    kept: Time = scene.workspace.get(phrase.time)
    other: Time = scene.workspace.get(relation.target)
    mine, yours = (
        (evidence(scene, phrase, time), _readings(time, side)) for time in (kept, other)
    )
    if mine == yours or kept.id == other.id:
        return
    won, lost = (kept, other) if mine > yours else (other, kept)
    (most, often), (less, seldom) = max(mine, yours), min(mine, yours)
    reason = (
        f"Settled by {side.words}: {won.value} has {most:g} of the evidence and is "
        f"read {often} more times there, {lost.value} {less:g} and {seldom}."
    )
    if won is kept:
        _confirm(scene, relation, kept, reason)
    else:
        scene.draft.drop(relation.id)
        hold(scene, phrase.id, won, lost, reason)
        for each in hypotheses(scene, phrase.id):
            if scene.workspace.resolve(each.target) == lost.id:
                scene.draft.set(each.id, "reason", reason)


def _readings(time: Time, side: Side) -> int:
    """How many chunks on the side that decides read a time so."""
    read = {r.chunk for r in time.readings if r.value and side.has(r.spans)}
    return len(read)


def _confirm(scene: Scene, relation: Relation, kept: Time, reason: str) -> None:
    """The day that was kept is right: said once, on the relation itself."""
    if relation.reason != reason:
        scene.draft.set(relation.id, "reason", reason)
        spans = tuple(span for each in kept.readings for span in each.spans)
        ends = relation.source, kept.id, relation.target
        told = Conflict("conflicting_time", *ends, reason, spans)
        scene.decisions.append(told)


def settle_states(scene: Scene, side: Side, rules: RulesReconciler) -> None:
    """Weigh the chunk's contradictory states by how often each is told elsewhere."""
    for actor in list(scene.actors()):
        for note in actor.notes:
            if note.text.startswith(_STATES) and note.chunk == scene.chunk.id:
                _settle_state(scene, scene.actor(actor.id), note, side)


def _settle_state(scene: Scene, actor: Actor, note: Note, side: Side) -> None:
    one, _, other = note.text.removeprefix(_STATES).partition(" / ")
    told = {
        text: [
            s
            for s in actor.states
            if s.text.casefold() == text.casefold() and side.has(s.spans)
        ]
        for text in (one, other)
    }
    if len(told[one]) == len(told[other]):
        return
    kept, lost = sorted((one, other), key=lambda text: -len(told[text]))
    spans = tuple(span for state in told[kept] for span in state.spans)
    reason = (
        f"Settled by {side.words}: {actor.name} is {kept!r} {len(told[kept])} more "
        f"times there, {lost!r} {len(told[lost])}; both stay."
    )
    settled = Note(f"{_SETTLED}{note.text}: {kept}", spans, note.chunk)
    notes = tuple(settled if each == note else each for each in actor.notes)
    scene.draft.set(actor.id, "notes", notes)
    scene.decisions.append(
        Conflict("state_conflict", actor.id, kept, lost, reason, spans)
    )

"""States: appended with the time they hold from, and compared with what else holds.

A state is never overwritten: the order of an actor's states is its timeline. Two that
cannot both hold at one time in one role are a conflict, and both are kept; a change
that a verb phrase brings about (free, then arrested) is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from gswlab.core.nouns import Actor, Note, State, VerbPhrase
from gswlab.core.step import Conflict
from gswlab.core.workspace import name_tokens
from gswlab.gsw.reconciler.align import death_of
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.lexicon import any_words, table

LOOKED_AT = 64  # of an actor's last states
# 閉まっていた and 閉まっている are one state; 破れてはいない is the other one.
_JA_STATE = re.compile(r"(.+?)[てで](?:は|も)?い(?P<not>な|ませ)?\w*")
_BE = "is was are were be been being a an the"
_COPULA = frozenset(_BE.split())
_NOT = frozenset(("not", "never", "n't", "isn't", "wasn't"))


@cache
def opposites() -> frozenset[frozenset[str]]:
    """Pairs of states that exclude each other: by hand, and what effects turn round."""
    pairs = {frozenset(pair.split("/")) for pair in any_words("opposed")}
    rows = (*table("en/effects.tsv"), *table("ja/effects.tsv"))
    return frozenset(pairs | {frozenset(row[2:4]) for row in rows if row[2] != "-"})


def opposed(one: str, two: str) -> bool:
    """Whether two states cannot both hold: "free" and "arrested"."""
    found = [match for s in (one, two) if (match := _JA_STATE.fullmatch(s))]
    if len(found) == 2:
        (x, not_x), (y, not_y) = (match.groups() for match in found)
        if x == y:
            return bool(not_x) != bool(not_y)
        return not (not_x or not_y) and frozenset((x, y)) in opposites()
    a, b = ([w for w in name_tokens(s) if w not in _COPULA] for s in (one, two))
    bare = [[w for w in words if w not in _NOT] for words in (a, b)]
    if bare[0] == bare[1]:
        return (len(a) != len(bare[0])) != (len(b) != len(bare[1]))
    if len(a) != 1 or len(b) != 1:
        return False
    short, long = sorted((a[0], b[0]), key=len)
    turned = long in (f"un{short}", f"in{short}")
    return turned or frozenset((short, long)) in opposites()


def append_all(scene: ChunkContext, phrases: Sequence[tuple[str, VerbPhrase]]) -> None:
    """The chunk's stated states, and those its verb phrases bring about."""
    brought = list[tuple[str, State]]()
    for phrase_id, phrase in phrases:
        _acting_dead(scene, phrase_id, phrase)
        now = scene.workspace.get(phrase_id).time
        for effect in () if phrase.negated else phrase.effects:
            if effect.actor in scene.ids:
                here = phrase.spans, scene.chunk.id, None, now
                state = State(effect.after, *here, source="effect")
                brought.append((scene.ids[effect.actor], state))
    when = {(actor, state.text): state.since for actor, state in brought}
    told = list(brought)
    for local in scene.local.actors:
        actor_id = scene.ids[local.id]
        for state in local.states:
            since = when.get((actor_id, state.text))
            since = since or _since(scene, actor_id, state.since)
            told.append((actor_id, replace(state, since=since)))
    # In the order of the text: that is the timeline. What is stated may contradict.
    stated = {(actor, s.text) for actor, s in told if s.source == "stated"}
    told.sort(key=lambda pair: pair[1].source == "effect")
    told.sort(key=lambda pair: min((s.start for s in pair[1].spans), default=0))
    for actor_id, state in told:
        if state.source == "stated" or (actor_id, state.text) not in stated:
            _append(scene, actor_id, state)


def _append(scene: ChunkContext, actor_id: str, state: State) -> None:
    """One state more, once a chunk, and what it contradicts."""
    actor = scene.actor(actor_id)
    recent = actor.states[-LOOKED_AT:]
    if (state.text, state.chunk) in {(s.text, s.chunk) for s in recent}:
        return
    for old in recent:
        # What a verb brought about may have changed again by then.
        at_once = old.chunk == state.chunk and old.source == "stated"
        if old.since and state.since:
            resolve = scene.workspace.resolve
            at_once = resolve(old.since) == resolve(state.since)
        same = state.source != "effect" and old.role == state.role and at_once
        if same and opposed(old.text, state.text):
            _conflict(scene, actor, old.text, state)
    scene.draft.extend(actor_id, "states", (state,))


def _since(scene: ChunkContext, actor_id: str, named: str | None) -> str | None:
    """The time a state is narrated to hold from: the one said, else its actor's now."""
    wanted = scene.workspace.resolve(scene.ids.get(named or "", actor_id))
    for time in reversed([t for t in scene.shelf("time") if t.value]):
        here = named in scene.ids or time.readings[-1].chunk == scene.chunk.id
        if here and wanted in scene.coupled(time):
            return str(time.id)
    return None


def _conflict(scene: ChunkContext, actor: Actor, old: str, new: State) -> None:
    """Say that two states contradict each other; both stay."""
    reason = f"{actor.name} cannot be {old!r} and {new.text!r} at one time; both stay."
    found = Conflict("state_conflict", actor.id, old, new.text, reason, new.spans)
    scene.decisions.append(found)
    note = Note(f"state_conflict: {old} / {new.text}", new.spans, scene.chunk.id)
    scene.draft.extend(actor.id, "notes", (note,))


def _acting_dead(scene: ChunkContext, phrase_id: str, phrase: VerbPhrase) -> None:
    """Who died earlier in the story does not act later in it."""
    if phrase.negated or phrase.modality != "asserted":
        return
    agents = {a.actor for a in phrase.arguments if a.slot == "agent"} & set(scene.ids)
    for local_id in sorted(agents - {None}, key=str):
        actor = scene.actor(scene.ids[str(local_id)])
        died = death_of(actor)
        noted = any(note.chunk == scene.chunk.id for note in actor.notes)
        if died and not noted and _is_after(scene, phrase_id, died):
            acts = f"acts ({phrase.predicate})", phrase.spans, scene.chunk.id
            _conflict(scene, actor, died.text, State(*acts))


def _is_after(scene: ChunkContext, phrase_id: str, died: State) -> bool:
    now = scene.workspace.get(phrase_id).time
    if now and died.since:
        a, b = scene.workspace.get(died.since).value, scene.workspace.get(now).value
        if a and b:
            return bool(b > a)
    head, _, _ = scene.chunk.id.rpartition(":")
    return died.chunk != scene.chunk.id and died.chunk.rpartition(":")[0] == head

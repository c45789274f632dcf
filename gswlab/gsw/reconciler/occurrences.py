"""What happened and what holds since: verb phrases, and the states of actors.

- another mention of an occurrence enriches it and keeps its id: two are one if the verb
  does not recur at every turn (nobody's second "said" is the first), they share whom it
  befell, and nothing of them contradicts; what happens once may have two days;
- a state is never overwritten: the order of an actor's states is its timeline. Two that
  cannot both hold at one time in one role are a conflict, and both are kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from gswlab.core.nouns import Argument, Note, State, VerbPhrase
from gswlab.core.step import Conflict
from gswlab.core.workspace import KIND, Workspace, name_tokens
from gswlab.gsw.reconciler.anchors import chain, settle_time
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.lexicon import any_words, table, words


@cache
def recurrent() -> frozenset[str]:
    """Verbs of which two mentions are two occurrences unless told otherwise."""
    groups = ("speech", "mental", "motion", "looking", "posture")
    return any_words("plain_verb") | words(*groups)


def put_all(scene: ChunkContext, anchors: Mapping[str, str]) -> dict[str, str]:
    """The chunk's verb phrases into the workspace: local id to the id it has there."""
    ids: dict[str, str] = {}
    known: dict[str, list[str]] = defaultdict(list)
    for old in scene.shelf("verb_phrase"):
        known[old.predicate.casefold()].append(old.id)
    for local in scene.local.verb_phrases:
        new = lifted(scene, local, anchors)
        same = known[new.predicate.casefold()]
        found = next((i for i in reversed(same) if _is_one(scene, i, new)), "")
        if found:
            enrich(scene, found, new)
        else:
            found = scene.draft.new_id("verb_phrase")
            scene.draft.put("verb_phrase", replace(new, id=found))
            same.append(found)
        scene.use(new)
        scene.told.setdefault(found)
        ids[local.id] = found
    _put_relations(scene, ids)
    return ids


def _put_relations(scene: ChunkContext, phrases: Mapping[str, str]) -> None:
    """The chunk's ties between nouns, but for aliases; known ones gain their spans."""
    ids, resolve = {**scene.ids, **phrases}, scene.workspace.resolve
    known = {(r.source, r.target, r.kind): r.id for r in scene.shelf("relation")}
    for new in scene.local.relations:
        if new.kind == "alias" or not ids.keys() >= {new.source, new.target}:
            continue
        tie = resolve(ids[new.source]), resolve(ids[new.target]), new.kind
        if tie in known:
            scene.draft.extend(known[tie], "spans", new.spans)
        else:
            known[tie] = scene.tie(*tie, new.reason, new.spans)


def lifted(
    scene: ChunkContext, local: VerbPhrase, anchors: Mapping[str, str]
) -> VerbPhrase:
    """A local verb phrase in workspace ids; a reference to nothing is left out."""
    ids, workspace = scene.ids, scene.workspace
    arguments = tuple(replace(a, actor=ids.get(a.actor or "")) for a in local.arguments)
    effects = (replace(e, actor=ids[e.actor]) for e in local.effects if e.actor in ids)

    def anchor(slot: str, named: str | None) -> str | None:
        """The anchor that it names, else that of its slot."""
        said = [ids.get(named or ""), *(a.actor for a in arguments if a.slot == slot)]
        found = (anchors.get(workspace.resolve(actor), "") for actor in said if actor)
        own = (i for i in found if KIND.get(i[:1]) == slot)
        return next(map(workspace.resolve, own), None)

    return replace(
        local,
        arguments=arguments,
        effects=tuple(effects),
        chunk=scene.chunk.id,
        chapter=scene.chunk.chapter,
        time=anchor("time", local.time),
        place=anchor("place", local.place),
    )


def enrich(scene: ChunkContext, old_id: str, new: VerbPhrase) -> None:
    """Add another mention to the occurrence it is a mention of."""
    draft, old = scene.draft, scene.workspace.get(old_id)
    for name in ("spans", "description", "effects", "notes"):
        draft.extend(old_id, name, getattr(new, name))
    has = {_filled(scene.workspace, a) for a in old.arguments if a.slot != "time"}
    fresh = [a for a in new.arguments if _filled(scene.workspace, a) not in has]
    draft.extend(old_id, "arguments", fresh)
    if old.implied and not new.implied:
        draft.set(old_id, "implied", False)
        draft.set(old_id, "modality", new.modality)
    settle_time(scene, old_id, new)
    # The inner of two places; one that contradicts becomes a note.
    around = chain(scene.workspace, new.place)
    if new.place and (not old.place or scene.workspace.resolve(old.place) in around):
        draft.set(old_id, "place", new.place)
    elif new.place and not _where_agrees(scene.workspace, old, new):
        name = scene.workspace.get(new.place).name
        note = Note(f"also said to be at {name}", new.spans, scene.chunk.id)
        draft.extend(old_id, "notes", (note,))


def _filled(workspace: Workspace, argument: Argument) -> tuple[str, str]:
    filler = argument.actor and workspace.resolve(argument.actor)
    return argument.slot, filler or argument.text.casefold()


def _is_one(scene: ChunkContext, old_id: str, new: VerbPhrase) -> bool:
    """Whether `new` is another mention of the occurrence `old_id`."""
    old: VerbPhrase = scene.workspace.get(old_id)
    if new.predicate.casefold() in recurrent() or new.negated != old.negated:
        return False
    once = _happens_once(scene, old, new)
    # What is reported of an arrest is said of that arrest.
    modalities = {new.modality, old.modality}
    reported = once and modalities == {"asserted", "reported"}
    if len(modalities) > 1 and not (new.implied or old.implied or reported):
        return False
    workspace = scene.workspace
    filled = [{_filled(workspace, a) for a in v.arguments} for v in (old, new)]
    slots = "agent", "patient", "recipient"
    pairs = {s: [{f for f in each if f[0] == s} for each in filled] for s in slots}
    if any(a and b and a.isdisjoint(b) for a, b in pairs.values()):
        return False
    times = [workspace.get(v.time).value if v.time else "" for v in (old, new)]
    one, two = (str(value or "") for value in times)
    when = one.startswith(two) or two.startswith(one)
    if not once and not (when and _where_agrees(workspace, old, new)):
        return False
    befell, acted = (bool(a & b) for a, b in (pairs["patient"], pairs["agent"]))
    dated = old.time is not None and old.time == new.time
    alone = not any(pairs["patient"]) and (once or dated)
    return befell or (acted and alone)


def _happens_once(scene: ChunkContext, old: VerbPhrase, new: VerbPhrase) -> bool:
    """The same change of the same actor, or an event that is itself the subject."""
    resolve = scene.workspace.resolve
    changes = [{(resolve(e.actor), e.after) for e in v.effects} for v in (old, new)]
    if changes[0] & changes[1]:
        return True
    agents = (a.actor for a in new.arguments if a.slot == "agent" and a.actor)
    kinds = {scene.actor(actor).kind for actor in agents}
    return bool(kinds) and kinds <= {"abstract", "work"}


def _where_agrees(workspace: Workspace, old: VerbPhrase, new: VerbPhrase) -> bool:
    if old.place is None or new.place is None:
        return True
    one, two = workspace.resolve(old.place), workspace.resolve(new.place)
    unnamed = any(workspace.get(place).name is None for place in (one, two))
    return unnamed or one in chain(workspace, two) or two in chain(workspace, one)


# States: appended with the time they hold from, and compared with what else holds.

LOOKED_AT = 64  # of an actor's last states
# 閉まっていた and 閉まっている are one state; 破れてはいない is the other one.
_JA_STATE = re.compile(r"(.+?)[てで](?:は|も)?い(?P<not>な|ませ)?\w*")
_COPULA = {"is", "was", "are", "were", "be", "been", "being", "a", "an", "the"}
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


def append_all(scene: ChunkContext, phrases: Mapping[str, str]) -> None:
    """The chunk's stated states, and those its verb phrases bring about."""
    brought = list[tuple[str, State]]()
    for phrase in (p for p in scene.local.verb_phrases if not p.negated):
        now = scene.workspace.get(phrases[phrase.id]).time
        here = phrase.spans, scene.chunk.id, None, now
        for effect in (e for e in phrase.effects if e.actor in scene.ids):
            state = State(effect.after, *here, source="effect")
            brought.append((scene.ids[effect.actor], state))
    when = {(actor, state.text): state.since for actor, state in brought}
    told = list(brought)
    for local in scene.local.actors:
        actor = scene.ids[local.id]
        for state in local.states:
            now = when.get((actor, state.text)) or _since(scene, actor, state.since)
            told.append((actor, replace(state, since=now)))
    # In the order of the text: that is the timeline. What is stated may contradict.
    stated = {(actor, s.text) for actor, s in told if s.source == "stated"}
    told.sort(key=lambda pair: pair[1].source == "effect")
    told.sort(key=lambda pair: min((s.start for s in pair[1].spans), default=0))
    for actor, state in told:
        if state.source == "stated" or (actor, state.text) not in stated:
            _append(scene, actor, state)


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
        if same and opposed(old.text, state.text):  # say so; both stay
            named = actor.id, old.text, state.text
            why = f"{actor.name} cannot be {old.text!r} and {state.text!r} at one time"
            told = Conflict("state_conflict", *named, f"{why}; both stay.", state.spans)
            scene.decisions.append(told)
            said = f"state_conflict: {old.text} / {state.text}"
            note = Note(said, state.spans, scene.chunk.id)
            scene.draft.extend(actor_id, "notes", (note,))
    scene.draft.extend(actor_id, "states", (state,))


def _since(scene: ChunkContext, actor_id: str, named: str | None) -> str | None:
    """The time a state is narrated to hold from: the one said, else its actor's now."""
    wanted = scene.workspace.resolve(scene.ids.get(named or "", actor_id))
    for time in reversed([t for t in scene.shelf("time") if t.value]):
        here = named in scene.ids or time.readings[-1].chunk == scene.chunk.id
        if here and wanted in scene.coupled(time):
            return str(time.id)
    return None

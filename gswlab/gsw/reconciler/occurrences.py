"""Verb phrases: another mention of an occurrence enriches it and keeps its id.

- two mentions are one occurrence if the verb is one that does not recur at every turn
  (nobody's second "said" is the first), they share whom it befell, and nothing of
  them contradicts;
- what happens once (an arrest, a fire) stays one occurrence even where the text gives
  it two days: the day that most evidence supports is kept, the other stays beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from gswlab.core.nouns import Argument, Note, Place, Time, VerbPhrase
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.anchors import chain, settle_time
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.lexicon import any_words, words

_CORE = ("agent", "patient", "recipient")


@cache
def recurrent() -> frozenset[str]:
    """Verbs of which two mentions are two occurrences unless told otherwise."""
    groups = ("speech", "mental", "motion", "looking", "posture")
    return any_words("plain_verb").union(*map(words, groups))


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
    """The chunk's ties between nouns; one of the chapter gains their spans.

    An alias is no tie between two nouns: it made them one.
    """
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

    def anchor(named: str | None, slot: str, kind: type[Time | Place]) -> str | None:
        """The anchor that it names, else that of its slot."""
        slots = [a.actor for a in arguments if a.slot == slot and a.actor]
        for actor_id in (*([ids[named]] if named in ids else []), *slots):
            found = anchors.get(workspace.resolve(actor_id))
            if found and isinstance(workspace.get(found), kind):
                return workspace.resolve(found)
        return None

    return replace(
        local,
        arguments=arguments,
        effects=tuple(effects),
        chunk=scene.chunk.id,
        chapter=scene.chunk.chapter,
        time=anchor(local.time, "time", Time),
        place=anchor(local.place, "place", Place),
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
    pairs = {s: [{f for f in each if f[0] == s} for each in filled] for s in _CORE}
    if any(a and b and a.isdisjoint(b) for a, b in pairs.values()):
        return False
    times = [workspace.get(v.time).value if v.time else None for v in (old, new)]
    one, two = (str(value or "") for value in times)
    when = one.startswith(two) or two.startswith(one)
    if not once and not (when and _where_agrees(workspace, old, new)):
        return False
    befell = not pairs["patient"][0].isdisjoint(pairs["patient"][1])
    acted = not pairs["agent"][0].isdisjoint(pairs["agent"][1])
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

"""What the workspace says to a question now: its answer, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import snowballstemmer

from gswlab.core.nouns import Filler, Question, QuestionStatus, VerbPhrase
from gswlab.core.workspace import name_tokens
from gswlab.language.names import spaceless
from gswlab.reconcile.actors import form
from gswlab.reconcile.occurrences import recurrent
from gswlab.reconcile.scene import Scene

_AUXILIARY = frozenset(("be", "do", "does", "did", "have", "has", "will", "would"))
_stem = cache(snowballstemmer.stemmer("english").stemWord)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the workspace says to a question now, and why."""

    status: QuestionStatus
    answers: tuple[Filler, ...] = ()
    support: tuple[str, ...] = ()
    reason: str = ""


def attempt(
    scene: Scene, question: Question, where: Mapping[tuple[str, str], list[str]]
) -> Attempt:
    """Try one question, given where and when the chapter's actors are known to be."""
    phrase: VerbPhrase = scene.workspace.get(question.verb_phrase or "")
    if question.predicted:
        return _come_true(scene, question, phrase)
    if question.slot in ("time", "place"):
        return _anchored(scene, question.slot, phrase, where)
    return _filled(scene, question.slot, phrase)


def _come_true(scene: Scene, question: Question, phrase: VerbPhrase) -> Attempt:
    """A prediction is answered by another verb phrase: the one its wording names."""
    for told_id in scene.told:
        told: VerbPhrase = scene.workspace.get(told_id)
        if told.id == phrase.id or told.negated or not _names(question.text, told):
            continue
        shared = _people(scene, told) & _people(scene, phrase)
        if not shared:
            continue
        if question.slot in ("time", "place"):
            found = _anchored(scene, question.slot, told, {})
        else:
            found = _filled(scene, question.slot, told)
        # "With what will she be charged?" is not answered by her.
        if any(filler.actor not in shared for filler in found.answers):
            return found
        happened = Filler(told.predicate, told.spans, None, scene.chunk.id)
        reason = f"it did happen, but no {question.slot} is named"
        return Attempt("partly", (happened,), (told.id,), reason)
    return Attempt("open", reason="nothing of the kind has been told")


def _names(text: str, phrase: VerbPhrase) -> bool:
    """Whether a question speaks of a verb phrase: its stem, in the question's words."""
    predicate = phrase.predicate.casefold()
    if spaceless(predicate):
        return predicate.removesuffix("する") in text
    verb = predicate.split()[0]
    return _stem(verb) in _stems(text)


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """Of a question's words: it is tried again whenever anything has been told."""
    return frozenset(_stem(w) for w in name_tokens(text) if w not in _AUXILIARY)


def _people(scene: Scene, phrase: VerbPhrase) -> set[str]:
    return {scene.workspace.resolve(a.actor) for a in phrase.arguments if a.actor}


def _filled(scene: Scene, slot: str, phrase: VerbPhrase) -> Attempt:
    fillers = {
        a.actor or a.text: Filler(a.text, a.spans, a.actor, scene.chunk.id)
        for a in phrase.arguments
        if a.slot == slot
    }
    if not fillers:
        return Attempt("open", reason=f"no mention names the {slot}")
    answers = tuple(_named(scene, filler) for filler in fillers.values())
    return Attempt("answered", answers, (phrase.id,), f"a mention names the {slot}")


def _named(scene: Scene, filler: Filler) -> Filler:
    if filler.actor is None:
        return filler
    return replace(filler, text=scene.actor(filler.actor).name)


def _anchored(
    scene: Scene,
    slot: str,
    phrase: VerbPhrase,
    where: Mapping[tuple[str, str], list[str]],
) -> Attempt:
    anchor_id = phrase.time if slot == "time" else phrase.place
    if anchor_id and (found := _filler(scene, anchor_id)):
        support = (phrase.id, scene.workspace.resolve(anchor_id))
        return Attempt("answered", (found,), support, f"its {slot} has been named")
    filled = _filled(scene, slot, phrase)
    if filled.answers:
        return filled
    if phrase.predicate.casefold() in recurrent():
        where = {}  # where somebody nodded is no question worth half an answer
    for argument in phrase.arguments:
        if argument.slot not in ("agent", "patient") or not argument.actor:
            continue
        actor = scene.actor(argument.actor)
        known = where.get((slot, actor.id), [])
        if actor.kind not in ("person", "organisation"):
            continue
        if len(known) == 1 and (found := _filler(scene, known[0])):
            reason = f"the only {slot} the chapter gives for {actor.name}"
            return Attempt("partly", (found,), (phrase.id, known[0]), reason)
    return Attempt("open", reason=f"no {slot} is known for it or for who takes part")


def _filler(scene: Scene, anchor_id: str) -> Filler | None:
    anchor = scene.workspace.get(anchor_id)
    value = anchor.value if anchor.id[0] == "t" else anchor.name
    if value is None:
        return None
    named = [r for r in anchor.readings if r.value] or list(anchor.readings)
    spans = named[0].spans if named else ()
    return Filler(value, spans, getattr(anchor, "actor", None), scene.chunk.id)


def whereabouts(scene: Scene) -> dict[tuple[str, str], list[str]]:
    """The valued anchors of the chapter by slot and actor."""
    found: dict[tuple[str, str], list[str]] = {}
    for time in scene.shelf("time"):
        if time.value:
            for actor in dict.fromkeys(scene.coupled(time)):
                found.setdefault(("time", actor), []).append(time.id)
    for place in scene.shelf("place"):
        if place.name and place.actor and form(scene.actor(place.actor)) == "name":
            for actor in dict.fromkeys(scene.coupled(place)):
                found.setdefault(("place", actor), []).append(place.id)
    return found

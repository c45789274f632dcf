"""What the workspace says to a question now: its answer, or why there is none.

A standing question, which a user registered, is read as a cue over all episodes bound
so far, one about a plain verb ("who arrested Sato?") over all that was told to happen.
Beside an answer is why it is one: the nouns it rests on, or what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gswlab.core import nouns
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Bound, Episode, Filler, Question, VerbPhrase
from gswlab.core.step import Resolution, Step
from gswlab.core.workspace import Draft, Workspace
from gswlab.gsw.reconciler.actors import form
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.occurrences import recurrent
from gswlab.language.keys import spaceless
from gswlab.language.stems import content_stems, inflects, stem
from gswlab.qa.cue import FIELD_OF, Cue, answer_cue
from gswlab.qa.question.asked_for import arrange, tells_episodes
from gswlab.qa.question.names import Names, parse_question
from gswlab.qa.question.wh_question import Fit, Tellings, answered, told_occurrences

Whereabouts: TypeAlias = dict[tuple[str, str], list[str]]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the workspace says to a question now, and why."""

    status: nouns.QuestionStatus
    answers: tuple[Filler, ...] = ()
    support: tuple[str, ...] = ()
    reason: str = ""


def attempt(scene: ChunkContext, question: Question, where: Whereabouts) -> Attempt:
    """Try one question, given where and when the chapter's actors are known to be."""
    phrase: VerbPhrase = scene.workspace.get(question.verb_phrase or "")
    if not question.predicted:
        return _read_off(scene, question.slot, phrase, where)
    # A prediction is answered by another verb phrase: the one its wording names.
    for told_id in scene.told:
        told: VerbPhrase = scene.workspace.get(told_id)
        if told.id == phrase.id or told.negated or not _names(question.text, told):
            continue
        resolve, parties = scene.workspace.resolve, (told, phrase)
        people = ({resolve(a.actor) for a in p.arguments if a.actor} for p in parties)
        shared = set.intersection(*people)
        if not shared:
            continue
        found = _read_off(scene, question.slot, told, {})
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
        return inflects(predicate, text)
    return stem(predicate.split()[0]) in content_stems(text)


def _read_off(
    scene: ChunkContext, slot: str, phrase: VerbPhrase, where: Whereabouts
) -> Attempt:
    """What fills a slot of a verb phrase: its anchor, its arguments, who takes part."""
    is_anchor = slot in ("time", "place")
    anchor_id = getattr(phrase, slot) if is_anchor else None
    if anchor_id and (found := _filler(scene, anchor_id)):
        support = (phrase.id, scene.workspace.resolve(anchor_id))
        return Attempt("answered", (found,), support, f"its {slot} has been named")
    fillers = {}
    for a in (a for a in phrase.arguments if a.slot == slot):
        text = scene.actor(a.actor).name if a.actor else a.text
        fillers[a.actor or a.text] = Filler(text, a.spans, a.actor, scene.chunk.id)
    if fillers:
        answers, reason = tuple(fillers.values()), f"a mention names the {slot}"
        return Attempt("answered", answers, (phrase.id,), reason)
    if not is_anchor:
        return Attempt("open", reason=f"no mention names the {slot}")
    if phrase.predicate.casefold() in recurrent():
        where = {}  # where somebody nodded is no question worth half an answer
    filled = [a.actor for a in phrase.arguments if a.slot in ("agent", "patient")]
    for actor in map(scene.actor, filter(None, filled)):
        known = where.get((slot, actor.id), [])
        acts = actor.kind in ("person", "organisation") and len(known) == 1
        if acts and (found := _filler(scene, known[0])):
            reason = f"the only {slot} the chapter gives for {actor.name}"
            return Attempt("partly", (found,), (phrase.id, known[0]), reason)
    return Attempt("open", reason=f"no {slot} is known for it or for who takes part")


def _filler(scene: ChunkContext, anchor_id: str) -> Filler | None:
    anchor = scene.workspace.get(anchor_id)
    value = anchor.value if anchor.id[0] == "t" else anchor.name
    if value is None:
        return None
    spans = next((r.spans for r in anchor.readings if r.value), ())
    return Filler(value, spans, getattr(anchor, "actor", None), scene.chunk.id)


def whereabouts(scene: ChunkContext) -> Whereabouts:
    """The valued anchors of the chapter by slot and actor."""
    named = (p for p in scene.shelf("place") if p.name and p.actor)
    known = [("time", time) for time in scene.shelf("time") if time.value]
    known += [("place", p) for p in named if form(scene.actor(p.actor)) == "name"]
    found: Whereabouts = {}
    for slot, anchor in known:
        for actor in dict.fromkeys(scene.coupled(anchor)):
            found.setdefault((slot, actor), []).append(anchor.id)
    return found


# Open questions: put, and tried again after every chunk until the text answers.


def put_questions(scene: ChunkContext, phrases: Mapping[str, str]) -> None:
    """The chunk's questions; one that an occurrence already has is not put twice."""
    known = {(q.verb_phrase, q.slot, q.text): q.id for q in scene.shelf("question")}
    for local in scene.local.questions:
        phrase = phrases.get(local.verb_phrase or "")
        asked = (phrase, local.slot, local.text)
        if asked in known:
            scene.draft.extend(known[asked], "spans", local.spans)
            continue
        known[asked] = new_id = scene.draft.new_id("question")
        said = (replace(a, actor=scene.ids.get(a.actor or "")) for a in local.answers)
        own: dict[str, Any] = {"id": new_id, "verb_phrase": phrase}
        own |= {"chunk": scene.chunk.id, "chapter": scene.chapter}
        scene.draft.put("question", replace(local, answers=tuple(said), **own))


def retry(scene: ChunkContext) -> None:
    """Try the chapter's pending questions again; say what became of them."""
    where = whereabouts(scene)
    for question in list(scene.shelf("question")):
        if question.status not in ("open", "partly") or not question.verb_phrase:
            continue
        found = attempt(scene, question, where)
        told, says = ([(f.text, f.actor) for f in x.answers] for x in (question, found))
        if says and (says != told or found.status != question.status):
            write(scene, question, found)


def write(scene: ChunkContext, question: Question, found: Attempt) -> None:
    """Write an attempt down, and the decision it is; answers are never taken back."""
    said = {**_told(found), "answers": found.answers or question.answers}
    if found.status == "answered":
        said["resolved"] = scene.chunk.id
    for name, value in said.items():
        scene.draft.set(question.id, name, value)
    scene.decisions.append(resolution(question.id, found))


def resolution(question_id: str, found: Attempt) -> Resolution:
    """An attempt as the decision a step carries."""
    said = ", ".join(filler.text for filler in found.answers)
    spans = tuple(span for filler in found.answers for span in filler.spans)
    why = found.support, found.reason, spans
    return Resolution(question_id, found.status, said, *why)


# Standing questions: registered by a user, answered anew as the text goes on.


def register(workspace: Workspace, text: str) -> Step:
    """The step that puts a standing question, answered as far as the text goes."""
    if not text.strip():
        rule = "a question says what is asked"
        command = 'python -m gswlab ask RUN "Who was arrested?"'
        raise GswlabError("the question is empty", rule, command)
    draft = Draft(workspace)
    cue, found = _attempt(Tellings(workspace), text)
    asked = Question(draft.new_id("question"), text.strip(), cue.asked, standing=True)
    draft.put("question", replace(asked, **_told(found)))
    told = (resolution(asked.id, found),)
    return Step(workspace.version, None, draft.taken(), told, note="register")


def retry_standing(draft: Draft, chunk: str | None) -> list[Resolution]:
    """Answer the standing questions again; those that say something else are told."""
    own: tuple[Question, ...] = draft.workspace.in_chapter("question", None)
    decided, told = [], Tellings(draft.workspace)
    for question in (question for question in own if question.standing):
        _, found = _attempt(told, question.text)
        if replace(question, **_told(found)) != question:
            said = {**_told(found), "resolved": chunk if found.answers else None}
            for name, value in said.items():
                draft.set(question.id, name, value)
            decided.append(resolution(question.id, found))
    return decided


def _told(found: Attempt) -> dict[str, Any]:
    """What a question takes of an attempt."""
    return {name: getattr(found, name) for name in ("status", "answers", "reason")}


def _attempt(told: Tellings, text: str) -> tuple[Cue, Attempt]:
    episodes = told.workspace.episodes
    cue = parse_question(text, Names.of(episodes))
    fits = arrange(answer_cue(episodes, cue), cue.order)
    fits = fits if tells_episodes(text, cue) else ()
    if found := told_occurrences(told, text, cue, bool(fits)):
        return cue, _tell(found)
    return cue, _weigh(cue, fits)


def _tell(found: tuple[Fit, ...]) -> Attempt:
    """What occurrences say to a plain question: only asserted ones answer in full."""
    support = tuple(dict.fromkeys(fit.occurrence.id for fit in found))
    bounds = [bound for fit in found for bound in answered(fit)]
    if not bounds:
        reason = f"{', '.join(support)} tells of it, but no {found[0].slots[0]} is told"
        return Attempt("insufficient", (), support, reason)
    if not any(fit.occurrence.modality == "asserted" for fit in found):
        reason = f"{', '.join(support)} is only {found[0].occurrence.modality}"
        return Attempt("partly", _fillers(bounds), support, reason)
    return Attempt("answered", _fillers(bounds), support, f"told by {support[0]}")


def _weigh(cue: Cue, fits: tuple[Episode, ...]) -> Attempt:
    """Answered, partly, contradictory, insufficient or open: what the episodes say."""
    said = ", ".join(f"{name} {getattr(cue, name)!r}" for name in cue.fields)
    if not fits:
        return Attempt("open", reason=f"nothing read so far has {said or 'such a cue'}")
    told = {episode.id: _asked(cue, episode) for episode in fits}
    support, missing = tuple(told), [i for i, found in told.items() if not found]
    answers = _fillers(bound for found in told.values() for bound in found)
    if not answers:
        reason = f"{', '.join(missing)}: {said}, but no {cue.asked} are known"
        return Attempt("insufficient", (), support, reason)
    # second readings of the asked field that have as much evidence as the first
    name = FIELD_OF.get(cue.asked, "")
    rivals = [
        f"{episode.id} is as well read as {other.value} as {best.value}"
        for episode in fits
        if (best := getattr(episode, name, None))
        for other in episode.hypotheses.get(name, ())
        if other.score >= best.score > 0
    ]
    if rivals:
        return Attempt("contradictory", answers, support, "; ".join(rivals))
    if missing:
        reason = f"no {cue.asked} are known for {', '.join(missing)}"
        return Attempt("partly", answers, support, reason)
    return Attempt("answered", answers, support, f"{', '.join(support)}: {said}")


def _asked(cue: Cue, episode: Episode) -> tuple[Bound, ...]:
    if cue.asked == "other_entities":
        return episode.participants
    names = FIELD_OF.values() if cue.asked == "details" else [FIELD_OF[cue.asked]]
    return tuple(filter(None, (getattr(episode, name) for name in names)))


def _fillers(bounds: Iterable[Bound]) -> tuple[Filler, ...]:
    first: dict[str, Bound] = {}
    for bound in bounds:
        first.setdefault(bound.value, bound)
    return tuple(Filler(b.value, b.spans, b.id) for b in first.values())

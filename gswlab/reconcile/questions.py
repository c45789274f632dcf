"""Open questions: put, and tried again after every chunk until the text answers.

A question is a slot of a verb phrase. A later mention of the same occurrence may fill
it, and so may an anchor that gets its value later; where its agent is known to be in
one place only, that is half an answer. Only the chapter's last questions are tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gswlab.core.nouns import Question, VerbPhrase
from gswlab.core.step import Put, Resolution
from gswlab.reconcile.attempts import Attempt, attempt, whereabouts
from gswlab.reconcile.scene import Scene

_PENDING = ("open", "partly")


def put_questions(scene: Scene, phrases: Mapping[str, str]) -> None:
    """The chunk's questions; one that an occurrence already has is not put twice."""
    known = {(q.verb_phrase, q.slot, q.text): q.id for q in scene.shelf("question")}
    for local in scene.local.questions:
        new = _lifted(scene, local, phrases)
        asked = (new.verb_phrase, new.slot, new.text)
        if asked in known:
            scene.draft.extend(known[asked], "spans", new.spans)
            continue
        known[asked] = scene.draft.new_id("question")
        scene.draft.put("question", replace(new, id=known[asked]))


def retry(scene: Scene) -> None:
    """Try the chapter's pending questions again; say what became of them."""
    news = _news(scene)
    where = whereabouts(scene)
    for question in list(scene.shelf("question")):
        if _concerns(scene, question, news):
            record(scene, question, attempt(scene, question, where))


def _news(scene: Scene) -> set[str]:
    """Verb phrases, anchors and coupled actors of which the chunk said anything."""
    news = set(scene.told)
    for change in scene.draft.changes:
        changed = change.item.id if isinstance(change, Put) else change.id
        if changed[0] in "tp" and changed in scene.workspace:
            news.add(changed)
            news.update(scene.coupled(scene.workspace.get(changed)))
    return news


def _concerns(scene: Scene, question: Question, news: set[str]) -> bool:
    """Whether trying a question again can say anything it has not said before."""
    if question.status not in _PENDING or not question.verb_phrase:
        return False
    if question.predicted:
        return bool(scene.told)
    phrase: VerbPhrase = scene.workspace.get(question.verb_phrase)
    if phrase.id in news or question.slot not in ("time", "place"):
        return phrase.id in news
    ids = [phrase.time, phrase.place, *(a.actor for a in phrase.arguments)]
    return not news.isdisjoint(scene.workspace.resolve(i) for i in ids if i)


def record(scene: Scene, question: Question, found: Attempt) -> None:
    """Write an attempt down, if it says anything the question did not say before."""
    told = [(filler.text, filler.actor) for filler in question.answers]
    says = [(filler.text, filler.actor) for filler in found.answers]
    if (question.status, told) != (found.status, says) and found.answers:
        write(scene, question, found)


def write(scene: Scene, question: Question, found: Attempt) -> None:
    """Write an attempt down, and the decision it is; answers are never taken back."""
    draft = scene.draft
    draft.set(question.id, "status", found.status)
    draft.set(question.id, "answers", found.answers or question.answers)
    draft.set(question.id, "reason", found.reason)
    if found.status == "answered":
        draft.set(question.id, "resolved", scene.chunk.id)
    scene.decisions.append(resolution(question.id, found))


def resolution(question_id: str, found: Attempt) -> Resolution:
    """An attempt as the decision a step carries."""
    return Resolution(
        question_id,
        found.status,
        ", ".join(filler.text for filler in found.answers),
        found.support,
        found.reason,
        tuple(span for filler in found.answers for span in filler.spans),
    )


def _lifted(scene: Scene, local: Question, phrases: Mapping[str, str]) -> Question:
    answers = tuple(
        replace(a, actor=scene.ids.get(a.actor or "")) for a in local.answers
    )
    return replace(
        local,
        verb_phrase=phrases.get(local.verb_phrase or ""),
        answers=answers,
        chunk=scene.chunk.id,
        chapter=scene.chapter,
    )

"""Question resolution: a chunk answers what earlier ones left open.

The one reconciler prompt of arXiv 2511.07587. Asked after actors are aligned, so the
ids it may answer with are those that live in the workspace, merged ones included.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gswlab.core.nouns import Filler, Question
from gswlab.core.step import Alignment, Step
from gswlab.models.model import Model
from gswlab.reconcile.attempts import Attempt
from gswlab.reconcile.llm import shown
from gswlab.reconcile.llm.asking import ask
from gswlab.reconcile.llm.ground import Ground
from gswlab.reconcile.llm.reply import Answer, QuestionResolution
from gswlab.reconcile.questions import record
from gswlab.reconcile.scene import Scene

STAGE = "question_resolution"
_PENDING = ("open", "partly", "contradictory", "insufficient")


def resolved(model: Model, scene: Scene, step: Step, budget: int) -> Step:
    """`step` with what its chunk answers; `scene` is made of the workspace after it."""
    resolve = scene.workspace.resolve
    aligned = [d for d in step.decisions if isinstance(d, Alignment)]
    actors = dict.fromkeys(resolve(d.actor) for d in aligned)
    matched = {resolve(d.actor) for d in aligned if d.status == "merged"}
    questions = [q for q in pending(scene, matched) if q.chunk != scene.chunk.id]
    asked = shown.fitting(shown.asked(scene.workspace, questions), budget)
    if not asked.cards:
        return step
    named = shown.fitting((shown.actor(scene.actor(i)) for i in actors), budget)
    values = {"actors": named.text, "questions": asked.text}
    outcome = ask(model, STAGE, QuestionResolution, scene.chunk, **values)
    if outcome.value is not None:
        cards = (*asked.cards, *named.cards)
        ids = {i: i for card in cards for i in shown.ids(card)}
        ground = Ground(scene, ids, outcome.refused)
        for i, answer in enumerate(outcome.value.answers):
            _record(ground, f"answers.{i}", answer, outcome.by)
    return replace(
        step,
        changes=(*step.changes, *scene.draft.changes),
        decisions=(*step.decisions, *scene.decisions),
        events=(*step.events, *outcome.events),
    )


def pending(scene: Scene, actors: Iterable[str]) -> list[Question]:
    """The chapter's questions still open of verb phrases that actors take part in."""
    wanted, resolve = set(actors), scene.workspace.resolve
    found = []
    for question in scene.shelf("question"):
        if question.status in _PENDING and question.verb_phrase:
            phrase = scene.workspace.get(question.verb_phrase)
            if not wanted.isdisjoint(resolve(a.actor or "") for a in phrase.arguments):
                found.append(question)
    return found


def _record(ground: Ground, path: str, answer: Answer, by: str) -> None:
    named = ground.named(f"{path}.question_id", answer.question_id, "q")
    filler = filled(ground, path, answer.answer_text, answer.answer_entity_id)
    if named and filler:
        question: Question = ground.scene.workspace.get(named)
        support = tuple(i for i in (question.verb_phrase, filler.actor) if i)
        found = Attempt("answered", (filler,), support, f"{by} reads it here")
        record(ground.scene, question, found)


def filled(ground: Ground, path: str, text: str, entity: str | None) -> Filler | None:
    """An answer that the chunk has the words of, or that is an actor of the chunk."""
    scene, spans = ground.scene, ground.spans(text)
    actor_id = ground.named(f"{path}.answer_entity_id", entity) if entity else None
    if actor_id:
        found = scene.actor(actor_id)
        here = (m.span for m in found.mentions if m.chunk == scene.chunk.id)
        return Filler(found.name, spans or tuple(here), actor_id, scene.chunk.id)
    if spans:
        return Filler(text.strip(), spans, None, scene.chunk.id)
    ground.refuse(path, f"{text!r} is not in the text, and no actor is named")
    return None

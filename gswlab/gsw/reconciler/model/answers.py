"""Question resolution: a chunk answers what earlier ones left open.

The one reconciler prompt of arXiv 2511.07587. Asked after actors are aligned, so the
ids it may answer with are those that live in the workspace, merged ones included.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gswlab.core.nouns import Filler, Question, QuestionStatus
from gswlab.core.step import Alignment, Step
from gswlab.gsw.export import RESOLVED, UNRESOLVED
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.model import asking as shown
from gswlab.gsw.reconciler.model.asking import ask_stage
from gswlab.gsw.reconciler.model.reply import (
    QuestionResolution,
    Reconciled,
    ReplyGround,
    ResolvedQuery,
    Support,
    UnresolvedQuery,
)
from gswlab.gsw.reconciler.questions import Attempt, record, resolution, write
from gswlab.models.model import Model

STAGE = "question_resolution"
_PENDING = ("open", "partly", "contradictory", "insufficient")


def resolved(model: Model, scene: ChunkContext, step: Step, budget: int) -> Step:
    """`step` with what its chunk answers; `scene` is made of the workspace after it."""
    resolve = scene.workspace.resolve
    aligned = [d for d in step.decisions if isinstance(d, Alignment)]
    actors = dict.fromkeys(resolve(d.actor) for d in aligned)
    matched = {resolve(d.actor) for d in aligned if d.status == "merged"}
    questions = [q for q in pending(scene, matched) if q.chunk != scene.chunk.id]
    asked = shown.fitting_lines(shown.asked_once(scene.workspace, questions), budget)
    if not asked.cards:
        return step
    named = shown.fitting_lines((shown.actor(scene.actor(i)) for i in actors), budget)
    values = {"actors": named.text, "questions": asked.text}
    outcome = ask_stage(model, STAGE, QuestionResolution, scene.chunk, **values)
    if outcome.value is not None:
        cards = (*asked.cards, *named.cards)
        ids = {i: i for card in cards for i in shown.ids(card)}
        ground = ReplyGround(scene, ids, outcome.refused)
        for i, answer in enumerate(outcome.value.answers):
            path = f"answers.{i}"
            id_ = ground.named(f"{path}.question_id", answer.question_id, "q")
            said = answer.answer_text, answer.answer_entity_id
            filler = _filled(ground, path, *said)
            if id_ and filler:
                question: Question = scene.workspace.get(id_)
                rests = tuple(i for i in (question.verb_phrase, filler.actor) if i)
                reason = f"{outcome.by} reads it here"
                record(scene, question, Attempt("answered", (filler,), rests, reason))
    return replace(
        step,
        changes=(*step.changes, *scene.draft.changes),
        decisions=(*step.decisions, *scene.decisions),
        events=(*step.events, *outcome.events),
    )


def pending(scene: ChunkContext, actors: Iterable[str]) -> list[Question]:
    """The chapter's questions still open of verb phrases that actors take part in."""
    wanted, resolve = set(actors), scene.workspace.resolve
    found = []
    for question in scene.shelf("question"):
        if question.status in _PENDING and question.verb_phrase:
            phrase = scene.workspace.get(question.verb_phrase)
            if not wanted.isdisjoint(resolve(a.actor or "") for a in phrase.arguments):
                found.append(question)
    return found


def _filled(
    ground: ReplyGround, path: str, text: str, entity: str | None
) -> Filler | None:
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


_STATUS: dict[str, QuestionStatus] = {
    said: status  # type: ignore[misc]
    for status, said in (*RESOLVED.items(), *UNRESOLVED.items())
}


def settle_answers(ground: ReplyGround, reply: Reconciled, by: str) -> None:
    """Write down what became of each question, the first word on each."""
    seen: set[str] = set()
    every: list[tuple[str, ResolvedQuery | UnresolvedQuery]] = [
        *((f"resolved_queries.{i}", r) for i, r in enumerate(reply.resolved_queries)),
        *(
            (f"unresolved_queries.{i}", u)
            for i, u in enumerate(reply.unresolved_queries)
        ),
    ]
    for path, said in every:
        named = ground.named(f"{path}.query_id", said.query_id, "q")
        if named is None:
            continue
        if named in seen:
            ground.refuse(f"{path}.query_id", f"{said.query_id!r} is settled above")
            continue
        seen.add(named)
        question: Question = ground.scene.workspace.get(named)
        status = _STATUS[said.status]
        if isinstance(said, ResolvedQuery):
            filler = _filled(ground, path, said.answer, said.answer_entity_id)
            if filler is not None:
                support = _support(ground, f"{path}.support", said.support)
                found = Attempt(status, (filler,), support, f"{by} reads it")
                write(ground.scene, question, found)
            continue
        found = Attempt(status, (), (), f"{by}: {said.reason.strip()}")
        if status == "open" and question.answers:
            # half an answer is not taken back by a chunk that has none
            ground.scene.decisions.append(resolution(named, found))
        else:
            write(ground.scene, question, found)


def _support(ground: ReplyGround, path: str, said: Support) -> tuple[str, ...]:
    kinds = {"actors": "a", "events": "v", "spacetime": "tp"}
    named = (
        ground.all_named(f"{path}.{name}", getattr(said, name), kind)
        for name, kind in kinds.items()
    )
    return tuple(noun for found in named for noun in found)

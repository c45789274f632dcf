"""Open questions tried once more, with what the rest of the chapter tells."""

from __future__ import annotations

from dataclasses import replace

from gswlab.reconcile.attempts import Attempt, attempt, whereabouts
from gswlab.reconcile.questions import resolution
from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.second_pass.side import Side
from gswlab.workspace.nouns import Question

_ORDER = ("open", "partly", "answered")


def settle_questions(scene: Scene, side: Side, rules: RulesReconciler) -> None:
    """Try the chunk's pending questions; an answer stands on the side that decides."""
    pending = [
        question
        for question in scene.shelf("question")
        if question.chunk == scene.chunk.id
        and question.status in _ORDER[:-1]
        and question.verb_phrase
    ]
    if not pending:
        return
    _hear(scene, side)
    where = whereabouts(scene)
    for question in pending:
        found = attempt(scene, question, where)
        better = _rank(found.status) > _rank(question.status)
        if better and side.has(s for f in found.answers for s in f.spans):
            _write(scene, question, found, side)


def _hear(scene: Scene, side: Side) -> None:
    """What the chapter tells on the side that decides, the nearest first."""
    told = [p for p in scene.shelf("verb_phrase") if side.has(p.spans)]
    told.sort(key=lambda p: min(span.start for span in p.spans))
    ordered = told if side.direction == "forward" else told[::-1]
    scene.told = dict.fromkeys(phrase.id for phrase in ordered)


def _rank(status: str) -> int:
    return _ORDER.index(status) if status in _ORDER else -1


def _write(scene: Scene, question: Question, found: Attempt, side: Side) -> None:
    reason = f"settled by {side.words}: {found.reason}"
    answers = tuple(replace(a, chunk=side.where(a.spans)) for a in found.answers)
    found = replace(found, answers=answers, reason=reason)
    scene.draft.set(question.id, "status", found.status)
    scene.draft.set(question.id, "answers", found.answers)
    scene.draft.set(question.id, "reason", found.reason)
    if found.status == "answered":
        scene.draft.set(question.id, "resolved", answers[0].chunk)
    scene.decisions.append(resolution(question.id, found))

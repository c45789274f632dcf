"""Steps and answers for a terminal: plain words, the cited characters in brackets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gswlab.core.document import Document
from gswlab.core.facts import Fact
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, visible
from gswlab.core.step import Admission, Alignment, Conflict, Decision
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import shown
from gswlab.view.kit.spans import Ground, plain_text
from gswlab.view.provenance.answer import answer_view
from gswlab.view.run.history import History, Scene
from gswlab.view.run.parts import Parts
from gswlab.view.run.words import count, line, told

if TYPE_CHECKING:
    from gswlab.bench.audit import Audit

SPANS = 3  # spans shown of an answer; all are in its JSON


def step_text(journal: Journal, k: int) -> str:
    """Step `k`, from 1: its chunk, what changed, why, and the questions it touched."""
    k = journal.index_of(k)
    history = History.of_step(journal.at(k), journal[k])
    scene, chunks = history.scenes[k], journal.chunks()
    ground = Ground.of([scene.step], chunks, journal.documents())
    label = f"step {k + 1}, {scene.step.note or 'no chunk'}"
    if scene.step.chunk is not None:
        ids = [chunk.id for chunk in chunks]
        label = f"step {k + 1}, chunk {ids.index(scene.step.chunk) + 1} of {len(ids)}"
    parts = [
        line(scene, label),
        Parts(history, ground).plain(k),
        _section("What was done", (told(e) for e in scene.step.events)),
        _section("What changed", _changes(history, scene)),
        _section("Decisions", (_decision(d, history) for d in scene.step.decisions)),
        _section("Questions", _questions(scene)),
    ]
    return "\n\n".join(part for part in parts if part)


def answer_text(answer: Answer, documents: Sequence[Document]) -> str:
    """An answer, a line an item, why it is one, and the sentences it rests on."""
    lines = [f"  {visible(item)}" for item in answer.items]
    if answer.abstained:
        lines = ["  no answer"]
    lines.append(f"    because: {visible(answer.reason)}")
    first = replace(answer, spans=answer.spans[:SPANS])
    for quote in answer_view(first, documents).quotes:
        text = " ".join(plain_text(quote.text, quote.marks, quote.offset).split())
        lines.append(f"    {visible(quote.where)}: {text}")
    if len(answer.spans) > SPANS:
        lines.append(f"    and {count(len(answer.spans) - SPANS, 'more span')}")
    return "\n".join(lines)


def audit_text(audit: Audit) -> str:
    """An audit as a table, a chunk a line, and the transitions that cannot be."""
    from gswlab.view.papers.gsw import audit_table

    odd = [f"  {t.kind}, {t.chunk}: {visible(t.text)}" for t in audit.transitions]
    found = odd or ["  none"]
    return "\n".join([repr(audit_table(audit)), "Inconsistent transitions", *found])


def standing_text(workspace: Workspace) -> str:
    """What became of the questions a user registered: answer and chunk, or why not."""
    lines, read = [], sorted(workspace.chunks, key=lambda one: workspace.chunks[one])
    for question in workspace.questions:
        if question.standing:
            answers = "; ".join(shown(filler.text) for filler in question.answers)
            last = question.resolved or ""
            number = read.index(last) + 1 if last in workspace.chunks else 0
            since = f" (since chunk {number} of {len(read)})" if number else ""
            told = f"{answers}{since}" if answers else question.reason
            lines.append(f"{question.text} {question.status}: {told}\n")
    return visible("".join(lines))


def _section(title: str, lines: Iterator[str]) -> str:
    body = "\n".join(f"  {text}" for text in lines)
    return f"{title}\n{body}" if body else ""


def _changes(history: History, scene: Scene) -> Iterator[str]:
    def told(facts: Iterable[Fact]) -> list[str]:
        return [
            f"{fact.field} {visible(fact.text)}" for fact in facts if not fact.quiet
        ]

    for sign, ids in (("+", scene.added), ("~", scene.changed)):
        for noun_id in ids:
            if not noun_id.startswith("q"):
                record = history.records[noun_id]
                lost = told(scene.lost.get(noun_id, ()))
                gone = [f"no longer {fact}" for fact in lost]
                said = "; ".join([*told(scene.gained.get(noun_id, ())), *gone])
                yield f"{sign} {record.name} ({record.kind} {noun_id}): {said}"
    for noun_id in scene.retired:
        into = scene.after.retired.get(noun_id)
        name = history.records[noun_id].name
        yield f"- {name} ({noun_id}): {f'now {into}' if into else 'no longer held'}"


def _decision(decision: Decision, history: History) -> str:
    def name(noun_id: str) -> str:
        record = history.records.get(noun_id)
        return f"{record.name} ({noun_id})" if record else noun_id

    if isinstance(decision, Alignment):
        best = decision.candidates[0] if decision.candidates else None
        score = f" ({best.score:.2f} for {decision.threshold:.2f})" if best else ""
        into = "" if decision.status == "new" else f" {name(decision.actor)}"
        status = f"{decision.status}{into}{score}"
        return visible(f"{decision.name}: {status}, {decision.reason}")
    if isinstance(decision, Conflict):
        kept = f"kept {decision.kept}, not {decision.other}"
        return visible(f"{name(decision.subject)}: {kept}, {decision.reason}")
    if isinstance(decision, Admission):
        status = f"{decision.status} at {decision.price:.2f}"
        return visible(f"the edit of {decision.edit}: {status}, {decision.reason}")
    answer = f" {decision.answer}" if decision.answer else ""
    return visible(f"{decision.question}: {decision.status}{answer}, {decision.reason}")


def _questions(scene: Scene) -> Iterator[str]:
    for noun_id in (*scene.added, *scene.changed):
        if noun_id.startswith("q"):
            question = scene.after.get(noun_id)
            answers = ", ".join(filler.text for filler in question.answers)
            mark = "predicted, " if question.predicted else ""
            status = f"{mark}{question.status}{': ' + answers if answers else ''}"
            yield visible(f"{question.text} ({status})")

"""Steps and answers for a terminal: plain words, the cited characters in brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gswlab.core.document import Document
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, visible
from gswlab.core.workspace import Workspace
from gswlab.gsw.recall.verbalise import describe
from gswlab.language.dates.format import shown
from gswlab.view.kit.page import rendered
from gswlab.view.kit.spans import Ground, plain_text
from gswlab.view.provenance.answer import answer_view
from gswlab.view.run.history import History
from gswlab.view.run.parts import Telling
from gswlab.view.run.words import count, first_of, told, undated

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
    telling = Telling("", history, ground, [label] * (k + 1))
    facts: dict[str, Any] = {"scene": scene, "records": history.records, "told": told}
    facts |= {"line": telling.line(k), "text": telling.plain(k)}
    return rendered("run/step.txt", **facts).rstrip("\n")


def answer_text(answer: Answer, documents: Sequence[Document]) -> str:
    """An answer, a line an item, why it is one, and the sentences it rests on."""
    first = replace(answer, spans=answer.spans[:SPANS])
    quotes = [
        (quote.where, plain_text(quote.text, quote.marks, quote.offset).split())
        for quote in answer_view(first, documents).quotes
    ]
    more = max(len(answer.spans) - SPANS, 0)
    facts = {"quotes": quotes, "more": more, "count": count}
    return rendered("run/answer.txt", answer=answer, **facts).rstrip("\n")


def audit_text(audit: Audit) -> str:
    """An audit as a table, a chunk a line, and the transitions that cannot be."""
    from gswlab.view.papers.gsw import audit_table

    odd = [f"  {t.kind}, {t.chunk}: {visible(t.text)}" for t in audit.transitions]
    head = [repr(audit_table(audit)), "Inconsistent transitions"]
    return "\n".join([*head, *(odd or ["  none"])])


def episodes_text(workspace: Workspace, most: int = 12) -> str:
    """What a text is found to tell, a line an episode, and that it tells no day.

    >>> episodes_text(Workspace())
    'This text tells no day.'
    """
    lines = [describe(episode).text for episode in workspace.episodes]
    told = first_of([line for line in lines if line], most)
    return visible("\n".join([*told, *filter(None, [undated(workspace)])]))


def standing_text(workspace: Workspace) -> str:
    """What became of the questions a user registered: answer and chunk, or why not."""
    lines, read = [], sorted(workspace.chunks, key=lambda one: workspace.chunks[one])
    for question in (one for one in workspace.questions if one.standing):
        said = "; ".join(shown(filler.text) for filler in question.answers)
        if said and question.resolved and question.resolved in read:
            said += f" (since chunk {read.index(question.resolved) + 1} of {len(read)})"
        told = f"{question.status}: {said or question.reason}"
        lines.append(f"{question.text} {told}\n")
    return visible("".join(lines))

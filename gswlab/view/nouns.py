"""Glances at what a run is made of: a row a part, for tables and for notebooks.

A glance is words. What it leaves out is in the object itself, whose fields it names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gswlab.core.nouns import Answer, Evidence, TraceEvent
from gswlab.core.references import label
from gswlab.core.step import (
    Admission,
    Alignment,
    Change,
    Conflict,
    Decision,
    Extend,
    Put,
    Resolution,
    Set,
    Step,
)
from gswlab.view.kit.tables import html_table

if TYPE_CHECKING:
    import pandas as pd

    from gswlab.core.journal import Journal


PARTS = ("what", "of", "about")


class Part(NamedTuple):
    """A part of a step: a change, a decision or an event, and what it is about."""

    what: str
    of: str
    about: str


def parts(step: Step) -> list[Part]:
    """The changes, decisions and events of a step, in order."""
    return [
        *(_changed(change) for change in step.changes),
        *(_decided(decision) for decision in step.decisions),
        *map(_happened, step.events),
    ]


def step_html(step: Step) -> str:
    """The parts of a step as a table."""
    return html_table(repr(step), PARTS, parts(step))


def journal_frame(journal: Journal) -> pd.DataFrame:
    """A row a step: its chunk, its note, and how much is in it."""
    import pandas as pd

    rows = [
        (
            s.index,
            s.chunk,
            s.note,
            s.undoes,
            *map(len, (s.changes, s.decisions, s.events)),
        )
        for s in journal.steps()
    ]
    heads = ["step", "chunk", "note", "undoes", "changes", "decisions", "events"]
    return pd.DataFrame(rows, columns=heads).set_index("step")


def journal_html(journal: Journal) -> str:
    """The steps of a journal as a table."""
    frame = journal_frame(journal).drop(columns="undoes").reset_index()
    rows = [
        [str(cell) if cell is not None else "" for cell in row] for row in frame.values
    ]
    return html_table(repr(journal), [*frame.columns], rows)


def evidence_frame(evidence: Evidence) -> pd.DataFrame:
    """A row an item: its text, chapter, score and how many spans it rests on."""
    import pandas as pd

    rows = [(i.text, i.chapter, i.score, len(i.spans)) for i in evidence.items]
    return pd.DataFrame(rows, columns=["text", "chapter", "score", "spans"])


def evidence_html(evidence: Evidence) -> str:
    """The items of evidence as a table."""
    rows = [(i.text, i.chapter, f"{i.score:.3g}") for i in evidence.items]
    return html_table(repr(evidence), ("text", "chapter", "score"), rows)


def answer_html(answer: Answer) -> str:
    """An answer, its reason and the spans it cites as a table."""
    cited = [f"{s.document}, {s.start} to {s.end}" for s in answer.spans]
    rows = [
        ("answer", "none" if answer.abstained else ", ".join(answer.items)),
        ("because", answer.reason),
        ("chapters", ", ".join(map(str, answer.chapters))),
        *(("cites", where) for where in cited),
    ]
    return html_table(repr(answer), ("", ""), [row for row in rows if row[1]])


def _changed(change: Change) -> Part:
    of = change.kind.replace("_", " ")
    match change:
        case Put(item=item):
            return Part("put", of, f"{item.id} {label(item)}")
        case Extend(id=noun_id, field=field, items=items):
            return Part("extended", of, f"{noun_id}: {len(items)} more {field}")
        case Set(id=noun_id, field=field):
            return Part("set", of, f"{noun_id}: {field.replace('_', ' ')}")
    into = f", now {change.into}" if change.into else ""
    return Part("dropped", of, f"{change.id}{into}")


def _decided(decision: Decision) -> Part:
    match decision:
        case Alignment(name=name, actor=actor, status=status, reason=reason):
            return Part(status, "alignment", f"{name}, {actor}: {reason}")
        case Conflict(kind=kind, subject=subject, kept=kept, other=other):
            of = kind.replace("_", " ")
            return Part("conflict", of, f"{subject}: kept {kept}, set aside {other}")
        case Resolution(question=question, status=status, answer=answer):
            return Part(status, "question", f"{question} {answer}".rstrip())
        case Admission(edit=edit, status=status, price=price):
            return Part(status, "edit", f"{edit} at {price:.2f}")


def _happened(event: TraceEvent) -> Part:
    many = len(event.spans)
    spans = f"{many} span{'s' * (many != 1)}"
    return Part("event", event.kind.replace("_", " "), spans)


def _sizes(step: Step) -> tuple[int, int, int]:
    return len(step.changes), len(step.decisions), len(step.events)

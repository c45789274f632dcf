"""Glances at what a run is made of: a table a thing, for notebooks.

A glance is words. What it leaves out is in the object itself, whose fields it names.
"""

from __future__ import annotations

from functools import singledispatch

from gswlab.bench.report import Scores, flat
from gswlab.core.diff import Diff
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, Evidence
from gswlab.core.step import Part, Step, parts
from gswlab.core.workspace import GLANCE, Workspace
from gswlab.lab.experiment import Config
from gswlab.lab.futures.ask import Replies
from gswlab.lab.futures.fork import Futures
from gswlab.lab.futures.orders import Orders
from gswlab.models.ledger import Ledger
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import html_table
from gswlab.view.run.futures import fragment, future_sections


@singledispatch
def draw(thing: object) -> str | None:
    """A thing as HTML, by its type; None where nothing draws it."""
    return None


@draw.register
def _(step: Step) -> str:
    return html_table(repr(step), Part._fields, parts(step))


@draw.register
def _(workspace: Workspace) -> str:
    return html_table(repr(workspace), GLANCE, workspace.glance())


@draw.register
def _(journal: Journal) -> str:
    frame = journal.to_frame().drop(columns="undoes").reset_index()
    rows = [["" if cell is None else str(cell) for cell in row] for row in frame.values]
    return html_table(repr(journal), [*frame.columns], rows)


@draw.register
def _(diff: Diff) -> str:
    rows = [(row.what, row.id, row.words()) for row in diff.rows]
    return html_table(repr(diff), ("what", "noun", "difference"), rows)


@draw.register
def _(evidence: Evidence) -> str:
    rows = [(i.text, i.chapter, f"{i.score:.3g}") for i in evidence.items]
    return html_table(repr(evidence), ("text", "chapter", "score"), rows)


@draw.register
def _(answer: Answer) -> str:
    cited = [f"{s.document}, {s.start} to {s.end}" for s in answer.spans]
    rows = [
        ("answer", "none" if answer.abstained else ", ".join(answer.items)),
        ("because", answer.reason),
        ("chapters", ", ".join(map(str, answer.chapters))),
        *(("cites", where) for where in cited),
    ]
    return html_table(repr(answer), ("", ""), [row for row in rows if row[1]])


@draw.register
def _(ledger: Ledger) -> str:
    rows = [(name, cost.words()) for name, cost in ledger.by("stage").items()]
    return html_table(str(ledger), ("stage", "calls, tokens, money, seconds"), rows)


@draw.register
def _(scores: Scores) -> str:
    return html_table("Figures of the run", ("figure", "value"), [*flat(scores)])


@draw.register
def _(config: Config) -> str:
    rows = ""
    for key, value, changed in config.rows():
        cells = (escape(key), escape(value))
        if changed:
            cells = (f"<strong>{cells[0]}</strong>", f"<strong>{cells[1]}</strong>")
        mark = "● set" if changed else ""
        rows += f"<tr><td>{mark}</td><td>{cells[0]}</td><td>{cells[1]}</td></tr>"
    return (
        f"<table><caption>Experiment {escape(config.name)}, config {config.hash}; "
        "“● set” marks what you changed</caption><thead><tr><th>you</th>"
        f"<th>setting</th><th>value</th></tr></thead><tbody>{rows}</tbody></table>"
        f"<p>In a shell: <code>{escape(config.command)}</code></p>"
    )


@draw.register(Futures)
@draw.register(Orders)
def _(found: Futures | Orders) -> str:
    return fragment(found.words(), future_sections(found))


@draw.register
def _(replies: Replies) -> str:
    return fragment((), future_sections(replies))

"""Glances at what a run is made of: a table a thing, for notebooks.

A glance is words. What it leaves out is in the object itself, whose fields it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch
from importlib.util import find_spec
from typing import Any

from gswlab.bench.bill import AGAIN, Estimate
from gswlab.bench.collect import brief_table, figure_cells
from gswlab.bench.report import Scores, flat
from gswlab.core.diff import Diff
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, Evidence
from gswlab.core.step import Part, Step, parts
from gswlab.core.workspace import GLANCE, Workspace
from gswlab.lab.chat import Chat
from gswlab.lab.experiment import Config
from gswlab.lab.futures.ask import Replies
from gswlab.lab.futures.fork import Futures
from gswlab.lab.futures.orders import Orders
from gswlab.lab.grid import Grid
from gswlab.memgpt.window import moments
from gswlab.models.ledger import Ledger
from gswlab.view.figures.comparison import side_by_side
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import ROWS, html_table
from gswlab.view.run.futures import fragment


def widgets_of(thing: object) -> dict[str, Any]:
    """The widgets of a thing, as a notebook takes them; none where there are none."""
    if find_spec("ipywidgets") is None or find_spec("anywidget") is None:
        return {}
    from gswlab.view.panel.forms import NOTEBOOK_FORMS

    bundle: dict[str, Any] = NOTEBOOK_FORMS[type(thing)](thing).box._repr_mimebundle_()
    return bundle


@singledispatch
def draw(thing: object) -> str | None:
    """A thing as HTML, by its type; None where nothing draws it."""
    return None


def _of_journal(journal: Journal) -> tuple[Any, ...]:
    frame = journal.to_frame().drop(columns="undoes").reset_index()
    return repr(journal), [*frame.columns], frame.to_numpy().tolist()


def _of_answer(answer: Answer) -> tuple[Any, ...]:
    rows = [
        ("answer", "none" if answer.abstained else ", ".join(answer.items)),
        ("because", answer.reason),
        ("chapters", ", ".join(map(str, answer.chapters))),
        *(("cites", f"{s.document}, {s.start} to {s.end}") for s in answer.spans),
    ]
    return repr(answer), ("", ""), [row for row in rows if row[1]]


def _of_chat(chat: Chat) -> tuple[Any, ...]:
    journal = chat.lab.journal
    told = zip(journal.chunks()[: len(journal)], moments(journal.steps()), strict=True)
    rows = [(c.time, c.speaker, c.text, "\n".join(turn.said)) for c, turn in told]
    return repr(chat), ("when", "who", "says", "reply"), rows[-ROWS:]


# what is one table: its caption, its heads and its rows
_TABLES: Mapping[type, Callable[[Any], tuple[Any, ...]]] = {
    Step: lambda it: (repr(it), Part._fields, parts(it)),
    Workspace: lambda it: (repr(it), GLANCE, it.glance()),
    Answer: _of_answer,
    Chat: _of_chat,
    Journal: _of_journal,
    Diff: lambda it: (
        repr(it),
        ("what", "noun", "difference"),
        [(row.what, row.id, row.words()) for row in it.rows],
    ),
    Evidence: lambda it: (
        repr(it),
        ("text", "chapter", "score"),
        [(one.text, one.chapter, f"{one.score:.3g}") for one in it.items],
    ),
    Ledger: lambda it: (
        str(it),
        ("stage", "calls, tokens, money, seconds"),
        [(name, cost.words()) for name, cost in it.by("stage").items()],
    ),
    Scores: lambda it: ("Figures of the run", ("figure", "value"), [*flat(it)]),
}
for _kind, _told in _TABLES.items():
    draw.register(_kind, lambda thing, told=_told: html_table(*told(thing)))


@draw.register
def _(grid: Grid) -> str:
    frame = grid.to_frame()
    cells = figure_cells(brief_table(frame))
    base = f"{grid!r}; differences are paired, to {grid.runs[0]}"
    table = html_table(base, [*cells.columns], cells.to_numpy().tolist())
    wide = 'tabindex="0" role="region" aria-label="Runs" style="overflow-x: auto"'
    failed = "".join(f"<p>{escape(str(error))}</p>" for error in grid.failed)
    try:
        plot = side_by_side(frame)._repr_html_()
    except GswlabError:  # runs that nobody asked anything have no figure
        plot = ""
    shell = f"<p>In a shell: <code>{escape(grid.command)}</code></p>"
    return f"<div {wide}>{table}</div>{failed}{plot}{shell}"


@draw.register
def _(estimate: Estimate) -> str:
    rows = estimate.frame.astype(object).fillna("unknown").reset_index()
    table = html_table(estimate.head, [*rows.columns], rows.to_numpy().tolist())
    return f"{table}<p>{escape(AGAIN)}</p>"


@draw.register
def _(config: Config) -> str:
    said = f"config {config.hash}; “● set” marks what you changed"
    rows = [("● set" if c else "", k, v) for k, v, c in config.rows()]
    caption, heads = f"Experiment {config.name}, {said}", ("you", "setting", "value")
    table = html_table(caption, heads, rows, len(rows))
    return f"{table}<p>In a shell: <code>{escape(config.command)}</code></p>"


for _kind in (Futures, Orders, Replies):
    draw.register(_kind, fragment)

"""Glances at what a run is made of: a table a thing, for notebooks.

A glance is words. What it leaves out is in the object itself, whose fields it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

import pandas as pd

from gswlab.bench.bill import AGAIN
from gswlab.bench.collect import brief_table, figure_cells
from gswlab.bench.report import flat
from gswlab.core.errors import GswlabError
from gswlab.core.step import Part, parts
from gswlab.core.workspace import GLANCE
from gswlab.memgpt.window import moments
from gswlab.view.figures.comparison import side_by_side
from gswlab.view.kit.page import rendered
from gswlab.view.kit.tables import ROWS
from gswlab.view.run.futures import fragment


def widgets_of(thing: object) -> dict[str, Any]:
    """The widgets of a thing, as a notebook takes them; none where there are none."""
    if find_spec("ipywidgets") is None or find_spec("anywidget") is None:
        return {}
    from gswlab.view.panel.forms import NOTEBOOK_FORMS

    bundle: dict[str, Any] = NOTEBOOK_FORMS[type(thing)](thing).box._repr_mimebundle_()
    return bundle


def draw(thing: Any) -> str | None:
    """A thing as HTML, by the name of its type; None where nothing draws it."""
    for kind in (base.__name__ for base in type(thing).__mro__):
        if kind in ("Futures", "Orders", "Replies"):
            return fragment(thing)
        if kind in _TABLES:
            names = ("caption", "heads", "rows", "most", "plot")
            facts = dict(zip(names, _TABLES[kind](thing), strict=False))
            facts = {"most": ROWS, "again": AGAIN, **facts}
            return rendered("glances.html", kind=kind, it=thing, **facts)
    return None


def _of_frame(caption: str, frame: pd.DataFrame) -> tuple[Any, ...]:
    return caption, [*frame.columns], frame.to_numpy().tolist()


def _of_answer(answer: Any) -> tuple[Any, ...]:
    rows = [
        ("answer", "none" if answer.abstained else ", ".join(answer.items)),
        ("because", answer.reason),
        ("chapters", ", ".join(map(str, answer.chapters))),
        *(("cites", f"{s.document}, {s.start} to {s.end}") for s in answer.spans),
    ]
    return repr(answer), ("", ""), [row for row in rows if row[1]]


def _of_chat(chat: Any) -> tuple[Any, ...]:
    journal = chat.lab.journal
    told = zip(journal.chunks()[: len(journal)], moments(journal.steps()), strict=True)
    rows = [(c.time, c.speaker, c.text, "\n".join(turn.said)) for c, turn in told]
    return repr(chat), ("when", "who", "says", "reply"), rows[-ROWS:]


def _of_grid(grid: Any) -> tuple[Any, ...]:
    frame = grid.to_frame()
    said = f"{grid!r}; differences are paired, to {grid.runs[0]}"
    plot = ""
    with suppress(GswlabError):  # runs that nobody asked anything have no figure
        plot = side_by_side(frame)._repr_html_()
    return *_of_frame(said, figure_cells(brief_table(frame))), ROWS, plot


def _of_config(config: Any) -> tuple[Any, ...]:
    rows = [("● set" if c else "", k, v) for k, v, c in config.rows()]
    said = f"Experiment {config.name}, config {config.hash}; “● set” marks what you "
    return f"{said}changed", ("you", "setting", "value"), rows, len(rows)


# by the name of a type its caption, its heads and its rows
_TABLES: Mapping[str, Callable[[Any], tuple[Any, ...]]] = {
    "Step": lambda it: (repr(it), Part._fields, parts(it)),
    "Workspace": lambda it: (repr(it), GLANCE, it.glance()),
    "Answer": _of_answer,
    "Chat": _of_chat,
    "Grid": _of_grid,
    "Config": _of_config,
    "Journal": lambda it: _of_frame(
        repr(it), it.to_frame().drop(columns="undoes").reset_index()
    ),
    "Estimate": lambda it: _of_frame(
        it.head, it.frame.astype(object).fillna("unknown").reset_index()
    ),
    "Diff": lambda it: (
        repr(it),
        ("what", "noun", "difference"),
        [(row.what, row.id, row.words()) for row in it.rows],
    ),
    "Evidence": lambda it: (
        repr(it),
        ("text", "chapter", "score"),
        [(one.text, one.chapter, f"{one.score:.3g}") for one in it.items],
    ),
    "Ledger": lambda it: (
        str(it),
        ("stage", "calls, tokens, money, seconds"),
        [(name, cost.words()) for name, cost in it.by("stage").items()],
    ),
    "Scores": lambda it: ("Figures of the run", ("figure", "value"), [*flat(it)]),
}

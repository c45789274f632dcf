"""The page of several memories: a row a sentence, a column a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gswlab.view.ink.sentence import badge
from gswlab.view.ink.text import Line, brief
from gswlab.view.run.page import Page, stylesheet
from gswlab.view.shell import asset, document, filled, sources
from gswlab.view.spans import escape, isolated

LINES, SHOWN = 600, 5  # sentences drawn at most; entries of a cell before it is folded
LONG = 160  # characters of an entry


class Column(NamedTuple):
    """A memory, the share of the text's letters it holds, and of how many things."""

    name: str
    share: float
    holdings: int


class Entry(NamedTuple):
    """A noun, a chunk or a triple in a cell; `fate` is set when it holds no more."""

    kind: str
    name: str
    text: str
    fate: str


Cell = Callable[[str, Line], tuple[Entry, ...] | None]


def aligned_page(
    title: str, columns: Sequence[Column], lines: Sequence[Line], cell: Cell
) -> Page:
    """The page of the first `LINES` sentences; `cell` is what a memory kept of one."""
    script, drawn = asset("aligned/aligned.js"), lines[:LINES]
    names = ", ".join(column.name for column in columns)
    head = f"{title}, by memory"
    caption = f"{len(lines)} sentences by {len(columns)} memories: {names}"
    more = len(lines) > LINES
    limit = f"This page shows the first {LINES} of {len(lines)}." if more else ""
    parts = dict.fromkeys(line.part for line in drawn)
    body = filled(
        "aligned/aligned.html",
        title=escape(head),
        caption=escape(f"{caption}. {limit}"),
        parts="".join(f"<option>{escape(part)}</option>" for part in parts),
        toggles="".join(map(_toggle, range(len(columns)), columns)),
        heads="".join(map(_head, columns)),
        rows="".join(_rows(drawn, columns, cell)),
        script=script,
    )
    style = f"{stylesheet()}\n{asset('aligned/aligned.css')}"
    return Page(document(head, style, body, sources((script,))), head, caption, 860)


def _toggle(n: int, column: Column) -> str:
    return (
        f'<button type="button" class="column" data-column="{n}" aria-pressed="true">'
        f"{isolated(column.name)}</button>"
    )


def _head(column: Column) -> str:
    return (
        f'<th scope="col">{isolated(column.name)}<small>{column.holdings} things, '
        f"{column.share:.0%} of the letters</small></th>"
    )


def _rows(
    lines: Sequence[Line], columns: Sequence[Column], cell: Cell
) -> Iterator[str]:
    before = None
    for line in lines:
        found = [cell(column.name, line) for column in columns]
        differs = " data-differs" if not all(found) and any(found) else ""
        new = f"<small>{escape(line.part)}</small>" if line.part != before else ""
        before = line.part
        yield (
            f'<tr data-part="{escape(line.part)}"{differs}><th scope="row" '
            f'tabindex="-1">{new}<span dir="auto">{escape(line.text)}</span></th>'
            f"{''.join(map(_cell, found))}</tr>\n"
        )


def _cell(entries: tuple[Entry, ...] | None) -> str:
    if entries is None:
        return '<td tabindex="-1" class="none">not read</td>'
    if not entries:
        return '<td tabindex="-1" class="none"><b>∅</b> nothing</td>'
    shown = "".join(map(_entry, entries[:SHOWN]))
    rest = "".join(map(_entry, entries[SHOWN:]))
    folded = (
        f"<details><summary>{len(entries) - SHOWN} more</summary><ul>{rest}</ul>"
        "</details>"
        if rest
        else ""
    )
    return f'<td tabindex="-1"><ul>{shown}</ul>{folded}</td>'


def _entry(entry: Entry) -> str:
    text, name = brief(entry.text, LONG), brief(entry.name, LONG)
    named = "" if entry.name == entry.kind else f" <b>{isolated(name)}</b>"
    told = f" <span>{isolated(text)}</span>" if text else ""
    if entry.fate:
        told = (
            f" <del>{isolated(text)}</del> <small>− {escape(brief(entry.fate))}</small>"
        )
    return f"<li>{badge(entry.kind)}<i>{escape(entry.kind)}</i>{named}{told}</li>"

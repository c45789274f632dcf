"""Everything drawn is also a table: the nouns and the lines of a page."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from html import escape as html_escape
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import visible
from gswlab.view.kit.spans import escape

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads: HTML in a notebook, aligned text elsewhere."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""

    def _repr_html_(self) -> str:
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        return f"<table>{caption}{_body(self.heads, self.rows)}</table>"

    def __repr__(self) -> str:
        lines = [" | ".join(row) for row in (self.heads, *self.rows)]
        return "\n".join([self.caption, *lines] if self.caption else lines)


def node_table(run: dict[str, Any], first: int = 0) -> str:
    """Every noun of a page, when it was there and what it says at the end."""
    rows = (
        (
            f'<button class="noun" data-node="{escape(i)}">'
            f"<bdi>{escape(node['names'][-1][1])}</bdi></button>",
            escape(node["kind"]),
            _when(node["life"], run["steps"], first),
            escape("; ".join(f"{f[0]} {f[1]}" for f in _telling(node["facts"]))),
        )
        for i, node in run["nodes"].items()
    )
    heads = ("noun", "kind", "there", "what it says")
    return f"<table>{_raw(heads, rows)}</table>"


def edge_table(run: dict[str, Any], first: int = 0) -> str:
    """Every line of a page: from, what, to, and when it was there."""

    def named(i: str) -> str:
        return f"<bdi>{escape(run['nodes'][i]['names'][-1][1])}</bdi>"

    rows = (
        (
            named(edge["from"]),
            escape(edge["label"]),
            named(edge["to"]),
            _when(edge["life"], run["steps"], first),
        )
        for edge in run["edges"].values()
    )
    return f"<table>{_raw(('from', 'line', 'to', 'there'), rows)}</table>"


def _telling(facts: Sequence[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    quiet = ("kind", "mention", "read as")
    return (fact for fact in facts if fact[3] is None and fact[0] not in quiet)


def _when(life: Sequence[Sequence[int | None]], steps: Any, first: int) -> str:
    def label(k: int) -> str:
        return escape(steps[k - first]["label"]) if k >= first else "earlier"

    return ", ".join(
        f"from {label(born or 0)}" + ("" if gone is None else f" until {label(gone)}")
        for born, gone in life
    )


def _body(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    cells = (tuple(escape(cell) for cell in row) for row in rows)
    return _raw(tuple(html.escape(head) for head in heads), cells)


def rows_html(
    heads: Iterable[str], rows: Iterable[Sequence[str]], name: str = ""
) -> str:
    """A table of cells that are HTML already; `name` is the id of its rows."""
    body = f'<tbody id="{escape(name)}">' if name else "<tbody>"
    return f"<table>{_raw(heads, rows).replace('<tbody>', body, 1)}</table>"


def _raw(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"


ROWS = 30  # a table in a notebook is a glance; `to_frame` has everything


def to_frame(nouns: Iterable[Any]) -> pd.DataFrame:
    """A table of any dataclasses: a row each, a column a field, ids as the index."""
    import pandas as pd

    frame = pd.DataFrame(
        [{f.name: getattr(noun, f.name) for f in fields(noun)} for noun in nouns]
    )
    return frame.set_index("id") if "id" in frame.columns else frame


def html_table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[object]]
) -> str:
    """A small HTML table, every cell escaped; what is left out is said.

    >>> html_table("two < three", ["n"], [["<1>"]])[:40]
    '<table><caption>two &lt; three</caption>'
    """
    head = "".join(f'<th scope="col">{html_escape(name)}</th>' for name in header)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{html_escape(_text(cell))}</td>" for cell in row)
        + "</tr>"
        for row in rows[:ROWS]
    )
    if (left := len(rows) - ROWS) > 0:
        body += (
            f'<tr><td colspan="{len(header)}">and {left} more: .to_frame()</td></tr>'
        )
    return (
        f"<table><caption>{html_escape(visible(caption))}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _text(cell: object) -> str:
    return "" if cell is None else visible(str(cell))

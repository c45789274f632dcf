"""Everything drawn is also a table: rows under heads, frames of nouns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from gswlab.view.kit.page import asset
from gswlab.view.kit.spans import escape

if TYPE_CHECKING:
    import pandas as pd

ROWS = 30  # a table in a notebook is a glance; `to_frame` has everything


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads: HTML in a notebook, aligned text elsewhere."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""

    def _repr_html_(self) -> str:
        cells = (map(escape, row) for row in self.rows)
        return rows_html(map(escape, self.heads), cells, caption=self.caption)

    def __repr__(self) -> str:
        lines = [" | ".join(row) for row in (self.heads, *self.rows)]
        return "\n".join([self.caption, *lines] if self.caption else lines)


def rows_html(
    heads: Iterable[str],
    rows: Iterable[Iterable[str]],
    caption: str = "",
    more: str = "",
) -> str:
    """A table of heads and cells that are HTML already, `caption` (text) above it.

    `more` are rows that are HTML as a whole, below them.
    """
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    body = ""
    for row in rows:
        body += f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    head = f"<thead><tr>{head}</tr></thead>"
    return f"<table>{said}{head}<tbody>{body}{more}</tbody></table>"


def html_table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[object]]
) -> str:
    """A small HTML table, every cell escaped; what is left out is said.

    >>> html_table("two < three", ["n"], [["<1>"]])[:40]
    '<table><caption>two &lt; three</caption>'
    """
    told = (["" if cell is None else str(cell) for cell in row] for row in rows[:ROWS])
    cells = (map(escape, row) for row in told)
    left, more = len(rows) - ROWS, ""
    if left > 0:
        more = f'<tr><td colspan="{len(header)}">and {left} more: .to_frame()</td></tr>'
    return rows_html(map(escape, header), cells, caption, more)


def in_language(name: str, language: str) -> dict[str, str]:
    """The words of a file in a language: a column each, `what` they are the first."""
    lines = asset(name).splitlines()
    rows = csv.DictReader(lines, delimiter="\t", restval="", quoting=csv.QUOTE_NONE)
    return {row["what"]: row[language] for row in rows}


def to_frame(nouns: Iterable[Any]) -> pd.DataFrame:
    """A table of any dataclasses: a row each, a column a field, ids as the index."""
    import pandas as pd

    rows = [{f.name: getattr(noun, f.name) for f in fields(noun)} for noun in nouns]
    frame = pd.DataFrame(rows)
    return frame.set_index("id") if "id" in frame.columns else frame

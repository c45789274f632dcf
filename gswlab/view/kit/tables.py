"""Everything drawn is also a table: rows under heads, frames of nouns."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import visible
from gswlab.view.kit.page import asset, rendered

if TYPE_CHECKING:
    pass

ROWS = 30  # a table in a notebook is a glance; `to_frame` has everything


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads: HTML in a notebook, aligned text elsewhere."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""

    def _repr_html_(self) -> str:
        facts = {"caption": self.caption, "heads": self.heads, "rows": self.rows}
        return rendered("kit/table.html", most=len(self.rows), **facts)

    def __repr__(self) -> str:
        lines = [" | ".join(row) for row in (self.heads, *self.rows)]
        return "\n".join([self.caption, *lines] if self.caption else lines)


def told_table(template: str, **facts: Any) -> Table:
    """The table that a template tells in lines of JSON: caption, heads, then rows."""
    lines = rendered(template, **facts).splitlines()
    caption, heads, *rows = (json.loads(line) for line in lines if line)
    told = tuple(tuple(map(visible, row)) for row in rows)
    return Table(tuple(heads), told, visible(caption))


def column_of(name: str, head: str) -> dict[str, str]:
    """A column of a table of ours, a language say, by what stands in its `what`."""
    lines = asset(name).splitlines()
    rows = csv.DictReader(lines, delimiter="\t", restval="", quoting=csv.QUOTE_NONE)
    return {row["what"]: row[head] for row in rows}

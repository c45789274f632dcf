"""Tables that charts are drawn from: runs, and the papers' cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from gswlab.core.errors import GswlabError

Table = str | Path | pd.DataFrame


def read(table: Table, needed: str) -> pd.DataFrame:
    """A table, or the file that has it.

    Raises:
        GswlabError: it has no column `needed`.
    """
    frame = table if isinstance(table, pd.DataFrame) else pd.read_csv(table)
    if needed in frame:
        return frame
    command = "python -m gswlab collect DIR --layout csv --out FILE"
    problem = f"the table has no column {needed}"
    raise GswlabError(problem, "a chart is drawn from its own recipe's table", command)


def named(told: pd.DataFrame) -> Iterator[tuple[str, pd.Series[Any]]]:
    """Rows by memory, or by run where a memory has several."""
    key = "memory" if told["memory"].is_unique else "run"
    return ((str(row[key]), row) for _, row in told.iterrows())


def kept(told: pd.DataFrame, *figures: str) -> pd.DataFrame:
    """The columns that say whose a row is, and of these figures all but their p."""
    wanted = [f"{name}{end}" for name in figures for end in ("", "_low", "_high")]
    return told[[name for name in (*_WHOSE, *wanted, "commit") if name in told]]


_WHOSE = ("run", "memory", "world", "chapters", "reader", "config", "settings", "n")


def published_cells(
    published: Table, paper: str, table: str
) -> dict[str, dict[str, float]]:
    """The cells of one table of a paper: row, then column."""
    frame = read(published, "paper")
    rows = frame[(frame["paper"] == paper) & (frame["table"] == table)]
    found: dict[str, dict[str, float]] = {}
    for row, column, value in rows[["row", "column", "value"]].itertuples(index=False):
        found.setdefault(str(row), {})[str(column)] = float(value)
    return found

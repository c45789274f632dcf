"""Run tables in cells a person reads: a figure with its 95 % interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from gswlab.bench.statistics import Interval
from gswlab.core.errors import GswlabError


def figures(source: str | Path | Mapping[str, Any], *levels: str) -> pd.DataFrame:
    """A result table (CSV), or figures by name, one row each.

    A figure is an `Interval`, what `scores.json` has of one, a count, or None where it
    is undefined; `levels` are columns for the parts of its name between slashes.
    """
    if isinstance(source, Mapping):
        rows = []
        for name, found in source.items():
            known: Any = found.to_dict() if isinstance(found, Interval) else found
            known = known if isinstance(known, Mapping) else {"mean": known}
            rows.append({"figure": name, "value": known["mean"], **known})
        frame = pd.DataFrame(rows, columns=["figure", "value", "low", "high", "n"])
    elif Path(source).is_file():
        frame = pd.read_csv(source)
    else:
        rule, recipe = "a recipe of experiments/README.md makes it", Path(source)
        command = str(recipe.with_suffix(".sh"))
        raise GswlabError(f"there is no table {source}", rule, command)
    if levels:
        frame[list(levels)] = frame.figure.str.split("/", expand=True)
    return frame


def told_rows(frame: pd.DataFrame, value: str = "value") -> pd.Series[str]:
    """Each row's `value` with its interval and n; as it is where it has none.

    The interval stands in `low` and `high`, or in columns named after `value`.
    """
    own = f"{value}_" if f"{value}_low" in frame else ""
    names = (value, f"{own}low", f"{own}high", "n")
    rows = frame.reindex(columns=list(names)).astype(float)
    return rows.apply(lambda row: _cell(*(row[name] for name in names)), axis=1)


def _cell(value: float, low: float, high: float, n: float) -> str:
    if value != value:
        return "–"  # nothing was there to be scored
    if low != low:
        return f"{value:,.6g}"
    digits = 3 if abs(value) <= 1 else 1
    bounds = ", ".join(f"{bound:.{digits}f}" for bound in (low, high))
    return f"{value:.{digits}f} [{bounds}] n={n:.0f}"


def spread(
    frame: pd.DataFrame, rows: str | Sequence[str], columns: str, value: str = "value"
) -> pd.DataFrame:
    """`told` of every figure by row and column, both in the order of the table."""
    index = [rows] if isinstance(rows, str) else list(rows)
    cells = frame.assign(told=told_rows(frame, value))
    wide = cells.pivot(index=index, columns=columns, values="told")
    lines = cells[index].drop_duplicates()
    ordered = lines.merge(wide, left_on=index, right_index=True).set_index(index)
    return ordered[list(cells[columns].unique())].fillna("")

"""Figures with their intervals as dots on lines, one below the other: a forest plot.

It reads where bars do not: long names stand in full, intervals are seen, and what is
held against nothing is seen to touch zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from gswlab.core.errors import GswlabError
from gswlab.view.kit.chart import STYLES, Chart, chart, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LINE, EDGE = 0.2, 1.1  # inches of a line of the plot, and around it
ROOM = 0.02  # of an axis, beyond its limits: a dot on one is seen whole
PUBLISHED: Mapping[str, Any] = {"color": "#777777", "mfc": "white"}
_THEIRS = "(published)"
_SMALL: Mapping[str, Any] = {"markersize": 4, "linewidth": 1}
_ENDS = ("", "_low", "_high")
WHOSE = ("run", "memory", "reader", "config", "settings", "n", "commit")


def dots(frame: pd.DataFrame, label: str, figure: str = "value") -> pd.DataFrame:
    """Rows as `forest` takes them: a label, a figure and its interval, and whose it is.

    Raises:
        GswlabError: no row has the figure.
    """
    own = f"{figure.removesuffix('_mean')}_"  # difference_mean in difference_low, _high
    own = own if f"{own}low" in frame else ""
    names = {f"{own}low": "low", f"{own}high": "high", figure: "value"}
    kept = [name for name in (*WHOSE, *names) if name in frame]
    found = frame.dropna(subset=[figure])[kept].rename(columns=names)
    rest = [name for name in ("low", "high") if name not in found]
    found = found.assign(**dict.fromkeys(rest, float("nan")))
    found.insert(0, "label", frame.loc[found.index, label].astype(str))
    return filled_plate(found, figure)


def filled_plate(rows: pd.DataFrame, what: Any) -> pd.DataFrame:
    """The rows, or the error that there is none to draw."""
    if len(rows):
        return rows
    rule = "a figure is drawn from its own recipe's table"
    raise GswlabError(f"no row of the table has {what}", rule)


def forest(
    rows: pd.DataFrame,
    title: str,
    xlabel: str,
    by: str = "",
    limits: tuple[float, float] | None = None,
) -> Chart:
    """Rows from top to bottom, each a dot in its 95 % interval.

    `rows` have `label`, `value`, `low`, `high` (nan: no interval); all else that is
    known of them goes into the figure's data. `by` is a column by which dots of one
    label are told apart, by colour and marker; groups and labels that end in
    `(published)` are grey and hollow. Without `limits` of the axis zero is in sight.
    """
    label = rows["label"].astype(str)
    group = rows[by].astype(str) if by else pd.Series("", rows.index)
    labels, groups = [*dict.fromkeys(label)], [*dict.fromkeys(group)]
    theirs = label.str.endswith(_THEIRS) | group.str.endswith(_THEIRS)
    apart = group.map(groups.index) - (len(groups) - 1) / 2
    at = label.map(labels.index) + apart * 0.8 / len(groups)
    drawn, axis = chart(title)
    most = max(len(groups) * 0.4, 1.0)
    drawn.figure.set_size_inches(5.6, EDGE + LINE * len(labels) * most)
    for style, name in zip(cycle(STYLES), groups, strict=False):
        for grey, own in rows[group == name].groupby(theirs, sort=False):
            named = name if not grey or theirs[group == name].all() else ""
            values, low, high = (own[n].astype(float) for n in ("value", "low", "high"))
            ends = [(values - low).fillna(0).clip(0), (high - values).fillna(0).clip(0)]
            colours = PUBLISHED if grey else {"color": style["color"]}
            look = {"marker": style["marker"], "linestyle": "", "capsize": 2, **_SMALL}
            look |= {"label": named or None, **colours}
            axis.errorbar(values, at[own.index], xerr=ends, **look)
    axis.set_yticks(range(len(labels)), labels)
    axis.set_ylim(len(labels) - 0.5, -0.5)
    axis.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    axis.set_xlabel(xlabel)
    if limits:
        room = ROOM * (limits[1] - limits[0])
        axis.set_xlim(limits[0] - room, limits[1] + room)
    said = [_in_words(row, by) for row in rows.to_dict("records")]
    return drawn.done(legend=bool(by), data=rows, said=said)


def _in_words(row: Mapping[Any, Any], by: str) -> str:
    told = ", ".join(str(row[name]) for name in filter(None, ("label", by)))
    ends = f" [{row['low']:.3g}, {row['high']:.3g}]" if row["low"] == row["low"] else ""
    return f"{told} {row['value']:.3g}{ends}"


RunTable = str | Path | pd.DataFrame


def read_series(table: RunTable, needed: str) -> pd.DataFrame:
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


def named_runs(told: pd.DataFrame) -> Iterator[tuple[str, pd.Series[Any]]]:
    """Rows by memory, or by run where a memory has several."""
    key = "memory" if told["memory"].is_unique else "run"
    return ((str(row[key]), row) for _, row in told.iterrows())


def kept(told: pd.DataFrame, *figures: str) -> pd.DataFrame:
    """The columns that say whose a row is, and of these figures all but their p."""
    wanted = [f"{name}{end}" for name in figures for end in _ENDS]
    return told[[name for name in (*_WHOSE, *wanted, "commit") if name in told]]


_WHOSE = ("run", "memory", "world", "chapters", "reader", "config", "settings", "n")


def published_cells(
    published: RunTable, paper: str, table: str
) -> dict[str, dict[str, float]]:
    """The cells of one table of a paper: row, then column."""
    frame = read_series(published, "paper")
    rows = frame[(frame["paper"] == paper) & (frame["table"] == table)]
    found: dict[str, dict[str, float]] = {}
    for row, column, value in rows[["row", "column", "value"]].itertuples(index=False):
        found.setdefault(str(row), {})[str(column)] = float(value)
    return found


def banded(
    title: str,
    series: Iterable[tuple[str, Sequence[Any]]],
    across: Sequence[int],
    ticks: Sequence[str] | None = None,
    **axes: Any,
) -> tuple[Chart, Axes]:
    """Lines in bands of their intervals: of each a name, and value, low and high."""
    drawn, axis = chart(title)
    for style, (name, (values, low, high)) in styled(series):
        axis.plot(across, values, label=name, **_SMALL, **style)
        look = {"color": style["color"], "alpha": 0.12, "linewidth": 0}
        axis.fill_between(across, low, high, **look)
    axis.set(**axes)
    axis.set_xticks(across, ticks)
    return drawn, axis


def by_run(
    told: pd.DataFrame, figures: Sequence[str]
) -> Iterator[tuple[str, list[list[Any]]]]:
    """Each run's figures, and both ends of their intervals."""
    nan = float("nan")
    for name, row in named_runs(told):
        yield name, [[row.get(f"{f}{end}", nan) for f in figures] for end in _ENDS]

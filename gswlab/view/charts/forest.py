"""Figures with their intervals as dots on lines, one below the other: a forest plot.

It reads where bars do not: long names stand in full, intervals are seen, and what is
held against nothing is seen to touch zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from gswlab.view.charts.chart import Chart, chart
from gswlab.view.charts.styles import STYLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE, EDGE = 0.2, 1.1  # inches of a line of the plot, and around it
ROOM = 0.02  # of an axis, beyond its limits: a dot on one is seen whole
PUBLISHED: Mapping[str, Any] = {"color": "#777777", "mfc": "white"}
_THEIRS = "(published)"


def forest(
    rows: pd.DataFrame,
    title: str,
    xlabel: str,
    by: str = "",
    limits: tuple[float, float] | None = None,
) -> Chart:
    """Rows from top to bottom, each a dot in its 95 % interval.

    Args:
        rows: columns `label`, `value`, `low`, `high` (nan: no interval) and whatever
            else is known of a row, which goes into the figure's data.
        title: of the figure.
        xlabel: what the values are, with their unit.
        by: a column by which dots of one label are told apart, by colour and marker;
            groups and labels that end in `(published)` are grey and hollow.
        limits: of the axis; else those of the values, zero in sight.
    """
    labels = list(dict.fromkeys(rows["label"].astype(str)))
    groups = list(dict.fromkeys(rows[by].astype(str))) if by else [""]
    drawn, axis = chart(title)
    most = max(len(groups) * 0.4, 1.0)
    drawn.figure.set_size_inches(5.6, EDGE + LINE * len(labels) * most)
    for n, group in enumerate(groups):
        own = rows[rows[by].astype(str) == group] if by else rows
        shift = (n - (len(groups) - 1) / 2) * 0.8 / len(groups)
        at = pd.Series([labels.index(str(n)) + shift for n in own["label"]], own.index)
        theirs = own["label"].str.endswith(_THEIRS) | group.endswith(_THEIRS)
        for grey in dict.fromkeys(theirs):
            some, name = theirs == grey, group if not grey or theirs.all() else ""
            _dots(axis, own[some], at[some], name, _look(n, grey))
    axis.set_yticks(range(len(labels)), labels)
    axis.set_ylim(len(labels) - 0.5, -0.5)
    axis.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    axis.set_xlabel(xlabel)
    if limits:
        room = ROOM * (limits[1] - limits[0])
        axis.set_xlim(limits[0] - room, limits[1] + room)
    return drawn.done(legend=bool(by), data=rows, said=list(_said(rows, by)))


def _look(n: int, published: bool) -> dict[str, Any]:
    style = STYLES[n % len(STYLES)]
    colours = PUBLISHED if published else {"color": style["color"]}
    return {"marker": style["marker"], **colours}


def _dots(
    axis: Axes,
    rows: pd.DataFrame,
    at: pd.Series[float],
    group: str,
    look: Mapping[str, Any],
) -> None:
    values, low, high = (rows[name].astype(float) for name in ("value", "low", "high"))
    ends = [(values - low).fillna(0).clip(0), (high - values).fillna(0).clip(0)]
    axis.errorbar(
        values,
        at,
        xerr=ends,
        label=group or None,
        linestyle="",
        markersize=4,
        capsize=2,
        linewidth=1,
        **look,
    )


def _said(rows: pd.DataFrame, by: str) -> Iterator[str]:
    for row in rows.to_dict("records"):
        name = f"{row['label']}, {row[by]}" if by else str(row["label"])
        said = f"{name} {row['value']:.3g}"
        known = row["low"] == row["low"]
        yield f"{said} [{row['low']:.3g}, {row['high']:.3g}]" if known else said

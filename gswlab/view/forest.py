"""Figures with their intervals as dots on lines, one below the other: a forest plot.

It reads where bars do not: long names stand in full, intervals are seen, and what is
held against nothing is seen to touch zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gswlab.view.chart import STYLES, Chart, chart

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

LINE, EDGE = 0.2, 1.1  # inches of a line of the plot, and around it
PUBLISHED: Mapping[str, Any] = {"color": "#777777", "mfc": "white"}
Row = tuple[float, float, float]


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
            values that end in `(published)` are grey and hollow.
        limits: of the axis; else those of the values, zero in sight.
    """
    labels = list(dict.fromkeys(rows["label"].astype(str)))
    groups = list(dict.fromkeys(rows[by].astype(str))) if by else [""]
    drawn, axis = chart(title)
    most = max(len(groups) * 0.6, 1.0)
    drawn.figure.set_size_inches(5.6, EDGE + LINE * len(labels) * most)
    for n, group in enumerate(groups):
        own = rows[rows[by].astype(str) == group] if by else rows
        shift = (n - (len(groups) - 1) / 2) * 0.8 / len(groups)
        at = [labels.index(str(label)) + shift for label in own["label"]]
        _dots(axis, own, at, group, STYLES[n % len(STYLES)])
    axis.set_yticks(range(len(labels)), labels)
    axis.set_ylim(len(labels) - 0.5, -0.5)
    axis.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    axis.set_xlabel(xlabel)
    if limits:
        axis.set_xlim(limits)
    return drawn.done(legend=bool(by), data=rows, said=list(_said(rows, by)))


def _dots(
    axis: Axes,
    rows: pd.DataFrame,
    at: list[float],
    group: str,
    style: Mapping[str, Any],
) -> None:
    values, low, high = (rows[name].astype(float) for name in ("value", "low", "high"))
    ends = [(values - low).fillna(0).clip(0), (high - values).fillna(0).clip(0)]
    look = {"color": style["color"], "mfc": style["color"]}
    if group.endswith("(published)"):
        look = dict(PUBLISHED)
    axis.errorbar(
        values,
        at,
        xerr=ends,
        label=group or None,
        marker=style["marker"],
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

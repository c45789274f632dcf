"""Stability over orders of reading: a band a noun, on a page and as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gswlab.core.nouns import visible
from gswlab.view.charts.chart import Chart, chart
from gswlab.view.charts.styles import STYLES
from gswlab.view.spans import escape, isolated
from gswlab.view.tables import rows_html

_ROWS = 60  # of a page; `.to_frame()` has all


class Band(NamedTuple):
    """A noun, how many facts it has, and in each order the share that survives."""

    id: str
    kind: str
    name: str
    facts: int
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the orders."""
        return sum(self.shares) / len(self.shares)

    @property
    def least(self) -> float:
        """The share in the worst order."""
        return min(self.shares)


def bands(found: Sequence[Band]) -> str:
    """A row a noun: a bar from the worst order to the best, a mark at the mean."""
    unsteady = [band for band in found if band.least < 1]
    told = (unsteady or list(found))[:_ROWS]
    rows = [
        (
            isolated(band.name),
            escape(band.kind),
            str(band.facts),
            f"{_bar(band)} {band.mean:.0%}",
            f"{band.least:.0%}",
        )
        for band in told
    ]
    heads = ("noun", "kind", "facts", "survive on average", "in the worst order")
    same, more = len(found) - len(unsteady), len(unsteady) - _ROWS
    rest = f"{same} nouns are the same in every order. " if same else ""
    rest += f"And {more} less stable than all: .to_frame()" if more > 0 else ""
    return f'<div class="scroll">{rows_html(heads, rows)}</div><p>{rest}</p>'


def _bar(band: Band) -> str:
    low, high = 100 * band.least, 100 * max(band.shares)
    said = f"{band.mean:.0%} on average, {low:.0f}% to {high:.0f}%"
    return (
        f'<span class="band" role="img" aria-label="{said}">'
        f'<i style="left:{low:.0f}%;width:{high - low:.0f}%"></i>'
        f'<b style="left:calc({100 * band.mean:.0f}% - 1px)"></b></span>'
    )


def stability_chart(found: Sequence[Band], most: int = 24) -> Chart:
    """The `most` least stable nouns: a dot at the mean, a line from worst to best.

    Args:
        found: bands, the least stable first.
        most: how many are drawn.
    """
    drawn, axis = chart("What survives other orders of reading")
    shown = list(found[:most])[::-1]
    look = {"color": STYLES[0]["color"], "marker": STYLES[0]["marker"]}
    for y, band in enumerate(shown):
        axis.plot([band.least, max(band.shares)], [y, y], color="#777777", linewidth=1)
        axis.plot([band.mean], [y], linestyle="", markersize=4, **look)
    axis.set_yticks(range(len(shown)), [_short(band) for band in shown])
    axis.set(xlim=(-0.02, 1.02), xlabel="share of a noun's facts that survive")
    drawn.figure.set_figheight(max(2.0, 0.22 * len(shown) + 1.0))
    drawn = drawn.done(legend=False)
    told = "; ".join(f"{_short(band)}: {band.mean:.2f}" for band in found[:most])
    drawn.alt = f"{drawn.title}, the least stable first. {told}."
    return drawn


def _short(band: Band) -> str:
    name = visible(band.name)
    return f"{name[:27]}… ({band.kind})" if len(name) > 28 else f"{name} ({band.kind})"

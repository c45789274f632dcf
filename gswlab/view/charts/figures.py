"""Figures from result tables, the same bytes each time: no clock, no random ids.

Every series differs in two channels (colour, and marker with dash); the table beside a
figure is its source and its text.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.view import fonts
from gswlab.view.charts.styles import styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RULES: dict[Any, Any] = {
    "svg.hashsalt": "gswlab",  # ids of clip paths come from this, not from chance
    "svg.fonttype": "path",  # drawn letters: no font of the reader's machine
    "font.size": 8,
    "pdf.fonttype": 42,
}
FORMATS: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}  # without a clock
Rows = list[dict[str, str]]


def draw_dials(table: str | Path, figure: str | Path) -> Path:
    """Error against dial strength with 95 % intervals, a panel a dial.

    Args:
        table: CSV with the columns dial, strength, questions, error, low, high.
        figure: where to write it; the suffix (.svg, .pdf) says how.
    """
    panels: dict[str, Rows] = defaultdict(list)
    for row in _read(Path(table)):
        panels[row["dial"]].append(row)
    from matplotlib import rc_context

    with rc_context(RULES):
        fonts.use()
        return saved(dials_figure(panels), Path(figure))


def _read(table: Path) -> Rows:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def dials_figure(panels: Mapping[str, Rows]) -> Figure:
    """A panel a dial, drawn from the rows of each."""
    from matplotlib.figure import Figure

    columns = min(4, len(panels))
    lines = -(-len(panels) // columns)
    figure = Figure(figsize=(1.8 * columns + 0.6, 1.7 * lines + 0.5))
    grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    axes = list(grid.flat)
    for name, axis in zip(panels, axes, strict=False):
        _panel(axis, name, panels[name])
    for axis in axes[len(panels) :]:
        axis.set_axis_off()
    handles = {
        label: line
        for axis in axes
        for line, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="lower right", frameon=False)
    figure.supxlabel("share of chapters touched")
    figure.supylabel("error (1 − strict F1)")
    figure.tight_layout()
    return figure


def _panel(axis: Axes, name: str, rows: Rows) -> None:
    series = sorted({row["questions"] for row in rows})
    for style, about in styled(series):
        told = [row for row in rows if row["questions"] == about]
        x, y, low, high = (
            [float(row[key]) for row in told]
            for key in ("strength", "error", "low", "high")
        )
        axis.plot(x, y, label=about, markersize=3, linewidth=1, **style)
        axis.fill_between(x, low, high, color=style["color"], alpha=0.2, linewidth=0)
    axis.set_title(name)
    axis.set_xlim(0, 1)
    axis.set_ylim(0, 1)
    axis.grid(alpha=0.3)


def saved(figure: Figure, path: Path, about: dict[str, str] | None = None) -> Path:
    """Write a figure without a clock in it; `about` is its title and its text."""
    if path.suffix not in FORMATS:
        rule = f"a figure is one of {', '.join(FORMATS)}"
        raise GswlabError(f"{path.name} has another format", rule, "FIGURE.svg")
    about = dict(about or {})
    if path.suffix == ".pdf" and "Description" in about:
        about["Subject"] = about.pop("Description")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={**FORMATS[path.suffix], **about})
    return path

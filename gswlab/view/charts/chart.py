"""A figure with its title in words: shown in a notebook, saved with the same bytes.

Every series differs in two channels (colour, and marker with dash, or hatch); what a
figure says stands in `alt`, read off the drawn lines and bars, for who cannot see it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.view import fonts
from gswlab.view.charts import figures

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINE = 0.2  # inches of a line of a legend


@dataclass
class Chart:
    """A drawn figure, what it says, and the rows it is drawn from."""

    figure: Figure
    title: str
    alt: str = ""
    data: pd.DataFrame | None = None

    def done(
        self,
        legend: bool = True,
        data: pd.DataFrame | None = None,
        said: Sequence[str] = (),
    ) -> Chart:
        """The legend beside the axes, and in `alt` all that is drawn, or `said`."""
        from matplotlib import rc_context

        told = said or _said(self.figure)
        self.alt, self.data = f"{self.title}. {'; '.join(told)}.", data
        with rc_context(figures.RULES):
            fonts.use()
            for axis in self.figure.axes if legend else ():
                self._grown(len(axis.get_legend_handles_labels()[1]))
                axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
            self.figure.draw_without_rendering()
        # Laid out once: each further pass would move everything a little.
        self.figure.set_layout_engine("none")
        return self

    def _grown(self, lines: int) -> None:
        """As high as a legend of so many lines is: it would squeeze the axes."""
        width, height = self.figure.get_size_inches()
        self.figure.set_size_inches(width, max(height, _LINE * lines))

    def save(self, path: str | Path) -> Path:
        """Write .svg or .pdf, letters embedded, the same bytes each time."""
        from matplotlib import rc_context

        with rc_context(figures.RULES):
            fonts.use()
            subject = {"Title": self.title, "Description": self.alt}
            return figures.saved(self.figure, Path(path), subject)

    def paper(self, folder: str | Path, name: str, width: float | None = None) -> Any:
        """For print: PDF, SVG, data, alt text, caption: `gswlab.view.paper.button`."""
        from gswlab.view.paper.button import paper

        return paper(self, folder, name, width)

    def _repr_html_(self) -> str:
        from matplotlib import rc_context

        file = StringIO()
        with rc_context(figures.RULES):
            fonts.use()
            self.figure.savefig(file, format="svg", metadata={"Date": None})
        drawn = file.getvalue()
        said = html.escape(self.alt, quote=True)
        return (
            f'<div role="img" aria-label="{said}">{drawn[drawn.index("<svg") :]}</div>'
        )

    def __repr__(self) -> str:
        return self.alt


def chart(title: str) -> tuple[Chart, Axes]:
    """An empty chart and its axes."""
    drawn, (axis,) = panelled(title, 1)
    return drawn, axis


def panelled(title: str, panels: int) -> tuple[Chart, list[Axes]]:
    """An empty chart of several panels and the axes of each."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(figures.RULES):
        fonts.use()
        width = 5.6 if panels == 1 else 2.4 * panels
        figure = Figure(
            figsize=(width, 3.4 if panels == 1 else 2.4), layout="constrained"
        )
        axes = figure.subplots(1, panels, squeeze=False)[0]
        figure.suptitle(title)
        for axis in axes:
            axis.grid(alpha=0.3)
            axis.set_axisbelow(True)
    return Chart(figure, title), list(axes)


def _said(figure: Figure) -> list[str]:
    """Each series by name with its values; of a single point, both its values."""
    said = []
    for axis in figure.axes:
        handles, names = axis.get_legend_handles_labels()
        for handle, name in zip(handles, names, strict=True):
            line = handle[0] if isinstance(handle, tuple) else handle
            if hasattr(line, "get_xydata"):
                points = line.get_xydata()
                told = points[0] if len(points) == 1 else points[:, 1]
                said.append(f"{name}: {_values(told)}")
        said += [f"{name}: {_values(values)}" for name, values in _bars(axis)]
    return said


def _bars(axis: Axes) -> list[tuple[str, list[float]]]:
    names = [label.get_text() for label in axis.get_yticklabels()]
    found = []
    for bars in axis.containers:
        widths = [bar.get_width() for bar in getattr(bars, "patches", ())]
        label = str(bars.get_label())
        if widths and label.startswith("_"):  # one series: each bar has its own name
            found += [
                (name, [width]) for name, width in zip(names, widths, strict=True)
            ]
        elif widths:
            found.append((label, widths))
    return found


def _values(values: Any) -> str:
    return ", ".join(f"{value:.3g}" for value in map(float, values) if value == value)

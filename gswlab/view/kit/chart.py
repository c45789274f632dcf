"""A figure with its title in words: shown in a notebook, saved with the same bytes.

Every series differs in two channels (colour, and marker with dash, or hatch); what a
figure says stands in `alt`, read off the drawn lines and bars, for who cannot see it.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gswlab.core.errors import GswlabError
from gswlab.view.kit import fonts

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_T = TypeVar("_T")

# Okabe and Ito's colours and black, apart for every kind of sight; twenty-one memories
# need each three times, with another marker and dash.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "osD^vP*Xhd<>p8H+x1234"
_STROKES = [(dash, colour) for dash in ("-", "--", "-.") for colour in _COLOURS]
STYLES: tuple[dict[str, Any], ...] = tuple(
    {"color": colour, "marker": marker, "linestyle": dash}
    for marker, (dash, colour) in zip(_MARKERS, _STROKES, strict=True)
)
HATCHES = ("", "//", "..", "xx")
# Of what a paper reports, beside ours: dotted.
DOTS: tuple[dict[str, Any], ...] = tuple(
    {"marker": marker, "linestyle": ":"} for marker in "1234+x"
)

_SYSTEMS = (
    *("gsw", "bm25", "dense", "hybrid", "linked", "hipporag", "graphrag", "lightrag"),
    *("static_graph", "gedig", "long_context", "memgpt", "serial", "parallel"),
)


def styled(
    series: Iterable[_T], styles: Iterable[dict[str, Any]] = STYLES
) -> Iterator[tuple[dict[str, Any], _T]]:
    """Each series with its style, from the first style again after the last.

    A system has the same one in every figure: its place in `_SYSTEMS`.
    """
    looks, taken = list(styles), set[int]()
    rest = cycle(range(len(looks) - 1, -1, -1))
    for one in series:
        name = str(one[0]).partition(",")[0] if isinstance(one, tuple) else ""
        known = _SYSTEMS.index(name) if name in _SYSTEMS else -1
        free = known if 0 <= known < len(looks) else next(rest)
        if free in taken and len(taken) < len(looks):
            free = next(n for n in rest if n not in taken)
        taken.add(free)
        yield looks[free], one


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


@contextmanager
def ruled(more: Mapping[Any, Any] | None = None) -> Iterator[None]:
    """Draw by the rules of every figure and `more`, in fonts that have Japanese."""
    from matplotlib import rc_context

    with rc_context({**RULES, **(more or {})}):
        fonts.use()
        yield


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
        told = said or _said(self.figure)
        self.alt, self.data = f"{self.title}. {'; '.join(told)}.", data
        with ruled():
            for axis in self.figure.axes if legend else ():
                # As high as a legend of lines of 0.2 inches: it would squeeze the axes.
                lines = len(axis.get_legend_handles_labels()[1])
                width, height = self.figure.get_size_inches()
                self.figure.set_size_inches(width, max(height, 0.2 * lines))
                axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
            self.figure.draw_without_rendering()
        # Laid out once: each further pass would move everything a little.
        self.figure.set_layout_engine("none")
        return self

    def save(self, path: str | Path) -> Path:
        """Write .svg or .pdf, letters embedded, the same bytes each time."""
        target = Path(path)
        if target.suffix not in FORMATS:
            rule = f"a figure is one of {', '.join(FORMATS)}"
            problem = f"{target.name} has another format"
            raise GswlabError(problem, rule, "FIGURE.svg")
        told = "Subject" if target.suffix == ".pdf" else "Description"
        about = {**FORMATS[target.suffix], "Title": self.title, told: self.alt}
        target.parent.mkdir(parents=True, exist_ok=True)
        with ruled():
            self.figure.savefig(target, metadata=about)
        return target

    def _repr_html_(self) -> str:
        file = StringIO()
        with ruled():
            self.figure.savefig(file, format="svg", metadata={"Date": None})
        _, opens, drawn = file.getvalue().partition("<svg")
        said = html.escape(self.alt, quote=True)
        return f'<div role="img" aria-label="{said}">{opens}{drawn}</div>'

    def __repr__(self) -> str:
        return self.alt


def chart(title: str) -> tuple[Chart, Axes]:
    """An empty chart and its axes."""
    drawn, (axis,) = panelled(title, 1)
    return drawn, axis


def panelled(title: str, panels: int, lines: int = 1) -> tuple[Chart, list[Axes]]:
    """An empty chart of several panels, in one line or more, and the axes of each."""
    from matplotlib.figure import Figure

    with ruled():
        size = (5.6, 3.4) if panels == 1 else (2.4 * panels, 2.4)
        figure = Figure(figsize=size, layout="constrained")
        axes = [*figure.subplots(lines, panels, squeeze=False).flat]
        figure.suptitle(title)
        for axis in axes:
            axis.grid(alpha=0.3)
            axis.set_axisbelow(True)
    return Chart(figure, title), axes


def _said(figure: Figure) -> list[str]:
    """Each series by name with its values; of a single point, both its values."""
    said: list[tuple[str, Any]] = []
    for axis in figure.axes:
        for handle, name in zip(*axis.get_legend_handles_labels(), strict=True):
            line: Any = handle[0] if isinstance(handle, tuple) else handle
            if hasattr(line, "get_xydata"):
                points = line.get_xydata()
                said.append((name, points[0] if len(points) == 1 else points[:, 1]))
        for bars in axis.containers:
            widths = [bar.get_width() for bar in getattr(bars, "patches", ())]
            said += [(str(bars.get_label()), widths)] if widths else []
    shorter = {name: [f"{x:.3g}" for x in map(float, v) if x == x] for name, v in said}
    return [f"{name}: {', '.join(values)}" for name, values in shorter.items()]

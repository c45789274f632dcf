"""The paper button: what is on screen as files for print, the same bytes each time.

A figure becomes five files of one name: `.pdf` and `.svg` (a column or a page wide,
letters embedded), `.csv` (the rows it is drawn from), `.txt` (its text, for who cannot
see it) and `.md` (a caption that says n, intervals, reader, configurations, commit).
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.bench.folder import RunFolder
from gswlab.core.display import inert
from gswlab.core.errors import GswlabError
from gswlab.view.kit.chart import FORMATS, Chart, lines_of, ruled
from gswlab.view.run.step_chart import step_chart
from gswlab.view.run.words import first_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


COLUMN, PAGE = 3.25, 6.75  # inches
_LISTED = 3  # configurations that a caption names; the data has all
LETTERS = 7.5  # points at final size


def paper(
    view: Any, folder: str | Path, name: str = "figure", width: float | None = None
) -> list[Path]:
    """Write the five files of a `Chart` or a `Stepper`; they are 3.25 or 6.75 inches.

    Without a `width` its legend decides.

    Raises:
        GswlabError: nothing to draw, no such width, or the folder cannot be written.
    """
    if isinstance(view, Chart):
        chart = view
    elif hasattr(view, "journal") and hasattr(view, "position"):
        chart = step_chart(view, view.position + 1)
    else:
        problem = f"{type(view).__name__} cannot be put on paper"
        rule = "a chart, a stepper, or a lab with the number of a step"
        raise GswlabError(problem, rule, "paper(step_chart(lab, k), FOLDER, NAME)")
    into = RunFolder(Path(folder))
    into.make()
    printed = for_print(chart, width)
    paths = [printed.save(into.path / f"{name}{suffix}") for suffix in FORMATS]
    data = _read_off(chart) if chart.data is None else chart.data
    paths.append(into.write(f"{name}.csv", csv_text(data)))
    paths.append(into.write(f"{name}.txt", chart.alt + "\n"))
    paths.append(into.write(f"{name}.md", caption(chart) + "\n"))
    return paths


def for_print(chart: Chart, width: float | None = None) -> Chart:
    """A copy as wide as a column or a page, its title left to the caption."""
    if width is not None and width not in (COLUMN, PAGE):
        rule = f"a figure is {COLUMN} inches wide, a column, or {PAGE}, a page"
        raise GswlabError(f"{width} inches is no width", rule, "width=3.25")
    # The chart on screen stays as it is; each copy is laid out from the same state.
    figure: Figure = pickle.loads(pickle.dumps(chart.figure))
    wide = width or (COLUMN if _narrow(figure) else PAGE)
    with ruled({"font.size": LETTERS}):
        old = figure.get_size_inches()
        figure.suptitle("")
        shrink = wide / old[0]
        figure.set_layout_engine("constrained")
        below = 0.0
        for axis in figure.axes:
            if wide == COLUMN and (legend := axis.get_legend()) is not None:
                named = axis.get_legend_handles_labels()
                legend.remove()
                below += 0.16 * -(-len(named[1]) // 2) + 0.1
                look: dict[str, Any] = {"frameon": False, "fontsize": LETTERS - 1}
                figure.legend(*named, loc="outside lower center", ncols=2, **look)
        lines = max((len(axis.get_yticks()) for axis in figure.axes), default=0)
        high = max(old[1] * min(shrink, 1.0), min(old[1], 0.15 * lines), 2.0)
        figure.set_size_inches(wide, high + below)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once: a second pass moves things
    return Chart(figure, chart.title, chart.alt, chart.data)


def _narrow(figure: Figure) -> bool:
    """Whether a column is enough: one panel, and not much to name."""
    legends = [axis.get_legend() for axis in figure.axes]
    named = sum(len(one.get_texts()) for one in legends if one)
    long = (len(t.get_text()) for a in figure.axes for t in a.get_yticklabels())
    drawn = figure.axes[0].axison if figure.axes else False
    return len(figure.axes) == 1 and named <= 4 and max(long, default=0) < 15 and drawn


def _read_off(chart: Chart) -> pd.DataFrame:
    """The points of every named series, of a chart that was handed no rows."""
    import pandas as pd

    rows = []
    for axis in chart.figure.axes:
        panel = axis.get_title() or axis.get_xlabel()
        for name, points in lines_of(axis):
            rows += [(panel, name, float(x), float(y)) for x, y in points]
    return pd.DataFrame(rows, columns=["panel", "series", "x", "y"])


def csv_text(data: pd.DataFrame) -> str:
    """Rows as CSV, columns that say nothing left out."""
    kept = data.dropna(axis="columns", how="all").map(inert)
    return str(kept.to_csv(index=False, lineterminator="\n"))


def caption(chart: Chart) -> str:
    """A stub to write on from: the title, then what a reader must know of the figures.

    >>> caption(Chart(None, "Recall"))
    '**Recall.** The text of the figure is in the file of its name that ends in .txt.'
    """
    told = facts_of(chart.data) if chart.data is not None else ()
    text = "The text of the figure is in the file of its name that ends in .txt."
    return " ".join([f"**{chart.title}.**", *told, text])


def facts_of(data: pd.DataFrame) -> Iterator[str]:
    """The sentences of a caption: n, intervals, reader, configuration, commit."""
    if any(str(column) == "low" or str(column).endswith("_low") for column in data):
        yield "Intervals are 95 % (bootstrap over the observations)."
    if "n" in data and (counted := data["n"].dropna()).size:
        low, high = int(counted.min()), int(counted.max())
        yield f"n = {low:,}." if low == high else f"n = {low:,} to {high:,}."
    heads = {"reader": "Reader", "config": "Configuration", "commit": "Commit"}
    for column, head in heads.items():
        known = data[column].dropna() if column in data else ()
        if names := sorted({str(value) for value in known}):
            told = ", ".join(first_of(names, _LISTED))
            yield f"{head}{'s' * (len(names) > 1)}: {told}."
    if data.map(lambda cell: "(published)" in str(cell)).any(axis=None):
        yield "Published figures are the papers' own, of other books and readers."

"""The paper button: what is on screen as files for print, the same bytes each time.

A figure becomes five files of one name: `.pdf` and `.svg` (a column or a page wide,
letters embedded), `.csv` (the rows it is drawn from), `.txt` (its text, for who cannot
see it) and `.md` (a caption that says n, intervals, reader, configurations, commit).

The scene of a step is such a figure, in the letters, colours and signs of the page.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from gswlab.bench.folder import RunFolder
from gswlab.core.display import inert
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import short, visible
from gswlab.view.kit import fonts
from gswlab.view.kit.chart import FORMATS, Chart, ruled
from gswlab.view.kit.looks import LOOKS
from gswlab.view.run.history import History
from gswlab.view.run.parts import Telling
from gswlab.view.run.stage import Seating, stages
from gswlab.view.run.words import first_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, PAGE = 3.25, 6.75  # inches
_LISTED = 3  # configurations that a caption names; the data has all
LETTERS = 7.5  # points at final size


def paper(
    chart: Any, folder: str | Path, name: str = "figure", width: float | None = None
) -> list[Path]:
    """Write the five files of a `Chart`, 3.25 or 6.75 inches wide.

    Without a `width` its legend decides.

    Raises:
        GswlabError: nothing to draw, no such width, or the folder cannot be written.
    """
    if not isinstance(chart, Chart):
        problem = f"{type(chart).__name__} cannot be put on paper"
        rule = "a chart, also that of a step"
        raise GswlabError(problem, rule, "paper(step_chart(lab, k), FOLDER, NAME)")
    into = RunFolder(Path(folder))
    into.make()
    printed = for_print(chart, width)
    paths = [printed.save(into.path / f"{name}{suffix}") for suffix in FORMATS]
    texts = {"txt": f"{chart.alt}\n", "md": caption(chart)}
    if chart.data is not None:
        texts["csv"] = csv_text(chart.data)
    return paths + [into.write(f"{name}.{end}", text) for end, text in texts.items()]


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


def csv_text(data: pd.DataFrame) -> str:
    """Rows as CSV, columns that say nothing left out."""
    kept = data.dropna(axis="columns", how="all").map(inert)
    return str(kept.to_csv(index=False, lineterminator="\n"))


def caption(chart: Chart) -> str:
    """A stub to write on from: the title, then what a reader must know of the figures.

    >>> print(caption(Chart(None, "Recall")), end="")
    **Recall.** The text of the figure is in the file of its name that ends in .txt.
    """
    told = facts_of(chart.data) if chart.data is not None else ()
    text = "The text of the figure is in the file of its name that ends in .txt."
    return " ".join([f"**{chart.title}.**", *told, text]) + "\n"


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


_SIGN = {"added": "+", "changed": "◎", "retired": "−"}
_INK, _SOFT, _NEW = "#1d1d1f", "#6b6b70", "#00558a"
Spot = tuple[float, float]
_Row = Mapping[str, str]  # of the figure's data
_LETTERS = 22  # of a name


def step_chart(source: Any, k: int) -> Chart:
    """What step `k` (from 1) did to the graph of a `Lab`, a `Journal` or a `Stepper`.

    Raises:
        GswlabError: there is no such step, or it touched nothing that is drawn.
    """
    import pandas as pd

    journal: Journal = getattr(source, "journal", source)
    k = journal.index_of(k)
    telling = Telling.of(journal, k + 1)
    stage = stages(telling.history)[k]
    rows = [*_rows(telling.history, k, stage)]
    if not rows:
        rule = "a step that added, changed or retired something"
        raise GswlabError(f"step {k + 1} changed nothing that is drawn", rule)
    title = telling.line(k)
    if journal.documents():
        title = f"{telling.title}, {title}"
    told = []
    for how, said in {**{how: how for how in _SIGN}, "there": "tied to these"}.items():
        met = [row for row in rows if (row["what"], row["how"]) == ("noun", how)]
        if met:
            names = (short(row["name"], _LETTERS) for row in met)
            told.append(f"{said}: {', '.join(names)}")
    data = pd.DataFrame(rows).assign(config=str(journal.meta.get("config", "")) or None)
    alt = f"{title}. {'; '.join(told)}."
    return Chart(_figure(title, rows, stage), title, alt, data)


def _rows(history: History, k: int, stage: Seating) -> Iterator[dict[str, str]]:
    """The nouns of a scene and the lines between them, and how the step met each."""
    how = {i: w for w in _SIGN for i in getattr(history.scenes[k], w)}
    for noun_id in stage.seats:
        record = history.records[noun_id]
        said = {"id": noun_id, "name": record.name_at(k), "kind": record.kind}
        yield {"what": "noun", **said, "how": how.get(noun_id, "there")}
    for record in (history.deeds[key] for key in stage.ties):
        if (tie := record.tie) and tie.source != tie.target:
            born, gone = record.life[-1]
            met = "added" if born == k else "retired" if gone == k else "there"
            said = {"id": tie.source, "name": tie.label, "kind": record.kind}
            yield {"what": "line", **said, "how": met, "to": tie.target}


def _figure(title: str, rows: list[dict[str, str]], stage: Seating) -> Figure:
    from matplotlib.figure import Figure

    spots = {i: (1.3 * seat.real, -seat.imag) for i, seat in stage.seats.items()}
    with ruled():
        figure = Figure(figsize=(6.75, 3.8), layout="constrained")
        axis = figure.subplots()
        axis.set_axis_off()
        axis.set_aspect("equal")
        axis.update_datalim([*spots.values()])
        for row in sorted(rows, key=lambda row: row["what"]):  # lines first
            if row["what"] == "line":
                _draw_line(axis, row, spots[row["id"]], spots[row["to"]])
            else:
                _draw_noun(axis, row, spots[row["id"]])
        axis.margins(0.08, 0.15)
        axis.autoscale_view()
        figure.suptitle(fill(title, 90), fontsize=8)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return figure


def _draw_line(axis: Axes, row: _Row, start: Spot, end: Spot) -> None:
    """A line of the scene: new is thick, ended dashed, both say what."""
    how, fresh = row["how"], row["how"] == "added"
    look = {"color": _NEW if fresh else _SOFT, "shrinkA": 9, "shrinkB": 9}
    arrow = {"arrowstyle": "-|>", "linewidth": 1.6 if fresh else 0.7, **look}
    dotted = ":" if row["kind"] == "relation" else "-"
    arrow |= {"linestyle": "--" if how == "retired" else dotted, "mutation_scale": 6}
    axis.annotate("", end, start, arrowprops=arrow)
    if how in _SIGN:
        spot = 0.6 * start[0] + 0.4 * end[0], 0.6 * start[1] + 0.4 * end[1]
        said = f"{_SIGN[how]} {visible(row['name'])}"
        _text(axis, spot, said, size=5.5, style="italic")


def _draw_noun(axis: Axes, row: _Row, spot: Spot) -> None:
    """A noun: letter and colour of its kind, its name, how the step met it."""
    look, how = LOOKS[row["kind"]], row["how"]
    gone = how == "retired"
    edge: dict[str, Any] = {"boxstyle": "circle", "edgecolor": _SOFT if gone else _INK}
    edge |= {"linewidth": {"added": 2.0, "changed": 1.4}.get(how, 0.8)}
    edge |= {"linestyle": "--" if gone else "-"}
    edge |= {"facecolor": "white" if gone else look.colour}
    colour = _INK if gone else look.ink
    _text(axis, spot, look.letter, size=6, color=colour, bbox=edge)
    said = f"{_SIGN.get(how, '')} {short(row['name'], _LETTERS)}".strip()
    colour = _INK if how in _SIGN else "#5a5a5f"
    _text(axis, spot, said, down=14, size=6.5, color=colour)


def _text(axis: Axes, spot: Spot, text: str, down: float = 0.0, **look: Any) -> None:
    """Text at a spot of the plane, or so many points below it."""
    back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.5}
    look = {"ha": "center", "va": "center", "zorder": 4, "bbox": back, **look}
    # a dollar in a name is no formula
    said = fonts.drawable(text).replace("$", r"\$")
    at: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    axis.annotate(said, spot, (0.0, -down), **at, **look)

"""The scene of one step as a vector figure: the shapes, letters and signs of the page.

What the step added is thick with a plus, what it changed has a second ring, what it
retired is dashed. The rows a figure is drawn from are its data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import short, visible
from gswlab.view.kit import fonts
from gswlab.view.kit.chart import Chart, ruled
from gswlab.view.kit.looks import LOOKS
from gswlab.view.run.parts import Telling
from gswlab.view.run.stage import Seating, stages

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    rows = _rows(telling, k, stage)
    if not rows:
        rule = "a step that added, changed or retired something"
        raise GswlabError(f"step {k + 1} changed nothing that is drawn", rule)
    named = journal.documents()
    said = telling.line(k)
    chart = _figure(f"{telling.title}, {said}" if named else said, rows, stage)
    config = str(journal.meta.get("config", "")) or None
    chart.data = pd.DataFrame(rows).assign(config=config)
    told = []
    for how in ("added", "changed", "retired", "there"):
        met = [row for row in rows if (row["what"], row["how"]) == ("noun", how)]
        if met:
            what = "tied to these" if how == "there" else how
            told.append(f"{what}: {', '.join(_name(row) for row in met)}")
    chart.alt = f"{chart.title}. {'; '.join(told)}."
    return chart


def _rows(telling: Telling, k: int, stage: Seating) -> list[dict[str, str]]:
    """The nouns of a scene and the lines between them, and how the step met each."""
    history = telling.history
    how = {i: w for w in _SIGN for i in getattr(history.scenes[k], w)}
    rows = []
    for noun_id in stage.seats:
        record = history.records[noun_id]
        said = {"id": noun_id, "name": record.name_at(k), "kind": record.kind}
        rows.append({"what": "noun", **said, "how": how.get(noun_id, "there")})
    for record in (history.deeds[key] for key in stage.ties):
        if (tie := record.tie) and tie.source != tie.target:
            born, gone = record.life[-1]
            met = "added" if born == k else "retired" if gone == k else "there"
            said = {"id": tie.source, "name": tie.label, "kind": record.kind}
            rows.append({"what": "line", **said, "how": met, "to": tie.target})
    return rows


def _name(row: _Row) -> str:
    return short(row["name"], _LETTERS)


def _figure(title: str, rows: list[dict[str, str]], stage: Seating) -> Chart:
    from matplotlib.figure import Figure

    spots = {i: (1.3 * seat.real, -seat.imag) for i, seat in stage.seats.items()}
    with ruled():
        figure = Figure(figsize=(6.75, 3.8), layout="constrained")
        axis = figure.subplots()
        axis.set_axis_off()
        axis.set_aspect("equal")
        for row in sorted(rows, key=lambda row: row["what"]):  # lines first
            if row["what"] == "line":
                _draw_line(axis, row, spots[row["id"]], spots[row["to"]])
            else:
                _draw_noun(axis, row, spots[row["id"]])
        axis.margins(0.08, 0.1)
        figure.suptitle(fill(title, 90), fontsize=8)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return Chart(figure, title)


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
    """A noun: shape and letter of its kind, its name, how the step met it."""
    look, how = LOOKS[row["kind"]], row["how"]
    gone = how == "retired"
    edge: dict[str, Any] = {"linewidths": 2.0 if how == "added" else 0.8, "zorder": 3}
    edge |= {"edgecolors": _SOFT if gone else _INK, "linestyles": "--" if gone else "-"}
    colour = "#ffffff" if gone else look.colour
    axis.scatter(*spot, s=130, marker=_marker(look.shape), c=colour, **edge)
    if how == "changed":
        ring: dict[str, Any] = {"edgecolors": _INK, "linewidths": 0.8}
        axis.scatter(*spot, s=260, marker="o", facecolors="none", zorder=3, **ring)
    letter = _INK if gone else look.ink
    _text(axis, spot, look.letter, size=6, color=letter, box=False)
    said = f"{_SIGN.get(how, '')} {_name(row)}".strip()
    colour = _INK if how in _SIGN else "#5a5a5f"
    _text(axis, spot, said, down=12, size=6.5, color=colour)


def _text(
    axis: Axes, spot: Spot, text: str, down: float = 0.0, box: bool = True, **look: Any
) -> None:
    """Text at a spot of the plane, or so many points below it."""
    look |= {"ha": "center", "va": "center", "zorder": 4, "annotation_clip": False}
    if box:
        back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.5}
        look["bbox"] = back
    # a dollar in a name is no formula
    said = fonts.drawable(text).replace("$", r"\$")
    axis.annotate(said, spot, (0.0, -down), textcoords="offset points", **look)


def _marker(shape: str) -> Any:
    """The outline the page draws, as a marker; y points the other way here."""
    from matplotlib.path import Path

    ends = re.findall(r"[ML](\S+) ([-\d.]+)", shape)
    if len(ends) < 2:
        return Path.circle(radius=10)
    points = [(float(x), -float(y)) for x, y in ends]
    return Path([*points, points[0]], closed=True)

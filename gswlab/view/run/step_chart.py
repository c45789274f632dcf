"""The graph of one step as a vector figure: the shapes, letters and signs of the page.

What the step added is thick with a plus, what it changed has a second ring, what it
retired is dashed; who and what else is drawn is the step's scene.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import visible
from gswlab.view.kit import fonts
from gswlab.view.kit.chart import Chart, ruled
from gswlab.view.kit.looks import LOOKS
from gswlab.view.run.events_as_graph import pictured
from gswlab.view.run.history import History, Record
from gswlab.view.run.layout import OUTLINES
from gswlab.view.run.stage import Seating, stages
from gswlab.view.run.words import labels, line

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


_SIGN = {"added": "+", "changed": "◎", "retired": "−", "": ""}
_PATH = re.compile(r"([MLHV])([-\d. ]+)")
Spot = tuple[float, float]
_Spots = Mapping[str, Spot]
_LETTERS = 22  # of a name


def draw_line(axis: Axes, record: Record, spots: _Spots, k: int) -> None:
    """A line of the graph at step `k`: new is thick, ended dashed, both say what."""
    assert record.tie is not None
    (x, y), (to_x, to_y) = spots[record.tie.source], spots[record.tie.target]
    born, gone = record.life[-1]
    fresh, lost = born == k, gone == k
    look = {"color": "#00558a" if fresh else "#6b6b70", "shrinkA": 9, "shrinkB": 9}
    arrow = {"arrowstyle": "-|>", "linewidth": 1.6 if fresh else 0.7, **look}
    arrow |= {"linestyle": "--" if lost else ":" if record.kind == "relation" else "-"}
    axis.annotate("", (to_x, to_y), (x, y), arrowprops={**arrow, "mutation_scale": 6})
    if fresh or lost:
        sign = "+ " if fresh else "− "
        spot = (0.6 * x + 0.4 * to_x, 0.6 * y + 0.4 * to_y)
        _text(axis, spot, sign + visible(record.tie.label), size=5.5, style="italic")


def draw_noun(axis: Axes, kind: str, name: str, how: str, spot: Spot) -> None:
    """A noun of a kind, and how the step met it: added, changed, retired or not."""
    look = LOOKS[kind]
    path = _marker(look.shape)
    gone = how == "retired"
    edge: dict[str, Any] = {"linewidths": 2.0 if how == "added" else 0.8, "zorder": 3}
    edge |= {"edgecolors": "#6b6b70" if gone else "#1d1d1f"}
    edge |= {"linestyles": "--" if gone else "-"}
    colour = "#ffffff" if gone else look.colour
    axis.scatter(*spot, s=130, marker=path, c=colour, **edge)
    if how == "changed":
        ring: dict[str, Any] = {"edgecolors": "#1d1d1f", "linewidths": 0.8}
        axis.scatter(*spot, s=260, marker="o", facecolors="none", zorder=3, **ring)
    ink = "#1d1d1f" if gone else look.ink
    _text(axis, spot, look.letter, size=6, color=ink, box=False)
    said, colour = f"{_SIGN[how]} {name}".strip(), "#1d1d1f" if how else "#5a5a5f"
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
    """The outline the page draws, as a marker; round ones from a circle."""
    import numpy as np
    from matplotlib.path import Path

    if shape == "circle":
        return Path.circle(radius=10)
    if shape == "pill":
        rim = np.asarray(Path.circle(radius=8).vertices, dtype=float)
        sides = np.where(rim[:, 0] > 0, 5.0, -5.0)
        return Path(np.column_stack([rim[:, 0] + sides, rim[:, 1]]))
    points, x, y = [], 0.0, 0.0
    for command, numbers in _PATH.findall(OUTLINES[shape]):
        told = [float(number) for number in numbers.split()]
        if command != "V":
            x = told[0]
        if command != "H":
            y = told[-1]
        points.append((x, -y))
    return Path([*points, points[0]], closed=True)


@dataclass(frozen=True)
class _Drawn:
    """What is drawn: nouns with how the step met them, and lines between them."""

    moods: Mapping[str, str]
    records: Mapping[str, Record]
    lines: tuple[Record, ...]
    step: int

    def name(self, noun_id: str) -> str:
        name = visible(self.records[noun_id].name_at(self.step))
        return name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"


def step_chart(source: Any, k: int) -> Chart:
    """What step `k` (from 1) did to the graph of a `Lab`, a `Journal` or a `Stepper`.

    Raises:
        GswlabError: there is no such step, or it touched nothing that is drawn.
    """
    journal: Journal = getattr(source, "journal", source)
    k = journal.index_of(k)
    steps = pictured(journal.steps(), journal.chunks())
    history = History.of(steps[: k + 1], journal.chunks())
    scene, records = history.scenes[k], history.records
    stage = stages(history)[k]
    how = {i: w for w in ("added", "changed", "retired") for i in getattr(scene, w)}
    ties = tuple(history.deeds[key] for key in stage.ties if not history.deeds[key].own)
    drawn = _Drawn({i: how.get(i, "") for i in stage.seats}, records, ties, k)
    if not drawn.moods:
        rule = "a step that added, changed or retired something"
        raise GswlabError(f"step {k + 1} changed nothing that is drawn", rule)
    title = ", ".join(document.id for document in journal.documents())
    told = line(history.scenes[k], labels(steps)[k])
    chart = _figure(f"{title}, {told}" if title else told, drawn, stage)
    chart.data = _rows(drawn, str(journal.meta.get("config", "")))
    chart.alt = f"{chart.title}. {_said(drawn)}"
    return chart


def _figure(title: str, drawn: _Drawn, stage: Seating) -> Chart:
    from matplotlib.figure import Figure

    spots = {i: (1.3 * seat.real, -seat.imag) for i, seat in stage.seats.items()}
    with ruled():
        figure = Figure(figsize=(6.75, 3.8), layout="constrained")
        axis = figure.subplots()
        axis.set_axis_off()
        axis.set_aspect("equal")
        for record in drawn.lines:
            draw_line(axis, record, spots, drawn.step)
        for noun_id, how in drawn.moods.items():
            kind, name = drawn.records[noun_id].kind, drawn.name(noun_id)
            draw_noun(axis, kind, name, how, spots[noun_id])
        axis.margins(0.08, 0.1)
        figure.suptitle(fill(title, 90), fontsize=8)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return Chart(figure, title)


def _rows(drawn: _Drawn, config: str) -> pd.DataFrame:
    import pandas as pd

    rows = [
        {"what": "noun", "id": i, "name": drawn.records[i].name_at(drawn.step),
         "kind": drawn.records[i].kind, "how": how or "there"}
        for i, how in drawn.moods.items()
    ]  # fmt: skip
    for r in drawn.lines:
        assert r.tie is not None
        born, gone = r.life[-1]
        how = "retired" if gone == drawn.step else "there"
        how = "added" if born == drawn.step else how
        ends = {"id": r.tie.source, "name": r.tie.label, "to": r.tie.target}
        rows.append({"what": "line", **ends, "kind": r.kind, "how": how})
    return pd.DataFrame(rows).assign(config=config or None)


def _said(drawn: _Drawn) -> str:
    parts = []
    for how in ("added", "changed", "retired", ""):
        names = [drawn.name(i) for i, mood in drawn.moods.items() if mood == how]
        if names:
            parts.append(f"{how or 'tied to these'}: {', '.join(names)}")
    return "; ".join(parts) + "."

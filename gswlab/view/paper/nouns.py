"""Nouns and lines of a graph in matplotlib, with the looks of the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import visible
from gswlab.view import fonts
from gswlab.view.kinds import LOOKS
from gswlab.view.run.history import Record
from gswlab.view.run.legend import path_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIGN = {"added": "+", "changed": "◎", "retired": "−", "": ""}
_PATH = re.compile(r"([MLHV])([-\d. ]+)")
Spot = tuple[float, float]
Spots = Mapping[str, Spot]


def draw_line(axis: Axes, record: Record, spots: Spots, k: int) -> None:
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
        ring: dict[str, Any] = {
            "edgecolors": "#1d1d1f",
            "linewidths": 0.8,
        }
        axis.scatter(*spot, s=260, marker="o", facecolors="none", zorder=3, **ring)
    ink = "#1d1d1f" if gone else look.ink
    _text(axis, spot, look.letter, size=6, color=ink, box=False)
    said, colour = f"{_SIGN[how]} {name}".strip(), "#1d1d1f" if how else "#5a5a5f"
    _text(axis, spot, said, down=12, size=6.5, color=colour)


def _text(
    axis: Axes,
    spot: Spot,
    text: str,
    down: float = 0.0,
    box: bool = True,
    **look: Any,
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
    for command, numbers in _PATH.findall(path_of(shape)):
        told = [float(number) for number in numbers.split()]
        match command:
            case "H":
                x = told[0]
            case "V":
                y = told[0]
            case _:
                x, y = told
        points.append((x, -y))
    return Path([*points, points[0]], closed=True)

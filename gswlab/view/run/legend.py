"""The legend: letter, shape and colour of every kind, each a filter."""

from __future__ import annotations

import math

from gswlab.view.kinds import LOOKS
from gswlab.view.run.history import History


def legend(history: History) -> str:
    """A toggle for each kind that the run has, with how many there are."""
    many = dict.fromkeys(LOOKS, 0)
    for record in history.records.values():
        if record.kind in many:
            many[record.kind] += 1
    return "".join(_toggle(kind, count) for kind, count in many.items() if count)


def glyph(kind: str, size: int = 18) -> str:
    """The shape of a kind with its letter, as inline SVG.

    >>> glyph("person").startswith('<svg class="glyph"')
    True
    """
    look = LOOKS[kind]
    return (
        f'<svg class="glyph" width="{size}" height="{size}" viewBox="-12 -12 24 24" '
        f'aria-hidden="true"><path d="{path_of(look.shape)}" fill="{look.colour}"/>'
        f'<text y="4" text-anchor="middle" fill="{look.ink}">{look.letter}</text></svg>'
    )


def _toggle(kind: str, count: int) -> str:
    return (
        f'<button type="button" class="kind" data-kind="{kind}" aria-pressed="true">'
        f"{glyph(kind)}<span>{kind}</span> <small>{count}</small></button>"
    )


def path_of(shape: str) -> str:
    """The outline of a shape as the data of an SVG path, y downwards."""
    match shape:
        case "circle":
            return "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0 -20 0Z"
        case "pill":
            return "M-5 -8H5a8 8 0 0 1 0 16H-5a8 8 0 0 1 0 -16Z"
        case "trapezium":
            return "M-6 -9H6L11 9H-11Z"
        case "sheet":
            return "M-8 -11H4L9 -6V11H-8Z"
        case "bubble":
            return "M-11 -9H11V5H1L-5 11V5H-11Z"
        case "star":
            points = [_at(11 if i % 2 == 0 else 7, i / 16) for i in range(16)]
        case _:
            sides, turn = POLYGONS[shape]
            points = [_at(11, i / sides + turn) for i in range(sides)]
    return "M" + "L".join(points) + "Z"


POLYGONS = {
    "triangle": (3, 0.0),
    "square": (4, 0.125),
    "diamond": (4, 0.0),
    "pentagon": (5, 0.0),
    "hexagon": (6, 0.0),
    "octagon": (8, 0.0625),
}


def _at(radius: float, turn: float) -> str:
    angle = 2 * math.pi * turn - math.pi / 2
    return f"{radius * math.cos(angle):.1f} {radius * math.sin(angle):.1f}"

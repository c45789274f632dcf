"""Where the nodes of a plot stand: events on a ring in their order, characters inside.

Nothing is computed by forces, so a plot has one picture and nothing moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.stores.nouns import Edge

WIDE, HIGH = 760, 600
MANY = 50  # events from which on they stand closer


def spots_of(outline: Outline, edges: Sequence[Edge]) -> dict[str, tuple[float, float]]:
    """Events on a ring in their order; characters on an inner one, near their own."""
    count = len(outline.order)
    turn = {id_: (place - 1) / count for id_, place in outline.order.items()}
    # Of many events three stand abreast, so that their numbers can be read.
    deep = 3 if count > MANY else 1
    spots = {
        id_: _at(part, 0.98 - 0.07 * (n % deep))
        for n, (id_, part) in enumerate(turn.items())
    }
    people = [id_ for id_ in outline.nodes if id_ not in outline.order]
    own: dict[str, list[str]] = {id_: [] for id_ in people}
    for edge in edges:
        if edge.type == "APPEARS_IN":
            own[edge.source].append(edge.target)
    middle = {id_: _middle([spots[e] for e in own[id_]]) for id_ in people}
    ordered = sorted(people, key=lambda id_: (middle[id_], id_))
    for n, id_ in enumerate(ordered):
        # Two inner rings, so that names have room.
        spots[id_] = _at(n / len(ordered), 0.6 if n % 2 else 0.36)
    return spots


def _at(turn: float, radius: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn - math.pi / 2
    across, down = WIDE / 2 - 30, HIGH / 2 - 26
    x = WIDE / 2 + radius * across * math.cos(angle)
    return x, HIGH / 2 + radius * down * math.sin(angle)


def _middle(spots: Sequence[tuple[float, float]]) -> float:
    """Where on the ring, in turns from the top, the middle of some spots points."""
    x = sum(x - WIDE / 2 for x, _ in spots)
    y = sum(y - HIGH / 2 for _, y in spots)
    return (math.atan2(y, x) / (2 * math.pi) + 0.25) % 1.0

"""The best of some cues by their price."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from random import Random

from gswlab.gedig.edit import Edit
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.maze.grid import Cell
from gswlab.maze.ground import Cue
from gswlab.maze.terms import Measure, Series

NOTHING: Series = (Terms(1.0, 0.0, 0.0),)  # all cost, no gain


@dataclass(frozen=True)
class Choice:
    """A cue with the terms of its price, and how many were priced; no cue, no gain."""

    cue: Cue | None = None
    terms: Series = NOTHING
    looked: int = 0

    def price(self, gauge: Gauge, at: Cell) -> Price:
        """Of going to the cue: its last step is the edge that is new."""
        way = (at, *self.cue.way) if self.cue else ()
        edit = Edit(edges=((way[-2], way[-1]),)) if way else Edit()
        return Price(edit, self.terms, tuple(map(gauge.weighed, self.terms)))


def best(
    gauge: Gauge,
    measure: Measure,
    cues: Iterable[Cue],
    rng: Random,
    shuffled: bool = False,
) -> Choice:
    """The cue of the lowest price, drawn among equals.

    Cues come nearest first: a way that costs more than any gain ends the search. With
    `shuffled` all are priced and the prices dealt out anew.
    """
    asked: list[tuple[float, Cue, Series]] = []
    least, most = inf, gauge.lam * measure.most
    for cue in cues:
        terms = measure(cue)
        if terms[0].cost - most > least and not shuffled:
            break
        asked.append((min(map(gauge.weighed, terms)), cue, terms))
        least = min(least, asked[-1][0])
    if not asked:
        return Choice()
    if shuffled:
        dealt = rng.sample(asked, len(asked))
        pairs = zip(asked, dealt, strict=True)
        asked = [(price, cue, terms) for (_, cue, _), (price, _, terms) in pairs]
    _, cue, terms = rng.choice([one for one in asked if one[0] == least])
    return Choice(cue, terms, len(asked))

"""The published agent, to the draw: unvisited exits first, then those visited least.

Its move is chosen before any gauge is computed, from the visits alone; the published
table of the maze is this rule's (an audit repeats every row of it without a graph).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

from gswlab.maze.grid import Cell
from gswlab.maze.walk import View

_TEMPERATURE = 0.1
_NONE = 1e-12  # similarities at or below it draw no number


@dataclass
class PublishedExplorer:
    """The agent of the published table (`experiment=maze agent=published`).

    Its graph has an edge from a cell to each exit that was fresh when it stood there,
    and one out of a dead end. Its gates change nothing and are left out.
    """

    links: set[tuple[Cell, Cell]] = field(default_factory=set, init=False, repr=False)

    @property
    def edges(self) -> int:
        """The directed links drawn so far."""
        return len(self.links)

    def move(self, view: View, rng: Random) -> Cell:
        """The next cell; one number is drawn unless all exits are worn out."""
        self._link(view)
        pool = view.fresh or view.exits
        pool = tuple(cell for cell in pool if cell != view.came) or pool
        ranked = sorted(pool, key=lambda cell: view.visits.get(cell, 0))
        alike = [_similarity(view.visits.get(cell, 0)) for cell in ranked]
        if max(alike) <= _NONE:
            return ranked[0]
        return _roulette(ranked, [math.exp(s / _TEMPERATURE) for s in alike], rng)

    def _link(self, view: View) -> None:
        self.links.update((view.at, cell) for cell in view.fresh)
        if not any(cell == view.at for cell, _ in self.links):
            self.links.add((view.at, view.exits[0]))


def _similarity(visits: int) -> float:
    """Of an open exit to the query: its distance is twice the logarithm of visits."""
    return math.exp(-2 * math.log1p(visits) / _TEMPERATURE)


def _roulette(cells: list[Cell], weights: list[float], rng: Random) -> Cell:
    mark = rng.random() * sum(weights)
    for cell, weight in zip(cells, weights, strict=True):
        mark -= weight
        if mark <= 0:
            return cell
    return cells[-1]

"""Explorers without a gauge: the ones that any other must beat."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import networkx as nx

from gswlab.gedig.mazes.grid import Cell, Maze
from gswlab.gedig.mazes.walk import View


@dataclass
class RandomWalk:
    """Any exit; `back` says whether the one it came by is among them."""

    back: bool = True
    edges: int = field(default=0, init=False)

    def move(self, view: View, rng: Random) -> Cell:
        """An exit at random."""
        ways = [cell for cell in view.exits if self.back or cell != view.came]
        return rng.choice(ways or list(view.exits))


@dataclass
class DepthFirst:
    """Fresh exits, else back by the way it came; `shuffled` draws among the fresh."""

    shuffled: bool = True
    edges: int = field(default=0, init=False)
    _trail: list[Cell] = field(default_factory=list, init=False, repr=False)

    def move(self, view: View, rng: Random) -> Cell:
        """A fresh exit, or the cell before on the trail."""
        if view.fresh:
            self._trail.append(view.at)
            return rng.choice(view.fresh) if self.shuffled else view.fresh[0]
        return self._trail.pop() if self._trail else view.exits[0]


@dataclass
class LeastVisited:
    """The exit it stood on least, drawn among equals, the way back the last of them."""

    edges: int = field(default=0, init=False)

    def move(self, view: View, rng: Random) -> Cell:
        """One of the exits with the fewest visits."""
        least = min(view.visits.get(cell, 0) for cell in view.exits)
        ways = [c for c in view.exits if view.visits.get(c, 0) == least]
        return rng.choice([cell for cell in ways if cell != view.came] or ways)


@dataclass
class Frontier:
    """To the cell seen and not visited that is nearest by the map.

    With a known goal the steps still to go, at least, are added `bias` times.
    """

    bias: float = 1.0
    edges: int = field(default=0, init=False)

    def move(self, view: View, rng: Random) -> Cell:
        """The first step to the best of the frontier, drawn among equals."""
        price: dict[Cell, float] = {}
        first: dict[Cell, Cell] = {}
        least = float("inf")
        for cell, steps, by in ways_out(view):
            if steps > least:
                break  # what is farther cannot be cheaper
            price[cell], first[cell] = steps + self.bias * ahead(view, cell), by
            least = min(least, price[cell])
        if not price:
            return view.exits[0]
        return first[rng.choice([c for c in price if price[c] == least])]


@dataclass
class Oracle:
    """Knows the maze: the shortest way there is."""

    maze: Maze | None = None
    edges: int = field(default=0, init=False)
    _way: list[Cell] = field(default_factory=list, init=False, repr=False)

    def move(self, view: View, rng: Random) -> Cell:
        """The next cell of a shortest path; any exit where there is none."""
        if self.maze is None or self.maze.shortest is None:
            return view.exits[0]
        if not self._way:
            way = nx.shortest_path(self.maze.graph, view.at, self.maze.goal)
            self._way = [Cell(*cell) for cell in way[1:]]
        return self._way.pop(0)


def ahead(view: View, cell: Cell) -> int:
    """Steps from a cell to a known goal through walls; 0 while it is hidden."""
    if view.goal is None:
        return 0
    return abs(view.goal.row - cell.row) + abs(view.goal.col - cell.col)


def ways_out(view: View) -> Iterator[tuple[Cell, int, Cell]]:
    """The cells seen and never stood on, nearest first: each with its steps.

    The last is the first cell of a shortest way there.
    """
    known = {view.at}
    queue = deque((cell, 1, cell) for cell in view.exits)
    while queue:
        cell, steps, by = queue.popleft()
        if cell in known:
            continue
        known.add(cell)
        if cell not in view.visits:
            yield cell, steps, by
            continue
        queue.extend((near, steps + 1, by) for near in view.seen[cell])


# The published agent, to the draw: unvisited exits first, then those visited least.

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

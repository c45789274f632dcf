"""Explorers without a gauge: the ones that any other must beat."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from math import inf
from random import Random

import networkx as nx

from gswlab.gedig.mazes.grid import Cell, Maze, is_room
from gswlab.gedig.mazes.known import ExpectedReward, MazeGround
from gswlab.gedig.mazes.walk import MazeView


@dataclass
class RandomWalk:
    """Any exit, the one it came by among them."""

    edges = 0

    def move(self, view: MazeView, rng: Random) -> Cell:
        """An exit at random."""
        return rng.choice(view.exits)


@dataclass
class DepthFirst:
    """Fresh exits, drawn, else back by the way it came."""

    edges = 0
    _trail: list[Cell] = field(default_factory=list, init=False, repr=False)

    def move(self, view: MazeView, rng: Random) -> Cell:
        """A fresh exit, or the cell before on the trail."""
        if view.fresh:
            self._trail.append(view.at)
            return rng.choice(view.fresh)
        return self._trail.pop() if self._trail else view.exits[0]


@dataclass
class LeastVisited:
    """The exit it stood on least, drawn among equals, the way back the last of them."""

    edges = 0

    def move(self, view: MazeView, rng: Random) -> Cell:
        """One of the exits with the fewest visits."""
        least = min(view.visits.get(cell, 0) for cell in view.exits)
        ways = [c for c in view.exits if view.visits.get(c, 0) == least]
        return rng.choice([cell for cell in ways if cell != view.came] or ways)


@dataclass
class Frontier:
    """To the cell seen and not visited that is nearest by the map.

    With a known goal the steps still to go, at least, are added.
    """

    edges = 0

    def move(self, view: MazeView, rng: Random) -> Cell:
        """The first step to the best of the frontier, drawn among equals."""
        least, first = inf, list[Cell]()
        known = {view.at}
        queue = deque((cell, 1, cell) for cell in view.exits)
        while queue:
            cell, steps, by = queue.popleft()
            if cell in known:
                continue
            known.add(cell)
            if cell in view.visits:
                queue.extend((near, steps + 1, by) for near in view.seen[cell])
                continue
            if steps > least:
                break  # what is farther cannot be cheaper
            price, goal = steps, view.goal
            if goal is not None:
                price += abs(goal.row - cell.row) + abs(goal.col - cell.col)
            if price < least:
                least, first = price, []
            if price == least:
                first.append(by)
        return rng.choice(first) if first else view.exits[0]


@dataclass
class Oracle:
    """Knows the maze: the shortest way there is."""

    maze: Maze | None = None
    edges = 0
    _way: list[Cell] = field(default_factory=list, init=False, repr=False)

    def move(self, view: MazeView, rng: Random) -> Cell:
        """The next cell of a shortest path; any exit where there is none."""
        if self.maze is None or self.maze.shortest is None:
            return view.exits[0]
        if not self._way:
            self._way = nx.shortest_path(self.maze.graph, view.at, self.maze.goal)[1:]
        return self._way.pop(0)


@dataclass
class Rooms:
    """To the nearest room not seen, by the map of rooms that the gauge's explorer has.

    With a known goal, to where the way there and the steps expected from it are least.
    It knows what that explorer knows, and nothing is priced.
    """

    ground: MazeGround | None = field(default=None, init=False, repr=False)
    _expected: ExpectedReward | None = field(default=None, init=False, repr=False)
    _plan: list[Cell] = field(default_factory=list, init=False, repr=False)

    @property
    def edges(self) -> int:
        """The edges of its map."""
        return self.ground.graph.number_of_edges() if self.ground else 0

    def move(self, view: MazeView, rng: Random) -> Cell:
        """The next cell of the way to a room; any exit where none is left."""
        ground = self.ground = self.ground or MazeGround(view.size)
        new = view.at not in ground.rooms
        for loop in ground.stand(view.at, view.came, view.exits):
            ground.commit(loop)  # a door seen from both sides hides nothing
        if view.goal is not None and is_room(view.at) and new:
            self._expected = self._expected or ground.expected(view.goal)
            self._expected.stand(view.at, ground.told(view.at))
        if not self._plan:
            self._plan = self._way(view, rng)
        return self._plan.pop(0)

    def _way(self, view: MazeView, rng: Random) -> list[Cell]:
        assert self.ground is not None
        least, best = inf, list[tuple[Cell, ...]]()
        for cue in self.ground.ways(view.at):
            price = float(len(cue.way))
            if price > least:
                break  # ways come nearest first, and what lies behind costs no less
            if self._expected is not None:
                price += self._expected.steps(cue.cell)
            if price < least:
                least, best = price, []
            best += [cue.way] if price == least else []
        return list(rng.choice(best)) if best else [view.exits[0]]


_TEMPERATURE = 0.1
_NONE = 1e-12  # similarities at or below it draw no number


@dataclass
class PublishedExplorer:
    """The agent of the published table, to the draw.

    Unvisited exits first, then those visited least. Its graph has an edge from a cell
    to each exit that was fresh when it stood there, and one out of a dead end. Its
    gates change nothing and are left out.
    """

    links: set[tuple[Cell, Cell]] = field(default_factory=set, init=False, repr=False)

    @property
    def edges(self) -> int:
        """The directed links drawn so far."""
        return len(self.links)

    def move(self, view: MazeView, rng: Random) -> Cell:
        """The next cell; one number is drawn unless all exits are worn out."""
        self.links.update((view.at, cell) for cell in view.fresh)
        if not any(cell == view.at for cell, _ in self.links):
            self.links.add((view.at, view.exits[0]))
        pool = view.fresh or view.exits
        pool = tuple(cell for cell in pool if cell != view.came) or pool
        ranked = sorted(pool, key=lambda cell: view.visits.get(cell, 0))
        # the distance of an exit to the query is twice the logarithm of its visits
        far = [-2 * math.log1p(view.visits.get(cell, 0)) for cell in ranked]
        alike = [math.exp(each / _TEMPERATURE) for each in far]
        if max(alike) <= _NONE:
            return ranked[0]
        weights = [math.exp(each / _TEMPERATURE) for each in alike]
        mark = rng.random() * sum(weights)
        for cell, weight in zip(ranked, weights, strict=True):
            mark -= weight
            if mark <= 0:
                return cell
        return ranked[-1]

"""What the explorer with a gauge holds of a maze: its graph, and the cues still open.

A maze of this kind has rooms at odd cells and doors between two rooms, so a door seen
says which room is behind it. Edges are those walked and those seen from a room; an edge
to a door that is known from its other side would close a loop: it is proposed, and
until it is committed the door itself is a cue, to be walked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import networkx as nx
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from gswlab.gedig.edit import Edit
from gswlab.gedig.mazes.grid import MOVES, Cell, is_room


@dataclass(frozen=True)
class MazeCue:
    """A cell to stand on that is not known, and the shortest way there."""

    cell: Cell
    way: tuple[Cell, ...]


@dataclass
class MazeGround:
    """The graph of the cells seen, and what is open in it.

    `rooms` has the exits of each room stood on; `behind` the unseen room behind each
    door; `loose` the doors known from both sides whose loop is not committed; `doors`
    counts the doors and the walls seen.
    """

    size: int
    graph: nx.Graph[Cell] = field(default_factory=nx.Graph)
    rooms: dict[Cell, tuple[Cell, ...]] = field(default_factory=dict)
    behind: dict[Cell, Cell] = field(default_factory=dict)
    loose: set[Cell] = field(default_factory=set)
    doors: list[int] = field(default_factory=lambda: [1, 1])

    @property
    def open(self) -> set[Cell]:
        """The cells that cues lead to."""
        return {*self.behind.values(), *self.loose}

    @property
    def openness(self) -> float:
        """The chance that a wall not seen yet is a door (Laplace's rule)."""
        return self.doors[0] / sum(self.doors)

    def stand(
        self, cell: Cell, came: Cell | None, exits: tuple[Cell, ...]
    ) -> list[Edit]:
        """Note a cell and its exits; the loops that may be closed are returned."""
        self.graph.add_node(cell)
        if came is not None:
            self.graph.add_edge(came, cell)
        self.loose.discard(cell)
        if not is_room(cell) or cell in self.rooms:
            return []
        self.rooms[cell] = exits
        loops = []
        for door in exits:
            if self.behind.pop(door, None) is None:
                self.graph.add_edge(cell, door)
                self.behind[door] = beyond(cell, door)
            elif not self.graph.has_edge(cell, door):
                self.loose.add(door)
                loops.append(Edit(edges=((cell, door),)))
        for door, other in self.sides(cell):
            if door != came and other not in self.rooms:
                self.doors[door not in exits] += 1
        return loops

    def commit(self, loop: Edit) -> None:
        """Close a loop: the edge is there, its door is no cue any more."""
        loop.apply(self.graph)
        self.loose.difference_update(end for edge in loop.edges for end in edge)

    def loops(self) -> Iterator[Edit]:
        """The loops that may be closed and are not."""
        for room in self.rooms:
            for door in self._ajar(room):
                if not self.graph.has_edge(room, door):
                    yield Edit(edges=((room, door),))

    def sides(self, room: Cell) -> Iterator[tuple[Cell, Cell]]:
        """Where a room may have doors, each with the room behind it."""
        for move in MOVES:
            door = room.step(move)
            other = door.step(move)
            if 0 < other.row < self.size - 1 and 0 < other.col < self.size - 1:
                yield door, other

    def told(self, room: Cell) -> list[tuple[Cell, bool]]:
        """The sides of a room that was stood on, each with whether it is a door."""
        return [(door, door in self.rooms[room]) for door, _ in self.sides(room)]

    def expected(self, goal: Cell) -> ExpectedReward:
        """Distances to a goal by what is known; a door in doubt costs its odds."""
        found = ExpectedReward(self.size, goal, _DETOUR * (1 / self.openness - 1))
        for room in self.rooms:
            found.stand(room, self.told(room))
        return found

    def around(self, cell: Cell) -> list[Cell]:
        """The rooms not seen yet that a cell may lead to."""
        if not is_room(cell):
            return []
        return [other for _, other in self.sides(cell) if other not in self.rooms]

    def ways(self, at: Cell) -> Iterator[MazeCue]:
        """The open cues, nearest first, each once; as far as one cares to ask."""
        came: dict[Cell, Cell | None] = {at: None}
        found = set()
        queue = deque([at])
        while queue:
            cell = queue.popleft()
            to = cell if cell in self.loose else self.behind.get(cell)
            if to is not None and to not in found:
                found.add(to)
                trail, step = [cell], came[cell]
                while step is not None:
                    trail.append(step)
                    step = came[step]
                way = tuple(reversed(trail[:-1]))
                yield MazeCue(to, way if to == cell else (*way, to))
            if cell in self.loose and cell != at:
                continue  # a loop that is not closed leads nowhere yet
            for near in (*self.graph.adj[cell], *self._ajar(cell)):
                if near not in came:
                    came[near] = cell
                    queue.append(near)

    def at_hand(self, cell: Cell) -> Iterator[MazeCue]:
        """The open cues beside a cell."""
        for door in self.rooms.get(cell, ()):
            if door in self.behind:
                yield MazeCue(self.behind[door], (door, self.behind[door]))
        yield from (MazeCue(door, (door,)) for door in self._ajar(cell))

    def _ajar(self, cell: Cell) -> Iterator[Cell]:
        """The doors of a room whose loop is not committed."""
        return (door for door in self.rooms.get(cell, ()) if door in self.loose)


def beyond(room: Cell, door: Cell) -> Cell:
    """The room on the other side of a door."""
    return Cell(2 * door.row - room.row, 2 * door.col - room.col)


_STEPS = 2.0  # from a room to the next
_DETOUR = 3.0  # steps lost at a wall where a door was hoped for


@dataclass
class ExpectedReward:
    """Distances from all rooms to the goal, a door in doubt at `doubt` steps more.

    One row a room and one entry a pair of neighbours; standing in a room makes its
    entries certain.
    """

    size: int
    goal: Cell
    doubt: float
    _links: csr_array = field(init=False, repr=False)
    _steps: npt.NDArray[np.float64] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        side = (self.size - 1) // 2
        rows = np.arange(side * side).reshape(side, side)
        across = (rows[:, :-1].ravel(), rows[:, 1:].ravel())
        down = (rows[:-1].ravel(), rows[1:].ravel())
        one, other = (np.concatenate(ends) for ends in zip(across, down, strict=True))
        ends = (np.concatenate([one, other]), np.concatenate([other, one]))
        weights = np.full(len(ends[0]), _STEPS + self.doubt)
        self._links = csr_array((weights, ends), shape=(rows.size, rows.size))

    def stand(self, room: Cell, sides: list[tuple[Cell, bool]]) -> None:
        """What the sides of a room are: each cell with whether it is a door."""
        here = self._row(room)
        for door, is_open in sides:
            there = self._row(beyond(room, door))
            for one, other in ((here, there), (there, here)):
                first, last = self._links.indptr[one : one + 2]
                at = first + np.searchsorted(self._links.indices[first:last], other)
                self._links.data[at] = _STEPS if is_open else np.inf
        self._steps = None

    def steps(self, cell: Cell) -> float:
        """From a cell to the goal, from a door by the better of its sides.

        Infinite where walls are known all around.
        """
        if not is_room(cell):
            ahead = (0, 1) if cell.row % 2 else (1, 0)
            rooms = (cell.step(ahead), cell.step((-ahead[0], -ahead[1])))
            return 1 + min(map(self.steps, rooms))
        if self._steps is None:
            goal = self._row(self.goal)
            self._steps = np.asarray(dijkstra(self._links, indices=goal))
        return float(self._steps[self._row(cell)])

    def _row(self, room: Cell) -> int:
        return room.row // 2 * ((self.size - 1) // 2) + room.col // 2

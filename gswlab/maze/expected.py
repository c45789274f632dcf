"""The steps still to go to a goal that is known, through what was not seen yet."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from gswlab.maze.grid import Cell, is_room
from gswlab.maze.ground import beyond

_STEPS = 2.0  # from a room to the next


@dataclass
class Expected:
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
            steps = _STEPS if is_open else np.inf
            self._set(here, there, steps)
            self._set(there, here, steps)
        self._steps = None

    def steps(self, cell: Cell) -> float:
        """From a cell to the goal, from a door by the better of its sides.

        Infinite where walls are known all around.
        """
        if not is_room(cell):
            return 1 + min(map(self.steps, _rooms(cell)))
        if self._steps is None:
            goal = self._row(self.goal)
            self._steps = np.asarray(dijkstra(self._links, indices=goal))
        return float(self._steps[self._row(cell)])

    def _set(self, one: int, other: int, steps: float) -> None:
        first, last = self._links.indptr[one : one + 2]
        at = first + np.searchsorted(self._links.indices[first:last], other)
        self._links.data[at] = steps

    def _row(self, room: Cell) -> int:
        return room.row // 2 * ((self.size - 1) // 2) + room.col // 2


def _rooms(door: Cell) -> tuple[Cell, Cell]:
    """The rooms on both sides of a door."""
    move = (0, 1) if door.row % 2 else (1, 0)
    return door.step(move), door.step((-move[0], -move[1]))

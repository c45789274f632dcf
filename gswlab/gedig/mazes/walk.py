"""What an explorer sees of a maze, and the walk it makes.

An explorer is told its cell's open neighbours and nothing else: no map, and of the goal
only that it stands on it, unless `goal` says where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Protocol

from gswlab.core.errors import GswlabError
from gswlab.gedig.mazes.grid import Cell, Maze


@dataclass
class MazeView:
    """All that an explorer knows: `seen` are the exits of each cell it stood on.

    `visits` counts how often it stood on a cell (the start counts once); `goal` is
    None while it is hidden; `came` is the cell before this one.
    """

    at: Cell
    size: int
    goal: Cell | None = None
    came: Cell | None = None
    seen: dict[Cell, tuple[Cell, ...]] = field(default_factory=dict)
    visits: dict[Cell, int] = field(default_factory=dict)

    @property
    def exits(self) -> tuple[Cell, ...]:
        """Where it can go from here: left, down, right, up."""
        return self.seen[self.at]

    @property
    def fresh(self) -> tuple[Cell, ...]:
        """The exits where it never was."""
        return tuple(cell for cell in self.exits if cell not in self.visits)

    def stand(self, cell: Cell, exits: tuple[Cell, ...]) -> None:
        """Be on a cell and see its exits."""
        self.came, self.at = (self.at if self.visits else None), cell
        self.visits[cell] = self.visits.get(cell, 0) + 1
        self.seen[cell] = exits


class Explorer(Protocol):
    """Chooses among the exits; `edges` is the size of the graph it keeps."""

    @property
    def edges(self) -> int:
        """The number of edges held now; 0 for an explorer that keeps no graph."""

    def move(self, view: MazeView, rng: Random) -> Cell:
        """The exit to go to; a cell that is no exit ends the walk with an error."""


@dataclass(frozen=True)
class Walk:
    """An episode: the cells in order, the start among them."""

    cells: tuple[Cell, ...]
    reached: bool
    edges: int

    @property
    def steps(self) -> int:
        """The moves made: one fewer than the cells."""
        return len(self.cells) - 1

    @cached_property
    def found(self) -> dict[Cell, int]:
        """The step at which each cell was first stood on."""
        last = len(self.cells) - 1
        return {c: last - n for n, c in enumerate(reversed(self.cells))}


def walk(
    maze: Maze,
    explorer: Explorer,
    cap: int,
    rng: Random,
    known: bool = False,
    done: Callable[[MazeView], bool] | None = None,
) -> Walk:
    """Let an explorer look for the goal, or until `done`, for at most `cap` steps.

    Raises:
        GswlabError: it chose a cell that is no exit.
    """
    done = done or (lambda view: view.at == maze.goal)
    view = MazeView(maze.start, maze.size, maze.goal if known else None)
    view.stand(maze.start, maze.exits(maze.start))
    cells = [maze.start]
    while not done(view) and len(cells) <= cap and view.exits:
        to = explorer.move(view, rng)
        if to not in view.exits:
            name = type(explorer).__name__
            raise GswlabError(f"{name} walks from {view.at} to {to}", "through a wall")
        view.stand(to, maze.exits(to))
        cells.append(to)
    return Walk(tuple(cells), done(view), explorer.edges)


def tour(maze: Maze, explorer: Explorer, cap: int, rng: Random) -> Walk:
    """Let an explorer look for a goal that is nowhere, until it was in every room.

    Who does not know the goal walks the same way wherever it is, until it stands on it:
    one tour has the steps to each goal there could be.
    """
    rooms = set(maze.rooms)

    def done(view: MazeView) -> bool:
        rooms.discard(view.at)
        return not rooms

    return walk(maze, explorer, cap, rng, done=done)

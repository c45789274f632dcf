"""Mazes on an odd grid: rooms at odd cells, doors between them, walls around.

Two generators, both depth first from the start:

- `published` draws exactly as the published code does, its defect with it: all levels
  of the recursion walk one shared list of directions that deeper levels shuffle, so
  some rooms are never carved, and the goal, opened by force, may be cut off (1, 5 and
  5 % of the mazes of 15, 25 and 51 cells);
- `correct` reaches every room, then opens a share of the walls that part two corridors:
  loops, without which a maze is a tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

import networkx as nx

from gswlab.core.errors import GswlabError

_FAR = ((-2, 0), (0, 2), (2, 0), (0, -2))  # the order that the published stream needs


class Cell(NamedTuple):
    """Row and column; 0 is the outer wall."""

    row: int
    col: int

    def step(self, move: tuple[int, int]) -> Cell:
        """The cell one move away."""
        return Cell(self.row + move[0], self.col + move[1])


MOVES = ((0, -1), (1, 0), (0, 1), (-1, 0))  # left, down, right, up


@dataclass(frozen=True)
class Maze:
    """A grid of `size` by `size` cells, of which some are open.

    The goal is the corner that is farthest from the start, unless `end` names a cell.
    """

    size: int
    open: frozenset[Cell]
    end: Cell | None = None

    start = Cell(1, 1)  # the first room, in the top left corner

    @property
    def goal(self) -> Cell:
        """The cell to be found: `end`, else the room in the bottom right corner."""
        return self.end or Cell(self.size - 2, self.size - 2)

    def exits(self, cell: Cell) -> tuple[Cell, ...]:
        """The open neighbours of a cell: left, down, right, up."""
        return tuple(near for move in MOVES if (near := cell.step(move)) in self.open)

    @cached_property
    def graph(self) -> nx.Graph[Cell]:
        """Open cells and the steps between them."""
        graph: nx.Graph[Cell] = nx.Graph()
        graph.add_nodes_from(sorted(self.open))
        graph.add_edges_from((a, b) for a in sorted(self.open) for b in self.exits(a))
        return graph

    @cached_property
    def shortest(self) -> int | None:
        """Steps from start to goal; None where the goal is cut off."""
        try:
            return int(nx.shortest_path_length(self.graph, self.start, self.goal))
        except nx.NetworkXNoPath:
            return None

    @cached_property
    def rooms(self) -> tuple[Cell, ...]:
        """The rooms that can be reached, the start among them, in reading order."""
        reached = nx.node_connected_component(self.graph, self.start)
        return tuple(sorted(cell for cell in reached if is_room(cell)))

    def __str__(self) -> str:
        side = range(self.size)
        rows = ("".join(".#"[Cell(r, c) not in self.open] for c in side) for r in side)
        return "\n".join(rows)


def is_room(cell: Cell) -> bool:
    """Whether a cell is at odd numbers."""
    return cell.row % 2 == 1 and cell.col % 2 == 1


def published(size: int, rng: Random) -> Maze:
    """A maze as the published code draws it; an agent goes on with the same `rng`."""
    _check(size)
    ways = list(_FAR)
    opened = {Cell(1, 1)}
    rng.shuffle(ways)
    trail = [(Cell(1, 1), iter(ways))]  # a list's iterator reads what it became
    while trail:
        cell, left = trail[-1]
        way = next(left, None)
        if way is None:
            trail.pop()
            continue
        room = cell.step(way)
        if _inside(room, size) and room not in opened:
            opened |= {room, cell.step((way[0] // 2, way[1] // 2))}
            rng.shuffle(ways)
            trail.append((room, iter(ways)))
    return Maze(size, frozenset(opened | {Cell(size - 2, size - 2)}))


def correct(size: int, rng: Random, loops: float = 0.1) -> Maze:
    """A maze in which every room is reached; `loops` is the share of walls opened.

    Raises:
        GswlabError: the size is no odd number from 5, or `loops` no share.
    """
    _check(size)
    if not 0 <= loops <= 1:
        rule = "a share of the walls between corridors, from 0 to 1"
        raise GswlabError(f"maze.loops is {loops}", rule, "maze.loops=0.1")
    opened, trail = {Cell(1, 1)}, [Cell(1, 1)]
    while trail:
        cell = trail[-1]
        rooms = [way for way in _FAR if _inside(cell.step(way), size)]
        fresh = [way for way in rooms if cell.step(way) not in opened]
        if not fresh:
            trail.pop()
            continue
        way = rng.choice(fresh)
        opened |= {cell.step(way), cell.step((way[0] // 2, way[1] // 2))}
        trail.append(cell.step(way))
    inner = range(1, size - 1)
    doors = (Cell(r, c) for r in inner for c in inner if r % 2 != c % 2)
    parting = [cell for cell in doors if cell not in opened]
    opened |= set(rng.sample(parting, round(loops * len(parting))))
    return Maze(size, frozenset(opened))


def _inside(cell: Cell, size: int) -> bool:
    return 0 < cell.row < size - 1 and 0 < cell.col < size - 1


def _check(size: int) -> None:
    if size < 5 or size % 2 == 0:
        rule = "an odd number of cells, from 5"
        raise GswlabError(f"maze.size is {size}", rule, "maze.size=15")

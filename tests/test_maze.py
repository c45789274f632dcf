"""Mazes, what is seen of them, and who looks for the goal."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.errors import GswlabError
from gswlab.maze.classic import explorer
from gswlab.maze.grid import Cell, Maze, correct, published
from gswlab.maze.published import Published
from gswlab.maze.walk import View, Walk, walk

SEEDS = st.integers(0, 10_000)
NAMES = ("random", "dfs", "least_visited", "frontier", "oracle")


def episode(size: int, cap: int, seed: int, name: str = "published") -> Walk:
    rng = Random(seed)  # one stream draws the maze and then the moves
    maze = published(size, rng)
    agent = Published() if name == "published" else explorer(name, maze)
    return walk(maze, agent, cap, rng)


@pytest.mark.parametrize(
    ("size", "cap", "seeds", "success", "steps", "edges"),
    [
        (15, 250, 100, "98.00", "92.80", "69.0"),
        (25, 500, 60, "75.00", "315.60", None),
        (51, 1000, 13, "46.15", "793.23", None),
    ],
)
def test_the_published_rows_are_repeated_to_the_digit(
    size: int, cap: int, seeds: int, success: str, steps: str, edges: str | None
) -> None:
    walks = [episode(size, cap, seed) for seed in range(seeds)]
    assert f"{100 * sum(w.reached for w in walks) / seeds:.2f}" == success
    assert f"{sum(w.steps for w in walks) / seeds:.2f}" == steps
    if edges is not None:
        assert f"{sum(w.edges for w in walks) / seeds:.1f}" == edges


@given(SEEDS, st.sampled_from([5, 9, 15]), st.floats(0, 1))
def test_every_room_of_a_correct_maze_can_be_reached(
    seed: int, size: int, loops: float
) -> None:
    maze = correct(size, Random(seed), loops)
    assert nx.is_connected(maze.graph)
    rooms = {Cell(r, c) for r in range(1, size, 2) for c in range(1, size, 2)}
    assert rooms <= maze.open
    trees = loops == 0
    assert not trees or nx.is_tree(maze.graph)


@given(SEEDS, st.sampled_from(NAMES))
def test_a_walk_goes_through_no_wall_and_no_explorer_beats_the_oracle(
    seed: int, name: str
) -> None:
    maze = correct(9, Random(seed))
    done = walk(maze, explorer(name, maze), 400, Random(seed))
    pairs = zip(done.cells, done.cells[1:], strict=False)
    assert all(maze.graph.has_edge(*pair) for pair in pairs)
    assert maze.shortest is not None
    assert done.reached == (done.cells[-1] == maze.goal)
    assert not done.reached or done.steps >= maze.shortest
    if name == "oracle":
        assert done.steps == maze.shortest


def test_a_maze_and_a_walk_are_the_same_for_the_same_seed() -> None:
    assert episode(15, 250, 7) == episode(15, 250, 7)
    assert correct(15, Random(3)) == correct(15, Random(3))
    assert correct(15, Random(3)) != correct(15, Random(4))


def test_the_goal_is_hidden_unless_it_is_said() -> None:
    asked: list[View] = []

    class Curious:
        edges = 0

        def move(self, view: View, rng: Random) -> Cell:
            asked.append(view)
            return view.exits[0]

    maze = correct(9, Random(0))
    walk(maze, Curious(), 1, Random(0))
    walk(maze, Curious(), 1, Random(0), known=True)
    assert [view.goal for view in asked] == [None, maze.goal]
    assert set(asked[0].seen) <= set(maze.open)


def test_a_walk_through_a_wall_is_refused() -> None:
    class Ghost:
        edges = 0

        def move(self, view: View, rng: Random) -> Cell:
            return Cell(0, 0)

    with pytest.raises(GswlabError, match="Ghost walks from"):
        walk(correct(9, Random(0)), Ghost(), 5, Random(0))


def test_a_cut_off_goal_is_never_reached_and_says_so() -> None:
    maze = Maze(5, frozenset({Cell(1, 1), Cell(1, 2), Cell(3, 3)}))
    assert maze.shortest is None
    assert not walk(maze, explorer("frontier", maze), 10, Random(0)).reached


@pytest.mark.parametrize("size", [4, 3, -1])
def test_a_maze_of_an_impossible_size_is_refused(size: int) -> None:
    with pytest.raises(GswlabError, match="odd number"):
        correct(size, Random(0))


def test_an_unknown_explorer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(GswlabError, match="least_visited"):
        explorer("psychic", correct(5, Random(0)))

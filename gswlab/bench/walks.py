"""The walks of an explorer in one maze as a row, and the figures of many rows.

Steps of a walk that did not reach the goal count as they are: the cap. Gates are
counted a step, as published.

Where the goal is hidden it can be in every room at once (`maze.place=every`): a walk
does not depend on a goal that it has not found, so one tour of a maze has the steps to
each, and their mean is the expectation over goals, not a draw of one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from gswlab.bench.statistics import Interval, bootstrap, interval
from gswlab.gedig.mazes.explorer import GedigExplorer
from gswlab.gedig.mazes.explorers import Oracle
from gswlab.gedig.mazes.grid import Maze
from gswlab.gedig.mazes.walk import Explorer, Walk, tour, walk

if TYPE_CHECKING:
    from gswlab.bench.mazes import Mazes

FIGURES = (
    *("success", "mean_steps", "mean_edges", "ag_rate", "dg_rate"),
    "priced",  # cues that were priced, a step
    "extra",  # steps over the shortest way; then those of the episodes that follow
    *("second", "third", "fourth", "fifth"),
)
EPISODES = ("extra", "second", "third", "fourth", "fifth")
RATES = ("ag_rate", "dg_rate", "priced")
Row = dict[str, Any]


def walked(
    mazes: Mazes, seed: int, agent: Callable[[], Explorer]
) -> tuple[Row, list[tuple[str, float]]]:
    """A maze as a row, means of its walks; seconds of processor, walk and decision."""
    rows, times = [], []
    for number in range(mazes.walks):
        rng = Random(seed)
        maze = mazes.draw(rng)
        if number:
            rng = Random(f"{seed}/{number}")
        explorer = agent()
        if isinstance(explorer, Oracle):
            explorer.maze = maze
        began = time.thread_time()
        rows.append(_walked(mazes, maze, explorer, rng))
        times.append(("walking", time.thread_time() - began))
        if isinstance(explorer, GedigExplorer):
            times += [("gauge", seconds) for seconds in explorer.seconds]
    return {"seed": seed, **_means(rows)}, times


def _walked(mazes: Mazes, maze: Maze, explorer: Explorer, rng: Random) -> Row:
    if mazes.place == "every":
        done = tour(maze, explorer, mazes.cap, rng)
        found = [done.found(room) for room in maze.rooms[1:]]
        success = sum(step is not None for step in found) / len(found)
        steps = sum(mazes.cap if n is None else n for n in found) / len(found)
    else:
        done = walk(maze, explorer, mazes.cap, rng, mazes.goal == "known")
        success, steps = float(done.reached), float(done.steps)
    row: Row = {"success": success, "mean_steps": steps, "mean_edges": done.edges}
    row |= {"walked": done.steps, "shortest": maze.shortest}
    if isinstance(explorer, GedigExplorer):
        row |= _gates(explorer)
    if done.reached and maze.shortest and mazes.place != "every":
        row["extra"] = done.steps / maze.shortest
        if isinstance(explorer, GedigExplorer):
            row |= _again(mazes, maze, explorer, done, rng)
    return row


def _gates(explorer: GedigExplorer) -> Row:
    """Fires, and prices of cues, so far."""
    asked = [event.data for event in explorer.events]
    row: Row = {"priced": sum(int(str(data.get("looked", 0))) for data in asked)}
    for gate in ("ag", "dg"):
        fires = [bool(data[gate]) for data in asked if data["gate"] == gate]
        row[f"{gate}_rate"] = sum(fires)
    return row


def _again(
    mazes: Mazes, maze: Maze, explorer: GedigExplorer, done: Walk, rng: Random
) -> Row:
    """The episodes after the first, as far as each reached the goal."""
    row: Row = {}
    for name in EPISODES[1 : mazes.episodes]:
        explorer.learn(done.cells[-2], maze.goal, maze.start)
        done = walk(maze, explorer, mazes.cap, rng, mazes.goal == "known")
        row[name] = done.steps / (maze.shortest or 1)
        if not done.reached:
            break
    return row


def _means(rows: Sequence[Row]) -> Row:
    """Of each figure the mean over the walks that have it, none where none has."""
    told: Row = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        known = [row[name] for row in rows if row.get(name) is not None]
        told[name] = sum(known) / len(known) if known else None
    return told


def figures(rows: Sequence[Row]) -> Row:
    """Every figure that some row has, with its interval."""
    told: Row = {}
    for name in FIGURES:
        known = [row for row in rows if row.get(name) is not None]
        if known and name in RATES:
            told[name] = _share(known, name).to_dict()
        elif known:
            told[name] = interval([row[name] for row in known]).to_dict()
    return told


def _share(rows: Sequence[Row], name: str) -> Interval:
    """Fires a step of all walks together; walks are drawn whole."""
    fires, steps = (np.array([row[k] for row in rows]) for k in (name, "walked"))
    return bootstrap(
        len(rows), lambda drawn: float(fires[drawn].sum() / max(steps[drawn].sum(), 1))
    )

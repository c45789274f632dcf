"""Explorers of mazes, one table: published, classic, ours, and ours without its parts.

    python experiments/mazes.py > experiments/maze.csv

A row is an agent in a world; its steps are held against our explorer's in the same
mazes, paired (`difference` above zero: ours needs fewer). No clock is in the table.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Literal, NamedTuple

from table import commit

from gswlab.bench.mazes import Mazes, figures, walked
from gswlab.bench.statistics import paired, permutation
from gswlab.gedig.gates import Fixed
from gswlab.maze.classic import DepthFirst, Frontier, LeastVisited, Oracle, RandomWalk
from gswlab.maze.gedig import Gedig
from gswlab.maze.published import Published
from gswlab.maze.walk import Explorer

SIZES = ((15, 250, "0-99"), (25, 500, "0-59"), (51, 1500, "0-39"))
PUBLISHED = ((15, 250, "0-99"), (25, 500, "0-59"), (51, 1000, "0-12"))
GOALS: tuple[Literal["hidden", "known"], ...] = ("hidden", "known")
# of the largest mazes only those that others are judged by
LARGE = ("agent=dfs", "agent=least_visited", "agent=frontier", "agent=gedig")
BLIND: dict[str, Callable[[], Explorer]] = {
    "agent=random": RandomWalk,
    "agent=dfs": DepthFirst,
    "agent=least_visited": LeastVisited,
}
OURS: dict[str, Callable[[], Explorer]] = {
    "agent=gedig": Gedig,
    "agent=gedig agent.shuffled=true": lambda: Gedig(shuffled=True),
    "agent=gedig agent.gates.ag=1000": lambda: Gedig(gates=Fixed(1000, 0.3)),
    "agent=gedig agent.gates.dg=-1000": lambda: Gedig(gates=Fixed(0.3, -1000)),
    "agent=gedig agent.gates.ag=1000 agent.gates.dg=-1000": lambda: Gedig(
        gates=Fixed(1000, -1000)
    ),
}
EITHER: dict[str, Callable[[], Explorer]] = {
    "agent=frontier": Frontier,
    "agent=oracle": Oracle,
}
AGENTS = {"agent=published": Published, **BLIND, **EITHER, **OURS}
FIGURES = ("success", "mean_steps", "mean_edges", "ag_rate", "dg_rate", "second")
HEADS = (
    "generator", "loops", "size", "seeds", "cap", "goal", "place", "agent", "n",
    *(f"{name}{end}" for name in FIGURES for end in ("", "_low", "_high")),
    "difference", "difference_low", "difference_high", "p", "commit",
)  # fmt: skip


class Job(NamedTuple):
    """An agent, by its settings, in a world."""

    mazes: Mazes
    agent: str


def jobs() -> Iterator[Job]:
    """Published rows as published; then every agent that a world is for."""
    for size, cap, seeds in PUBLISHED:
        mazes = Mazes(size, seeds, cap, generator="published")
        yield Job(mazes, "agent=published")
    for size, cap, seeds in SIZES:
        for mazes in _worlds(size, cap, seeds):
            blind = BLIND if mazes.goal == "hidden" else {}
            agents = [*blind, *EITHER, *OURS]
            yield from (Job(mazes, a) for a in agents if size < 51 or a in LARGE)


def _worlds(size: int, cap: int, seeds: str) -> Iterator[Mazes]:
    for goal in GOALS:
        yield Mazes(size, seeds, cap, goal, "published")
        yield Mazes(size, seeds, cap, goal, "correct")
        if size == 25:  # more loops
            yield Mazes(size, seeds, cap, goal, "correct", 0.3)
    if size == 25:  # goals that are in no corner
        yield Mazes(size, seeds, cap, "hidden", "correct", place="drawn")


def walks(job: Job) -> list[dict[str, Any]]:
    """The rows of one job, a maze each."""
    agent = AGENTS[job.agent]
    return [walked(job.mazes, seed, agent())[0] for seed in job.mazes.numbers]


def table() -> Iterator[list[Any]]:
    """All rows of the table."""
    listed, made = list(jobs()), commit()
    with ProcessPoolExecutor(2) as pool:
        found = dict(zip(listed, pool.map(walks, listed), strict=True))
    for job, rows in found.items():
        yield [*_world(job), *_figures(rows), *_against(job, rows, found), made]


def _world(job: Job) -> list[Any]:
    m = job.mazes
    loops = m.loops if m.generator == "correct" else ""
    where = [m.generator, loops, m.size, m.seeds, m.cap, m.goal, m.place]
    return [*where, job.agent, len(m.numbers)]


def _figures(rows: list[dict[str, Any]]) -> Iterator[Any]:
    told = figures(rows)
    for name in FIGURES:
        figure = told.get(name, {})
        yield from (figure.get(key, "") for key in ("mean", "low", "high"))


def _against(
    job: Job, rows: list[dict[str, Any]], found: dict[Job, list[dict[str, Any]]]
) -> list[Any]:
    base = found.get(Job(job.mazes, "agent=gedig"))
    if base is None or job.agent == "agent=gedig":
        return [""] * 4
    steps = [[row["mean_steps"] for row in each] for each in (rows, base)]
    gap = paired(*steps).to_dict()
    return [gap["mean"], gap["low"], gap["high"], round(permutation(*steps), 4)]


if __name__ == "__main__":
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADS)
    writer.writerows(table())

"""Explorers of mazes, one table: published, classic, ours, and ours without its parts.

    python experiments/recipes/mazes.py experiments/results/maze.csv

A row is an agent in a world; its steps are held against our explorer's in the same
mazes, paired (`difference` above zero: ours needs fewer), and so are the steps of its
second episode, over the shortest way. With `place` every the steps are those expected
over all rooms as goals. No clock is in the table. Interrupted, it goes on with the
world it was in.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from table import grown

from gswlab.bench.mazes import Mazes, walk_figures, walked
from gswlab.bench.statistics import paired, permutation
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.mazes.explorer import GedigExplorer
from gswlab.gedig.mazes.explorers import (
    DepthFirst,
    Frontier,
    LeastVisited,
    Oracle,
    PublishedExplorer,
    RandomWalk,
)
from gswlab.gedig.mazes.walk import Explorer
from gswlab.gedig.thresholds import Fixed

SIZES = ((15, 250, "0-99", 3), (25, 500, "0-59", 1), (51, 1500, "0-39", 1))
PUBLISHED = ((15, 250, "0-99"), (25, 500, "0-59"), (51, 1000, "0-12"))
LARGEST = ((101, 10_000, "0-9"),)
EPISODES = 3
CLASSIC: dict[str, Callable[[], Explorer]] = {
    "agent=dfs": DepthFirst,
    "agent=least_visited": LeastVisited,
    "agent=frontier": Frontier,
}
OFF = {
    "agent.gates.ag=1000": Fixed(1000, 0.3),
    "agent.gates.dg=-1000": Fixed(0.01, -1000),
    "agent.gates.ag=1000 agent.gates.dg=-1000": Fixed(1000, -1000),
}
ALWAYS = {
    "agent.gates.ag=-1000": Fixed(-1000, 0.3),
    "agent.gates.dg=1000": Fixed(0.01, 1000),
}
OURS: dict[str, Callable[[], Explorer]] = {
    "agent=gedig": GedigExplorer,
    "agent=gedig agent.shuffled=true": partial(GedigExplorer, shuffled=True),
    "agent=gedig agent.gauge.lam=0": partial(GedigExplorer, gauge=Gauge(lam=0, hops=0)),
    **{
        f"agent=gedig {name}": partial(GedigExplorer, gates=gates)
        for name, gates in (OFF | ALWAYS).items()
    },
}
AGENTS: dict[str, Callable[[], Explorer]] = {
    "agent=published": PublishedExplorer,
    "agent=random": RandomWalk,
    **CLASSIC,
    "agent=oracle": Oracle,
    **OURS,
}
# only where a goal in every room at once makes small differences tell
FINE = ("agent=gedig agent.gauge.lam=0", *(f"agent=gedig {name}" for name in ALWAYS))
KNOWING = ("agent=frontier", "agent=oracle", *OURS)
FIGURES = (
    *("success", "mean_steps", "mean_edges", "ag_rate", "dg_rate", "priced"),
    *("extra", "second", "third"),
)
ENDS = ("", "_low", "_high")
HEADS = (
    *("generator", "loops", "size", "seeds", "walks", "cap", "goal", "place", "agent"),
    *("n", *(f"{name}{end}" for name in FIGURES for end in ENDS)),
    *(f"difference{end}" for end in ENDS),
    "p",
    *(f"second_difference{end}" for end in ENDS),
)


class Job(NamedTuple):
    """An agent, by its settings, in a world."""

    mazes: Mazes
    agent: str


def groups() -> Iterator[list[Job]]:
    """Published rows as published; then the agents of a world, world by world."""
    for size, cap, seeds in PUBLISHED:
        yield [Job(Mazes(size, seeds, cap, generator="published"), "agent=published")]
    for mazes in worlds():
        yield [Job(mazes, agent) for agent in agents(mazes)]


def worlds() -> Iterator[Mazes]:
    """Trees and loops of each size; with 25 cells more loops, and a goal drawn."""
    for size, cap, seeds, walks in SIZES:
        trees = Mazes(size, seeds, cap, generator="published", episodes=EPISODES)
        few = replace(trees, generator="correct")
        kinds = [trees, few, replace(few, loops=0.3)] if size == 25 else [trees, few]
        for mazes in kinds:
            yield replace(mazes, walks=walks)
            yield replace(mazes, goal="known")
            if size < 51 or mazes.generator == "correct":
                yield replace(mazes, place="every", cap=4 * cap)
        if size == 25:
            yield replace(few, place="drawn", walks=walks)
    for size, cap, seeds in LARGEST:
        yield Mazes(size, seeds, cap, episodes=EPISODES)
        yield Mazes(size, seeds, cap, "known", episodes=EPISODES)


def agents(mazes: Mazes) -> list[str]:
    """Who walks a world: of large mazes only those that others are judged by."""
    names = list(KNOWING if mazes.goal == "known" else AGENTS)
    every = mazes.place == "every"
    if mazes.size > 25:
        names = [name for name in names if name in (*CLASSIC, "agent=gedig")]
        names += [f"agent=gedig {name}" for name in OFF if every]
    left = ("agent=oracle", "agent=random") if every else FINE
    return [name for name in names if name not in left]


def walks(job: Job) -> list[dict[str, Any]]:
    """The rows of one job, a maze each."""
    agent = AGENTS[job.agent]
    return [walked(job.mazes, seed, agent)[0] for seed in job.mazes.numbers]


def group(pool: ProcessPoolExecutor, jobs: list[Job]) -> Iterator[list[Any]]:
    """The rows of the agents of one world."""
    found = dict(zip(jobs, pool.map(walks, jobs), strict=True))
    for job, rows in found.items():
        yield [*_world(job), *_figures(rows), *_against(job, rows, found)]


def _world(job: Job) -> list[Any]:
    m = job.mazes
    loops = m.loops if m.generator == "correct" else ""
    where = [m.generator, loops, m.size, m.seeds, m.walks, m.cap, m.goal, m.place]
    return [*where, job.agent, len(m.numbers)]


def _figures(rows: list[dict[str, Any]]) -> Iterator[Any]:
    told = walk_figures(rows)
    for name in FIGURES:
        figure = told.get(name, {})
        yield from (figure.get(key, "") for key in ("mean", "low", "high"))


def _against(
    job: Job, rows: list[dict[str, Any]], found: dict[Job, list[dict[str, Any]]]
) -> list[Any]:
    base = found.get(Job(job.mazes, "agent=gedig"))
    if base is None or job.agent == "agent=gedig":
        return [""] * 7
    steps = _pairs(rows, base, "mean_steps")
    told = [*_gap(steps), round(permutation(*steps), 4)]
    again = _pairs(rows, base, "second")
    return [*told, *(_gap(again) if again[0] else [""] * 3)]


def _pairs(
    rows: list[dict[str, Any]], base: list[dict[str, Any]], name: str
) -> tuple[list[float], list[float]]:
    """A figure in the mazes where both have it."""
    pairs = zip(rows, base, strict=True)
    both = [pair for pair in pairs if all(row.get(name) is not None for row in pair)]
    return [one[name] for one, _ in both], [other[name] for _, other in both]


def _gap(pair: tuple[list[float], list[float]]) -> list[float]:
    gap = paired(*pair).to_dict()
    return [gap["mean"], gap["low"], gap["high"]]


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        parts = {str(n): partial(group, pool, jobs) for n, jobs in enumerate(groups())}
        grown(sys.argv[1], HEADS, parts)

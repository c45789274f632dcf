"""Phase 2 on mazes: what an explorer holds after its first episode, and rewired.

    python experiments/recipes/maze_rewiring.py > experiments/results/maze_rewiring.csv

Three rows a world and setting: `before`, `rewired` (pruned, with the shortcuts that
were taken up; the explorer goes on with it) and `folded` (corridors as one edge each;
what has to be kept, nobody walks on it). `way` is the known way to the goal over the
shortest there is, `second` and `third` are the steps of the episodes that follow, over
the same.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import networkx as nx
from table import commit

from gswlab.bench.mazes import Mazes
from gswlab.bench.statistics import interval
from gswlab.gedig.edit import NxGraph
from gswlab.gedig.mazes.explorer import GedigExplorer, asleep
from gswlab.gedig.mazes.walk import walk
from gswlab.gedig.rewiring import EDIT_KINDS, Rewired
from gswlab.gedig.thresholds import Fixed

WORLDS = (
    Mazes(15, "0-99", 250, generator="published"),
    Mazes(15, "0-99", 250),
    Mazes(25, "0-59", 500, generator="published"),
    Mazes(25, "0-59", 500),
    Mazes(25, "0-59", 500, loops=0.3),
)
GATES = {"": Fixed(0.01, 0.3), "agent.gates.dg=-1000": Fixed(0.01, -1000)}
FIGURES = ("nodes", "edges", "way", "second", "third")
ENDS = ("", "_low", "_high")
HEADS = (
    *("generator", "loops", "size", "seeds", "gates", "graph", "n"),
    *(f"{name}{end}" for name in FIGURES for end in ENDS),
    *(*EDIT_KINDS, "commit"),
)
Row = dict[str, float]


def held(graph: NxGraph, mazes: Mazes, seed: int) -> Row:
    """The size of a graph, and its way to the goal over the shortest."""
    maze = mazes.draw(Random(seed))
    way = nx.shortest_path_length(
        graph, maze.start, maze.goal, lambda a, b, data: data.get("length", 1)
    )
    told = {"nodes": len(graph), "edges": graph.number_of_edges()}
    return {**told, "way": way / (maze.shortest or 1)}


def episodes(mazes: Mazes, seed: int, agent: GedigExplorer) -> Iterator[float]:
    """The steps of an explorer's three episodes, over the shortest way."""
    rng = Random(seed)
    maze = mazes.draw(rng)
    for _ in range(3):
        done = walk(maze, agent, mazes.cap, rng)
        if not done.reached:
            return
        agent.learn(done.cells[-2], maze.goal, maze.start)
        yield done.steps / (maze.shortest or 1)


def measured(mazes: Mazes, seed: int, gates: Fixed) -> dict[str, Row] | None:
    """The three rows of a maze; None where the first episode did not reach the goal."""
    rows: dict[str, Row] = {}
    graphs: dict[str, NxGraph] = {}
    done: dict[str, Rewired] = {}
    for name, sleeps in (("before", False), ("rewired", True)):
        walked = episodes(
            mazes, seed, agent := GedigExplorer(gates=gates, sleeps=sleeps)
        )
        if next(walked, None) is None or agent.ground is None:
            return None
        graphs[name] = agent.ground.graph.copy()
        if not sleeps:
            maze = mazes.draw(Random(seed))
            ends = maze.start, maze.goal
            done["rewired"] = asleep(agent.ground, *ends)
            done["folded"] = asleep(agent.ground, *ends, EDIT_KINDS)
        rows[name] = dict(zip(("second", "third"), walked, strict=False))
    graphs["folded"] = done["folded"].graph
    for name, graph in graphs.items():
        row = rows.setdefault(name, {})
        row |= held(graph, mazes, seed)
        if name in done:
            row |= {kind: done[name].count(kind) for kind in EDIT_KINDS}
    return rows


def table() -> Iterator[list[Any]]:
    """All rows."""
    made = commit()
    for mazes in WORLDS:
        loops = mazes.loops if mazes.generator == "correct" else ""
        for name, gates in GATES.items():
            found = [measured(mazes, seed, gates) for seed in mazes.numbers]
            solved = [rows for rows in found if rows is not None]
            for graph in ("before", "rewired", "folded"):
                rows = [each[graph] for each in solved]
                world = [mazes.generator, loops, mazes.size, mazes.seeds]
                yield [*world, name, graph, len(rows), *_figures(rows), made]


def _figures(rows: list[Row]) -> Iterator[Any]:
    for name in FIGURES:
        known = [row[name] for row in rows if name in row]
        told = interval(known).to_dict() if known else {}
        yield from (told.get(key, "") for key in ("mean", "low", "high"))
    for kind in EDIT_KINDS:
        counts = [row[kind] for row in rows if kind in row]
        yield round(sum(counts) / len(counts), 2) if counts else ""


if __name__ == "__main__":
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADS)
    writer.writerows(table())

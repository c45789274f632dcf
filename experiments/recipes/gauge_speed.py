"""How long a price takes, by the size of the graph, and a step in a maze.

    python experiments/recipes/gauge_speed.py > experiments/results/gauge_speed.csv

An edit is one node and three edges, on a graph like a maze's: a spanning tree of a grid
and one loop in ten cells. Milliseconds of processor, one edit a measurement. The rows
`released` are the public code's on such graphs (5d8f397, two cores, the best of up to
five), copied from an audit of it; they stand beside, they are not run here.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import networkx as nx
import numpy as np
from table import commit

from gswlab.bench.mazes import Mazes, walked
from gswlab.gedig.edit import Edit, NxGraph
from gswlab.gedig.entropy import choice
from gswlab.gedig.gauge import PRESETS, Gauge
from gswlab.gedig.mazes.explorer import GedigExplorer

NODES = (50, 200, 1_000, 5_000, 50_000)
GAUGES = {
    "0 hops": Gauge(hops=0),
    "3 hops": Gauge(hops=3),
    "3 hops, settings of hotpotqa": PRESETS["hotpotqa"],
    "10 hops, settings of the maze": PRESETS["maze"],
}
EDITS = 400
STEPS = ((15, 20), (25, 10), (51, 3), (101, 1))  # size and mazes
RELEASED = {
    "0 hops, whole graph": (4.4, 33, 724, 19_805),
    "3 hops": (5.4, 5.9, 8.1, 14.7),
    "3 hops, settings of the paper": (5.1, 5.7, 8.3, 14.9),
    "10 hops, settings of the paper": (38.7, 198, 207, 412),
}
HEADS = ("code", "what", "nodes", "n", "median_ms", "p95_ms", "commit")


def sparse(nodes: int, rng: Random) -> NxGraph:
    """A tree on a grid of about so many cells, and some loops."""
    side = round(nodes**0.5)
    grid = nx.grid_2d_graph(side, -(-nodes // side))
    links = list(grid.edges)
    rng.shuffle(links)
    tree: NxGraph = nx.Graph(nx.minimum_spanning_edges(nx.Graph(links), data=False))
    tree.add_edges_from(rng.sample(links, nodes // 10))
    return tree


def edits(graph: NxGraph, rng: Random) -> Iterator[Edit]:
    """A new node beside a cell, linked to it and to two cells near it."""
    cells = sorted(graph)
    for number in range(EDITS):
        cell = rng.choice(cells)
        near = list(nx.single_source_shortest_path_length(graph, cell, 3))
        ends = rng.sample(near, min(3, len(near)))
        yield Edit(edges=tuple((("new", number), end) for end in ends))


def spent(action: Callable[[], object]) -> float:
    """Milliseconds of processor."""
    began = time.process_time_ns()
    action()
    return (time.process_time_ns() - began) / 1e6


def prices() -> Iterator[list[Any]]:
    """Rows of the gauge, by its settings and the nodes of the graph."""
    for nodes in NODES:
        graph = sparse(nodes, Random(0))
        asked = list(edits(graph, Random(1)))
        for name, gauge in GAUGES.items():
            gain = choice([1.0] * 3)
            times = [spent(partial(gauge, graph, e, gain, 3)) for e in asked]
            yield [name, graph.number_of_nodes(), len(times), *_middle(times)]


def steps() -> Iterator[list[Any]]:
    """Rows of a step, all of it, and of a decision, the largest part of it."""
    for size, count in STEPS:
        for goal in ("hidden", "known"):
            mazes = Mazes(size, cap=10_000, goal=goal, episodes=1)
            walks, choices = [], []
            for seed in range(count):
                row, times = walked(mazes, seed, GedigExplorer)
                seconds = sum(s for what, s in times if what == "walking")
                walks.append(1000 * seconds / row["walked"])
                choices += [1000 * s for what, s in times if what == "gauge"]
            cells = size * size
            name = f"maze of {size}, goal {goal}"
            yield [f"a step, {name}", cells, count, *_middle(walks)]
            yield [f"a decision, {name}", cells, len(choices), *_middle(choices)]


def _middle(times: list[float]) -> list[float]:
    return [round(float(t), 4) for t in np.percentile(times, [50, 95])]


def main() -> None:
    """The table."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADS)
    made = commit()
    for row in (*prices(), *steps()):
        writer.writerow(["gswlab", *row, made])
    for name, values in RELEASED.items():
        for nodes, value in zip(NODES, values, strict=False):
            writer.writerow(["released", name, nodes, "", value, "", "5d8f397"])


if __name__ == "__main__":
    main()

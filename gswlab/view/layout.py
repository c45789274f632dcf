"""Positions of the union graph, computed once: nothing moves when time does.

The plane is read like a page. Every step that brings nouns has a cell, row by
row; a seeded spring layout lets the lines pull nouns about while an
invisible hub holds each near the cell it first appeared in. So a step's news stand
together, a close-up is compact, and a noun has its place before it appears.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import networkx as nx
import numpy as np
from numpy.typing import NDArray

GAP = 104.0
ASPECT = 1.6
Spots = NDArray[np.float64]


def positions(
    born: Mapping[str, int], edges: Iterable[tuple[str, str]], seed: int = 7
) -> dict[str, tuple[int, int]]:
    """A place for every noun, given the step each first appears at.

    >>> positions({"a1": 0, "a2": 0}, [("a1", "a2")]) == positions(
    ...     {"a1": 0, "a2": 0}, [("a1", "a2")])
    True
    """
    if not born:
        return {}
    hubs = _cells(born)
    start = {
        noun: _beside(hubs[step], i) for i, (noun, step) in enumerate(born.items())
    }
    graph: nx.Graph[str | int] = nx.Graph()
    graph.add_nodes_from(born)
    graph.add_edges_from(sorted((min(e), max(e)) for e in edges), weight=0.35)
    graph.add_edges_from(born.items(), weight=1.0)
    places = nx.spring_layout(
        graph, k=GAP, pos={**start, **hubs}, fixed=list(hubs), seed=seed, iterations=120
    )
    spots = _apart(np.array([places[noun] for noun in born]))
    return {n: (round(x), round(y)) for n, (x, y) in zip(born, spots, strict=True)}


def _cells(born: Mapping[str, int]) -> dict[int, tuple[float, float]]:
    steps = sorted(set(born.values()))
    side = GAP * 1.05 * math.sqrt(len(born) / len(steps))
    columns = math.ceil(math.sqrt(len(steps) * ASPECT / 1.3))
    return {
        step: (side * 1.3 * _column(i, columns), side * (i // columns))
        for i, step in enumerate(steps)
    }


def _column(i: int, columns: int) -> int:
    # Rows turn as an ox ploughs: the next step is always the neighbour.
    row, column = divmod(i, columns)
    return column if row % 2 == 0 else columns - 1 - column


def _beside(hub: tuple[float, float], turn: int) -> tuple[float, float]:
    angle = turn * math.pi * (3 - math.sqrt(5))
    return hub[0] + GAP / 2 * math.cos(angle), hub[1] + GAP / 2 * math.sin(angle)


def _apart(spots: Spots, rounds: int = 120) -> Spots:
    """Push labels off each other: each noun keeps a box as wide as a short name."""
    box = np.array([GAP, GAP * 0.55])
    order = np.sign(np.arange(len(spots))[:, None] - np.arange(len(spots)))
    for _ in range(rounds):
        gaps = spots[:, None, :] - spots[None, :, :]
        over = box - np.abs(gaps)
        hit: NDArray[np.bool_] = np.all(over > 0, axis=2)
        np.fill_diagonal(hit, False)
        if not hit.any():
            break
        # Along the axis that needs less; ties and twins part by their order.
        first: NDArray[np.bool_] = over[..., 0] / box[0] < over[..., 1] / box[1]
        sign = np.where(gaps == 0, order[..., None], np.sign(gaps))
        push = over * sign * hit[..., None] * np.stack([first, ~first], axis=2) / 2
        spots = spots + push.sum(axis=1) * 0.7
    return spots

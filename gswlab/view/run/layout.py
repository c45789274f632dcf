"""Positions of the union graph, computed once: nothing moves when time does.

The plane is read like a page. Every step that brings nouns has a cell, row by row; in
it a seeded spring layout places what the step brought. So a step's news stand together,
a close-up is compact, a noun has its place before it appears, and a book takes no
longer than the sum of its chunks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import networkx as nx
import numpy as np
from numpy.typing import NDArray

GAP = 104.0
ASPECT = 2.2
HUB = ""
Spots = NDArray[np.float64]
Box = dict[str, tuple[float, float]]


def positions(
    born: Mapping[str, int], edges: Iterable[tuple[str, str]], seed: int = 7
) -> dict[str, tuple[int, int]]:
    """A place for every noun, given the step each first appears at.

    >>> positions({"a1": 0, "a2": 0}, [("a1", "a2")]) == positions(
    ...     {"a1": 0, "a2": 0}, [("a1", "a2")])
    True
    """
    cells: dict[int, list[str]] = defaultdict(list)
    inside: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for noun, step in born.items():
        cells[step].append(noun)
    for edge in sorted((min(e), max(e)) for e in edges):
        if born[edge[0]] == born[edge[1]]:
            inside[born[edge[0]]].append(edge)
    boxes = [_cell(cells[step], inside[step], seed) for step in sorted(cells)]
    return {noun: (round(x), round(y)) for noun, x, y in _paged(boxes)}


def _cell(nouns: list[str], edges: list[tuple[str, str]], seed: int) -> Box:
    """What one step brings, held together by an invisible hub; its corner is 0, 0."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(nouns)
    graph.add_edges_from(edges, weight=1.0)
    graph.add_edges_from(((HUB, noun) for noun in nouns), weight=0.25)
    start = {noun: _beside(turn) for turn, noun in enumerate(nouns)} | {HUB: (0.0, 0.0)}
    places = nx.spring_layout(graph, k=GAP, pos=start, fixed=[HUB], seed=seed)
    spots = _apart(np.array([places[noun] for noun in nouns]) * (1.3, 0.9))
    spots = spots - spots.min(axis=0)
    return {n: (float(x), float(y)) for n, (x, y) in zip(nouns, spots, strict=True)}


def _beside(turn: int) -> tuple[float, float]:
    angle, radius = turn * math.pi * (3 - math.sqrt(5)), GAP * math.sqrt(turn + 1) / 2
    return radius * math.cos(angle), radius * math.sin(angle)


def _paged(boxes: list[Box]) -> Iterator[tuple[str, float, float]]:
    """The cells in rows, which turn as an ox ploughs: the next is the neighbour."""
    area = sum(math.prod(_size(box)) for box in boxes)
    width = max([math.sqrt(area * ASPECT), *(_size(box)[0] for box in boxes)])
    top = left = height = 0.0
    forward = True
    for box in boxes:
        wide, high = _size(box)
        if left + wide > width + 1:
            top, left, height, forward = top + height, 0.0, 0.0, not forward
        corner = left if forward else width - left - wide
        for noun, (x, y) in box.items():
            yield noun, corner + x, top + y
        left, height = left + wide, max(height, high)


def _size(box: Box) -> tuple[float, float]:
    xs, ys = zip(*box.values(), strict=True)
    return max(xs) + 1.5 * GAP, max(ys) + GAP


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

"""Positions of the union graph, computed once: nothing moves when time does.

One seeded spring layout over every noun and line that is ever shown, so a noun has its
place before it appears and keeps it after it is gone. Components are laid out apart and
packed in rows, largest first, because a spring alone flings small ones away.
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
Box = dict[str, tuple[float, float]]


def positions(
    nodes: Iterable[str], edges: Iterable[tuple[str, str]], seed: int = 7
) -> dict[str, tuple[int, int]]:
    """A place for every node, the same for the same graph.

    >>> positions(["a1", "a2"], [("a1", "a2")]) == positions(
    ...     ["a1", "a2"], [("a1", "a2")])
    True
    """
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    order = {node: rank for rank, node in enumerate(graph)}
    parts = [
        sorted(part, key=order.__getitem__) for part in nx.connected_components(graph)
    ]
    parts.sort(key=lambda part: (-len(part), order[part[0]]))
    boxes = [_spread(graph.subgraph(part), part, seed) for part in parts]
    return _packed(boxes)


def _spread(graph: nx.Graph[str], nodes: list[str], seed: int) -> Box:
    side = GAP * math.sqrt(len(nodes)) * 0.5
    # A fresh graph in a fixed order: a subgraph view iterates over a set.
    fixed: nx.Graph[str] = nx.Graph()
    fixed.add_nodes_from(nodes)
    fixed.add_edges_from(sorted((min(edge), max(edge)) for edge in graph.edges))
    places = nx.spring_layout(
        fixed, seed=seed, iterations=150, k=1.8 / math.sqrt(len(nodes))
    )
    spots = np.array([places[node] for node in nodes]) * (side * 1.5, side)
    return {
        n: (float(x), float(y)) for n, (x, y) in zip(nodes, _apart(spots), strict=True)
    }


def _apart(spots: Spots, rounds: int = 80) -> Spots:
    """Push labels off each other: each node keeps a box as wide as a short name."""
    box = np.array([GAP, GAP * 0.55])
    for _ in range(rounds):
        gaps = spots[:, None, :] - spots[None, :, :]
        over = box - np.abs(gaps)
        hit: NDArray[np.bool_] = np.all(over > 0, axis=2)
        np.fill_diagonal(hit, False)
        if not hit.any():
            break
        # Along the axis that needs less; ties and twins part by their order.
        first: NDArray[np.bool_] = over[..., 0] / box[0] < over[..., 1] / box[1]
        order = np.sign(np.arange(len(spots))[:, None] - np.arange(len(spots)))
        sign = np.where(gaps == 0, order[..., None], np.sign(gaps))
        push = over * sign * hit[..., None] * np.stack([first, ~first], axis=2) / 2
        spots = spots + push.sum(axis=1) * 0.7
    return spots


def _packed(boxes: list[Box]) -> dict[str, tuple[int, int]]:
    """The boxes in rows, at the row width that fits a wide screen best."""
    widest = max((_size(box)[0] for box in boxes), default=0.0)
    total = sum(_size(box)[0] for box in boxes)
    tries = [widest + (total - widest) * share / 12 for share in range(13)]
    return min((_rows(boxes, width) for width in tries), key=_screen)


def _screen(placed: dict[str, tuple[int, int]]) -> float:
    wide, high = _size(placed)
    return max(wide / ASPECT, high)


def _rows(boxes: list[Box], width: float) -> dict[str, tuple[int, int]]:
    placed: dict[str, tuple[int, int]] = {}
    x = y = row = 0.0
    for box in boxes:
        wide, high = _size(box)
        if x and x + wide > width + 1:
            x, y, row = 0.0, y + row, 0.0
        left = min(px for px, _ in box.values())
        top = min(py for _, py in box.values())
        for node, (px, py) in box.items():
            placed[node] = (round(x + px - left), round(y + py - top))
        x, row = x + wide, max(row, high)
    return placed


def _size(box: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    if not box:
        return 0.0, 0.0
    xs, ys = zip(*box.values(), strict=True)
    return max(xs) - min(xs) + GAP, max(ys) - min(ys) + GAP

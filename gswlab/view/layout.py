"""Positions of the union graph, computed once: nothing moves when time does.

One seeded spring layout over every noun and line that is ever shown, so a noun has its
place before it appears and keeps it after it is gone. Components are laid out apart and
packed in rows, largest first, because a spring alone flings small ones away.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import networkx as nx

GAP = 120.0


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


def _spread(
    graph: nx.Graph[str], nodes: list[str], seed: int
) -> dict[str, tuple[float, float]]:
    side = GAP * math.sqrt(len(nodes)) * 0.75
    # A fresh graph in a fixed order: a subgraph view iterates over a set.
    fixed: nx.Graph[str] = nx.Graph()
    fixed.add_nodes_from(nodes)
    fixed.add_edges_from(sorted((min(edge), max(edge)) for edge in graph.edges))
    places = nx.spring_layout(
        fixed, seed=seed, iterations=120, k=1.6 / math.sqrt(len(nodes))
    )
    return {
        node: (float(x) * side * 1.35, float(y) * side)
        for node, (x, y) in places.items()
    }


def _packed(
    boxes: list[dict[str, tuple[float, float]]],
) -> dict[str, tuple[int, int]]:
    total = sum(_size(box)[0] * _size(box)[1] for box in boxes)
    width = max([math.sqrt(total * 1.5), *(_size(box)[0] for box in boxes)])
    placed: dict[str, tuple[int, int]] = {}
    x = y = row = 0.0
    for box in boxes:
        wide, high = _size(box)
        if x and x + wide > width:
            x, y, row = 0.0, y + row, 0.0
        left = min(px for px, _ in box.values())
        top = min(py for _, py in box.values())
        for node, (px, py) in box.items():
            placed[node] = (round(x + px - left), round(y + py - top))
        x, row = x + wide, max(row, high)
    return placed


def _size(box: dict[str, tuple[float, float]]) -> tuple[float, float]:
    xs, ys = zip(*box.values(), strict=True)
    return max(xs) - min(xs) + GAP, max(ys) - min(ys) + GAP

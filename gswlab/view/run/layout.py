"""Positions of the union graph, computed once: nothing moves when time does.

The plane is read like a page. Every step that brings nouns has a cell, row by row, and
in it stand those nouns, row by row, each beside those it is tied to. So a step's news
stand together, a close-up is compact, and a noun has its place before it appears.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import networkx as nx
from pyvis.network import Network

from gswlab.view.kit.page import asset

_SCRIPTS = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)


def drawing(
    nodes: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]
) -> tuple[str, str]:
    """The scripts of a graph whose nodes and edges are all there from the start.

    The library is the first; the second draws into `#mynetwork`.
    """
    net = Network(cdn_resources="in_line", directed=True)
    for node in nodes:
        net.add_node(node["id"], **{k: v for k, v in node.items() if k != "id"})
    for edge in edges:
        rest = {k: v for k, v in edge.items() if k not in ("from", "to")}
        net.add_edge(edge["from"], edge["to"], **rest)
    net.set_options(json.dumps(json.loads(asset("run/network.json")), sort_keys=True))
    return _library(), _SCRIPTS.findall(net.generate_html())[-1].strip()


@cache
def _library() -> str:
    """vis-network, from a page without nouns: whatever a noun is called, it is this."""
    empty = Network(cdn_resources="in_line", directed=True).generate_html()
    library = max(_SCRIPTS.findall(empty), key=len)
    # The source map's address would be fetched by a browser's developer tools.
    return re.sub(r"//# sourceMappingURL=\S+", "", library).strip()


GAP = 104.0  # as wide as a short name
ASPECT = 2.2
Box = dict[str, tuple[float, float]]


def positions(
    born: Mapping[str, int], edges: Iterable[tuple[str, str]]
) -> dict[str, tuple[int, int]]:
    """A place for every noun, given the step each first appears at."""
    cells: dict[int, list[str]] = defaultdict(list)
    inside: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for noun, step in born.items():
        cells[step].append(noun)
    for edge in sorted((min(e), max(e)) for e in edges):
        if born[edge[0]] == born[edge[1]]:
            inside[born[edge[0]]].append(edge)
    boxes = [_cell(cells[step], inside[step]) for step in sorted(cells)]
    return {noun: (round(x), round(y)) for noun, x, y in _paged(boxes)}


def _cell(nouns: list[str], edges: list[tuple[str, str]]) -> Box:
    """What one step brings, in rows that stand between each other; its corner is 0, 0.

    Who has most ties comes first, then those it is tied to, then theirs.
    """
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(nouns)
    graph.add_edges_from(edges)
    ranked = sorted(nouns, key=lambda noun: -graph.degree[noun])
    order: dict[str, None] = {}
    for noun in ranked:
        if noun not in order:
            order |= dict.fromkeys(nx.bfs_tree(graph, noun))
    wide = math.ceil(math.sqrt(len(nouns)))
    spots: Box = {}
    for turn, noun in enumerate(order):
        row, column = divmod(turn, wide)
        spots[noun] = 1.3 * GAP * (column + row % 2 / 2), 0.9 * GAP * row
    return spots


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

"""Phase 2 on HotpotQA's graph of passages: asked, slept, asked again.

    python recipes/gedig_rewiring.py FILE > results/gedig_rewiring.csv

One pool; half of its questions are asked, then the links are rewired by what these
used, then both halves are asked: those known, and those that are new. `hops` is the
mean distance of the two gold paragraphs where links connect them, `connected` how many
they connect.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from typing import Any

import networkx as nx
import numpy as np
from gedig_weights import Case, area, cases, gauged, played
from table import commit

from gswlab.bench.statistics import paired
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.passages.episode import Retrieval
from gswlab.gedig.passages.field import PassageField, PassageTies, Relevance, Sight
from gswlab.gedig.rewiring import EDIT_KINDS, Rewired, Rewiring, used

HEADS = (
    "rewiring", "questions", "n", "edges", "pruned", "shortcuts", "hops", "connected",
    "area", "difference", "difference_low", "difference_high",
    "commit",
)  # fmt: skip
GATE = gauged(15, -1.0)
LAM = 3.0
_TOGETHER = 4  # passages at the front of an episode that were used together


def rewirings() -> dict[str, Rewiring]:
    """What is done while nothing is asked; folding makes no sense of passages."""
    gauge, both = Gauge(lam=LAM, hops=1), ("prune", "shortcut")
    return {
        "shortcut": Rewiring(gauge, kinds=("shortcut",)),
        **{
            f"prune at {theta}": Rewiring(gauge, theta=theta, kinds=("prune",))
            for theta in (0.0, -0.15, -0.3)
        },
        "prune at -0.3 and shortcut": Rewiring(gauge, theta=-0.3, kinds=both),
    }


def main(path: str) -> None:
    """Print the table."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADS)
    known = cases(path, "pool")
    made, field, half = commit(), known[0].sight.field, len(known) // 2
    episodes = [played(case, Relevance(), GATE)[0] for case in known]
    before = [area(c, e) for c, e in zip(known, episodes, strict=True)]
    parts = {"asked before": range(half), "new": range(half, len(known))}
    for name, part in parts.items():
        row = row_of(field, [known[n] for n in part], [before[n] for n in part])
        writer.writerow(["none", name, *row, *[""] * 3, made])
    for kind, rewiring in rewirings().items():
        after, done = slept(field, episodes[:half], rewiring)
        counts = [done.count(each) for each in EDIT_KINDS[:2]]
        for name, part in parts.items():
            again = [moved(known[n], after) for n in part]
            areas = [area(c, played(c, Relevance(), GATE)[0]) for c in again]
            gap = paired(areas, [before[n] for n in part]).to_dict()
            ends = [gap[key] for key in ("mean", "low", "high")]
            row = row_of(after, again, areas, counts)
            writer.writerow([kind, name, *row, *ends, made])


# Waking leaves trails: which link led from what was held to a passage that was brought
# in, and which passages were held together. Sleeping prices every link by that use; no
# gold and no new text is seen. Passages stay where they are, and none is parted from
# what it was connected with: a way may get longer.


def passage_links(field: PassageField) -> nx.Graph[Any]:
    """The graph of passages, an edge where a link leads from one to the other."""
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from(range(len(field.chunks)))
    for row in range(len(field.chunks)):
        graph.add_edges_from((row, other) for other in field.tied(row))
    return graph


def slept(
    field: PassageField, episodes: Sequence[Retrieval], rewiring: Rewiring
) -> tuple[PassageField, Rewired]:
    """The same passages with their links rewired, and the changes in their order.

    A link that is new names both ways.
    """
    fronts = (combinations(episode.held[:_TOGETHER], 2) for episode in episodes)
    pairs = [pair for front in fronts for pair in front]
    known = passage_links(field)
    done = rewiring(known, used(pairs), dict.fromkeys(pairs), keep=known.nodes)

    def kept(ties: PassageTies) -> dict[int, dict[int, float]]:
        return {
            row: {o: w for o, w in near.items() if done.graph.has_edge(row, o)}
            for row, near in ties.items()
        }

    named = kept(field.named)
    for one, other in done.graph.edges:
        if not known.has_edge(one, other):
            for row, end in ((one, other), (other, one)):
                named[row] = {**named.get(row, {}), end: 1.0}
    naming, shared = kept(field.naming), kept(field.shared)
    return replace(field, named=named, naming=naming, shared=shared), done


def moved(case: Case, field: PassageField) -> Case:
    """A question over another field of the same passages."""
    return replace(case, sight=Sight(field, case.sight.question))


def row_of(
    field: PassageField,
    known: Sequence[Case],
    areas: Sequence[float],
    counts: Sequence[int] = (0, 0),
) -> list[Any]:
    """n, the graph's figures and the area."""
    graph = passage_links(field)
    apart = list(distances(graph, known))
    near = [steps for steps in apart if steps < inf]
    hops = round(float(np.mean(near)), 4) if near else ""
    share = round(len(near) / max(1, len(apart)), 4)
    figures = [graph.number_of_edges(), *counts, hops, share]
    return [len(known), *figures, round(float(np.mean(areas)), 4)]


def distances(graph: nx.Graph, known: Sequence[Case]) -> Iterator[float]:
    """Links between gold paragraphs; infinite where none lead there."""
    for case in known:
        for one, other in combinations(sorted(case.gold), 2):
            try:
                yield nx.shortest_path_length(graph, one, other)
            except nx.NetworkXNoPath:
                yield inf


if __name__ == "__main__":
    main(sys.argv[1])

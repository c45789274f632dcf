"""Phase 2 on passages: their links rewired by what episodes used of them.

Waking leaves trails: which link led from what was held to a passage that was brought
in, and which passages were held together. Sleeping prices every link by that use
(`gswlab.gedig.rewiring`); no gold and no new text is seen. Passages stay where they
are, and none is parted from what it was connected with: a way may get longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import networkx as nx

from gswlab.gedig.passages.episode import Episode
from gswlab.gedig.passages.field import Field, Ties
from gswlab.gedig.rewiring import Rewired, Rewiring, used

TOGETHER = 4  # passages at the front of an episode that were used together


def links(field: Field) -> nx.Graph[Any]:
    """The graph of passages, an edge where a link leads from one to the other."""
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from(range(len(field.chunks)))
    for row in range(len(field.chunks)):
        graph.add_edges_from((row, other) for other in field.tied(row))
    return graph


def trails(episodes: Iterable[Episode]) -> list[tuple[int, int]]:
    """Pairs of passages that episodes used together: those at their front."""
    found = []
    for episode in episodes:
        found += list(combinations(episode.held[:TOGETHER], 2))
    return found


def slept(
    field: Field, episodes: Sequence[Episode], rewiring: Rewiring
) -> tuple[Field, Rewired]:
    """The same passages with their links rewired, and the changes in their order."""
    pairs = trails(episodes)
    graph, offers = links(field), dict.fromkeys(pairs)
    done = rewiring(graph, used(pairs), offers, keep=graph.nodes)
    return rewired(field, done.graph), done


def rewired(field: Field, graph: nx.Graph[Any]) -> Field:
    """A field whose links are the edges of a graph; a new one names both ways."""
    known = links(field)
    new: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for one, other in graph.edges:
        if not known.has_edge(one, other):
            new[one][other] = new[other][one] = 1.0

    def kept(ties: Ties, more: Mapping[int, Mapping[int, float]]) -> Ties:
        found: dict[int, dict[int, float]] = {
            row: {o: w for o, w in near.items() if graph.has_edge(row, o)}
            for row, near in ties.items()
        }
        for row, near in more.items():
            found[row] = {**found.get(row, {}), **near}
        return found

    return replace(
        field,
        named=kept(field.named, new),
        naming=kept(field.naming, {}),
        shared=kept(field.shared, {}),
    )

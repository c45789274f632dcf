"""Phase 2 on passages: their links rewired by what episodes used of them.

Waking leaves trails: which link led from what was held to a passage that was brought
in, and which passages were held together. Sleeping prices every link by that use
(`gswlab.gedig.rewiring`); no gold and no new text is seen. Passages stay where they
are, and none is parted from what it was connected with: a way may get longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import networkx as nx

from gswlab.gedig.passages.episode import Retrieval
from gswlab.gedig.passages.field import PassageField, PassageTies
from gswlab.gedig.rewiring import Rewired, Rewiring, used

_TOGETHER = 4  # passages at the front of an episode that were used together


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

"""Personalised PageRank: the ranks are networkx's."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.baselines.page_rank import RankWalk

SIZE = 8
NODE = st.integers(0, SIZE - 1)
WEIGHT = st.floats(0.1, 5)
EDGES = st.dictionaries(st.tuples(NODE, NODE).map(sorted).map(tuple), WEIGHT)
RESETS = st.lists(st.floats(0, 1), min_size=SIZE, max_size=SIZE)


@settings(max_examples=60, deadline=None)
@given(EDGES, RESETS, st.sampled_from([0.5, 0.85]))
def test_ranks_of_random_graphs_are_those_of_networkx(edges, resets, damping):
    resets = [reset if reset > 1e-6 else 0.0 for reset in resets]
    if not any(resets):
        return
    graph = nx.Graph()
    graph.add_nodes_from(range(SIZE))
    graph.add_weighted_edges_from((*ends, weight) for ends, weight in edges.items())
    expected = nx.pagerank(
        graph, damping, dict(enumerate(resets)), max_iter=500, tol=1e-12
    )
    ranks = RankWalk.of(SIZE, edges).ranks(np.array(resets), damping)
    assert ranks == pytest.approx([expected[node] for node in range(SIZE)], abs=1e-8)


def test_an_edge_given_both_ways_counts_twice():
    once, twice = RankWalk.of(3, {(0, 1): 2.0, (0, 2): 1.0}), {(0, 1): 1.0, (1, 0): 1.0}
    both = RankWalk.of(3, {**twice, (0, 2): 1.0})
    assert (both.steps != once.steps).nnz == 0


def test_a_walk_that_starts_nowhere_goes_nowhere():
    assert not RankWalk.of(3, {(0, 1): 1.0}).ranks(np.zeros(3)).any()


def test_a_graph_without_an_edge_keeps_every_walk_at_home():
    ranks = RankWalk.of(2, {}).ranks(np.array([3.0, 1.0]))
    assert ranks == pytest.approx([0.75, 0.25])

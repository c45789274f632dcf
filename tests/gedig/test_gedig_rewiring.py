"""Rewiring between episodes, calibration, and their figures."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.core.errors import GswlabError
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.rewiring import Rewiring, used
from gswlab.gedig.thresholds import Calibration


def test_what_nobody_uses_goes_and_the_way_that_all_use_stays():
    grid = nx.grid_2d_graph(5, 5)
    way = nx.shortest_path(grid, (0, 0), (4, 4))
    done = Rewiring(kinds=("prune",))(grid, used([way] * 3), keep={(0, 0), (4, 4)})
    assert {frozenset(e) for e in done.graph.edges} == used([way]).keys()
    assert grid.number_of_edges() == 40  # the given graph is not touched


def test_a_heavily_used_edge_is_kept_where_another_way_is_there():
    ring = nx.cycle_graph(6)
    done = Rewiring(kinds=("prune",))(ring, {frozenset((0, 1)): 50.0}, keep=range(6))
    assert done.graph.has_edge(0, 1)


@given(st.integers(0, 10_000), st.integers(4, 16))
@settings(max_examples=40)
def test_nodes_to_keep_stay_connected_as_they_were(seed, size):
    graph = nx.gnm_random_graph(size, 2 * size, seed=seed)
    keep = {0, size - 1}
    done = Rewiring()(graph, {}, keep=keep).graph
    assert keep <= set(done.nodes)
    assert nx.has_path(done, *keep) == nx.has_path(graph, *keep)


def test_a_shortcut_is_made_where_it_is_used_and_not_where_it_is_not():
    path = nx.path_graph(9)
    rewiring = Rewiring(Gauge(lam=3.0, hops=2), kinds=("shortcut",))
    offers = [(0, 8), (2, 5)]
    done = rewiring(path, {frozenset((0, 8)): 20.0}, offers)
    assert done.graph.has_edge(0, 8)
    assert done.count("shortcut") >= 1
    assert not rewiring(path, {}, []).changes


def test_a_folded_way_remembers_what_it_passes_in_order():
    path = nx.path_graph(5)
    done = Rewiring(kinds=("consolidate",))(path, used([range(5)]), keep={0, 4}).graph
    data = done.edges[0, 4]
    via = data["via"] if data["first"] == 0 else data["via"][::-1]
    assert via == (1, 2, 3)
    assert data["length"] == 4


def test_every_change_has_the_price_it_was_made_at():
    done = Rewiring(theta=-0.1)(nx.complete_graph(6), {}, keep=range(6))
    assert done.changes
    assert all(change.price.series[-1] <= -0.1 for change in done.changes)


@pytest.mark.parametrize("method", ["isotonic", "logistic"])
def test_a_calibration_says_what_is_so_on_questions_it_has_not_seen(method):
    rng = np.random.default_rng(0)

    def drawn(count):
        prices = rng.normal(size=count)
        return list(prices), list(rng.random(count) < 1 / (1 + np.exp(-3 * prices)))

    fitted = Calibration.of(*drawn(2000), method=method)
    assert fitted.reliability(*drawn(2000)).error < 0.06
    low, high = fitted.threshold(0.5), fitted.threshold(0.9)
    assert low < high
    assert fitted([high])[0] == pytest.approx(0.9, abs=0.05)


def test_a_calibration_finds_out_whether_cheap_or_dear_is_complete():
    prices = [0.1, 0.2, 0.3, 0.4]
    falling = Calibration.of(prices, [True, True, False, False])
    assert falling.threshold(0.9) < 0.3
    assert falling([0.1])[0] > falling([0.4])[0]


def test_a_calibration_on_one_outcome_alone_is_refused():
    with pytest.raises(GswlabError, match="needs both"):
        Calibration.of([0.1, 0.2], [True, True])


def test_curves_and_reliability_are_drawn_with_their_values():
    from plates import recall_by_tokens, reliability

    from gswlab.bench.hotpotqa import TOKENS

    pandas = pytest.importorskip("pandas")
    row = {f"recall@{t}t{end}": 0.5 for t in TOKENS for end in ("", "_low", "_high")}
    told = pandas.DataFrame([{"memory": "gedig", "run": "a", **row}])
    assert "gedig: 0.5" in recall_by_tokens(told).alt
    rows = {"method": "train", "prices": 2, "said": [0.1, 0.9], "so": [0.0, 1.0]}
    assert "train (n = 2): 0, 1" in reliability(pandas.DataFrame(rows)).alt

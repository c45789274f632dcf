"""The gauge: golden values, exactness, and that it changes nothing."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.core.errors import GswlabError
from gswlab.gedig.edit import Edit, Proposal, shortening
from gswlab.gedig.entropy import choice, clearing, local
from gswlab.gedig.gauge import PRESETS, Gauge, Price, Terms
from gswlab.gedig.thresholds import Fixed, Online, fire, percentiles

SEEDS = st.integers(0, 100_000)


@pytest.mark.parametrize(
    ("pairs", "cost"), [(0, 10 / 6), (1, 11 / 7), (2, 12 / 8), (4, 14 / 10)]
)
def test_a_star_of_five_facts_costs_what_the_published_code_says(
    pairs: int, cost: float
) -> None:
    graph: nx.Graph = nx.Graph()
    graph.add_node("question")
    facts = tuple(("question", fact) for fact in range(5))
    titles = tuple(combinations(range(5), 2))[:pairs]
    price = PRESETS["hotpotqa"](graph, Edit(edges=facts + titles), gain=0.0)
    assert price.terms[0].cost == pytest.approx(cost)


def test_a_chord_that_closes_a_path_of_five_shortens_it_by_a_quarter() -> None:
    proposal = Proposal(nx.path_graph(5), Edit(edges=((0, 4),)))
    assert shortening(proposal, range(5)) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("exits", "g0"), [(1, -0.5), (2, 0.2977), (3, 0.5425), (4, 0.6614)]
)
def test_the_mazes_gauge_counts_exits(exits: int, g0: float) -> None:
    graph: nx.Graph = nx.Graph()
    graph.add_node("cell")
    edit = Edit(edges=tuple(("cell", n) for n in range(exits)))
    graph.add_nodes_from(range(exits))
    price = PRESETS["maze"](graph, edit, choice([1.0] * exits), candidates=exits)
    assert price.g0 == pytest.approx(g0, abs=1e-3)


@given(SEEDS, st.integers(4, 24), st.integers(1, 4), st.integers(0, 3))
@settings(max_examples=60)
def test_the_shortening_is_networkx_s_over_the_pairs_connected_before(
    seed: int, size: int, added: int, lost: int
) -> None:
    rng = Random(seed)
    graph = nx.gnm_random_graph(size, size + 3, seed=seed)
    nodes = [*range(size), "new", "newer"]
    edges = tuple((rng.choice(nodes), rng.choice(nodes)) for _ in range(added))
    gone = tuple(rng.sample(sorted(graph.edges), min(lost, graph.number_of_edges())))
    gone = tuple(e for e in gone if e not in edges and e[::-1] not in edges)
    proposal = Proposal(graph, Edit(edges=edges, gone=gone))
    ball = proposal.rings(3, 100)[0]
    after = graph.copy()
    Edit(edges=proposal.fresh, gone=gone).apply(after)
    assert shortening(proposal, ball) == pytest.approx(_walked(graph, after, ball))


def _walked(before: nx.Graph, after: nx.Graph, ball: tuple) -> float:
    one = dict(nx.all_pairs_shortest_path_length(before.subgraph(ball)))
    two = dict(nx.all_pairs_shortest_path_length(after.subgraph(ball)))
    pairs = [(a, b) for a, b in combinations(ball, 2) if b in one.get(a, {})]
    had = [one[a][b] for a, b in pairs]
    has = [two.get(a, {}).get(b, one[a][b]) for a, b in pairs]
    return (sum(had) - sum(has)) / sum(had) if pairs else 0.0


@given(SEEDS)
@settings(max_examples=30)
def test_pricing_an_edit_changes_no_graph_and_is_repeatable(seed: int) -> None:
    graph = nx.gnm_random_graph(12, 18, seed=seed)
    edges = sorted(graph.edges)
    edit = Edit(nodes=("x",), edges=((0, "x"), (1, 2)), gone=(edges[0],))
    first = Gauge()(graph, edit, 0.3)
    assert sorted(graph.edges) == edges
    assert first == Gauge()(graph, edit, 0.3)
    assert first.g_min == min(first.series) == first.series[first.hop]


def test_a_price_recorded_can_be_weighed_anew_without_the_graph() -> None:
    graph, edit = nx.path_graph(6), Edit(edges=((0, 5),))
    price = Gauge(lam=0.3)(graph, edit, 0.4)
    again = tuple(Gauge(lam=1.0).weighed(term) for term in price.terms)
    assert again == Gauge(lam=1.0)(graph, edit, 0.4).series


def test_an_edit_of_nothing_costs_nothing() -> None:
    graph = nx.path_graph(4)
    price = Gauge()(graph, Edit(nodes=(1,), edges=((0, 1), (2, 2))), 0.0)
    assert set(price.series) == {0.0}


def test_the_ball_is_bounded_however_many_neighbours_a_hub_has() -> None:
    hub = nx.star_graph(10_000)
    ball = Proposal(hub, Edit(edges=((1, 2),))).rings(3, most=20)[0]
    assert len(ball) == 22


def test_less_doubt_is_gain_where_the_gauge_reads() -> None:
    even, sharp = [1.0, 1, 1, 1], [8.0, 1, 1, 1]
    assert clearing(even, sharp) > 0 > clearing(sharp, even)
    graph, edit = nx.path_graph(3), Edit(edges=((0, 2),))
    helps = Gauge()(graph, edit, clearing(even, sharp))
    hurts = Gauge()(graph, edit, clearing(sharp, even))
    assert helps.g0 < hurts.g0


def test_the_released_entropy_measures_degree_and_hardly_reads_features() -> None:
    star = nx.star_graph(5)
    near = star.neighbors

    def told(seed: int) -> float:
        rows = np.random.default_rng(seed).normal(size=(6, 64))
        return local(range(6), near, lambda node: rows[node])

    values = [told(seed) for seed in range(20)]
    degree = sum(2 * math.log(len([*near(n)]) + 1) for n in range(6)) / 6
    assert max(values) - min(values) < 0.05 * degree
    assert max(values) == pytest.approx(degree, rel=0.05)


def priced(*series: float) -> Price:
    return Price(Edit(), tuple(Terms(g, 0, 0) for g in series), tuple(series))


def test_gates_fire_as_their_one_definition_says() -> None:
    fired = fire(priced(0.6, 0.2), Fixed(ag=0.5, dg=0.3))
    assert (fired.ag, fired.dg) == (True, True)
    assert not fire(priced(0.5, 0.4), Fixed(ag=0.5, dg=0.3)).ag
    assert fire(priced(0.3), Fixed(ag=0.5, dg=0.3)).dg


def test_percentiles_of_a_train_set_fire_at_their_share_of_it() -> None:
    prices = [priced(value / 100) for value in range(100)]
    fixed = percentiles(prices, ag=50, dg=30)
    assert sum(fire(p, fixed).ag for p in prices) == 50
    assert sum(fire(p, fixed).dg for p in prices) == 30
    with pytest.raises(GswlabError, match="no price"):
        percentiles([])


def test_the_online_controller_holds_its_rate_when_the_mix_changes() -> None:
    drifts, rates = [], []
    for seed in range(20):
        draw = np.random.default_rng(seed)
        stream = [*draw.normal(0.2, 0.2, 1000), *draw.normal(0.6, 0.4, 1000)]
        fixed = percentiles([priced(value) for value in stream[:200]], ag=55)
        online = Online(rate=0.45, start=fixed)
        fires = []
        for price in map(priced, stream):
            fires.append(fire(price, online).ag)
            online.seen(price)
        rates.append(sum(fires[1000:]) / 1000)
        still = [fire(price, fixed).ag for price in map(priced, stream)]
        drifts.append(sum(still[1000:]) / 1000)
    assert sum(rates) / 20 == pytest.approx(0.45, abs=0.01)
    assert all(abs(rate - 0.45) <= 0.03 for rate in rates)
    assert min(drifts) > 0.6  # where a fixed threshold goes


@pytest.mark.parametrize("rate", [0.0, 1.0, -1.0])
def test_a_rate_that_no_gate_can_hold_is_refused(rate: float) -> None:
    with pytest.raises(GswlabError, match=r"gate\.rate"):
        Online(rate=rate)

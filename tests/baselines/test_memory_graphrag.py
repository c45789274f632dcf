"""GraphRAG: Leiden's communities, reports from the bottom up, shares of the budget."""

from __future__ import annotations

import igraph
import leidenalg
import networkx as nx
import pytest
from graphs import PAIRS, Words, chunk, read, story
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.baselines.graphrag import (
    READ,
    REPORTS,
    TABLES,
    TEXTS,
    GraphRAG,
    Reporter,
    communities,
)
from gswlab.core.budget import tokens_of

QUESTION = "Who founded the Larch Choir?"
NODE = st.sampled_from([f"n{i:02d}" for i in range(20)])
WEIGHTS = st.dictionaries(
    st.tuples(NODE, NODE).filter(lambda pair: pair[0] < pair[1]),
    st.integers(1, 4).map(float),
    min_size=1,
)


def memory(**chosen):
    return GraphRAG(PAIRS, Words(), **chosen)


def caves(groups=4, size=6):
    """Cliques in a ring, by name."""
    ring = nx.connected_caveman_graph(groups, size)
    return {(f"n{a:02d}", f"n{b:02d}"): 1.0 for a, b in ring.edges}


def test_the_constants_are_the_published_ones():
    fresh = memory()
    assert (fresh.cap, fresh.seed, fresh.top) == (10, 0xDEADBEEF, 10)
    assert (READ, fresh.written) == (8000, 2000)
    assert (TEXTS, REPORTS, TABLES) == (0.5, 0.15, 0.35)


@settings(max_examples=30, deadline=None)
@given(WEIGHTS)
def test_the_coarsest_communities_are_those_of_leidenalg(weights):
    names = sorted({end for pair in weights for end in pair})
    graph = igraph.Graph(len(names))
    for (one, other), weight in sorted(weights.items()):
        graph.add_edge(names.index(one), names.index(other), weight=weight)
    expected = leidenalg.find_partition(
        graph,
        leidenalg.ModularityVertexPartition,
        weights="weight",
        n_iterations=-1,
        seed=7,
    )
    parts = {frozenset(names[row] for row in part) for part in expected}
    found = communities(weights, cap=100, seed=7)
    assert {frozenset(each.members) for each in found} == parts


def test_cliques_in_a_ring_are_the_communities():
    found = communities(caves())
    assert sorted(len(each.members) for each in found) == [6, 6, 6, 6]


def test_a_large_community_is_split_into_the_next_level():
    found = communities(caves(), cap=3)
    for each in found:
        inside = {m for c in each.children for m in found[c].members}
        assert not each.children or inside == set(each.members)
        assert all(found[c].level == each.level + 1 for c in each.children)
        assert all(found[c].parent == each.number for c in each.children)


def test_only_the_largest_component_may_be_kept():
    apart = {**caves(), ("x", "y"): 1.0}
    assert any("x" in each.members for each in communities(apart))
    assert not any("x" in each.members for each in communities(apart, largest=True))


def test_no_edge_makes_no_community():
    assert communities({}) == []


def test_communities_do_not_depend_on_the_order_of_edges():
    weights = caves(5, 5)
    backwards = dict(reversed(weights.items()))
    assert communities(weights, cap=3) == communities(backwards, cap=3)


def town(count=12):
    people = [f"Ann Ray{i}" for i in range(count)]
    return [
        chunk(i, f"{people[i]} met {people[(i + 1) % count]} in Tarn. It rained.")
        for i in range(count)
    ]


def test_a_report_is_of_sentences_of_its_community_within_its_length():
    fitted = read(memory(written=60), [*story(), *town()])
    assert fitted.reports
    texts = " ".join(each.text for each in fitted.chunks)
    for report in fitted.reports.values():
        assert all(told.text in texts for told in report.findings)
        assert tokens_of([fitted._look.item(report.text, (), 0.0)]) <= 60 + 30
        assert 0 < report.rating <= 10


def test_where_rows_overflow_a_parent_is_told_by_reports_of_its_parts():
    fitted = read(memory(cap=3), [*story(), *town()])
    reporter = Reporter(fitted._look, fitted.communities, 60, 2000)
    reports = reporter.reports()
    parents = [c for c in fitted.communities if c.children]
    assert parents
    for parent in parents:
        told = reports[parent.number].findings
        parts = [f for c in parent.children for f in reports[c].findings]
        assert told
        assert told[0] in parts


@pytest.mark.parametrize("budget", [40, 100, 400])
def test_each_kind_of_evidence_keeps_to_its_share(budget):
    found = read(memory(), story()).recall(QUESTION, budget)
    assert found.tokens <= budget
    texts = {f"{c.title}\n{c.text}" for c in story()}
    chunks = [item for item in found.items if item.text in texts]
    reports = [item for item in found.items if "\n" in item.text]
    reports = [item for item in reports if item not in chunks]
    tables = [item for item in found.items if item not in [*chunks, *reports]]
    assert tokens_of(chunks) <= TEXTS * budget
    assert tokens_of(reports) <= REPORTS * budget
    assert tokens_of(tables) <= TABLES * budget


def test_global_search_gives_points_by_score_and_drops_what_is_no_answer():
    fitted = read(memory(search="global"), [*story(), *town()])
    found = fitted.recall("Who founded the Larch Choir in Tarn?", 200)
    scores = [item.score for item in found.items]
    assert found.items[0].text == "Ann Ray founded the Larch Choir in Tarn."
    assert scores == sorted(scores, reverse=True)
    assert not fitted.recall("zzz", 200).items


def test_local_search_reads_the_chunks_of_the_nearest_entities():
    rows = [row for row, _ in read(memory(top=2), story()).rank("Larch Choir")]
    assert 1 in rows[:2]


def test_forgetting_a_document_leaves_the_graph_of_the_others():
    both = read(memory(), [*story("a"), *town()])
    both.forget("a")
    alone = read(memory(), town())
    assert both.recall(QUESTION, 200) == alone.recall(QUESTION, 200)
    assert both.reports.keys() == alone.reports.keys()


def test_every_span_is_of_a_sentence_that_was_read():
    chunks = {c.span.start: c for c in story()}
    for search in ("local", "global"):
        for item in read(memory(search=search), story()).recall(QUESTION, 300).items:
            for span in item.spans:
                held = chunks[1000 * (span.start // 1000)]
                base = held.span.start
                assert held.text[span.start - base : span.end - base].endswith(".")


def test_an_empty_memory_recalls_nothing_at_all():
    assert memory().recall(QUESTION, 100).items == ()

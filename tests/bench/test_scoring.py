"""Scoring: the published formulas on hand cases, then properties of any answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.epbench import EpQuestion
from gswlab.bench.judge import Verdict
from gswlab.bench.scoring import (
    Scored,
    abstention,
    all_times_tau,
    chronological_awareness,
    lenient,
    ordered,
    score_table,
    simple_recall,
    strict,
    strict_of,
)
from gswlab.bench.statistics import bootstrap, interval


def scored(get="all", matching=1, gold=1, items=1, matches=(0,), asked="Times"):
    names = tuple("abcdefgh")
    asked_for = EpQuestion(0, "?", asked, get, names[:gold], (), matching)
    padded = (*matches, *[None] * (items - len(matches)))
    return Scored(asked_for, Verdict(names[:gold], names[:items], padded))


def test_an_empty_answer_to_an_empty_question_scores_one():
    assert strict(0, 0, 0).f1 == lenient(0, 0, 0).f1 == 1


def test_any_answer_to_an_empty_question_scores_zero():
    assert strict(0, 2, 0).f1 == lenient(0, 2, 0).f1 == 0


def test_extra_items_cost_strict_precision_only():
    assert lenient(1, 3, 1).f1 == 1
    assert strict(1, 3, 1).f1 == 0.5


def test_one_of_three_found_is_full_precision_and_a_third_of_recall():
    for score in (strict(3, 1, 1), lenient(3, 1, 1)):
        assert score.precision == 1
        assert score.recall == pytest.approx(1 / 3)
        assert score.f1 == 0.5


def test_no_answer_to_an_answerable_question_scores_zero_without_a_precision():
    for score in (strict(2, 0, 0), lenient(2, 0, 0)):
        assert (score.precision, score.recall, score.f1) == (None, 0, 0)


COUNTS = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6)).map(
    lambda c: (c[0], c[1], min(c))
)


@given(COUNTS)
def test_f1_lies_between_zero_and_one_and_lenient_is_never_below_strict(counts):
    low, high = strict(*counts).f1, lenient(*counts).f1
    assert 0 <= low <= high <= 1


@given(COUNTS)
def test_a_perfect_answer_is_the_only_one_with_strict_f1_of_one(counts):
    gold, items, found = counts
    assert (strict(*counts).f1 == 1) == (gold == items == found)


def test_simple_recall_is_the_unweighted_mean_of_rounded_bin_means():
    rows = [scored(matching=1, matches=(0,))] * 2
    rows += [scored(matching=1, matches=())]  # bin 1: 2/3 -> 0.67
    rows += [scored(matching=0, gold=0, items=0, matches=())]  # bin 0: 1
    rows += [scored(get="latest", matches=())] * 9  # left out
    assert simple_recall(rows).mean == round((0.67 + 1) / 2, 3)


def test_simple_recall_lies_inside_its_interval_when_all_answers_are_alike():
    result = simple_recall([scored()] * 5)
    assert (result.mean, result.low, result.high, result.n) == (1, 1, 1, 5)


def test_a_chronological_list_counts_only_with_two_gold_items_or_more():
    assert ordered([scored("chronological", gold=1)]) == []


def test_a_reversed_list_has_tau_minus_one_and_a_partial_one_none():
    whole = scored("chronological", gold=3, items=3, matches=(2, 1, 0))
    part = scored("chronological", gold=3, items=2, matches=(0, 1))
    (all_found, tau), (not_all, nothing) = ordered([whole, part])
    assert (all_found, tau, not_all) == (True, -1, False)
    assert math.isnan(nothing)


def test_extra_items_in_a_chronological_list_are_harmless():
    row = scored("chronological", gold=2, items=4, matches=(None, 0, None, 1))
    assert ordered([row]) == [(True, 1)]


def test_a_negative_tau_counts_as_zero_and_no_whole_list_as_zero():
    assert all_times_tau([(True, -1.0)]) == 0
    assert all_times_tau([(False, math.nan)]) == 0


def test_chronological_awareness_is_the_mean_of_its_two_parts():
    rows = [
        scored("latest", matching=2),
        scored("latest", matching=1, matches=()),  # one chapter: left out
        scored("chronological", 2, gold=2, items=2, matches=(0, 1)),
        scored("chronological", 2, gold=2, items=2, matches=(0,)),
    ]
    result = chronological_awareness(rows)
    assert result["mean"] == (1 + 0.5) / 2
    assert result["latest"]["mean"] == 1
    assert (result["all"]["mean"], result["tau"]) == (0.5, 1)


def test_chronological_awareness_needs_both_kinds_of_question():
    assert chronological_awareness([scored("latest", matching=2)]) is None


def test_abstention_counts_both_ways_of_being_wrong():
    rows = [
        scored(gold=0, items=0, matches=()),
        scored(gold=0, items=2, matches=()),
        scored(gold=2, items=0, matches=()),
        scored(),
    ]
    assert abstention(rows) == {
        "empty": 2,
        "empty_answered": 1,
        "answerable": 2,
        "answerable_abstained": 1,
    }


def test_the_table_leaves_undefined_precisions_out_of_their_mean():
    rows = [scored(), scored(items=0, matches=())]
    overall = score_table(rows, strict_of)["overall"]
    assert overall["precision"]["n"] == 1
    assert overall["f1"]["mean"] == 0.5


def test_an_interval_is_the_same_every_time_and_holds_its_mean():
    first, second = interval([0, 1, 1, 0, 1]), interval([0, 1, 1, 0, 1])
    assert first == second
    assert first.low <= first.mean <= first.high


def test_clusters_are_drawn_whole_so_one_cluster_has_no_spread():
    result = interval([0, 1, 1, 0], clusters=["a"] * 4)
    assert result.low == result.mean == result.high == 0.5


def test_clustering_widens_the_interval_of_observations_that_agree():
    values = [0.0] * 10 + [1.0] * 10
    alone, together = interval(values), interval(values, list(values))
    assert together.high - together.low > alone.high - alone.low


def test_nothing_observed_has_no_figure_and_undefined_resamples_are_left_out():
    assert math.isnan(interval([]).mean)
    result = bootstrap(2, lambda drawn: math.nan if len(set(drawn)) == 1 else 3.0)
    assert (result.low, result.high) == (3, 3)

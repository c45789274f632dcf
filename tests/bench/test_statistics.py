"""Paired tests: against hand cases and an independent computation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gswlab.bench.statistics import holm, interval, paired, permutation

RIGHT = [True, True, True, False, True, False, True, True, False, True]
WRONG = [False, True, False, False, True, True, False, False, False, True]


def test_permutation_agrees_with_every_exchange_counted():
    one, other = [1.0, 0.5, 0.75, 1.0, 0.25], [0.0, 0.5, 0.5, 0.25, 0.5]
    exact = stats.permutation_test(
        (np.array(one), np.array(other)),
        lambda x, y: np.mean(x - y),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert permutation(one, other) == pytest.approx(exact.pvalue, abs=0.02)


def test_clusters_are_exchanged_together_and_make_p_larger():
    one, other = [1.0] * 8, [0.0] * 8
    assert permutation(one, other) < 0.02
    assert permutation(one, other, clusters=list("aaaabbbb")) > 0.3


def test_a_paired_difference_is_tighter_than_the_two_intervals():
    one = [float(n % 7 == 0) + 0.1 for n in range(100)]
    other = [value - 0.1 for value in one]
    gap = paired(one, other)
    assert gap.low == pytest.approx(0.1)
    assert gap.high == pytest.approx(0.1)
    assert interval(one).low < gap.mean + interval(other).mean < interval(one).high


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_keeps_the_order_and_never_lowers_a_value(values):
    adjusted = holm(values)
    assert all(a >= v for a, v in zip(adjusted, values, strict=True))
    assert min(adjusted) == pytest.approx(min(1.0, len(values) * min(values)))
    order = np.argsort(values, kind="stable")
    assert np.all(np.diff(np.array(adjusted)[order]) >= 0)

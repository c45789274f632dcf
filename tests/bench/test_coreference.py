"""MUC, B-cubed and CEAF-e, held against the reference scorer's own test cases."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.coreference import coreference_shares

KEY = "a bc def"

# Recall and precision as github.com/conll/reference-coreference-scorers has them in
# test/TestCases.README and test/CorefMetricTestConfig.pm; a letter is a mention.
REFERENCE = [
    ("A1", KEY, "a bc def", "muc", "1", "1"),
    ("A1", KEY, "a bc def", "b_cubed", "1", "1"),
    ("A1", KEY, "a bc def", "ceaf_e", "1", "1"),
    ("A2", KEY, "a de", "muc", "1/3", "1"),
    ("A2", KEY, "a de", "b_cubed", "7/18", "1"),
    ("A2", KEY, "a de", "ceaf_e", "0.6", "0.9"),
    ("A3", KEY, "a bcx defy z", "muc", "1", "3/5"),
    ("A3", KEY, "a bcx defy z", "b_cubed", "1", "55/108"),
    ("A3", KEY, "a bcx defy z", "ceaf_e", "0.88571", "0.66429"),
    ("A4", KEY, "a bcx dy z", "muc", "1/3", "1/3"),
    ("A4", KEY, "a bcx dy z", "b_cubed", "5/9", "17/42"),
    ("A4", KEY, "a bcx dy z", "ceaf_e", "0.73333", "0.55"),
    ("A5", KEY, "a bcxB dy z", "muc", "1/3", "1/4"),
    ("A5", KEY, "a bcxB dy z", "b_cubed", "5/9", "5/16"),
    ("A5", KEY, "a bcxB dy z", "ceaf_e", "0.68889", "0.51667"),
    ("A6", KEY, "a bcx dy Bz", "muc", "1/3", "1/4"),
    ("A6", KEY, "a bcx dy Bz", "b_cubed", "5/9", "17/48"),
    ("A6", KEY, "a bcx dy Bz", "ceaf_e", "0.73333", "0.55"),
    ("A10", KEY, "a b c d e f", "muc", "0", "0"),
    ("A10", KEY, "a b c d e f", "b_cubed", "3/6", "1"),
    ("A11", KEY, "abcdef", "muc", "1", "3/5"),
    ("A11", KEY, "abcdef", "b_cubed", "1", "7/18"),
    ("A12", KEY, "a x y c d e z", "muc", "0", "0"),
    ("A12", KEY, "a x y c d e z", "b_cubed", "13/36", "4/7"),
    ("A13", KEY, "axycdez", "muc", "1/3", "1/6"),
    ("A13", KEY, "axycdez", "b_cubed", "17/36", "6/49"),
    ("D1", "12345 67 89ABC", "12345 6789ABC", "muc", "1", "9/10"),
    ("D1", "12345 67 89ABC", "12345 6789ABC", "b_cubed", "1", "16/21"),
    ("E1", "12345 67 89ABC", "1234589ABC 67", "b_cubed", "1", "7/12"),
    ("F1", "ABCD", "AB CD", "muc", "2/3", "1"),
    ("G1", "AB CD", "ABCD", "muc", "1", "2/3"),
    ("J1", "ABC", "AC", "muc", "1/2", "1"),
    ("K1", "BCDEGHJ", "ABC DEF GHI", "muc", "3/6", "3/6"),
    ("L1", "ABC DEFG", "AB CD FGH", "muc", "2/5", "2/4"),
]


def told(key: list[str], read: list[str], measure: str) -> tuple[float, float]:
    shares = coreference_shares(key, read)
    pairs = (shares[f"{measure}.{side}"] for side in ("recall", "precision"))
    recall, precision = (above / below if below else 0.0 for above, below in pairs)
    return recall, precision


@pytest.mark.parametrize(
    ("case", "key", "read", "measure", "recall", "precision"), REFERENCE
)
def test_the_reference_scorers_cases_come_out_as_published(
    case: str, key: str, read: str, measure: str, recall: str, precision: str
) -> None:
    found = told(key.split(), read.split(), measure)
    assert found == pytest.approx(
        (float(Fraction(recall)), float(Fraction(precision))), abs=6e-6
    ), case


def clusters(labels: list[int | None]) -> list[str]:
    """The clusters of letters by a label each; one without a label is not marked."""
    found: dict[int, str] = {}
    for number, label in enumerate(labels):
        if label is not None:
            found[label] = found.get(label, "") + chr(97 + number)
    return [*found.values()]


LABELS = st.lists(st.none() | st.integers(0, 4), min_size=2, max_size=14).map(clusters)
MEASURES = st.sampled_from(["muc", "b_cubed", "ceaf_e"])


@given(LABELS, MEASURES)
def test_what_is_read_as_marked_is_wholly_right(
    marked: list[str], measure: str
) -> None:
    linked = any(len(cluster) > 1 for cluster in marked)
    wanted = 1.0 if marked and (linked or measure != "muc") else 0.0
    assert told(marked, marked, measure) == pytest.approx((wanted, wanted))


@given(LABELS, LABELS, MEASURES)
def test_recall_one_way_is_precision_the_other(
    one: list[str], two: list[str], measure: str
) -> None:
    forth, back = told(one, two, measure), told(two, one, measure)
    assert forth == pytest.approx(back[::-1])


@given(LABELS, LABELS, MEASURES, st.randoms())
def test_order_of_clusters_and_mentions_does_not_matter(
    one: list[str], two: list[str], measure: str, random: Random
) -> None:
    mixed = ["".join(random.sample(c, len(c))) for c in random.sample(two, len(two))]
    assert told(one, mixed, measure) == pytest.approx(told(one, two, measure))


@given(LABELS, LABELS, MEASURES)
def test_no_share_lies_outside_zero_and_one(
    one: list[str], two: list[str], measure: str
) -> None:
    assert all(0 <= share <= 1 + 1e-9 for share in told(one, two, measure))

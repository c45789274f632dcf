"""Dates of texts that nobody would write: whatever follows what, there is an answer."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.language.dates.find import find_dates

PIECES = (
    "On 7 May 1990",
    "the day after Christmas",
    "the Monday before 1 January",
    "the day after 31 December",
    "a week after Easter",
    "that December",
    "Thanksgiving",
    "the June before last",
    "クリスマスの翌日",
    "七九年",
    "a week before 3 May",
    "29 February",
    "10:30",
    "\n\n5th.\n",
    "\n\nSunday.\n",
    "since Friday",
    "next morning",
    "two days after that",
    "24 hours later",
    "the autumn of fifty-six",
    "nineteen thirty-six,",
    "Martinmas Eve",
    "until 1954",
    "they had left",
    "she meets us on Monday",
    "the Friday",
    "the week before last",
    "a fortnight ago today",
    "the morrow",
    "in a hundred thousand years",
    "9999-12-31",
    "0001-01-01",
    "May Day",
    "“",
    "”",
    ".",
)
DAYS = (None, "2024-02-29", "--05-07", "2024-05", "2024", "9999-12-31", "0001-01-01")


@given(
    st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join),
    st.sampled_from(DAYS),
    st.sampled_from(DAYS),
    st.booleans(),
)
def test_dates_stand_in_the_text_in_order_whatever_is_told(
    text: str, basis: str | None, said: str | None, narrated: bool
) -> None:
    found = find_dates(text, basis, said=said, narrated=narrated)
    assert [text[date.start : date.end] for date in found] == [d.text for d in found]
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize("told", ["9999-12-31", "0001-01-01"])
def test_nothing_counts_from_the_ends_of_the_calendar(told: str) -> None:
    found = find_dates(f"They met on {told}. The next day it rained.", narrated=True)
    assert [date.value for date in found][1:] == [None]

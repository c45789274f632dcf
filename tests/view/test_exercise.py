"""A check says whether a guess is right, in the learner's language, and no more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.view import check
from gswlab.view.teach.exercise import exercise

NAMES = st.text("#§東京", min_size=3)
GUESSES = st.one_of(st.integers(10**6), NAMES, st.sets(NAMES, min_size=1))


def test_dots_are_no_guess_and_the_check_says_what_to_do() -> None:
    assert "three dots" in repr(exercise(3)(...))
    assert "三つの点" in repr(exercise(3, "ja")(...))


@given(GUESSES)
def test_what_is_so_is_right_and_its_exercise_shows_it_nowhere(truth: object) -> None:
    asked = exercise(truth)
    assert asked(truth).outcome == "right"
    assert repr(asked) == "Exercise(language='en')"
    told = [asked(...), asked(-1), asked(["?"])]
    assert not any(str(truth) in repr(one) for one in told)


def test_a_name_is_compared_without_case_and_width() -> None:
    assert exercise("Alder Street Museum")(" alder street museum").outcome == "right"
    assert exercise("カメラ5")("カメラ５").outcome == "right"
    assert exercise("佐藤健")("佐藤建").outcome == "wrong"


def test_a_figure_is_right_to_two_decimals_and_else_too_low_or_too_high() -> None:
    asked = exercise(0.5346)
    assert asked(0.53).outcome == "right"
    assert "too low" in repr(asked(0.5))
    assert "too high" in repr(asked(1))
    assert asked("0.53").outcome == asked(True).outcome == "wrong"


def test_a_tuple_has_an_order_and_a_set_has_none() -> None:
    assert exercise(("a", "b"))(["a", "b"]).outcome == "right"
    assert exercise(("a", "b"))(("b", "a")).outcome == "wrong"
    assert exercise({"a", "b"})(["b", "a"]).outcome == "right"


def test_of_several_it_says_how_many_are_right() -> None:
    told = repr(exercise({"Ann", "Bea", "Cal"})({"Ann", "Dan"}))
    assert "1 of your 2 are right, 3 are wanted" in told
    assert "Bea" not in told


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_guess_with_markup_is_shown_as_text_and_told_to_a_screen_reader(
    language: str,
) -> None:
    shown = exercise("x", language)("<b>y</b>")._repr_html_()
    assert 'role="status"' in shown
    assert "<b>y" not in shown


def test_a_check_in_one_cell_never_tells_the_answer() -> None:
    assert "42" not in repr(check(41, 42)) + repr(check(..., 42))
    assert check(42, 42).outcome == "right"

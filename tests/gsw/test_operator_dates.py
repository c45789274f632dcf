"""Days of a chunk, where they are read: what they count from, what stays open."""

from __future__ import annotations

import pytest

from gswlab.core.nouns import Chunk, Span
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler


def values(time: str | None, *texts: str) -> dict[str, str | None]:
    """What each time of chunks that follow each other is called, with its value."""
    memory, start = GSW(SpacyOperator(), RulesReconciler()), 0
    for index, text in enumerate(texts):
        span = Span("d", start, start + len(text))
        memory.partial_fit(Chunk(f"d:0:{index}", "d", 0, index, text, span, time=time))
        start += len(text)
    actors = memory.workspace.actors
    return {a.name: a.value for a in actors if a.kind == "time"}


def test_that_evening_counts_from_the_day_told_just_before_and_not_of_writing() -> None:
    met, left = "Ann met Ben on 11 March. ", "That evening they left. "
    assert values("1994-03-21", left)["That evening"] is None
    told = values("1994-03-21", met, left)
    assert "1994-03-11" in told.values()
    assert "1994-03-21" not in told.values()
    far = values("1994-03-21", met, "It rained on the hills. " * 8, left)
    assert far["That evening"] is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ann left on 7 May 1990. Ben left on 9 May.", "1990-05-09"),
        ("一九九〇年五月七日、花子は町を出た。九日、太郎も出た。", "1990-05-09"),
    ],
)
def test_a_narrators_year_and_month_hold_on(text: str, value: str) -> None:
    assert value in values(None, text).values()


def test_a_chunk_counts_from_the_day_told_and_not_from_one_looked_back_to() -> None:
    came = "On 4 June 1872 they sailed. On 6 June they landed. "
    back = "Ann had left home on 3 May. "
    assert "1872-06-07" in values(None, came, back, "The next day they left. ").values()


def test_a_year_told_later_ends_the_count_from_a_day_of_long_ago() -> None:
    burned = "The fort was blown up on 23 March 1687. "
    road = "Until 1954 there was no road. "
    found = values(None, burned, road, "We walked back next morning. ")
    assert found["next morning"] is None


def test_a_chunk_counts_from_a_day_without_a_year_and_from_a_year_told_before() -> None:
    souls, next_ = "Ann came on All Souls' Day. ", "Next morning she left. "
    assert values(None, souls, next_)["Next morning"] == "--11-03"
    year, day = "Ann began work in 1936. ", "She was fourteen on the 30th of July. "
    assert values(None, year, day)["the 30th of July"] == "1936-07-30"


def test_an_hour_of_a_day_without_a_year_is_no_day_to_count_from() -> None:
    hour, year = "Ann left at 10:30 on 7 May. ", "Until 1954 there was no road. "
    found = values(None, hour, year, "She came back next morning. ")
    assert "--05-07T10:30" in found.values()
    assert found["next morning"] in (None, "--05-08")

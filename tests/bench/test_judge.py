"""The judge's hand cases. They were written before any rule was tuned: frozen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.epbench import EpQuestion
from gswlab.bench.judge import Judge, exact_match
from gswlab.core.nouns import Answer


def question(asked: str, *gold: str, chapters: tuple[int, ...] = ()) -> EpQuestion:
    return EpQuestion(0, "?", asked, "all", gold, chapters, len(chapters))  # type: ignore[arg-type]


def answer(
    *items: str, chapters: tuple[int, ...] = (), abstained: bool = False
) -> Answer:
    return Answer(items, abstained, chapters, (), "")


def found(asked: str, gold: tuple[str, ...], items: tuple[str, ...]) -> int:
    return Judge().verdict(question(asked, *gold), answer(*items)).found


@pytest.mark.parametrize(
    "item", ["May 07, 2024", "2024-05-07", "7 May 2024", "May 7th, 2024"]
)
def test_a_date_is_right_in_any_way_of_writing_the_same_day(item):
    assert found("Times", ("May 07, 2024",), (item,)) == 1


@pytest.mark.parametrize("item", ["May 08, 2024", "May 2024", "2024", "soon", ""])
def test_another_day_or_a_coarser_date_is_wrong(item):
    assert found("Times", ("May 07, 2024",), (item,)) == 0


@pytest.mark.parametrize("item", ["ann ray", "Ann  Ray", "ＡＮＮ Ray"])
def test_a_name_is_right_after_nfkc_casefold_and_squeezing(item):
    assert found("Entities", ("Ann Ray",), (item,)) == 1


@pytest.mark.parametrize("item", ["Ann", "Ann Rey", "Jose Alvarez", "Ann Ray and Bo"])
def test_a_part_a_misspelling_or_a_list_is_no_name(item):
    assert found("Entities", ("Ann Ray", "José Álvarez"), (item,)) == 0


def test_a_registered_alias_counts_and_an_unregistered_one_does_not():
    judge = Judge({"Ann Ray": ["A. Ray"]})
    assert judge.same("Entities", "Ann Ray", "a. ray")
    assert not judge.same("Entities", "Bo Lind", "A. Ray")
    assert not judge.same("Entities", "Ann Ray", "B. Lind")


def test_japanese_names_differ_from_one_another():
    assert found("Entities", ("山田太郎",), ("山田太郎",)) == 1
    assert found("Entities", ("山田太郎",), ("佐藤花子",)) == 0


@pytest.mark.parametrize(
    "item",
    [
        "Chess Tournament",
        "tournaments of chess",
        "the regional chess tournament",
        "a b c d e f chess tournament",
    ],
)
def test_a_kind_is_right_when_every_content_stem_is_in_the_item(item):
    assert found("Event contents", ("Chess Tournament",), (item,)) == 1


@pytest.mark.parametrize(
    "item",
    [
        "chess match",
        "tournament",
        "a b c d e f g chess tournament",
        "checkers tournament",
    ],
)
def test_a_synonym_a_part_or_more_than_eight_words_is_no_kind(item):
    assert found("Event contents", ("Chess Tournament",), (item,)) == 0


def test_one_item_serves_one_gold_only():
    gold = ("Chess Tournament", "Book Fair")
    assert found("Event contents", gold, ("chess tournament and book fair",)) == 1


def test_items_are_matched_so_that_as_many_gold_as_possible_are_found():
    gold = ("Book Fair", "Fair")
    assert found("Event contents", gold, ("book fair", "fair")) == 2
    assert found("Event contents", gold, ("fair", "book fair")) == 2


def test_full_details_are_right_when_the_chapter_is_cited():
    asked = question("Full event details", "Full chapter 3", chapters=(3,))
    assert Judge().verdict(asked, answer("text", chapters=(3,))).found == 1
    assert Judge().verdict(asked, answer("text", chapters=(2,))).found == 0
    assert Judge().verdict(asked, answer("text")).items == ("?",)


def test_every_chapter_cited_for_full_details_is_an_item():
    asked = question("Full event details", "Full chapter 3", chapters=(3,))
    verdict = Judge().verdict(asked, answer("text", chapters=(1, 2, 3)))
    assert (len(verdict.items), verdict.found) == (3, 1)


def test_an_abstention_is_empty_whatever_else_it_holds():
    verdict = Judge().verdict(
        question("Entities", "Ann Ray"), answer("Ann Ray", abstained=True)
    )
    assert verdict.items == ()
    asked = question("Full event details", chapters=())
    assert (
        Judge().verdict(asked, answer("x", abstained=True, chapters=(1,))).items == ()
    )


def test_repeated_items_and_repeated_gold_count_once():
    verdict = Judge().verdict(
        question("Times", "May 07, 2024", "May 07, 2024"),
        answer("2024-05-07", "May 7, 2024"),
    )
    assert (len(verdict.gold), len(verdict.items), verdict.found) == (1, 1, 1)


def test_exact_match_accepts_the_very_string_only():
    asked = question("Times", "May 07, 2024")
    assert exact_match(asked, answer("May 07, 2024 ")).found == 1
    assert exact_match(asked, answer("2024-05-07")).found == 0


WORDS = st.lists(st.sampled_from(["chess", "book", "fair", "the"]), max_size=3)
LABELS = st.lists(WORDS.map(" ".join), max_size=4).map(tuple)


@given(LABELS, LABELS)
def test_found_never_passes_gold_or_items_and_no_gold_is_served_twice(gold, items):
    verdict = Judge().verdict(question("Event contents", *gold), answer(*items))
    served = [match for match in verdict.matches if match is not None]
    assert len(served) == len(set(served)) == verdict.found
    assert verdict.found <= min(len(verdict.gold), len(verdict.items))


@given(st.text(), st.text())
def test_the_judge_answers_for_any_text(gold, item):
    for asked in ("Times", "Spaces", "Event contents"):
        assert Judge().same(asked, gold, item) in (True, False)  # type: ignore[arg-type]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.core.nouns import Bound, Episode, Evidence, Item, Span
from gswlab.core.protocols import Reader
from gswlab.qa.readers.cue import CueReader


def at(start):
    return (Span("b", start, start + 4),)


def episode(number, date, place, who, kind, others=(), details=()):
    return Episode(
        f"e{number}", "b", number,
        date=Bound(date, spans=at(number * 100)),
        place=Bound(place, spans=at(number * 100 + 10)),
        protagonist=Bound(who, spans=at(number * 100 + 20)),
        kind=Bound(kind, spans=at(number * 100 + 30)),
        participants=tuple(Bound(o, spans=at(number * 100 + 40)) for o in others),
        details=tuple(Bound(d, spans=at(number * 100 + 50)) for d in details),
    )  # fmt: skip


BOOK = (
    episode(1, "2031-05-07", "the Old Mill", "Ann Ray", "pottery class",
            ("Ann Ray", "Bob Lee", "Cy Orr"), ("The kiln cracked",)),
    episode(2, "2032-06-01", "Quay House", "Grace Holt", "kite fair"),
    episode(3, "2030-01-02", "Quay House", "Ann Ray", "book swap"),
    episode(4, "2031-05-07", "Quay House", "Ann Ray", "kite fair"),
)  # fmt: skip
FULL = Evidence(
    tuple(Item(f"Chapter {e.chapter}.", at(0), e.chapter, 1.0, (e,)) for e in BOOK), 20
)


def read(question, evidence=FULL):
    return CueReader().answer(question, evidence)


def test_it_is_a_reader():
    assert isinstance(CueReader(), Reader)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("When was Ann Ray at Quay House?", ("January 02, 2030", "May 07, 2031")),
        ("Where was a kite fair held?", ("Quay House",)),
        ("Who attended events at Quay House?", ("Grace Holt", "Ann Ray")),
        ("Which events took place at Quay House?", ("kite fair", "book swap")),
        (
            "List Ann Ray's places in chronological order.",
            ("Quay House", "the Old Mill"),
        ),
        ("Give Ann Ray's dates, oldest first.", ("January 02, 2030", "May 07, 2031")),
        ("Where was Ann Ray last seen?", ("Quay House",)),
        ("What was Grace Holt doing the last time she was seen?", ("kite fair",)),
    ],
)
def test_what_is_asked_is_answered(question, items):
    found = read(question)
    assert set(found.items) == set(items)
    assert not found.abstained


def test_chronological_answers_are_in_the_order_of_the_story():
    found = read("List the kinds of event Ann Ray attended in chronological order.")
    assert found.items == ("book swap", "pottery class", "kite fair")
    assert found.chapters == (3, 1, 4)


def test_others_are_the_participants_without_the_protagonist():
    question = "Who else was with Ann Ray at the pottery class at the Old Mill?"
    assert read(question).items == ("Bob Lee", "Cy Orr")


def test_full_details_name_the_chapter_and_tell_of_it():
    found = read("Describe in full the pottery class Ann Ray attended at the Old Mill.")
    assert found.items == ("Chapter 1", "The kiln cracked")
    assert found.chapters == (1,)


def test_spans_support_the_answer_and_the_cues():
    found = read("When was there a pottery class at the Old Mill?")
    assert set(found.spans) == {*at(100), *at(110), *at(130)}


def test_an_abstention_is_clear_and_names_the_cues():
    found = read("On which dates was Karl Fenn at Quay House?")
    assert found.abstained
    assert found.items == ()
    assert "No episode of the text has" in found.reason
    assert "Karl Fenn" in found.reason


def test_cues_that_each_fit_but_not_together_are_an_abstention():
    assert read("When was Grace Holt at the Old Mill?").abstained


def test_the_chapters_considered_are_named():
    assert "considered chapters 3, 4" in read("When was Ann Ray at Quay House?").reason


def test_no_evidence_is_an_abstention():
    assert read("When was Ann Ray at Quay House?", Evidence((), 0)).abstained


def test_an_episode_without_the_field_asked_for_is_an_abstention():
    bare = Episode("e1", "b", 1, protagonist=Bound("Ann Ray", spans=at(0)))
    evidence = Evidence((Item("x", at(0), 1, 1.0, (bare,)),), 1)
    found = read("Where did Ann Ray go?", evidence)
    assert found.abstained
    assert found.chapters == (1,)


def test_a_date_is_written_in_the_language_of_the_question():
    assert read("Grace Holtはいつ Quay Houseにいましたか。").items == ("2032年6月1日",)


def test_a_plain_question_of_which_nothing_is_said_is_an_abstention():
    items = (Item("The inspector waits.", at(0), 2, 1.0),)
    assert read("Who painted the harbour?", Evidence(items, 5)).abstained


def test_text_alone_is_answered_by_what_its_interpreter_finds_in_it():
    def interpret(question, evidence):
        return FULL if evidence.items[0].text == "a kite fair" else evidence

    reader = CueReader(interpret)
    told = Evidence((Item("a kite fair", at(0), 2, 1.0),), 3)
    question = "Where was a kite fair held?"
    assert reader.answer(question, told).items == ("Quay House",)
    assert reader.answer(question, FULL).items == ("Quay House",)


@given(st.text(max_size=60))
def test_whatever_is_asked_an_answer_has_items_or_abstains(question):
    found = read(question)
    assert found.abstained == (found.items == ())
    assert found.reason

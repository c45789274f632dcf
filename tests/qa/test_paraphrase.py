"""A question in other words than the text: answered where they are near, else not."""

import pytest

from gswlab.qa.readers.typed import NearSentence
from tests.qa.near import read_off

LETTER = "A letter from Edwin, who is lodging over a shop in Rotterdam."
PUMP = "The pump had stopped because a fuse had blown."
LENS = "The lens was first displayed in the hall on 9 July."


def near(*sentences):
    return [NearSentence(sentence) for sentence in sentences]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When was the lens first shown?", "9 July"),
        ("Why did the pump break down?", "because a fuse had blown"),
    ],
)
def test_other_words_are_answered_by_the_sentence_most_alike(question, said):
    assert read_off(question, near(LETTER, LENS, PUMP)).endswith(said)


@pytest.mark.parametrize(
    "question",
    [
        "Where was Edwin born?",
        "Where is Clara staying?",
        "How many lenses were sold?",
    ],
)
def test_what_no_sentence_says_in_any_words_is_not_answered(question):
    assert read_off(question, near(LETTER, LENS)) is None


@pytest.mark.parametrize("question", ["When was Ann born?", "When did Ann die?"])
def test_births_and_deaths_have_no_other_words(question):
    gift = "The letters of the botanist Ann were given in November by her grandson."
    lamp = "The keeper Ann took over the lamp in 1911 when her husband drowned."
    assert read_off(question, near(gift, lamp)) is None


def test_another_number_is_no_other_word():
    said = near("At 09:02 Nikhil rolled out Marten 3.1, which rotates keys.")
    assert read_off("When was Marten 3.0 rolled out?", said) is None

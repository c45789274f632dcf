"""A question in other words than the text: answered where they are near, else not."""

import pytest

from gswlab.core.nouns import Item, Span
from gswlab.qa.readers.cue import paraphrased
from gswlab.qa.readers.typed import NearSentence

LETTER = "A letter from Edwin, who is lodging over a shop in Rotterdam."
LENS = "The lens was first displayed in the hall on 9 July."


def near(*sentences):
    spans = [(Span("t", 100 * n, 100 * n + len(s)),) for n, s in enumerate(sentences)]
    items = [Item(s, span, None, 1.0) for s, span in zip(sentences, spans, strict=True)]
    return [(item, NearSentence(item.text)) for item in items]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where is Edwin staying?", "in Rotterdam"),
        ("When was the lens first shown?", "9 July"),
    ],
)
def test_other_words_are_answered_by_the_sentence_most_alike(question, said):
    item, found = paraphrased(question, near(LETTER, LENS))
    assert found.endswith(said)
    assert said in item.text


@pytest.mark.parametrize(
    "question",
    [
        "Where was Edwin born?",
        "When was the hall built?",
        "Where is Clara staying?",
        "Who is Edwin?",
    ],
)
def test_what_no_sentence_says_in_any_words_is_not_answered(question):
    assert paraphrased(question, near(LETTER, LENS)) is None


@pytest.mark.parametrize("question", ["When was Ann born?", "When did Ann die?"])
def test_births_and_deaths_have_no_other_words(question):
    gift = "The letters of the botanist Ann were given in November by her grandson."
    lamp = "The keeper Ann took over the lamp in 1911 when her husband drowned."
    assert paraphrased(question, near(gift, lamp)) is None


def test_another_number_is_no_other_word():
    said = near("At 09:02 Nikhil rolled out Marten 3.1, which rotates keys.")
    assert paraphrased("When was Marten 3.0 rolled out?", said) is None

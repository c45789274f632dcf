from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.text.sentences import sentences


def split(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentences(text, language)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Bell met Mrs. Orr at St. Anne's.", "It rained."],
        ["They left at 9 p.m. on Friday.", "The road was dark."],
        ["The train came at 5 p.m.", "Orla boarded it."],
        ["It weighed 3.5 kilos.", "She paid 4.20 for it."],
        ["Ask for No. 5 at the desk.", "No.", "He refused."],
        ["He moved to the U.S. in May.", "She stayed in the U.S.", "They wrote."],
        ["The U.S. Army sent J. R. Smith to Mt. Orr.", "He went."],
        ["She lived on Baker St.", "The house was small."],
        ["Wait... what did you say?", "Well... I forgot.", "Nothing...", "She left."],
        ['"Stop!" he said.', '"Why?" Anna Bell asked.', "He did not answer."],
        ['He said, "I am done."', "Then he sat."],
        ["What!?", "You knew?!", "(He laughed.)", "“Yes.”"],
        ["See p. 12 and Fig. 3 for more.", "Or vol. 2."],
        ["She bought tea, bread, etc. and left.", "Bell & Co. Ltd. paid."],
        ["Oh! what a day.", "Ask the dept. head."],
        ["really?", "that is new.", "i went home."],
        ["One more rep.", "Gen. Orr saw Al.", "He waved."],
        ["Visit example.com for details.", "It costs $3.50."],
    ],
)
def test_english_sentences_end_where_a_reader_ends_them(expected: list[str]) -> None:
    assert split(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["雨が降った。", "彼は走った！", "なぜ？", "誰も知らない"],
        ["「行くぞ。早く！」と彼は言った。", "雨だった。"],
        ["『海。空。』という本を読んだ。", "終わり。"],
        ["荷物は３．５キロだった。", "重い！？"],
        ["えっ！？と驚いた。", "彼女は（笑いながら。）答えた。"],
    ],
)
def test_japanese_stops_split_but_not_inside_brackets(expected: list[str]) -> None:
    assert split("".join(expected), "ja") == expected


def test_an_unclosed_japanese_bracket_does_not_swallow_the_rest() -> None:
    assert split("「行くぞ。彼は言った。", "ja") == ["「行くぞ。", "彼は言った。"]


def test_a_blank_line_ends_a_sentence_and_an_editors_wrap_does_not() -> None:
    text = (
        "The ferry left the harbour long before the sun came up over\n"
        "the hills and the town was quiet\n\nNobody saw it"
    )
    assert split(text) == [text[:92], "Nobody saw it"]


def test_lists_and_signatures_are_lines_of_their_own() -> None:
    text = (
        "Bring the following things with you when you come to the old house:\n"
        "- a lamp\n- two ropes\n3) bread\nSee you there.\nYours,\nMira\n— Orla"
    )
    assert split(text)[1:] == [
        "- a lamp", "- two ropes", "3) bread", "See you there.", "Yours,", "Mira",
        "— Orla",
    ]  # fmt: skip


def test_an_enumerator_stays_with_its_sentence() -> None:
    assert split("1. Open the box. 2. Run.") == ["1. Open the box.", "2. Run."]


def test_windows_line_breaks_are_line_breaks() -> None:
    assert split("One.\r\n\r\nTwo\r\n\r\nThree") == ["One.", "Two", "Three"]


@given(st.text(), st.sampled_from(["en", "ja"]))
def test_spans_are_ordered_disjoint_trimmed_and_cover_the_text(
    text: str, language: str
) -> None:
    spans = sentences(text, language)
    assert all(a < b for a, b in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)
    covered = {i for a, b in spans for i in range(a, b)}
    assert all(i in covered for i, char in enumerate(text) if not char.isspace())


@given(
    st.lists(
        st.sampled_from(list("A b.!?…。！？」「『』（）\"'\n\r 　1Dr「St,と—-").copy())
    )
)
def test_dense_punctuation_is_covered_too(pieces: list[str]) -> None:
    text = "".join(pieces)
    joined = "".join(split(text)) + "".join(split(text, "ja"))
    bare = "".join(text.split())
    assert "".join(joined.split()) == bare + bare

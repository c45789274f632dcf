"""Where quotations of a text begin and end, and what of them a chunk holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.text.quotations import marked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("“I go,” said Ann. “Now.”", ["“I go,”", "“Now.”"]),
        ('"I go," said Ann. "Now."', ['"I go,"', '"Now."']),
        ("'I go,' said Ann, and didn't.", ["'I go,'"]),
        ("‘I don’t,’ said Ann.", ["‘I don’t,’"]),
        ("“He said ‘no’ twice.”", ["“He said ‘no’ twice.”", "‘no’"]),
        ("「行く」と言った。", ["「行く」"]),
        ("’Tis the boys' boat, ‘twas said.", []),
    ],
)
def test_what_stands_between_marks_is_quoted(text, said):
    assert [text[start:end] for start, end in sorted(marked(text))] == said


def test_a_speech_of_several_paragraphs_is_quoted_in_each():
    text = "“One.\n\n“Two.”\n\nShe left. “Three"
    assert [text[a:b] for a, b in sorted(marked(text))] == ["“One.", "“Two.”", "“Three"]


@given(st.text(alphabet="ab .,\n“”‘’'\"「」", max_size=60))
def test_quotations_are_parts_of_the_text_that_never_cross(text):
    found = sorted(marked(text))
    assert all(0 <= start < end <= len(text) for start, end in found)
    for i, (_, end) in enumerate(found):
        assert all(end <= a or b <= end for a, b in found[i + 1 :])


def test_a_chunk_knows_that_it_begins_within_what_is_said():
    text = "“It rained. It snowed. I slept. I woke. I rose,” said Ann. I laughed."
    first, second = chunks(document_of(text))[:2]
    assert [first.text[a:b] for a, b in first.quotes] == [first.text]
    ((begun, end),) = second.quotes
    assert begun < 0
    assert second.text[:end].endswith("rose,”")

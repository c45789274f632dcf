"""The extractive reader: form of the answer, spans cited, and when it abstains."""

from __future__ import annotations

import pytest

from gswlab.core.nouns import Evidence, Item, Span
from gswlab.qa.readers.extractive import ExtractiveReader, wanted

TEXTS = {
    "Maria Keller": "Maria Keller (born 3 May 1931) was a German painter. She lived in"
    " Hamburg.",
    "Peter Vance": "Peter Vance (born 9 June 1945) was an American sculptor. He moved"
    " to Chicago in 1970.",
    "Blue Harbour": "Blue Harbour is a 1962 film directed by Maria Keller.",
}


@pytest.fixture
def evidence():
    """Paragraphs under their titles, as text memories hand them over."""
    items, at = [], 0
    for number, (title, text) in enumerate(TEXTS.items(), 1):
        start = at + len(title) + 1
        span = Span("pool", start, start + len(text))
        items.append(Item(f"{title}\n{text}", (span,), number, 1.0))
        at = span.end + 2
    return Evidence(tuple(items), 99)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who directed Blue Harbour?", "Maria Keller"),
        ("In what year did Peter Vance move to Chicago?", "1970"),
        ("Where did Maria Keller live?", "Hamburg"),
        ("Who was born first, Maria Keller or Peter Vance?", "Maria Keller"),
        ("Which sculptor or painter was born later, Peter Vance or Maria Keller?",
         "Peter Vance"),
        ("Are Maria Keller and Peter Vance of the same nationality?", "no"),
    ],
)  # fmt: skip
def test_the_answer_is_a_span_of_the_kind_asked_for(evidence, question, answer):
    assert ExtractiveReader().answer(question, evidence).items == (answer,)


def test_an_answer_cites_the_sentence_it_was_read_off(evidence):
    found = ExtractiveReader().answer("Where did Maria Keller live?", evidence)
    text = "\n\n".join(f"{title}\n{body}" for title, body in TEXTS.items())
    said = [text[span.start : span.end] for span in found.spans]
    assert "She lived in Hamburg." in said
    assert 1 in found.chapters


def test_no_evidence_is_an_abstention_with_its_reason():
    found = ExtractiveReader().answer("Who left?", Evidence((), 0))
    assert found.abstained
    assert found.reason


def test_what_is_asked_for_is_read_off_the_question():
    assert wanted("Were Ann and Bo of the same age?").form == "verdict"
    assert wanted("Which film is longer, Old Pier or Tall Mill?").options == (
        "Old Pier",
        "Tall Mill",
    )
    assert wanted("Is it a mill or a pier?").form == "verdict"
    assert wanted("How many boats sank?").kinds == ("COUNT",)

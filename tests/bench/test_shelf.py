"""The openings of a shelf are a book's own words, in paragraphs again."""

from __future__ import annotations

from gswlab.bench.litbank import LitBook, detokenised
from gswlab.bench.marks import Marks
from gswlab.bench.shelf import restored


def test_who_begins_to_speak_begins_a_paragraph_and_no_word_is_lost():
    told = [
        "CHAPTER I Ann came .",
        '" No ! "',
        "said Bo .",
        '" I go on ,',
        'and on , " he said .',
    ]
    lines = [line.split() for line in told]
    text, tokens = detokenised(lines)
    starts = [sum(map(len, lines[:n])) for n in range(len(lines))]
    book = LitBook("b", text, tuple(tokens), frozenset(starts), Marks((), (), ()))
    found = restored(book, "CHAPTER I")
    assert found.split("\n\n") == [
        "# CHAPTER I",
        "Ann came.",
        '"No!" said Bo.',
        '"I go on, and on," he said.\n',
    ]

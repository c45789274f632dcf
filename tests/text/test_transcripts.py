"""Transcripts in plain text: a line's head tells who speaks, its words are a turn."""

from __future__ import annotations

import pytest

from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

HEADS = {
    "nicks": ("[17:02] <ann> it rains\n[17:03] <bob> where?\n"),
    "names": ("Ann: it rains\nBob: where?\n"),
    "clocks": ("17:02 Ann: it rains\n17:03 Bob: where?\n"),
    "a telephone": (
        "14/09/2024, 08:12 - Ann: it rains\n14/09/2024, 08:13 - Bob: where?\n"
    ),
    "a forum": ("Ann wrote on 19 May 2023, 21:14:\nit rains\nBob wrote:\nwhere?\n"),
    "bold": ("**Ann** it rains\n**Bob** where?\n"),
    "an interview": ("Q. When did it rain?\nA. On the day of the fair, at six.\n"),
    "Japanese": ("17:02 かな　雨だ\n17:03 ゆうと　どこ？\n"),
}


@pytest.mark.parametrize("text", HEADS.values(), ids=HEADS)
def test_a_turn_is_its_words_and_the_head_tells_who(text):
    document = document_of(text * 2)
    read = chunks(document)
    assert len(read) == 4
    for chunk, answered in zip(read, (*read[1:], read[2]), strict=True):
        assert document.text[chunk.span.start : chunk.span.end] == chunk.text
        assert chunk.named is not None
        assert document.text[chunk.named.start : chunk.named.end] == chunk.speaker
        assert chunk.speaker not in chunk.text
        assert chunk.addressee == answered.speaker


def test_a_line_without_a_head_goes_on_with_the_turn_before_it():
    text = "Ann: It rains.\nIt rains a lot.\nBob: Where?\nAnn: In Kew.\nBob: I see.\n"
    first = chunks(document_of(text))[0]
    assert first.text == "It rains.\nIt rains a lot."


def test_a_message_is_of_the_day_that_its_head_tells():
    heads = (
        "[04/09/2024, 08:12] Ann: ",
        "[04/09/2024, 08:13] Bob: ",
        "[14/09/2024, 9:00] ",
    )
    text = "".join(f"{head}{'Ann: ' * (i == 2)}hi\n" for i, head in enumerate(heads))
    days = [chunk.time for chunk in chunks(document_of(text + text))]
    assert days == ["2024-09-04", "2024-09-04", "2024-09-14"] * 2


def test_what_stands_before_the_first_head_is_nobodys():
    text = "Started 11 March 2026, 09:58\n\n" + "Ann: It rains.\nBob: Where?\n" * 2
    first, second, *_ = chunks(document_of(text))
    assert first.speaker is None
    assert "11 March 2026" in first.text
    assert second.speaker == "Ann"


@pytest.mark.parametrize(
    "text",
    [
        "Attendees: Ann, Bob\nAbsent: Lars\nPlace: Kew\nDate: 3 May 2024\n",
        "He said: no.\nShe went home.\nIt rained.\nNobody came.\nThat was all.\n",
        "Ann: It rains.\nAnn: It still rains.\nAnn: It rains.\nAnn: And now?\n",
        "A. It rains.\nB. It snows.\n" * 3,
    ],
    ids=["labels", "prose", "one voice", "a list"],
)
def test_labels_prose_and_a_single_voice_are_no_transcript(text):
    assert document_of(text).turns == ()

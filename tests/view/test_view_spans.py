"""Lit text: every character once, nothing of a document ever markup."""

from __future__ import annotations

import html.parser

from hypothesis import given
from hypothesis import strategies as st

from gswlab.core.nouns import (
    Actor,
    Answer,
    Chunk,
    LocalMap,
    Mention,
    Question,
    Span,
    visible,
)
from gswlab.core.workspace import Workspace
from gswlab.text.document import document_of
from gswlab.view.kit.spans import Mark, html_text, plain_text, segments
from gswlab.view.papers.gsw import local_table, sentences_table
from gswlab.view.provenance.answer import answer_view

TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
MARKS = st.lists(
    st.builds(
        lambda a, n, i: Mark(a, a + n, f"a{i}", "person", "name"),
        st.integers(0, 60),
        st.integers(0, 20),
        st.integers(1, 3),
    ),
    max_size=6,
)


class Shown(html.parser.HTMLParser):
    """The text of a page, and the tags that stand in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.tags = "", set[str]()
        self.feed(text)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)


@given(TEXT, MARKS, st.integers(0, 20))
def test_segments_are_the_text_and_know_what_covers_them(
    text: str, marks: list[Mark], offset: int
) -> None:
    found = segments(text, marks, offset)
    assert "".join(segment.text for segment in found) == text
    at = offset
    for segment in found:
        end = at + len(segment.text)
        covering = {m for m in marks if m.start <= at and end <= m.end}
        assert {m.id for m in segment.marks} == {m.id for m in covering}
        at = end


@given(TEXT, MARKS)
def test_lit_html_shows_the_visible_text_and_no_tag_but_its_own(
    text: str, marks: list[Mark]
) -> None:
    shown = Shown(html_text(text, marks))
    assert shown.text == visible(text)
    assert shown.tags <= {"mark"}


@given(TEXT)
def test_visible_keeps_every_offset_and_leaves_nothing_to_obey(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert not set(shown) & set("\x1b\x07\u202e\u2066\x9b")


def test_plain_text_cannot_steer_a_terminal() -> None:
    assert plain_text("\x1b[2J Ann", [Mark(5, 8, "a1")]) == "␛[2J [Ann](a1)"


def test_an_answer_lights_overlapping_spans_as_one() -> None:
    document = document_of("Chapter 1\n\nRain fell. Ann Ray left <Kobe> at noon.")
    start = document.text.index("Ann")
    spans = (Span("text", start, start + 7), Span("text", start + 4, start + 12))
    view = answer_view(Answer(("<Kobe>",), False, (1,), spans, "read off"), [document])
    assert (
        repr(view)
        == "<Kobe>\nread off\n  text, chapter 1: [Ann Ray left] <Kobe> at noon."
    )
    assert Shown(view._repr_html_()).tags.isdisjoint({"kobe", "script"})
    assert '<mark class="lit">Ann Ray left</mark> &lt;Kobe&gt;' in view._repr_html_()


def test_an_abstention_says_why() -> None:
    view = answer_view(Answer((), True, (), (), "nobody was there"), [])
    assert repr(view) == "No answer: nobody was there"


class OneActor:
    """An operator that sees one actor, wherever it looks."""

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        start = chunk.span.start
        span = Span(chunk.document, start, start + 3)
        mentions = (Mention(span, "name", chunk.id, "Ann"),)
        return LocalMap(
            chunk.id, actors=(Actor("a1", "person", "Ann", mentions=mentions),)
        )


def test_sentences_stand_over_what_is_found_in_them() -> None:
    found = sentences_table(OneActor(), "Ann left.", "Ann <b>came</b>. Ann sat.")
    assert repr(found.views[1]).splitlines()[0] == "Ann <b>came</b>. Ann sat."
    assert ">Ann</mark> left." in found._repr_html_()
    assert "<b>came" not in found._repr_html_()


def test_a_name_with_breaks_and_quotes_stays_in_its_cell() -> None:
    name = 'Ann\n["x", "y"]\u2028"Ray\u202e'
    (row,) = local_table(LocalMap("c", actors=(Actor("a1", "person", name),))).rows
    assert row == ("person", visible(name), "")


def test_predicted_questions_come_last_in_a_local_table() -> None:
    asked = (
        Question("q1", "Charged when?", "time", predicted=True),
        Question("q2", "Who?", "agent", status="open"),
    )
    rows = local_table(LocalMap("c", questions=asked)).rows
    assert [row[0] for row in rows] == ["question", "forward question"]

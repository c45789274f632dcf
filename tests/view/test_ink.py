"""From an answer to the characters it rests on, and back: what a sentence became."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opening import memories
from told import HOSTILE, told

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import (
    Answer,
    Episode,
    Evidence,
    Span,
    Term,
    TraceEvent,
    Vote,
)
from gswlab.core.step import Step
from gswlab.lab import config
from gswlab.view import became, ink
from gswlab.view.provenance import page as ink_page
from gswlab.view.provenance.text import SpanIndex, bare, cited, clipped, merged

STORY = """Chapter 1

On May 7, 2024, Ann Ray arrested Bo Lind at Harbour Lane. Of course it rained. Bo Lind
said nothing.

Chapter 2

Ann Ray went home. Bo Lind was released.
"""
ARRESTED = "On May 7, 2024, Ann Ray arrested Bo Lind at Harbour Lane."


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    return memories(tmp_path_factory.mktemp("ink"), STORY)


@pytest.fixture
def journal(tmp_path):
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


spans = st.builds(
    lambda name, a, n: Span(name, a, a + n),
    st.sampled_from("ab"),
    st.integers(0, 40),
    st.integers(1, 12),
)


@given(st.lists(spans), spans)
def test_the_index_finds_what_shares_a_character_and_nothing_else(placed, asked):
    index = SpanIndex((span, n) for n, span in enumerate(placed))
    touching = {n for n, span in enumerate(placed) if clipped([span], asked)}
    assert set(index.over(asked)) == touching


def letters(spans):
    return {(s.document, at) for s in spans for at in range(s.start, s.end)}


@given(st.lists(spans), spans)
def test_every_character_is_either_covered_or_bare(placed, area):
    covered = letters(clipped(placed, area))
    empty = letters(bare(area, placed))
    assert covered | empty == letters([area])
    assert not covered & empty
    stretches = merged(placed)
    apart = (
        a.document != b.document or a.end < b.start for a, b in pairwise(stretches)
    )
    assert all(apart)


def test_words_that_are_only_counted_cite_nothing():
    said, counted = Span("b", 0, 3), Span("b", 4, 8)
    vote = Vote("date", "t1", 1.0, "stated", (said,))
    episode = Episode("e1", "b", 1, votes=(vote,), terms=(Term("rain", counted),))
    assert set(cited(episode)) == {said}


def test_an_item_leads_to_the_noun_the_step_and_the_characters(opened):
    lab = opened()
    frame = ink(lab, "Where was Ann Ray on May 07, 2024?").to_frame()
    items = frame[frame["item"] == "Harbour Lane"]
    assert {"place", "episode"} <= set(items["kind"])
    assert set(items["words"]) == {"Harbour Lane"}
    assert set(items["step"]) == {0}
    assert "chunk 1 of" in items["label"].iloc[0]
    assert items[items["field"] == "mention"]["because"].str.startswith("new: ").all()
    assert items["handed"].str.startswith("item 1 of").all()


def test_every_span_of_an_answer_is_a_link_of_its_chain(opened):
    lab = opened()
    answer = lab.ask("Who arrested Bo Lind?")
    frame = ink(lab, answer).to_frame()
    assert answer.items == ("Ann Ray",)
    assert all(clipped(frame["span"], span) for span in answer.spans)


def test_an_answer_of_a_memory_without_a_workspace_rests_on_its_chunks(opened):
    view = ink(opened("bm25"), "Who arrested Bo Lind?")
    frame = view.to_frame()
    assert set(frame["kind"]) == {"passage"}
    assert frame["words"].str.contains("arrested").any()
    assert repr(view).startswith("Ink(")
    assert "\n" not in repr(view)


def test_an_abstention_rests_on_nothing_and_its_page_says_so(opened):
    view = ink(opened(), "When did Cy Vane laugh?")
    assert view.to_frame().empty
    assert "no answer" in view.page().html


def test_a_sentence_says_what_it_became_and_what_changed_it_later(journal):
    told_of = became(journal, "She arrested him at once.")
    frame = told_of.to_frame()
    assert {("v1", "occurs"), ("v1", "agent"), ("a1", "mention")} <= set(
        zip(frame["noun"], frame["field"], strict=True)
    )
    gone = frame[frame["noun"] == "a4"]
    assert set(gone["until"]) == {2}
    assert set(gone["fate"]) == {"merged into Tomas Reed"}
    new = frame[(frame["noun"] == "a2") & (frame["step"] == 2)]
    assert new["because"].str.contains("only one was arrested").all()
    assert repr(told_of).startswith("Became('She arrested him at once.'")


def test_a_sentence_that_became_nothing_says_so(journal):
    assert "no trace" in repr(became(journal, "waited there"))


def test_words_that_are_not_there_are_answered_with_those_that_are(journal):
    with pytest.raises(GswlabError, match=r"harbour.*She arrested him at once"):
        became(journal, "She arrested her at once.")
    with pytest.raises(GswlabError, match="'' is not in harbour"):
        became(journal, " ")


def test_words_that_stand_twice_are_found_twice(opened):
    assert len(became(opened(), "Bo Lind").spans) == 3


def test_a_sentence_knows_the_answers_that_cite_it(opened, tmp_path):
    lab = opened("dense")
    span = {"document": "lane", "start": STORY.index("On May"), "end": 40}
    row = {"question": "When?", "items": ["May 7"], "spans": [span], "row": 3}
    path = Path(lab.folder.path, "answers.jsonl")
    path.write_text(json.dumps(row) + "\n")
    (asked,) = became(lab, ARRESTED).answers
    assert asked.question == "When?"
    assert became(lab, "Ann Ray went home.").answers == ()
    assert ink(lab).asked[0].answer.items == ("May 7",)
    path.write_text('{"question": "When?", "items": "May 7"}\n')
    with pytest.raises(GswlabError, match=r"Input should be a .*\[0\]\.items"):
        became(lab, ARRESTED)
    path.unlink()


def test_heat_counts_letters_that_nothing_rests_on(journal):
    found = ink(journal).heat
    frame = found.rows.set_index("text")
    waited = frame.loc["An old man waited there."]
    assert waited["bare"] == len("waitedthere")
    assert waited["characters"] == len("Anoldmanwaitedthere")
    line = next(one for one in found.held.lines if one.text == waited.name)
    assert "waited there." in {found.held.words(span) for span in found.bare(line)}
    parts = found.chapters()
    assert parts["characters"].sum() == frame["characters"].sum()
    assert parts["bare"].sum() == frame["bare"].sum()
    assert found.share == pytest.approx(frame["bare"].sum() / frame["characters"].sum())


def test_what_is_recalled_leaves_a_trace(opened):
    lab = opened()
    before = ink(lab).heat.rows["recalled"]
    after = ink(lab, "Who arrested Bo Lind?").heat.rows["recalled"]
    assert before.sum() == 0
    assert after.sum() > 0
    assert ink(opened("bm25")).heat.share == 0


def test_a_journal_answers_no_question(journal):
    with pytest.raises(GswlabError, match="a lab answers"):
        ink(journal, "Who?")
    assert ink(journal, Answer(("x",), False, (), (), "")).to_frame().empty


def test_a_page_has_no_markup_of_the_text_and_the_same_bytes(journal):
    page = ink(journal).page().html
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "\u202e" not in page
    assert page == ink(journal).page().html
    assert "http" not in page.replace("http-equiv", "")


def test_a_long_text_is_cut_and_the_page_says_so(journal, monkeypatch):
    monkeypatch.setattr(ink_page, "LINES", 2)
    page = ink(journal).page().html
    assert "sentences 1 to 2 of 6" in page
    assert 'id="s1"' in page
    assert 'id="s2"' not in page


def test_an_undone_step_holds_no_more(tmp_path, opened):
    text = tmp_path / "lane.txt"
    text.write_text(STORY)
    where = f"run.dir={tmp_path / 'undone'}"
    lab = gswlab.open(f"dataset.file={text}", "memory=bm25", where)
    lab.step()
    lab.journal.undo()
    (row,) = became(lab, ARRESTED).holdings
    assert (row.until, row.fate) == (1, "taken back")


OF_AGENTS = ("memgpt", "memgpt_gsw", "fixed_context", "recursive_summary")
MEMORIES = [job[0].partition("=")[2] for job in config.jobs(["memory=all"])]


@pytest.mark.parametrize("memory", [*MEMORIES, *OF_AGENTS])
def test_every_memory_says_what_it_made_of_a_sentence(opened, memory):
    kept = became(opened(memory), ARRESTED)
    wanted = {"gsw": {"person", "place", "verb phrase", "episode"}}
    graph = {"passage", "entity"}
    wanted |= dict.fromkeys(("graphrag", "lightrag", "hipporag"), graph)
    wanted |= {"bm25": {"passage"}, "recursive_summary": {"message"}}
    assert wanted.get(memory, set()) <= {one.kind for one in kept.holdings}
    assert kept.holdings
    size = len(opened(memory).document.text)
    spans = [span for one in kept.holdings for span in one.spans]
    assert all(0 <= span.start < span.end <= size for span in spans)


@dataclass
class Mine:
    """A memory of one's own that says what it keeps in words of its own."""

    read: int = 0

    def partial_fit(self, chunk):
        first = Span(chunk.document, chunk.span.start, chunk.span.start + 3)
        event = TraceEvent("dreamt_of", {"colour": "red"}, (first,))
        self.read += 1
        return Step(self.read - 1, chunk.id, events=(event,))

    def finish(self):
        return Step(self.read, None)

    def recall(self, question, budget):
        return Evidence((), 0)

    def clone(self):
        return Mine()


def test_a_memory_of_ones_own_is_seen_by_its_events(tmp_path):
    text = tmp_path / "lane.txt"
    text.write_text(STORY)
    where = f"run.dir={tmp_path / 'run'}"
    lab = gswlab.open(f"dataset.file={text}", where, memory=Mine())
    lab.run()
    (held,) = became(lab, "On May").holdings
    assert (held.kind, held.text) == ("dreamt of", "colour red")


def test_of_sentences_a_gate_decides_on_those_kept_are_held(opened, tmp_path):
    text = tmp_path / "lane.txt"
    text.write_text(STORY)
    of = f"dataset.file={text}", f"run.dir={tmp_path / 'run'}"
    lab = gswlab.open(*of, "memory=gedig", "memory.sentences=true")
    lab.run()
    kept = {s for step in lab.journal.steps() for e in step.events
            for s in e.spans if e.kind == "kept"}  # fmt: skip
    held = became(lab, ARRESTED).holdings
    passages = {s for one in held if one.kind == "passage" for s in one.spans}
    assert passages <= kept

"""One text by several memories: rows are characters, never names."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from opening import memories
from told import HOSTILE, told

import gswlab
from gswlab.bench.plots import BUNDLED
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk, Evidence, Span, TraceEvent
from gswlab.core.step import Step
from gswlab.hybridrag.plot import read_plot
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.lab import config
from gswlab.view import aligned
from gswlab.view.provenance import memories as aligned_page
from gswlab.view.provenance.holdings import holdings

STORY = """Chapter 1

On May 7, 2024, Ann Ray arrested Bo Lind at Harbour Lane. Of course it rained. Bo Lind
said nothing.

Chapter 2

Ann Ray went home. Bo Lind was released. Nobody came. The end was near.
"""
ARRESTED = "On May 7, 2024, Ann Ray arrested Bo Lind at Harbour Lane."
OF_AGENTS = ("memgpt", "memgpt_gsw", "fixed_context", "recursive_summary")
MEMORIES = [job[0].partition("=")[2] for job in config.jobs(["memory=all"])] + list(
    OF_AGENTS
)
KINDS = {
    "gsw": {"person", "place", "verb phrase", "episode"},
    "bm25": {"chunk"},
    "graphrag": {"chunk", "entity", "triple", "community"},
    "lightrag": {"chunk", "entity", "triple"},
    "hipporag": {"chunk", "entity", "triple"},
    "memgpt": {"archival"},
    "recursive_summary": {"queue", "recall"},
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    return memories(tmp_path_factory.mktemp("aligned"), STORY)


@pytest.mark.parametrize("memory", MEMORIES)
def test_every_memory_says_which_characters_it_keeps(opened, memory):
    lab = opened(memory)
    found = aligned([lab])
    frame = found.to_frame()
    assert set(frame["memory"]) == {memory}
    told = frame[frame["sentence"] == found.lines[0].number]
    assert found.lines[0].text == ARRESTED
    assert KINDS.get(memory, set()) <= set(told["kind"])
    assert len(told) > 0
    size = len(lab.document.text)
    for holding in found.held[memory].all:
        assert holding.spans
        assert all(0 <= s.start < s.end <= size for s in holding.spans)


def test_rows_are_matched_by_characters(opened):
    found = aligned([opened("bm25"), opened("gsw"), opened("graphrag")])
    frame = found.to_frame()
    row = frame[frame["sentence"] == 0]
    assert set(row["memory"]) == {"bm25", "gsw", "graphrag"}
    assert {"Ann Ray", "Bo Lind"} <= set(row[row["kind"] == "entity"]["name"])
    assert {"arrest"} <= set(row[row["kind"] == "verb phrase"]["name"])
    rained = frame[(frame["sentence"] == 1) & (frame["memory"] == "graphrag")]
    assert "entity" not in set(rained["kind"])
    assert repr(found) == "Aligned(7 sentences by bm25, gsw, graphrag)"


def test_what_was_not_read_yet_is_not_said_to_be_kept(opened, tmp_path):
    text = tmp_path / "lane.txt"
    text.write_text(STORY)
    half = gswlab.open(
        f"dataset.file={text}", "memory=dense", f"run.dir={tmp_path / 'half'}"
    )
    half.step()
    found = aligned({"half": half, "whole": opened("bm25")})
    assert found.cell("half", found.lines[0])
    assert found.cell("half", found.lines[-1]) is None
    assert "not read" in found.page().html


def test_two_labs_of_one_memory_have_two_columns(opened, tmp_path):
    text = tmp_path / "lane.txt"
    text.write_text(STORY)
    where = f"run.dir={tmp_path / 'other'}"
    other = gswlab.open(f"dataset.file={text}", "memory=bm25", "memory.k1=2", where)
    other.run()
    found = aligned([opened("bm25"), other])
    assert len(set(found.held)) == 2
    assert all(name.startswith("bm25 ") for name in found.held)


def test_another_text_cannot_be_aligned(opened, tmp_path):
    with told(tmp_path / "journal.sqlite") as journal:
        with pytest.raises(GswlabError, match=r"lane.*harbour.*characters are what is"):
            aligned({"a": journal, "b": opened("bm25")})
        text = tmp_path / "lane.txt"
        text.write_text(STORY.replace("Bo Lind", "Cy Vane"))
        other = gswlab.open(f"dataset.file={text}", f"run.dir={tmp_path / 'run'}")
        other.step()
        with pytest.raises(GswlabError, match="two texts called lane"):
            aligned([opened("bm25"), other])
    with pytest.raises(GswlabError, match="there is no lab to align"):
        aligned([])


def test_a_page_has_no_markup_of_the_text_and_the_same_bytes(tmp_path):
    with told(tmp_path / "journal.sqlite") as journal:
        page = aligned([journal]).page().html
        assert HOSTILE not in page
        assert "&lt;script&gt;alert(1)" in page
        assert page == aligned([journal]).page().html


def test_a_long_text_is_cut_and_the_page_says_so(opened, monkeypatch):
    monkeypatch.setattr(aligned_page, "LINES", 3)
    page = aligned([opened("bm25")]).page().html
    assert "the first 3 of 7" in page
    assert page.count("<tr data-part") == 3


def test_a_plots_graph_keeps_the_node_that_its_chunk_tells(tmp_path):
    from gswlab.bench.plots import plot_worlds
    from gswlab.hybridrag.graph_only import GraphOnly

    plot = read_plot(sorted(BUNDLED.glob("*.xml"))[0])
    (world,) = plot_worlds([plot], [[]])
    memory = GraphOnly(InMemory())
    memory.insert(plot)
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.add(plot.document, world.chunks)
        for chunk in world.chunks:
            journal.append(memory.partial_fit(chunk))
        found = aligned({"graph": journal})
        frame = found.to_frame()
    assert set(frame["kind"]) == {"node"}
    assert set(frame["name"]) == {chunk.id for chunk in world.chunks}
    assert found.lines[0].text in plot.document.text


@dataclass
class Mine:
    """A memory of one's own that says what it keeps in words of its own."""

    chunks: list[Chunk] = field(default_factory=list, init=False)

    def partial_fit(self, chunk: Chunk) -> Step:
        first = Span(chunk.document, chunk.span.start, chunk.span.start + 3)
        event = TraceEvent("dreamt_of", {"colour": "red"}, (first,))
        self.chunks.append(chunk)
        return Step(len(self.chunks) - 1, chunk.id, events=(event,))

    def finish(self) -> Step:
        return Step(len(self.chunks), None)

    def recall(self, question: str, budget: int) -> Evidence:
        return Evidence((), 0)

    def clone(self) -> Mine:
        return Mine()


def test_a_memory_of_ones_own_is_aligned_by_its_events(tmp_path):
    text = tmp_path / "lane.txt"
    text.write_text(STORY)
    where = f"run.dir={tmp_path / 'run'}"
    lab = gswlab.open(f"dataset.file={text}", where, memory=Mine())
    lab.run()
    frame = aligned([lab]).to_frame()
    assert set(frame["kind"]) == {"dreamt of"}
    assert set(frame["text"]) == {"colour red"}


def entered(index: int, key: str, start: int, end: int) -> TraceEvent:
    data = {"id": key, "entry": "message", "role": "user", "tokens": 9}
    return TraceEvent("entered", data, (Span("b", start, end),))


def test_what_is_evicted_summed_up_and_forgotten_is_held_until_then():
    first, second = "I moved to Oslo. It was cold.", "Yes."
    texts = first + "\n" + second
    chunks = [
        Chunk("b:0", "b", None, 0, first, Span("b", 0, len(first))),
        Chunk("b:1", "b", None, 1, second, Span("b", len(first) + 1, len(texts))),
    ]
    gone = TraceEvent("evicted", {"ids": ("m1",), "tokens": 9, "paged_out": ()})
    summed = TraceEvent("summarised", {"text": "Ann: I moved to Oslo.", "hidden": 1})
    again = TraceEvent("summarised", {"text": "nothing", "hidden": 2})
    forgot = TraceEvent("forgotten", {"document": "b"}, (Span("b", 0, 4),))
    steps = [
        Step(0, "b:0", events=(entered(0, "m1", 0, len(first)),)),
        Step(1, "b:1", events=(entered(1, "m2", 30, 34), gone, summed)),
        Step(2, None, events=(again,)),
        Step(3, None, events=(forgot,)),
    ]
    held = {(h.kind, h.name): h for h in holdings(steps, chunks)}
    assert held["queue", "m1"].until == 1
    assert held["queue", "m1"].fate == "evicted from the window"
    assert held["recall", "m1"].until == 3
    (summary,) = [h for h in held.values() if h.kind == "summary"]
    assert texts[summary.spans[0].start : summary.spans[0].end] == "I moved to Oslo."
    assert (summary.step, summary.until) == (1, 2)
    assert {h.fate for h in held.values() if h.until == 3} == {"forgotten"}


def test_core_memory_rests_on_the_sentences_that_it_has_word_for_word():
    said = "Hello. I moved to Oslo."
    chunk = Chunk("b:0", "b", None, 0, said, Span("b", 0, len(said)))

    def edit(after, status="OK"):
        data = {"function": "core_memory_append", "status": status, "arguments": "{}"}
        data |= {"block": "human", "before": "Ann.", "after": after, "reason": ""}
        return TraceEvent("called", data)

    done = edit("Ann.\nI moved to Oslo."), edit("Ann.\nlikes tea"), edit("", "Failed")
    quote, note = holdings([Step(0, "b:0", events=done)], [chunk])
    assert (quote.kind, quote.name, quote.text) == (
        "block",
        "human",
        "I moved to Oslo.",
    )
    assert said[quote.spans[0].start : quote.spans[0].end] == "I moved to Oslo."
    assert (note.text, note.spans) == ("likes tea", (chunk.span,))


def test_sentences_that_a_gate_decides_on_are_each_kept(tmp_path):
    text = tmp_path / "lane.txt"
    text.write_text(STORY)
    where = f"run.dir={tmp_path / 'run'}"
    lab = gswlab.open(
        f"dataset.file={text}", "memory=gedig", "memory.sentences=true", where
    )
    lab.run()
    frame = aligned([lab]).to_frame()
    assert "sentence" in set(frame["kind"])
    assert len(frame) == len(aligned([lab]).lines)


def test_pages_are_written_where_asked(opened, tmp_path):
    target = aligned([opened("bm25")]).page().write(tmp_path / "aligned.html")
    assert Path(target).read_text().startswith("<!doctype html>")

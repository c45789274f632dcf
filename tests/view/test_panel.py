"""The panel: one stepper for every memory, by buttons and in code, and its words."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import json_values, runs, texts
from told import HOSTILE, told

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import TraceEvent
from gswlab.core.step import Step
from gswlab.view.kit.page import asset
from gswlab.view.panel.stepper import READY, Stepper
from gswlab.view.run import words

STORY = Path(gswlab.__file__).parent / "data" / "story.txt"
MEMORIES = {  # what the third step of the story must say of it, in words
    "gsw": "4 actors added",
    "gsw_chain": "4 actors added",
    "gsw_gauged": "4 actors added",
    "memgpt": "stored 1 passage in the archive: p3",
    "memgpt_gsw": "stored 1 passage in the archive: p3",
    "recursive_summary": "took the user's message of 53 tokens into the window",
    "fixed_context": "took the user's message of 53 tokens into the window",
    "gedig": "kept this chunk, 35 tokens",
    "gedig_static": "kept this chunk, 35 tokens",
    "bm25": "kept this chunk, 35 tokens",
    "dense": "kept this chunk, 35 tokens",
    "hybrid": "kept this chunk, 35 tokens",
    "linked": "kept this chunk, 35 tokens",
    "static_graph": "noted 1 entity and 2 triples: Clara call police",
    "hipporag": "noted 1 entity and 2 triples: Clara call police",
    "lightrag": "noted 1 entity and 2 triples: Clara call police",
    "graphrag": "noted 1 entity and 2 triples: Clara call police",
    "closed_book": "kept this chunk, 35 tokens",
    "long_context": "kept this chunk, 35 tokens",
}
# the kinds of event that have a sentence of their own
KNOWN = sorted({*re.findall(r'kind == "(\w+)"', asset("run/told.txt"))})
DICT = re.compile(r"\{['\"]|\(\('|\('|TraceEvent\(|Span\(")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


@pytest.mark.parametrize("memory", MEMORIES)
def test_every_memory_opens_and_each_of_its_steps_says_something(
    memory: str, tmp_path: Path
) -> None:
    lab = gswlab.open(
        "experiment=read",
        f"dataset.file={STORY}",
        f"memory={memory}",
        f"run.dir={tmp_path}",
    )
    while lab.step():
        pass
    stepper = Stepper(lab).jump(3)
    assert MEMORIES[memory] in stepper.line
    assert "When they came back, the glass case was empty." in plainly(stepper)
    said = set()
    for k in range(stepper.last + 1):
        shown = stepper.jump(k + 1)
        assert not DICT.search(repr(shown)), repr(shown)
        assert not DICT.search(shown.to_html()), shown.line
        said.add(shown.to_html())
    assert len(said) == stepper.last + 1


@given(texts, st.dictionaries(texts, json_values, max_size=4))
def test_an_event_of_any_kind_is_told_without_brackets_of_python(
    kind: str, data: dict[str, Any]
) -> None:
    plain = words.told(TraceEvent(kind, data))
    written = kind + "".join(map(str, leaves(data)))
    for bracket in ("{'", "('", "['", "{", "["):
        assert plain.count(bracket) <= written.count(bracket)


PLOTS = {
    "serial": "kept where node e1 is told, tied",
    "serial_published": "kept where node e1 is told, tied",
    "parallel": "kept where node e1 is told, tied",
    "graph": "kept where node e1 is told, tied",
    "dense": "kept this chunk",
    "gsw": "added",
}


@pytest.mark.parametrize("memory", PLOTS)
def test_one_world_of_many_is_stepped_through_by_any_memory_of_plots(
    memory: str, tmp_path: Path
) -> None:
    lab = gswlab.open("experiment=plot", f"memory={memory}", f"run.dir={tmp_path}")
    with pytest.raises(GswlabError, match=r"Stepper\(lab, world='inn_ja'\)"):
        Stepper(lab)
    stepper = Stepper(lab, world="lighthouse_ja")
    first = next(s for s in stepper.telling.steps if s.chunk == "e1")
    assert PLOTS[memory] in stepper.jump(first.index + 1).line
    assert "ナギ" in plainly(stepper)
    assert not DICT.search(stepper.to_html())
    assert stepper.telling.history.lines or memory == "dense"


def test_a_world_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    lab = gswlab.open("experiment=plot", "memory=dense", f"run.dir={tmp_path}")
    with pytest.raises(GswlabError, match="worlds of this dataset: inn_ja, "):
        Stepper(lab, world="../../etc/passwd")
    text = gswlab.open("experiment=read", f"dataset.file={STORY}")
    with pytest.raises(GswlabError, match="all of it is one text"):
        Stepper(text, world="story")
    assert not any(tmp_path.iterdir())


def plainly(stepper: Stepper) -> str:
    """What a terminal shows, without the marks of what is lit."""
    return re.sub(r"\[([^]]*)\](\([a-z0-9 ]+\))?", r"\1", repr(stepper))


def leaves(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from leaves(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from leaves(value)
    else:
        yield data


@given(st.sampled_from(KNOWN), st.dictionaries(texts, json_values))
def test_a_known_kind_in_a_layout_of_its_own_is_told_all_the_same(
    kind: str, data: dict[str, Any]
) -> None:
    assert words.told(TraceEvent(kind, data)).startswith(kind.replace("_", " "))


@given(runs())
def test_any_run_opens_at_any_step(steps: list[Step]) -> None:
    from gswlab.view.run.events_as_graph import pictured
    from gswlab.view.run.history import History

    scenes = History.of(pictured(steps, ())).scenes
    assert [scene.step.index for scene in scenes] == [step.index for step in steps]


def test_moves_chain_and_stay_inside(journal: Journal) -> None:
    stepper = Stepper(journal)
    assert stepper.next().next().next().position == 2
    assert stepper.back().jump(1).position == 0
    with pytest.raises(GswlabError, match="step 7 is out of range"):
        stepper.jump(7)


def test_until_takes_a_function_a_ready_condition_or_words(journal: Journal) -> None:
    stepper = Stepper(journal)
    assert stepper.until(lambda step: step.decisions).position == 1
    found = {name: stepper.jump(1).until(name).position for name in READY}
    assert found == {
        "a conflict": 2,
        "an ambiguous alignment": 1,
        "a merge": 2,
        "a gate fired": 0,
        "something evicted": 0,
        "a question answered": 2,
    }
    assert stepper.jump(1).until("tomas REED").position == 2
    assert stepper.jump(1).until("no such words").position == 0
    assert stepper.jump(1).until("").position == 0


def test_a_gate_that_fired_and_an_eviction_are_stopped_at(tmp_path: Path) -> None:
    fired = {"at": "a memory of one's own", "ag": True, "dg": False}
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.append(Step(0, None))
        journal.append(Step(1, None, events=(TraceEvent("evicted", {"ids": ()}),)))
        journal.append(Step(2, None, events=(TraceEvent("decided", fired),)))
        stepper = Stepper(journal)
        assert stepper.until("something evicted").position == 1


def test_undo_is_a_step_of_its_own_and_is_shown(journal: Journal) -> None:
    stepper = Stepper(journal).undo()
    assert (stepper.position, stepper.step.undoes) == (3, 2)
    assert "a4" in stepper.workspace
    assert "a5" not in stepper.workspace


def test_what_a_journal_alone_cannot_do_is_one_sentence(journal: Journal) -> None:
    stepper = Stepper(journal)
    for action in (stepper.read, stepper.fork):
        with pytest.raises(GswlabError, match=r"Stepper\(lab\)"):
            action()


def test_a_lab_is_read_on_in_its_stepper(tmp_path: Path) -> None:
    lab = gswlab.open(
        "experiment=read", f"dataset.file={STORY}", "memory=bm25", f"run.dir={tmp_path}"
    )
    lab.step()
    stepper = Stepper(lab).read()
    assert (stepper.position, len(lab.journal)) == (1, 2)
    assert stepper.line.startswith("step 2, chunk 2 of 2")
    while not lab.finished:
        stepper.read()
    with pytest.raises(GswlabError, match="nothing left to read"):
        stepper.read()


def test_a_selection_is_ids_and_what_they_stand_for(journal: Journal) -> None:
    stepper = Stepper(journal).jump(2)
    line = next(key for key in stepper.telling.history.lines if key.startswith("v1"))
    found = stepper.select("a1", line).selection
    assert list(found.index) == ["a1", line]
    assert list(found["kind"]) == ["person", "line"]
    assert found["name"].iloc[0] == "Mara Voss"
    assert found["name"].iloc[1].startswith("v1 ")
    assert stepper.select().selection.empty
    with pytest.raises(GswlabError, match="nothing in this run has the id 'a99'"):
        stepper.select("a99")
    assert stepper.jump(3).select("a4").selection.empty
    assert stepper.chosen == ("a4",)


def test_the_panel_moves_with_the_stepper_and_the_stepper_with_the_page(
    journal: Journal,
) -> None:
    stepper = Stepper(journal)
    panel = stepper.panel
    panel.buttons["next ▶"].click()
    assert (stepper.position, panel.state["step"], panel.play.value) == (1, 1, 2)
    panel.play.value = 3
    assert (stepper.position, panel.state["step"], panel.at.value) == (2, 2, 3)
    say(panel, step=1, nouns=["a2", "zz"], lines=["l0", "x"])
    assert stepper.position == 1
    assert stepper.chosen == ("a2", panel._data.lines[0])
    stepper.jump(1).select("a1")
    assert (panel.state["step"], panel.state["nouns"], panel.state["lines"]) == (
        0,
        ["a1"],
        [],
    )
    panel.until.value = "a merge"
    panel.buttons["until ▶▶"].click()
    assert stepper.position == 2
    panel.buttons["until ▶▶"].click()
    assert "No later step has a merge" in panel.said.value
    panel.buttons["undo last"].click()
    assert (stepper.position, panel.play.max) == (3, 4)
    say(panel, still=True)
    assert panel.play.interval > 2000


def test_a_future_is_forked_from_the_step_shown(tmp_path: Path) -> None:
    lab = gswlab.open("experiment=read", f"dataset.file={STORY}", f"run.dir={tmp_path}")
    while len(lab.journal) < 9:
        lab.step()
    panel = Stepper(lab).jump(7).panel
    panel.settings.value = "reconciler.scope=chapter"
    panel.buttons["fork here"].click()
    assert "Steps before 7 were replayed from the journal, 0 calls." in panel.said.value
    assert "reconciler.scope=chapter" in panel.futures.value
    panel.settings.value = "reconciler.scope=nowhere"
    panel.buttons["fork here"].click()
    assert "nowhere" in panel.said.value
    assert panel.who.options[0][0] == "Edgar Voss: merged"
    assert panel.becomes.options == ("new", "a10 Edgar Voss")
    panel.becomes.value = "a99 Nobody"
    panel.buttons["edit by hand"].click()
    assert "a99" in panel.said.value
    panel.becomes.value = "new"
    panel.buttons["edit by hand"].click()
    assert "edited by hand" in panel.futures.value


def test_play_is_a_button_with_a_name_and_starts_over_at_the_end(
    journal: Journal,
) -> None:
    stepper = Stepper(journal).jump(3)
    panel = stepper.panel
    panel.run.value = True
    assert (panel.play.playing, panel.run.description) == (True, "pause")
    assert stepper.position == 0
    panel.play.playing = False
    assert (panel.run.value, panel.run.description) == (False, "play")


def test_what_a_button_cannot_do_is_said_below_the_page(journal: Journal) -> None:
    panel = Stepper(journal).panel
    panel.buttons["fork here"].click()
    assert "a journal alone is stepped through" in panel.said.value
    for _ in range(4):
        panel.buttons["undo last"].click()
    assert "nothing to undo" in panel.said.value


def test_a_page_says_no_step_that_is_not_there(journal: Journal) -> None:
    stepper = Stepper(journal)
    panel = stepper.panel
    say(panel, step=99)
    assert stepper.position == 2
    say(panel, step=-4)
    assert stepper.position == 0
    for wrong in ({"step": "1"}, {"nouns": "a1"}, {"nouns": [1]}, {"still": 1}):
        say(panel, **{"step": 1, **wrong})
    panel.frame._handle_custom_msg(["page", 1], [])
    assert stepper.position == 0


def test_what_widgets_say_in_another_thread_is_done_in_the_panel_s_own(
    journal: Journal,
) -> None:
    async def in_a_notebook() -> int:
        stepper = Stepper(journal)
        panel = stepper.panel
        await asyncio.to_thread(say, panel, step=1)
        await asyncio.to_thread(panel.buttons["undo last"].click)
        await asyncio.sleep(0.05)
        return stepper.position

    assert asyncio.run(in_a_notebook()) == 3


def say(panel: Any, **said: Any) -> None:
    """What a page says, as it comes from the browser."""
    state = {"step": 0, "nouns": [], "lines": [], "still": False}
    panel.frame._handle_custom_msg({"gswlab": "page", **state, **said}, [])


@pytest.mark.parametrize("library", ["anywidget", "ipywidgets"])
def test_without_widgets_the_step_still_shows_and_the_extra_is_named(
    library: str, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("buttons", "forms"):
        monkeypatch.delitem(sys.modules, f"gswlab.view.panel.{module}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    stepper = Stepper(journal)
    shown = stepper._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert "Mara Voss" in shown["text/html"]
    with pytest.raises(GswlabError, match="notebook"):
        stepper.widget()


def test_a_kernel_s_panel_keeps_the_text_and_tables_beside_it(journal: Journal) -> None:
    shown = Stepper(journal).jump(3)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert "<h3>Decisions</h3>" in shown["text/html"]
    assert HOSTILE not in shown["text/html"]
    assert "\u202e" not in shown["text/html"]


def nouns(journal: Journal) -> Iterator[Any]:
    """One of every noun that a run is made of."""
    from gswlab.bench.report import Scores
    from gswlab.core.diff import diff
    from gswlab.core.nouns import Answer, Evidence, Item, Span
    from gswlab.models.ledger import Ledger

    span = Span("harbour", 0, 9)
    yield journal
    yield journal.workspace()
    yield journal[2]
    yield diff(journal.at(1), journal.at(3), journal.steps(1, 3))
    yield Answer((HOSTILE, "\u202eB" * 50), False, (1,), (span,), "a clause\n says so")
    yield Answer((), True, (), (), f"nothing was said {HOSTILE}")
    yield Evidence((Item(HOSTILE, (span,), 1, 0.5),), 12)
    yield Ledger()
    yield Scores(questions=3, strict={"f1": 0.5}, run=HOSTILE)


def test_every_noun_is_one_line_and_a_table_that_hostile_text_cannot_leave(
    journal: Journal,
) -> None:
    for noun in nouns(journal):
        assert "\n" not in repr(noun), type(noun)
        assert len(repr(noun)) < 300
        shown = noun._repr_html_()
        assert shown.startswith("<table>"), type(noun)
        for text in (repr(noun), shown):
            assert "\u202e" not in text
        assert "<script" not in shown
        assert "<img" not in shown


def test_everything_plural_has_a_frame(journal: Journal) -> None:
    rows = [len(n.to_frame()) for n in nouns(journal) if hasattr(n, "to_frame")]
    assert rows[0] == len(journal)
    assert rows[2] == len(journal[2].changes) + len(journal[2].decisions)
    assert len(rows) == 7

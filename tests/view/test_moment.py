"""The moment file: one step and its neighbours, what a model was asked, where from."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from long_story import story
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures
from told import HOSTILE, TEXT, told

from gswlab.__main__ import main
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk, Span, TraceEvent
from gswlab.core.step import Step
from gswlab.models.cassette import Cassette
from gswlab.models.prompt import prompt
from gswlab.view.run.moment import asked_html, conversations, moment

MOST = 3_000_000  # bytes of a file that goes into an email


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="run">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def test_a_moment_opens_at_its_step_and_has_the_neighbours(journal: Journal) -> None:
    page = moment(journal, 2, around=1).html
    data = data_of(page)
    assert [step["label"] for step in data["steps"]] == [
        f"step {n}, chunk {n} of 3" for n in (1, 2, 3)
    ]
    assert data["start"] == 1
    assert "This page shows steps 1 to 3 of 3" in page


def test_a_moment_tells_nothing_of_what_came_after_it(journal: Journal) -> None:
    page = moment(journal, 1, around=0).html
    assert page.count('<article class="step"') == 1
    assert "Tomas Reed" not in page
    assert "chunk 1 of 3" in page


def test_a_moment_says_where_it_is_from(journal: Journal) -> None:
    page = moment(journal, 2).html
    assert "Where this is from" in page
    start = TEXT.index("She arrested")
    assert f"{start:,} to" in page


def test_a_moment_of_a_long_run_stays_small_and_has_only_what_it_touches(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path / "long.sqlite") as journal:
        for step in story(600):
            journal.append(step)
        page = moment(journal, 501).html
    data = data_of(page)
    assert len(page.encode()) < MOST
    assert len(data["nodes"]) < 30
    assert max(len(node["facts"]) for node in data["nodes"].values()) < 20


def test_the_last_step_is_minus_one_and_no_other_is_guessed(journal: Journal) -> None:
    assert data_of(moment(journal, -1).html)["start"] == 2
    with pytest.raises(GswlabError, match="step 4 is out of range") as caught:
        moment(journal, 4)
    assert "1 to 3" in str(caught.value)


def test_a_run_without_a_step_has_no_moment(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "empty.sqlite") as journal,
        pytest.raises(GswlabError, match="no step yet"),
    ):
        moment(journal, 1)


def test_the_same_run_gives_the_same_moment(journal: Journal) -> None:
    assert moment(journal, 2).html == moment(journal, 2).html


def test_document_text_stays_text_in_a_moment(journal: Journal) -> None:
    page = moment(journal, 3).html
    assert HOSTILE not in page
    assert "<img" not in page


def test_a_step_is_written_from_a_shell_as_a_page_or_a_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, text = tmp_path / "run", tmp_path / "text.txt"
    text.write_text("Ann Ray left Kobe. She met Bea Cole.", encoding="utf-8")
    assert main(["read", str(text), "--run", str(run)]) == 0
    for name in ("step.html", "step.svg"):
        out = tmp_path / name
        assert main(["step", str(run), "1", "--out", str(out)]) == 0
        assert "Ann Ray" in out.read_text("utf-8")
    assert "Ann Ray" in capsys.readouterr().out


WORDS = prompt("context", "en")
CHUNK = Chunk("c1", "d", 1, 0, "Ann met <Bea> & “Cy”.", Span("d", 0, 21))
ASKED = {
    "stage": "context",
    "prompt": "context/en",
    "hash": WORDS.hash,
    "model": "some-model",
}


def step_with(data: dict[str, Any]) -> Step:
    return Step(0, "c1", events=(TraceEvent("asked", data),))


def recorded(tmp_path: Path) -> Cassette:
    values = dict.fromkeys(WORDS.slots, CHUNK.text)
    turns = WORDS.turns(**values)
    cassette = Cassette(str(tmp_path / "said.sqlite"))
    reply = {"text": "<script>no</script>", "input_tokens": 1, "output_tokens": 1}
    cassette.put({"model": "some-model", "messages": list(turns)}, reply)
    other = [{"role": "system", "content": "Else."}, *turns[1:]]
    cassette.put({"model": "some-model", "messages": other}, {**reply, "text": "else"})
    return cassette


def test_what_was_asked_and_said_stands_in_full_where_a_cassette_has_it(
    tmp_path: Path,
) -> None:
    (told,) = conversations(step_with(ASKED), CHUNK, recorded(tmp_path))
    assert [role for role, _ in told.turns] == ["system", "user", "reply"]
    assert told.turns[0][1] == WORDS.system
    assert CHUNK.text in told.turns[1][1]
    page = asked_html((told,))
    assert html.escape("<script>no</script>") in page
    assert "<script>" not in page


def test_without_a_cassette_the_words_are_shown_and_the_gap_is_told() -> None:
    (told,) = conversations(step_with(ASKED), CHUNK, None)
    assert told.turns == (("system", WORDS.system),)
    assert "no cassette at hand" in asked_html((told,))


def test_words_that_have_changed_since_are_not_passed_off_as_what_was_asked() -> None:
    for changed in ({"hash": "0" * 12}, {"prompt": "../../secret/en"}):
        (told,) = conversations(step_with({**ASKED, **changed}), CHUNK, None)
        assert told.turns == ()


def test_a_step_that_asked_nobody_has_no_such_section(journal: Journal) -> None:
    assert "What a model was asked" not in moment(journal, 2).html


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="no chromium")
def test_a_moment_is_stepped_through_by_the_keyboard_off_the_network(
    tab: Any,  # noqa: F811
    journal: Journal,
    tmp_path: Path,
) -> None:
    file = moment(journal, 2, around=1).write(tmp_path / "moment.html")
    tab.goto(file.as_uri())
    assert tab.inner_text("#line").startswith("step 2, chunk 2 of 3")
    tab.keyboard.press("ArrowRight")
    assert tab.inner_text("#line").startswith("step 3, chunk 3 of 3")
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("ArrowLeft")
    assert "Inspector Mara Voss" in tab.inner_text(".step[data-now] .text")
    assert "Where this is from" in tab.inner_text(".step[data-now] .origin")
    shoot(tab, "moment")
    assert tab.asked == [file.as_uri()]
    assert tab.wrong == []

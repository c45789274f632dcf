"""Runs side by side: wrong answers first, whose fault they are, the way to the ink."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures

import gswlab
from gswlab.bench.epbench import EpQuestion
from gswlab.bench.graded import missed
from gswlab.bench.judge import Judge
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Evidence, Item
from gswlab.view.provenance import page as ink_page
from gswlab.view.run.browse import Runs, browse


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two memories on one book of four chapters."""
    top = tmp_path_factory.mktemp("runs")
    for memory in ("gsw", "bm25"):
        given = (
            "dataset.chapters=3",
            "dataset.cap=2",
            f"memory={memory}",
            f"run.dir={top / memory}",
        )
        gswlab.open("experiment=generated", *given).run()
    return top


@pytest.fixture(scope="module")
def runs(folder: Path) -> Runs:
    return browse(folder)


def test_wrong_answers_stand_first_with_gold_verdict_and_blame(runs: Runs) -> None:
    text = runs.page().html
    rows = re.findall(r"<li data-asked=.*?</li>", text, re.DOTALL)
    assert len(rows) == len(runs.runs[0].said)
    worth = [row.count("✓ right") + row.count("◐ partly") / 2 for row in rows]
    assert worth[0] == 0
    assert worth[-1] == 2
    assert "gold: <b>" in rows[0]
    assert 'class="blame">' in rows[0]
    assert 'class="blame">' not in rows[-1]


def test_every_answer_that_is_not_right_is_blamed_on_a_stage(runs: Runs) -> None:
    table = runs.to_frame()
    wrong = table[table["verdict"].isin(["wrong", "partly"])]
    assert len(wrong)
    assert wrong["blame"].ne("").all()
    assert table[table["verdict"] == "right"]["blame"].eq("").all()


def test_blame_is_recall_s_where_the_gold_was_not_handed_over() -> None:
    asked = EpQuestion(0, "Where?", "Spaces", "all", ("Kobe",), (3,), 1)
    wrong = Judge().verdict(asked, Answer(("Oslo",), False, (), (), ""))
    told = ((2, "in Kobe", "recall"), (3, "at home", "recall"), (3, "Kobe", "reading"))
    for chapter, text, stage in told:
        handed = Evidence((Item(text, (), chapter, 1.0),), 1)
        assert [found for _, found in missed([asked], [wrong], [handed])] == [stage]


def test_a_run_that_is_not_finished_is_listed_and_a_folder_without_runs_told(
    folder: Path, tmp_path: Path
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Ann Ray left Kobe. She took the ferry.")
    gswlab.open(f"dataset.file={note}", f"run.dir={tmp_path / 'run'}").step()
    assert repr(browse(tmp_path)) == "Runs(run: not asked)"
    with pytest.raises(GswlabError, match="holds no run"):
        browse(folder / "nowhere")


def test_a_row_that_no_run_wrote_is_refused_in_a_sentence(
    runs: Runs, tmp_path: Path
) -> None:
    home = tmp_path / "run"
    home.mkdir()
    (home / "journal.sqlite").write_bytes(runs.runs[0].folder.journal.read_bytes())
    (home / "graded.jsonl").write_text(json.dumps({"gold": 3, "worth": 9}) + "\n")
    with pytest.raises(GswlabError, match="problems"):
        browse(home)


def test_the_ink_of_an_answer_late_in_a_long_text_is_drawn(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ink_page, "LINES", 8)
    late = max(
        (span.start, number)
        for number, one in enumerate(runs.runs[0].said)
        for span in one.saved.answer.spans[:1]
        if len(one.saved.answer.spans) == 1
    )[1]
    page = runs.ink(0, late).html
    assert "sentences 1 to 8" not in page
    assert re.search(r'data-ids="[^"]*\bx0\b', page)


def test_the_widget_opens_the_ink_of_the_answer_that_is_clicked(runs: Runs) -> None:
    shown, below = runs.widget().children
    said = {"gswlab": "page", "step": 0, "nouns": ["3"], "lines": [], "still": False}
    shown._handle_custom_msg(said, [])
    assert below.height > 0
    assert below.title.endswith("answers and ink")
    shown._handle_custom_msg({**said, "step": 99}, [])  # no such run: nothing happens


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM}")
def test_filters_leave_what_was_asked_for(
    tab: Any,  # noqa: F811
    runs: Runs,
    tmp_path: Path,
) -> None:
    tab.goto(runs.page().write(tmp_path / "runs.html").as_uri())
    every = tab.inner_text("output")
    tab.select_option("[data-by=run]", "1")
    tab.select_option("[data-by=verdict]", "wrong")
    wrong = sum(one.verdict == "wrong" for one in runs.runs[1].said)
    assert tab.inner_text("output") == every.replace(every.split()[0], str(wrong), 1)
    tab.fill("[data-by=words]", "no question has these words")
    assert tab.inner_text("output").startswith("0 of ")
    assert tab.wrong == []
    shoot(tab, "runs")

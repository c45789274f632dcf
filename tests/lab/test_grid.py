"""What the shell does a cell does: a grid, an estimate, a talk."""

from __future__ import annotations

import json

import pytest

import gswlab
from gswlab.__main__ import main
from gswlab.core.errors import GswlabError

BOOK = ("experiment=generated", "dataset.chapters=2", "dataset.cap=1")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grid")
    return gswlab.grid(*BOOK, "memory=closed_book,bm25", f"run.dir={folder}")


def test_a_grid_is_one_table_with_differences_to_its_first_run(made):
    table = made.to_frame().set_index("memory")
    assert [run.parent.name for run in made.runs] == ["closed_book", "bm25"]
    gap = table.strict_f1["bm25"] - table.strict_f1["closed_book"]
    assert table.difference_mean["bm25"] == pytest.approx(gap, abs=1e-3)
    low, high = table.difference_low["bm25"], table.difference_high["bm25"]
    assert low <= table.difference_mean["bm25"] <= high
    assert table.difference_mean.isna()["closed_book"]


def test_a_grid_shows_its_table_its_plot_and_the_equal_command(made):
    shown = made._repr_html_()
    assert "differences are paired" in shown
    assert "difference_p_holm" in shown
    assert 'aria-label="strict F1, run by run. bm25 0.' in shown
    assert made.command.startswith("python -m gswlab run -m experiment=generated")
    assert made.command in shown.replace("&#x27;", "'")


def test_the_shell_prints_the_runs_of_the_same_grid(made, capsys):
    assert main(["run", "-m", *made.overrides]) == 0
    said = capsys.readouterr()
    runs = [json.loads(line)["run"] for line in said.out.splitlines()]
    assert runs == [str(run) for run in made.runs]
    assert "difference_mean" in said.err


def test_a_grid_of_which_every_job_fails_says_why(tmp_path):
    with pytest.raises(GswlabError, match=r"chunk\.sentences cannot be"):
        gswlab.grid(*BOOK, "chunk.sentences=no,none", f"run.dir={tmp_path}")


def test_a_grid_goes_on_past_a_job_that_fails_and_shows_the_sentence(tmp_path):
    made = gswlab.grid(
        *BOOK, "memory=closed_book", "budget=500,none", f"run.dir={tmp_path}"
    )
    assert (len(made.runs), len(made.failed)) == (1, 1)
    assert "budget cannot be" in made._repr_html_()


def test_an_estimate_is_the_table_that_the_shell_prints(capsys):
    asked = (
        *BOOK,
        "memory=gsw_llm",
        "llm=openai",
        "llm.base_url=http://127.0.0.1:9/v1",
    )
    told = gswlab.estimate(*asked, "llm.model=none-such")
    assert main(["estimate", *asked, "llm.model=none-such"]) == 0
    assert capsys.readouterr().out == f"{told}\n"
    assert "at most (chunks: " in told._repr_html_()


def test_an_estimate_of_a_run_without_a_model_says_it_is_free():
    with pytest.raises(GswlabError, match="llm=none asks no model"):
        gswlab.estimate(*BOOK)


def test_a_talk_shows_all_that_was_said_also_when_it_is_gone_on_with(tmp_path):
    talk = gswlab.chat(run=str(tmp_path / "talk"))
    talk.send("My <b>sister</b> Bea lives in Oslo.", "2024-05-08", "Ann")
    shown = gswlab.chat(run=str(tmp_path / "talk"))._repr_html_()
    assert "My &lt;b&gt;sister&lt;/b&gt; Bea lives in Oslo." in shown
    assert "2024-05-08" in shown
    assert "Noted." in shown

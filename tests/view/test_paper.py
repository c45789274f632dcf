"""The paper button, the graph of a step, and every figure and table of the paper."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from paper import rebuilt
from plates import PLATES
from sheets import SHEETS
from told import told

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor
from gswlab.core.step import Put, Step
from gswlab.view.figures.comparison import accuracy_by_cues, accuracy_by_tokens
from gswlab.view.figures.series import forest
from gswlab.view.run.export import COLUMN, PAGE, caption, for_print, paper, step_chart

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "experiments" / "results"
EPBENCH = TABLES / "epbench_comparison.csv"
PUBLISHED = TABLES / "published.csv"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


def inches(svg: Path) -> float:
    found = re.search(r'<svg[^>]* width="([\d.]+)pt"', svg.read_text("utf-8"))
    assert found
    return float(found[1]) / 72


def test_a_figure_is_five_files_of_one_name(tmp_path: Path) -> None:
    chart = accuracy_by_cues(EPBENCH, PUBLISHED)
    paths = paper(chart, tmp_path / "new" / "paper", "cues")
    assert sorted(path.name for path in paths) == [
        f"cues.{end}" for end in ("csv", "md", "pdf", "svg", "txt")
    ]
    assert all(path.stat().st_size for path in paths)


def test_a_figure_is_a_column_or_a_page_wide_and_the_chart_stays(
    tmp_path: Path,
) -> None:
    chart = accuracy_by_tokens(EPBENCH)
    before = chart._repr_html_()
    for width in (COLUMN, PAGE):
        paper(chart, tmp_path, str(width), width)
        assert inches(tmp_path / f"{width}.svg") == pytest.approx(width)
    assert chart._repr_html_() == before
    with pytest.raises(GswlabError, match="5 inches is no width"):
        for_print(chart, 5)


def test_letters_are_embedded_and_no_font_is_type_three(tmp_path: Path) -> None:
    paper(accuracy_by_tokens(EPBENCH), tmp_path, "tokens")
    pdf = (tmp_path / "tokens.pdf").read_bytes()
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    assert b"CreationDate" not in pdf


def test_a_caption_says_n_intervals_reader_configurations_and_commit() -> None:
    told = caption(accuracy_by_cues(EPBENCH, PUBLISHED))
    table = pd.read_csv(EPBENCH)
    assert "n = 456." in told
    assert "95 %" in told
    assert "Reader: cue." in told
    assert str(table["config"].min()) in told
    assert str(table["commit"].iloc[0]) in told
    assert "Published figures are the papers' own" in told


def test_the_data_has_every_drawn_figure_ours_and_theirs(tmp_path: Path) -> None:
    paper(accuracy_by_cues(EPBENCH, PUBLISHED), tmp_path, "cues")
    data = pd.read_csv(tmp_path / "cues.csv").set_index("memory")
    table = pd.read_csv(EPBENCH).set_index("memory")
    assert data.loc["gsw", "strict_f1@1"] == table.loc["gsw", "strict_f1@1"]
    assert data.loc["GSW (published)"].notna().sum() >= 3


def test_a_forest_says_each_dot_and_its_interval() -> None:
    nan = float("nan")
    rows = pd.DataFrame(
        [("a", 0.5, 0.4, 0.6), ("b (published)", 0.7, nan, nan)],
        columns=["label", "value", "low", "high"],
    )
    drawn = forest(rows, "Title", "share")
    assert drawn.alt == "Title. a 0.5 [0.4, 0.6]; b (published) 0.7."


def test_a_step_is_drawn_with_what_it_did(journal: Journal, tmp_path: Path) -> None:
    drawn = step_chart(journal, 3)
    assert "changed: Tomas Reed" in drawn.alt
    assert "retired: him" in drawn.alt
    assert drawn.data is not None
    rows = drawn.data.query("what == 'noun'").set_index("id")
    assert rows.loc["a2", "how"] == "changed"
    paper(drawn, tmp_path, "step")
    assert "onerror" not in (tmp_path / "step.svg").read_text("utf-8").split("<g")[1]


def test_japanese_names_are_drawn_and_no_warning_is_given(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    with Journal(tmp_path / "ja.sqlite") as journal:
        names = ("佐伯健", "山田 花子", "𠮷野", "$x$ costs $5")
        people = [Actor(f"a{n}", "person", name) for n, name in enumerate(names, 1)]
        journal.append(Step(0, None, tuple(Put("actor", one) for one in people)))
        paper(step_chart(journal, 1), tmp_path, "ja")
    assert not [one for one in recwarn if "Glyph" in str(one.message)]
    assert "佐伯健" in (tmp_path / "ja.txt").read_text("utf-8")
    assert b"IPAexGothic" in (tmp_path / "ja.pdf").read_bytes()


def test_what_cannot_be_drawn_is_one_sentence(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(GswlabError, match="dict cannot be put on paper"):
        paper({}, tmp_path)
    with pytest.raises(GswlabError, match="step 9 is out of range"):
        step_chart(journal, 9)
    with pytest.raises(GswlabError, match="there is no folder"):
        rebuilt(tmp_path / "none", tmp_path / "paper")


def test_names_of_figures_and_tables_are_their_own() -> None:
    for pieces in (PLATES, SHEETS):
        names = [piece.name for piece in pieces]
        assert len(set(names)) == len(names)


def test_every_committed_table_is_in_the_paper() -> None:
    needed = {name for piece in (*PLATES, *SHEETS) for name in piece.needs}
    committed = {path.stem for path in TABLES.glob("*.csv")}
    assert committed <= needed


def test_a_table_that_was_not_made_yet_is_skipped_and_picked_up_when_there(
    tmp_path: Path,
) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()

    def only(name: str) -> bool:
        return name == "switches"

    made = rebuilt(tables, tmp_path / "paper", only)
    assert made.skipped == (
        "figure switches, table switches: switches.csv was not made yet",
    )
    shutil.copy(TABLES / "switches.csv", tables)
    made = rebuilt(tables, tmp_path / "paper", only)
    assert made.skipped == ()
    assert repr(made) == f"2 figures and tables in {tmp_path / 'paper'}"
    table = (tmp_path / "paper" / "table_switches.tex").read_text("utf-8")
    assert table.startswith(r"\begin{tabular}")


@pytest.mark.slow
def test_everything_is_drawn_and_a_second_time_to_the_same_bytes(
    tmp_path: Path,
) -> None:
    command = [
        sys.executable,
        "-W",
        "error::UserWarning",
        str(ROOT / "experiments" / "recipes" / "paper.py"),
    ]
    runs = [
        subprocess.Popen(
            [*command, str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "1")
    ]
    said = [run.communicate()[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    written = [
        {path.name: path.read_bytes() for path in sorted((tmp_path / seed).iterdir())}
        for seed in ("0", "1")
    ]
    assert written[0] == written[1]
    here = {piece.name for piece in PLATES if _ready(piece.needs)}
    assert {f"figure_{name}.pdf" for name in here} <= written[0].keys()
    whole = b"".join(written[0].values())
    assert str(ROOT).encode() not in whole
    assert b"[nan" not in whole


def _ready(needs: tuple[str, ...]) -> bool:
    return all((TABLES / f"{name}.csv").exists() for name in needs)

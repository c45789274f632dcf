"""Result tables and readings beside their gold, as a notebook shows them."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

import gswlab
from gswlab.bench.audit import Audit, AuditRow, write_text
from gswlab.bench.audit.whereabouts import Expected, HeldWhereabouts
from gswlab.bench.statistics import Interval
from gswlab.core.errors import GswlabError
from gswlab.view.figures.tables import figures, spread, told_rows
from gswlab.view.papers.gsw import audit_table

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = ROOT / "experiments"
TABLES = sorted(EXPERIMENTS.glob("results/*.csv"))


def test_a_figure_stands_with_its_interval_and_n():
    read = figures({"f1": Interval(0.5, 0.25, 0.75, 8)})
    assert told_rows(read).to_list() == ["0.500 [0.250, 0.750] n=8"]


def test_a_count_stands_alone_and_what_is_undefined_is_said_to_be():
    read = figures({"invented": 4, "conflicts": None})
    assert told_rows(read).to_list() == ["4", "–"]


def test_the_interval_of_another_column_is_its_own(tmp_path):
    table = tmp_path / "switches.csv"
    heads = "f1,low,high,n,difference,difference_low,difference_high"
    table.write_text(f"{heads}\n0.9,0.8,1.0,5,-0.25,-0.5,0.0\n")
    read = figures(table)
    assert told_rows(read, "f1").item() == "0.900 [0.800, 1.000] n=5"
    assert told_rows(read, "difference").item() == "-0.250 [-0.500, 0.000] n=5"


def test_rows_and_columns_keep_the_order_of_the_table():
    named = {"times/recall": 2, "actors/f1": 3, "actors/recall": 1}
    wide = spread(figures(named, "element", "measure"), "element", "measure")
    assert list(wide.index) == ["times", "actors"]
    assert list(wide.columns) == ["recall", "f1"]
    assert wide.loc["times"].to_list() == ["2", ""]


def test_a_missing_table_names_the_recipe_that_makes_it(tmp_path):
    with pytest.raises(GswlabError, match=r"scale\.sh"):
        figures(tmp_path / "scale.csv")


MADE = sorted(p for p in EXPERIMENTS.glob("results/*.csv") if p.stem != "published")


@pytest.mark.parametrize("table", MADE, ids=lambda p: p.stem)
def test_every_figure_of_a_table_says_which_commit_made_it(table):
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert all(row["commit"] for row in rows)


def test_every_recipe_and_every_table_is_listed():
    listed = (EXPERIMENTS / "README.md").read_text("utf-8")
    made = [*EXPERIMENTS.glob("recipes/*.sh"), *EXPERIMENTS.glob("results/*.csv")]
    assert [path.name for path in made if f"`{path.name}`" not in listed] == []


def test_the_tables_of_the_results_are_what_the_recipes_wrote(tmp_path):
    written = (EXPERIMENTS / "RESULTS.md").read_text("utf-8")
    copy = tmp_path / "RESULTS.md"
    copy.write_text(written, "utf-8")
    command = [sys.executable, "experiments/recipes/claims.py", str(copy)]
    subprocess.run(command, cwd=ROOT, check=True)
    stale = "experiments/recipes/is_it_right.sh writes them anew"
    assert copy.read_text("utf-8") == written, stale


def test_the_number_of_the_readme_is_its_recipes():
    read = figures(EXPERIMENTS / "results" / "epbench20.csv")
    told = told_rows(read[read["figure"] == "strict/overall/f1"]).item()
    number, interval = told.partition(" n=")[0].split(" ", 1)
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert f"strict F1 of **{number}** {interval}" in readme


# audits


def test_what_was_named_before_stands_in_brackets():
    said = Expected("2030-01-02", "the mill", time_named=False, place_named=True)
    row = AuditRow(1, "c2", 1, said, HeldWhereabouts(1, "c2", "2030-01-02"), ("place",))
    table = audit_table(Audit("a1", "Ann Ray", (row,), ()))
    assert table.rows == (
        ("c2", "(2030-01-02)", "2030-01-02", "the mill", "-", "place"),
    )
    assert table.caption.startswith("Ann Ray (a1): 1 missed update;")


def test_a_chain_is_written_as_the_chunks_a_run_reads(tmp_path):
    path = EXPERIMENTS / "texts" / "chains" / "fen.json"
    chain = json.loads(path.read_text("utf-8"))
    text = write_text(chain, tmp_path / "new" / "fen.txt")
    lab = gswlab.open(f"dataset.file={text}", "chunk.sentences=2")
    assert [c.text for c in lab.chunks] == [c["text"] for c in chain["chunks"]]

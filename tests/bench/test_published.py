"""The papers' figures, copied once: every table and figure reads them from one file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"
FILE = EXPERIMENTS / "results" / "published.csv"
PUBLISHED = pd.read_csv(FILE, keep_default_na=False, dtype={"value": float})


def test_every_published_cell_has_one_value_with_its_unit():
    cells = PUBLISHED[["paper", "table", "row", "column"]]
    assert not cells.duplicated().any()
    assert set(PUBLISHED["unit"]) <= {
        "share",
        "percent",
        "tokens",
        "USD",
        "s",
        "steps",
        "edges",
        "gauge",
    }
    shares = PUBLISHED.loc[PUBLISHED["unit"] == "share", "value"]
    assert shares.between(0, 1).all()


def test_the_four_papers_have_all_their_tables():
    tables = PUBLISHED.groupby("paper")["table"].unique().map(sorted).to_dict()
    assert [len(tables[paper]) for paper in sorted(tables)] == [5, 3, 4, 2]
    bins = PUBLISHED[PUBLISHED["table"] == "EpBench-200 strict"]
    assert len(bins) == 6 * 3 * 6 + 1  # six systems, three metrics, five bins and all


def test_what_is_repeated_is_the_same_quantity_with_its_interval():
    claims = (EXPERIMENTS / "CLAIMS.md").read_text("utf-8")
    rows = [line.split(" | ") for line in claims.splitlines() if line.startswith("| ")]
    verdicts = [row[1].partition(":")[0] for row in rows if row[0] != "| claim"]
    known = {"repeated", "refuted", "not comparable", "impossible here"}
    assert set(verdicts) <= known
    for row in (row for row in rows if row[1] == "repeated"):
        assert "[" in row[2], row
        assert "n=" in row[2], row


def test_the_claims_are_what_the_tables_say():
    command = [sys.executable, "papers.py"]
    made = subprocess.run(
        command, cwd=EXPERIMENTS / "recipes", capture_output=True, text=True, check=True
    )
    stale = "experiments/recipes/is_it_right.sh writes it anew"
    assert made.stdout == (EXPERIMENTS / "CLAIMS.md").read_text("utf-8"), stale

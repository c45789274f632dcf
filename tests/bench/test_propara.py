"""ProPara: what a sentence says of who takes part in a process, beside copying."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gswlab.bench.propara import ProPara
from gswlab.core.errors import GswlabError
from gswlab.lab import config

GRID = {
    "para_id": "1",
    "sentence_texts": [
        "The river carries the sand to the sea.",
        "The sand sleeps.",
        "The sand becomes stone.",
    ],
    "participants": ["sand", "stone"],
    "states": [["river", "sea", "sea", "-"], ["-", "-", "-", "sea"]],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one process of our own."""
    (tmp_path / "grids.v1.dev.json").write_text(json.dumps(GRID) + "\n")
    return tmp_path


def test_what_moves_or_ends_is_told_and_the_rest_is_copied(folder, tmp_path):
    given = f"dataset.folder={folder}", f"run.dir={tmp_path / 'run'}"
    config.open("experiment=propara", "embedder=none", *given).run()
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert scores["copying"]["mean"] == 0.5
    assert scores["accuracy"]["mean"] == pytest.approx(5 / 6, abs=1e-4)
    assert scores["changes"]["mean"] == pytest.approx(2 / 3, abs=1e-4)


def test_a_row_of_too_few_states_is_refused(folder):
    bad = {**GRID, "states": [["river"], ["-", "-", "-", "sea"]]}
    (folder / "grids.v1.dev.json").write_text(json.dumps(bad))
    with pytest.raises(GswlabError, match="states a row"):
        ProPara(str(folder)).worlds  # noqa: B018


def test_without_a_file_of_its_split_the_folder_is_named(tmp_path):
    with pytest.raises(GswlabError, match=r"grids\.v1\.dev\.json"):
        ProPara(str(tmp_path)).worlds  # noqa: B018

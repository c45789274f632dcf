"""A command killed at any moment: the same command ends as if it never was."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import scipy.stats  # noqa: F401 - a run scores with it: not in every process anew
from attacks import DEEDS, STORY, edit_it, left_behind, survived

import gswlab
from gswlab.bench.folder import RunFolder

KILLS = 5  # each


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every victim begins with: a story, and a run that has read it."""
    home = tmp_path_factory.mktemp("made")
    (home / "story.txt").write_text(STORY, "utf-8")
    given = f"dataset.file={home / 'story.txt'}", "embedder=none"
    lab = gswlab.open(*given, f"run.dir={home / 'run'}")
    lab.run()
    lab.ask("Who opened a book fair?")
    lab.journal.close()
    return home


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_killed_at_any_moment_it_ends_as_if_never_killed(
    made: Path, tmp_path: Path, deed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TQDM_DISABLE", "1")
    assert survived(deed, made, tmp_path, KILLS, seed=22)


def test_killed_between_its_last_step_and_its_bill_it_has_a_bill_in_the_end(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TQDM_DISABLE", "1")
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    fork = edit_it(tmp_path)
    (fork / "ledger.json").rename(fork / ".ledger.json.99999999")  # as a kill leaves it
    assert edit_it(tmp_path) == fork
    assert (fork / "ledger.json").exists()
    assert not [*fork.glob(".*")]


@pytest.mark.parametrize("memory", ["gsw", "bm25"])
def test_a_run_that_nobody_holds_is_one_file_before_cycles_are_looked_for(
    made: Path, tmp_path: Path, memory: str
) -> None:
    story, run = f"dataset.file={made / 'story.txt'}", f"run.dir={tmp_path / 'run'}"
    gc.disable()
    try:
        lab = gswlab.open(story, f"memory={memory}", "embedder=none", run)
        lab.run()
        lab.ask("Who opened a book fair?")
        del lab
    finally:
        gc.enable()
    assert not left_behind(tmp_path)


def test_scores_are_written_last_so_that_who_was_killed_before_writes_a_whole_bill(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, write = list[str](), RunFolder.write_json

    def noted(folder: RunFolder, name: str, data: Mapping[str, Any]) -> Path:
        written.append(name)
        return write(folder, name, data)

    monkeypatch.setattr(RunFolder, "write_json", noted)
    story, run = f"dataset.file={made / 'story.txt'}", f"run.dir={tmp_path / 'run'}"
    gswlab.open(story, "embedder=none", run).run()
    assert "ledger.json" in written
    assert written[-1] == "scores.json"

"""A command killed at any moment: the same command ends as if it never was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import scipy.stats  # noqa: F401 - a run scores with it: not in every process anew
from attacks import DEEDS, STORY, edit_it, survived

import gswlab

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

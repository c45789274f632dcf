"""A finished run is everybody's: two notebooks on one text, as two processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

import gswlab
from gswlab.core.errors import GswlabError

STORY = """Chapter 1

On May 7, 2024, Ann Ray opened a book fair in Tall Mill. She sold forty books.

Chapter 2

On June 2, 2024, Bo Lind held a chess tournament at Old Pier. He lost every game.
"""
QUESTION = "Where was Ann Ray on May 7, 2024?"
NOTEBOOK = """
import sys, gswlab
lab = gswlab.open(*sys.argv[1:])
lab.run()
print(lab.ask("Where was Ann Ray on May 7, 2024?").items)
"""


@pytest.fixture
def settings(tmp_path):
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    file, folder = tmp_path / "story.txt", tmp_path / "run"
    return "experiment=read", f"dataset.file={file}", f"run.dir={folder}"


def elsewhere(code, settings):
    """The same cells in another process, while this one has its lab open."""
    command = [sys.executable, "-c", code, *settings]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_second_notebook_runs_and_asks_what_a_first_one_has_finished(settings):
    lab = gswlab.open(*settings)
    lab.run()
    for _ in range(2):
        done = elsewhere(NOTEBOOK, settings)
        assert done.stdout == "('Tall Mill',)\n", done.stderr
        assert lab.ask(QUESTION).items == ("Tall Mill",)


def test_a_run_stepped_to_its_end_is_shared_too(settings):
    lab = gswlab.open(*settings)
    while lab.step():
        pass
    assert not lab.journal.held
    assert elsewhere(NOTEBOOK, settings).returncode == 0


def test_opening_a_finished_run_writes_nothing(settings):
    gswlab.open(*settings).run()
    lab = gswlab.open(*settings)
    folder = lab.folder.path
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.*")}
    code = NOTEBOOK.replace("lab.run()", "assert lab.finished")
    assert elsewhere(code, settings).returncode == 0
    after = {path: path.stat().st_mtime_ns for path in folder.glob("*.*")}
    kept = {path for path in before if not path.name.endswith(("-shm", "-wal"))}
    assert {path: after[path] for path in kept} == {path: before[path] for path in kept}


def test_each_puts_a_standing_question_to_a_finished_run_and_sees_both(settings):
    lab = gswlab.open(*settings)
    lab.run()
    code = NOTEBOOK + 'lab.standing("Who held a chess tournament?")'
    assert elsewhere(code, settings).returncode == 0
    lab.standing("Who opened a book fair?")
    asked = [q.text for q in lab.workspace.questions if q.standing]
    assert asked == ["Who held a chess tournament?", "Who opened a book fair?"]


def test_a_run_that_is_being_read_is_still_written_by_one_alone(settings):
    lab = gswlab.open(*settings)
    lab.step()
    done = elsewhere(NOTEBOOK, settings)
    assert "is being written by another process" in done.stderr
    lab.run()
    assert elsewhere(NOTEBOOK, settings).returncode == 0


def test_taking_back_a_step_of_a_finished_run_keeps_others_out_of_it(settings):
    lab = gswlab.open(*settings)
    lab.run()
    lab.journal.undo()
    assert lab.journal.held
    done = elsewhere(NOTEBOOK, settings)
    assert "is being written by another process" in done.stderr
    lab.run()
    assert lab.finished
    assert not lab.journal.held


def test_a_journal_that_was_closed_is_not_claimed(settings):
    lab = gswlab.open(*settings)
    lab.run()
    lab.journal.close()
    with pytest.raises(GswlabError, match="closed"):
        lab.journal.claim()

"""Accidents to a journal: each is named, and nothing that was not written is shown."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from attacks import CLASS_NAME, STORY, corrupted, left_behind, misled, spoken

import gswlab
from gswlab.core.journal import Journal

COMMANDS = (
    ("export", "{}"),
    ("export", "{}", "--layout", "graphml"),
    ("step", "{}", "1"),
    ("step", "{}", "-1"),
    ("ask", "{}", "Who opened a book fair?"),
    ("ask", "{}", "Where was Bo Lind on June 2, 2024?", "--json"),
    ("audit", "{}", "Ann Ray"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("whole")
    (home / "story.txt").write_text(STORY * 3, "utf-8")
    given = f"dataset.file={home / 'story.txt'}", "embedder=none"
    lab = gswlab.open(*given, f"run.dir={home / 'run'}")
    lab.run()
    lab.journal.close()
    return home / "run"


@pytest.mark.parametrize("number", range(20))
def test_an_accident_is_named_or_changes_nothing(
    whole: Path, tmp_path: Path, number: int
) -> None:
    true = {words: spoken(*(w.format(whole) for w in words))[1] for words in COMMANDS}
    what = corrupted(whole, tmp_path / "run", number)
    assert not misled(tmp_path / "run", true, f"{number} {what}")


def test_a_fork_of_a_damaged_run_names_the_step_and_leaves_nothing(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    corrupted(whole, tmp_path / "run", 23)
    status, out, err = spoken("fork", "run", "1", "reconciler.threshold=0.9")
    assert (status, out) == (2, "")
    assert "step 5 of run/journal.sqlite is not what was written" in err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    "lost",
    [
        "chunks WHERE position = 0",
        "documents WHERE position = 0",
        "meta WHERE position = 0",
        "counts",
    ],
)
def test_reading_on_in_a_journal_that_lost_rows_names_them_and_adds_none(
    whole: Path, tmp_path: Path, lost: str
) -> None:
    run, story = tmp_path / "run", whole.parent / "story.txt"
    shutil.copytree(whole, run)
    with closing(sqlite3.connect(run / "journal.sqlite")) as db:
        db.execute(f"DELETE FROM {lost}")
        db.commit()
    before = (run / "journal.sqlite").read_bytes()
    for words in (
        ("read", str(story), "--run", str(run), "embedder=none"),
        ("ask", str(run), "Who opened a book fair?"),
    ):
        status, out, err = spoken(*words)
        assert (status, out) == (2, ""), err
        assert "is not what was written" in err
        assert not CLASS_NAME.search(err)
    assert (run / "journal.sqlite").read_bytes() == before


def test_checking_names_all_that_is_damaged(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "run")
    with closing(sqlite3.connect(tmp_path / "run" / "journal.sqlite")) as db:
        db.execute("UPDATE steps SET json = json || ' ' WHERE position IN (2, 5)")
        db.execute("UPDATE chunks SET id = 'c' WHERE position = 1")
        db.commit()
    (tmp_path / "run" / "scores.json").write_text("{", "utf-8")
    status, out, err = spoken("check", str(tmp_path / "run"))
    assert (status, out) == (2, "")
    for word in ("step 3 of", "step 6 of", "chunk 2 of", "scores.json"):
        assert word in err
    assert "step 4 of" not in err
    status, out, err = spoken("check", str(whole))
    assert (status, err) == (0, "")
    assert "10 steps of 9 chunks" in out


def test_an_older_journal_is_refused_and_upgraded_whole(
    whole: Path, tmp_path: Path
) -> None:
    """As version 1 had it: no digests, no counts."""
    shutil.copytree(whole, tmp_path / "run")
    path = tmp_path / "run" / "journal.sqlite"
    with Journal(path, "r") as journal:
        true = [*journal.export()]
    with closing(sqlite3.connect(path)) as db:
        for table in ("meta", "documents", "chunks", "steps"):
            db.execute(f"ALTER TABLE {table} DROP COLUMN digest")
        db.execute("DROP TABLE counts")
        db.execute("PRAGMA user_version = 1")
        db.commit()
    status, _, err = spoken("export", str(tmp_path / "run"))
    assert status == 2
    assert "schema version 1" in err
    assert f"try: python -m gswlab check {tmp_path / 'run'} --upgrade" in err
    assert spoken("check", str(tmp_path / "run"), "--upgrade")[0] == 0
    with Journal(path, "r") as journal:
        assert [*journal.export()] == true
    assert not left_behind(tmp_path / "run")


ROWS = ("answers.jsonl", "verdicts.jsonl", "graded.jsonl")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("scored")
    given = "experiment=generated", "dataset.chapters=2", "dataset.cap=1"
    lab = gswlab.open(*given, f"run.dir={home / 'one'}")
    lab.run()
    lab.journal.close()
    return shutil.copytree(home / "one", home / "two").parent


@pytest.mark.parametrize("line", ["7", "{}", "a: &a [*a]", "[" * 50_000, "\xff", "{"])
def test_rows_that_no_run_wrote_are_named_by_who_reads_them(
    scored: Path, tmp_path: Path, line: str
) -> None:
    for name in ROWS:
        shutil.copytree(scored, tmp_path / name)
        run = tmp_path / name / "two"
        (run / name).write_bytes(f"{line}\n".encode("latin-1"))
        for words in (
            ("check", str(run)),
            ("collect", str(run.parent)),
            ("collect", str(run.parent), "--against", "one"),
            ("ask", str(run), "Who met whom?"),
        ):
            status, out, err = spoken(*words)
            assert status in (0, 2), err
            assert not CLASS_NAME.search(out + err), words
        assert (run / name).read_bytes() == f"{line}\n".encode("latin-1")

"""The command line as a person meets it: results, one-sentence errors, speed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import chdir, closing

import pytest
from attacks import spoken

from gswlab.__main__ import main
from gswlab.bench.folder import RunFolder
from gswlab.core.journal import Journal
from gswlab.text.document import read_document

STORY = """Chapter 1

On May 7, 2024, Ann Ray opened a book fair in Tall Mill. She sold forty books.

Chapter 2

On June 2, 2024, Bo Lind held a chess tournament at Old Pier. He lost every game.
"""


def gswlab(*arguments, cwd, **env):
    return subprocess.run(
        [sys.executable, "-m", "gswlab", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        timeout=120,
        env=os.environ | {"TQDM_DISABLE": "1"} | env,
    )


def typed(*arguments, cwd):
    """What `gswlab` does, without a process of its own."""
    with chdir(cwd):
        return subprocess.CompletedProcess(arguments, *spoken(*arguments))


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """A folder with the story read into `run`, and what `read` printed."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "story.txt").write_text(STORY, encoding="utf-8")
    done = gswlab("read", "story.txt", "--run", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done


def test_help_is_shown_within_a_second(tmp_path):
    best = min(_seconds_of_help(tmp_path) for _ in range(3))
    assert best < 1


def _seconds_of_help(tmp_path):
    began = time.perf_counter()
    shown = gswlab("--help", cwd=tmp_path)
    assert "read a text" in shown.stdout
    return time.perf_counter() - began


def test_the_last_line_of_reading_is_one_json_object_and_bars_are_silent(read):
    folder, done = read
    headline = json.loads(done.stdout.splitlines()[-1])
    assert (headline["run"], headline["chunks"]) == ("run", 2)
    assert "reading" not in done.stderr
    assert (folder / "run" / "journal.sqlite").exists()


def test_an_answer_cites_the_characters_it_rests_on(read):
    folder, _ = read
    question = "Where was Ann Ray on May 7, 2024?"
    shown = typed("ask", "run", question, cwd=folder)
    assert shown.stdout.splitlines()[0].strip() == "Tall Mill"
    assert "[Tall Mill]" in shown.stdout
    row = json.loads(typed("ask", "run", question, "--json", cwd=folder).stdout)
    span = row["spans"][0]
    assert row["items"] == ["Tall Mill"]
    assert row["chapters"] == [1]
    assert STORY[span["start"] : span["end"]] == "Tall Mill"


def test_a_question_the_text_does_not_answer_is_an_abstention(read):
    folder, _ = read
    shown = typed("ask", "run", "Where was Ann Ray on June 2, 2024?", cwd=folder)
    assert shown.stdout.splitlines()[0].strip() == "no answer"


def test_a_step_shows_text_changes_decisions_and_questions(read):
    folder, _ = read
    shown = typed("step", "run", "1", cwd=folder).stdout
    assert "[Ann Ray](" in shown
    for title in ("What changed", "Decisions", "Questions"):
        assert title in shown


def test_step_minus_one_is_the_last(read):
    folder, _ = read
    assert "finish" in typed("step", "run", "-1", cwd=folder).stdout.splitlines()[0]


def test_an_export_is_the_same_on_standard_output_and_in_a_file(read):
    folder, _ = read
    printed = typed("export", "run", cwd=folder).stdout
    typed("export", "run", "--out", "run.jsonl", cwd=folder)
    assert (folder / "run.jsonl").read_text(encoding="utf-8") == printed
    lines = [json.loads(line) for line in printed.splitlines()]
    assert lines[0]["journal"] == "gswlab"
    assert [line["index"] for line in lines[1:]] == list(range(len(lines) - 1))


def test_a_standing_question_is_answered_by_a_later_chunk(tmp_path):
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    asked = ("--standing", "Who was at Old Pier?")
    done = typed("read", "story.txt", *asked, cwd=tmp_path)
    assert "Who was at Old Pier? answered: Bo Lind" in done.stdout


def test_reading_again_repeats_the_last_line_and_does_nothing_twice(read):
    folder, done = read
    again = typed("read", "story.txt", "--run", "run", cwd=folder)
    assert again.stdout.splitlines()[-1] == done.stdout.splitlines()[-1]


def test_a_run_folder_is_refused_to_other_settings(read):
    folder, _ = read
    other = ("--run", "run", "chunk.sentences=1")
    refused = typed("read", "story.txt", *other, cwd=folder)
    assert refused.returncode == 2
    assert "is a run of config" in refused.stderr


def test_settings_may_stand_before_and_after_an_option(read):
    folder, _ = read
    words = ("read", "story.txt", "chunk.sentences=1", "--run", "one", "budget=500")
    assert typed(*words, cwd=folder).returncode == 0


def test_a_grid_gives_every_job_a_folder_below_the_one_named(read):
    folder, _ = read
    given = ("dataset.file=story.txt", "chunk.sentences=1,2", "run.dir=grid")
    done = typed("run", "-m", *given, cwd=folder)
    runs = [json.loads(line)["run"] for line in done.stdout.splitlines()]
    assert len(set(runs)) == 2
    assert all(run.startswith("grid") for run in runs)


BOOK = {"Chapter 1": "On May 7, 2024, Ann Ray opened a book fair in Tall Mill."}
BENCH = ("run", "experiment=epbench", "dataset.book=book.json", "run.dir=bench")
BAD = {
    "empty.txt": b"",
    "binary.txt": bytes(range(256)),
    "latin.txt": b"caf\xe9",
    "bad.json": b'{"Chapter 1": 5',
    "number.json": b'{"Chapter 1": 5}',
    "twice.json": b'{"Chapter 1": "One.", "Chapter 1": "Two."}',
    "blank.json": b'{"Chapter 1": " "}',
    "deep.json": b"[" * 100_000,
    "none.json": b"[]",
    "row.json": b'[{"question": "Who?"}]',
    "list.json": b"[1]",
}


@pytest.fixture(scope="module")
def bad(read):
    """The folder of the run, with all that can be wrong beside it."""
    folder, _ = read
    for name, content in BAD.items():
        (folder / name).write_bytes(content)
    (folder / "book.json").write_text(json.dumps(BOOK), encoding="utf-8")
    (folder / "folder").mkdir()
    for name in ("newer", "damaged", "typed", "scored"):
        shutil.copytree(folder / "run", folder / name)
    with closing(sqlite3.connect(folder / "newer" / "journal.sqlite")) as db:
        db.execute("PRAGMA user_version = 99")
    journal = folder / "damaged" / "journal.sqlite"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    (folder / "typed" / "overrides.yaml").write_text("{", encoding="utf-8")
    (folder / "scored" / "scores.json").write_text("[", encoding="utf-8")
    with Journal(folder / "begun" / "journal.sqlite", settings=record(folder)) as begun:
        begun.add(read_document(folder / "story.txt"))
    return folder


def record(folder):
    with Journal(folder / "run" / "journal.sqlite", "r") as journal:
        return journal.meta["settings"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "COMMAND"),
        (("fly",), "fly"),
        (("read",), "FILE"),
        (("read", "none.txt"), "no file none.txt"),
        (("read", "folder"), "is a directory"),
        (("read", "empty.txt"), "is empty"),
        (("read", "binary.txt"), "is binary"),
        (("read", "latin.txt"), "is not UTF-8"),
        (("read", "bad.json"), "is not JSON"),
        (("read", "deep.json"), "is not JSON"),
        (("read", "number.json"), "Chapter 1 of number.json is no text"),
        (("read", "twice.json"), "'Chapter 1' twice"),
        (("read", "blank.json"), "holds no text"),
        (("read", "story.txt", "--fast"), "--fast"),
        (("read", "story.txt", "--run", "story.txt"), "story.txt"),
        (("read", "story.txt", "--run", "damaged"), "is not what was written"),
        (("read", "story.txt", "--run", "newer"), "schema version 99"),
        (("read", "story.txt", "--run", "scored"), "rm scored/scores.json"),
        (("read", "story.txt", "dataset.time=today"), "is no date"),
        (("run", "oops"), "oops"),
        (("run", "experiment=none"), "is one of"),
        (("run", "dataset.file=story.txt", "reader=none"), "is one of"),
        (("run", "dataset.file=story.txt", "memory.operator=5"), "operator=NAME"),
        (("run", "dataset.file=story.txt", "chunk.sentences=0"), "cannot be 0"),
        (("run", "dataset.file=story.txt", "chunk.size=1"), "chunk.sentences=VALUE"),
        (BENCH, "dataset.questions is not set"),
        ((*BENCH, "dataset.questions=none.txt"), "no file none.txt"),
        ((*BENCH, "dataset.questions=folder"), "folder cannot be read"),
        ((*BENCH, "dataset.questions=bad.json"), "bad.json is not JSON"),
        ((*BENCH, "dataset.questions=none.json"), "holds no question"),
        (
            (*BENCH, "dataset.questions=row.json"),
            "Field required @ $[0].retrieval_type",
        ),
        ((*BENCH, "dataset.questions=list.json"), "valid dictionary"),
        (("ask", "none", "Who?"), "holds no run"),
        (("ask", "begun", "Who?"), "has read nothing yet"),
        (("ask", "run", ""), "the question is empty"),
        (("ask", "typed", "Who?"), "rm typed/overrides.yaml"),
        (("step", "begun", "1"), "has no step yet"),
        (("step", "run", "99"), "out of range"),
        (("step", "run", "-99"), "out of range"),
        (("step", "run", "x"), "invalid int"),
        (("step", "damaged", "1"), "is not what was written"),
        (("export", "story.txt"), "holds no run"),
        (("export", "run", "--out", "folder"), "folder cannot be written"),
        (("export", "run", "--out", "none/run.jsonl"), "cannot be written"),
        (("demo", "--out", "story.txt/demo.html"), "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_status_two(
    bad, monkeypatch, capsys, arguments, words
):
    monkeypatch.chdir(bad)
    try:
        status = main(arguments)
    except SystemExit as left:
        status = left.code
    told = capsys.readouterr().err.splitlines()
    assert status == 2
    assert [line for line in told if line.startswith("gswlab: ")] == told[-1:]
    assert words in told[-1]
    assert "; try: " in told[-1]
    assert "Traceback" not in "".join(told)


def test_an_error_reaches_the_shell_as_its_exit_status(tmp_path):
    done = gswlab("read", "none.txt", cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_one_process_writes_a_run_and_any_number_read_it(read, monkeypatch, capsys):
    folder, _ = read
    monkeypatch.chdir(folder)
    with Journal(folder / "run" / "journal.sqlite"):
        same = ("read", "story.txt", "--run", "run")
        assert gswlab(*same, cwd=folder).returncode == 0  # finished: nothing to write
        again = gswlab(*same, "--standing", "Who won?", cwd=folder)
        assert again.returncode == 2
        assert "being written by another process" in again.stderr
        assert main(("step", "run", "-1")) == 0


def test_a_stopped_run_says_so_and_goes_on_by_the_same_command(
    read, monkeypatch, capsys
):
    monkeypatch.chdir(read[0])
    words = ("read", "story.txt", "--run", "stopped")
    with monkeypatch.context() as patched:
        patched.setattr(RunFolder, "time", stop)
        assert main(words) == 130
    assert "the same command goes on" in capsys.readouterr().err
    assert main(words) == 0
    capsys.readouterr()
    exports = []
    for name in ("run", "stopped"):
        assert main(("export", name)) == 0
        exports.append(capsys.readouterr().out)
    assert exports[0] == exports[1]


def stop(*_):
    raise KeyboardInterrupt


def test_debug_shows_the_traceback_that_is_otherwise_hidden(tmp_path):
    assert "Traceback" in gswlab("read", "no", cwd=tmp_path, GSWLAB_DEBUG="1").stderr


def test_a_reader_that_goes_away_is_no_error(read):
    folder, _ = read
    command = f"{sys.executable} -m gswlab export run | head -c 10"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True
    )
    assert done.stderr == b""


def test_the_demo_answers_with_citations_and_writes_one_page(tmp_path):
    began = time.perf_counter()
    done = gswlab("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert time.perf_counter() - began < 60
    assert "[Alder Street Museum]" in done.stdout
    page = (tmp_path / "demo.html").read_text(encoding="utf-8")
    assert "Alder Street Museum" in page

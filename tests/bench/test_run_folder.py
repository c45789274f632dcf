"""A run folder: order of reading, files, resuming after a kill, byte-equal results."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

import gswlab
from gswlab.bench import folder as folder_docs
from gswlab.bench.folder import RunFolder
from gswlab.bench.runner import run_lab
from gswlab.bench.texts import EpBench
from gswlab.core.errors import GswlabError
from gswlab.lab.lab import Lab

CHAPTERS = {
    "Chapter 1": "On May 7, 2024, Ann Ray opened a book fair in Tall Mill. She sold"
    " forty books. Rain fell. Ann Ray went home.",
    "Chapter 2": "On June 2, 2024, Bo Lind held a chess tournament at Old Pier. He"
    " lost every game. The crowd laughed. He bowed.",
    "Chapter 3": "On July 9, 2024, Ann Ray joined a swimming race at Old Pier. She"
    " won it. Her brother clapped. The water was cold.",
}


def row(question, asked, get, gold, chapters, matching):
    return {
        "question": question,
        "retrieval_type": asked,
        "get": get,
        "correct_answer": gold,
        "correct_answer_chapters": chapters,
        "n_chapters_correct_answer": matching,
    }


QUESTIONS = [
    row("Where was Ann Ray on May 7, 2024?", "Spaces", "all", ["Tall Mill"], [1], 1),
    row("Where was Bo Lind on May 7, 2024?", "Spaces", "all", [], [], 0),
    row("Who was at Old Pier?", "Entities", "all", ["Bo Lind", "Ann Ray"], [2, 3], 2),
]
TUPLES = {
    "1": {
        "date": "May 07, 2024",
        "location": "Tall Mill",
        "entity": "Ann Ray",
        "content": "book fair",
    }
}
SAME = ("answers.jsonl", "scores.json")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A small book, its questions and a tuple, on disk."""
    folder = tmp_path_factory.mktemp("book")
    for name, data in (("book", CHAPTERS), ("q", QUESTIONS), ("t", TUPLES)):
        text = json.dumps(data, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def overrides(files, folder):
    return (
        "experiment=epbench",
        f"dataset.book={files / 'book.json'}",
        f"dataset.questions={files / 'q.json'}",
        f"dataset.tuples={files / 't.json'}",
        f"run.dir={folder}",
        "chunk.sentences=1",
    )


def command(files, folder):
    return [sys.executable, "-m", "gswlab", "run", *overrides(files, folder)]


def environment(seed="0"):
    quiet = {"TQDM_DISABLE": "1"}
    return os.environ | quiet | {"PYTHONHASHSEED": seed}


def exported(folder):
    return list(gswlab.reopen(folder).journal.export())


@pytest.fixture(scope="module")
def whole(files, tmp_path_factory):
    """An uninterrupted run in another process: its folder and its last line."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    done = subprocess.run(
        command(files, folder), capture_output=True, text=True, env=environment()
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


def test_a_run_folder_holds_every_file_the_documentation_names(whole):
    folder, _ = whole
    names = {path.name for path in folder.iterdir()}
    listed = set(re.findall(r"\w+\.(?:sqlite|jsonl?|csv|yaml)", folder_docs.__doc__))
    assert len(listed) == 10
    assert names == {*names, *listed} - {"ledger.jsonl"}  # no model was called
    assert not [name for name in names if name.startswith(".")]


def test_every_answer_row_has_the_promised_columns_and_true_spans(whole):
    folder, _ = whole
    document = gswlab.reopen(folder).document
    rows = [json.loads(line) for line in (folder / "answers.jsonl").open()]
    assert [row["question"] for row in rows] == [row["question"] for row in QUESTIONS]
    for found in rows:
        assert {"items", "abstained", "chapters", "evidence_tokens"} < set(found)
        for span in found["spans"]:
            assert document.text[span["start"] : span["end"]].strip()
    assert rows[0]["items"] == ["Tall Mill"]
    assert rows[1]["abstained"]


def test_the_last_line_is_the_headline_of_the_scores(whole):
    folder, headline = whole
    scores = json.loads((folder / "scores.json").read_text())
    assert headline["strict_f1"] == scores["strict"]["overall"]["f1"]["mean"]
    assert headline["empty_answered"] == "0 of 1"
    assert headline["tuples"] == "1 of 1"


@pytest.mark.parametrize("figures", [None, "x", [1], 3, {"mean": "x"}])
def test_scores_that_no_run_wrote_are_a_sentence(whole, files, tmp_path, figures):
    folder, path = tmp_path / "run", tmp_path / "run" / "scores.json"
    shutil.copytree(whole[0], folder)
    scores = json.loads(path.read_text())
    kept = {name: scores[name] for name in ("data", "config")}
    path.write_text(json.dumps({**dict.fromkeys(scores, figures), **kept}))
    with pytest.raises(GswlabError, match=r"other figures \(rule: .*try: rm .*scores"):
        gswlab.open(*overrides(files, folder)).run()
    path.unlink()
    gswlab.open(*overrides(files, folder)).run()
    assert json.loads(path.read_text()) == scores


def test_seconds_are_in_the_ledger_and_the_timings_only(whole):
    folder, _ = whole
    assert json.loads((folder / "ledger.json").read_text())["seconds"]["reading"] > 0
    assert "seconds" not in (folder / "scores.json").read_text()
    assert "seconds" not in "".join(exported(folder))


@pytest.mark.slow
def test_another_folder_process_and_hash_seed_give_the_same_bytes(
    whole, files, tmp_path
):
    folder, headline = whole
    other = tmp_path / "other"
    done = subprocess.run(
        command(files, other), capture_output=True, text=True, env=environment("1")
    )
    again = json.loads(done.stdout.splitlines()[-1])
    assert {**again, "run": ""} == {**headline, "run": ""}
    for name in SAME:
        assert (other / name).read_bytes() == (folder / name).read_bytes()
    assert exported(other) == exported(folder)
    assert page_made_with(other, "1") == page_made_with(folder, "0")


def page_made_with(folder, seed):
    code = "import gswlab, sys; from gswlab.view import page; "
    code += "print(page(gswlab.reopen(sys.argv[1]).journal).html)"
    words = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(words, capture_output=True, env=environment(seed))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_notebook_gets_the_hash_and_scores_of_the_command_line(
    whole, files, tmp_path
):
    folder, headline = whole
    lab = gswlab.open(*overrides(files, tmp_path / "lab"))
    assert {**lab.run(), "run": ""} == {**headline, "run": ""}
    for name in SAME:
        assert (tmp_path / "lab" / name).read_bytes() == (folder / name).read_bytes()


def test_a_finished_run_repeats_its_headline_without_working(whole, files, monkeypatch):
    folder, headline = whole
    before = {p.name: p.stat().st_mtime_ns for p in folder.iterdir()}
    lab = gswlab.open(*overrides(files, folder))
    monkeypatch.setattr(type(lab), "answer", lambda *_: pytest.fail("asked again"))
    assert lab.run() == headline
    for name in (*SAME, "ledger.json", "timings.csv"):
        assert (folder / name).stat().st_mtime_ns == before[name]


def test_other_questions_are_asked_of_the_same_journal(whole, files, tmp_path):
    few = tmp_path / "few.json"
    few.write_text(json.dumps(QUESTIONS[:1]), encoding="utf-8")
    given = [*overrides(files, tmp_path / "run")]
    assert gswlab.open(*given).run()["questions"] == 3
    given[2] = f"dataset.questions={few}"
    assert gswlab.open(*given).run()["questions"] == 1


def test_opening_a_run_again_in_one_process_goes_on_with_its_journal(files, tmp_path):
    first = gswlab.open(*overrides(files, tmp_path / "run"))
    first.step()
    second = gswlab.open(*overrides(files, tmp_path / "run"))
    second.step()
    assert first.unread == second.unread == first.chunks[2:]
    other = gswlab.open(*overrides(files, tmp_path / "run"), "budget=500")
    with pytest.raises(GswlabError, match="is a run of config"):
        other.step()


def test_no_question_file_is_opened_before_the_book_is_read(
    files, tmp_path, monkeypatch
):
    lab = gswlab.open(*overrides(files, tmp_path / "run"))
    opened_at = []
    load = EpBench.load_questions

    def watched(dataset):
        opened_at.append((len(lab.unread), lab.finished))
        return load(dataset)

    real = Path.read_bytes

    def read_bytes(path):
        if path.name in ("q.json", "t.json"):
            assert lab.finished, f"{path.name} was opened too early"
        return real(path)

    monkeypatch.setattr(EpBench, "load_questions", watched)
    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    lab.run()
    assert opened_at == [(0, True)]


def test_the_questions_cannot_be_had_from_an_unfinished_run(files, tmp_path):
    from gswlab.bench.book import Book

    lab = gswlab.open(*overrides(files, tmp_path / "run"))
    lab.step()
    with pytest.raises(GswlabError, match="not read to its end"):
        Book(lab).questions()


def test_asking_midway_leaves_the_journal_as_it_was(files, tmp_path):
    lab = gswlab.open(*overrides(files, tmp_path / "run"))
    for _ in range(5):
        lab.step()
    before = list(lab.journal.export())
    assert lab.ask("Where was Ann Ray on May 7, 2024?").items == ("Tall Mill",)
    assert list(lab.journal.export()) == before


def test_an_undone_step_is_read_again(files, tmp_path):
    lab = gswlab.open(*overrides(files, tmp_path / "run"))
    first = lab.step()
    lab.journal.undo()
    again = lab.step()
    assert (first.chunk, again.chunk) == (first.chunk, first.chunk)
    assert len(lab.unread) == len(lab.chunks) - 1


def test_a_fork_shares_its_first_steps_and_leaves_its_parent_alone(
    whole, files, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    parent = gswlab.reopen(whole[0])
    before = list(parent.journal.export())
    asked = f"dataset.questions={files / 'q.json'}"  # a path is typed, not taken
    child = parent.fork(4, "reconciler.scope=chapter", asked)
    assert child.at(4) == parent.at(4)
    run_lab(child)
    assert child.finished
    assert list(parent.journal.export()) == before
    assert child.config.hash != parent.config.hash


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    folder = RunFolder(tmp_path)
    folder.write("scores.json", "{}")

    def rows():
        yield {"row": 0}
        raise RuntimeError

    with pytest.raises(RuntimeError):
        folder.write_lines("scores.json", rows())
    assert folder.read_json("scores.json") == {}


def forked_run(files, folder, at=0, after=0.0):
    """The run in a child process that has everything imported already.

    Its step number `at` is killed `after` seconds from its beginning, 0 is never.
    """
    child = os.fork()
    if child == 0:
        real, steps = Lab.step, count(1)

        def doomed(lab, ahead=1):
            if next(steps) == at:
                killed = (os.getpid(), signal.SIGKILL)
                threading.Timer(after, os.kill, killed).start()
                time.sleep(after / 2)  # else a quick step is over before it is killed
            return real(lab, ahead)

        Lab.step = doomed
        try:
            gswlab.open(*overrides(files, folder)).run()
        finally:
            os._exit(0)
    return child


@pytest.mark.slow
def test_killed_at_twenty_moments_a_run_resumes_to_the_same_bytes(
    whole, files, tmp_path, monkeypatch
):
    monkeypatch.setenv("TQDM_DISABLE", "1")
    folder, _ = whole
    # A journal that grows at every attempt is soon finished: two kills a victim.
    moments, read = random.Random(0), []
    for attempt in range(20):
        victim = tmp_path / f"victim{attempt // 2}"
        at, after = moments.randint(1, 6), moments.uniform(0.0, 0.06)
        os.waitpid(forked_run(files, victim, at, after), 0)
        with suppress(GswlabError):  # killed before the journal was one
            read.append(len(gswlab.reopen(victim).journal))
    assert any(0 < steps < len(exported(folder)) - 2 for steps in read), read
    for number in range(10):
        victim = tmp_path / f"victim{number}"
        os.waitpid(forked_run(files, victim), 0)
        assert exported(victim) == exported(folder)
        for name in SAME:
            assert (victim / name).read_bytes() == (folder / name).read_bytes()


def test_a_run_opened_again_has_its_vectors_from_disk(whole):
    again = gswlab.reopen(whole[0])
    cache = again.config.settings["embedder"]["cache"]
    assert cache
    assert (
        again.memory.embedder.cache == again.memory.reconciler.embedder.cache == cache
    )


def test_what_was_read_is_in_memory_once(tmp_path):
    story = tmp_path / "story.txt"
    story.write_text("Ann Ray opened a book fair in Tall Mill. Rain fell.")
    lab = gswlab.open(f"dataset.file={story}", f"run.dir={tmp_path / 'run'}")
    while lab.step() is not None:
        assert lab.memory.workspace is lab.workspace

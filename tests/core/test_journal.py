from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from long_story import story
from strategies import fold, runs

from gswlab.core.codec import encode_step
from gswlab.core.database import insert
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal, invert
from gswlab.core.nouns import Actor, Chunk, Question, Span
from gswlab.core.step import Put, Step
from gswlab.core.workspace import Workspace
from gswlab.text.document import document_of

DOCUMENT = document_of("Ann Ray came. 山田 left.\n", "story")
CHUNKS = tuple(
    Chunk(f"story:0:{i}", "story", None, i, "Ann Ray came.", Span("story", 0, 13))
    for i in range(3)
)


def written(path: Path, steps: list[Step]) -> Journal:
    journal = Journal(path)
    for step in steps:
        journal.append(step)
    return journal


@settings(max_examples=40)  # each writes a file
@given(runs(), st.data())
def test_any_version_is_the_fold_of_the_steps_before_it(
    tmp_path_factory: pytest.TempPathFactory, found: list[Step], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("run") / "journal.sqlite"
    with written(path, found) as journal:
        assert list(journal) == found
    k = data.draw(st.integers(0, len(found)))
    with Journal(path, "r") as journal:
        assert journal.at(k) == fold(found[:k])
        assert journal.workspace() == fold(found)


def test_versions_far_from_a_checkpoint_are_right_in_any_order(tmp_path: Path) -> None:
    steps = story(100)
    with written(tmp_path / "j.sqlite", steps) as journal:
        for k in [100, 0, 99, 17, 16, 15, 64, 65, 63, 1]:
            assert journal.at(k) == fold(steps[:k])


def test_a_step_out_of_order_is_refused_and_leaves_no_trace(tmp_path: Path) -> None:
    with written(tmp_path / "j.sqlite", story(2)) as journal:
        for index in (0, 1, 3):
            with pytest.raises(GswlabError, match="cannot follow version 2"):
                journal.append(Step(index, None))
        assert len(journal) == 2


def test_the_same_chunk_cannot_be_read_twice(tmp_path: Path) -> None:
    with written(tmp_path / "j.sqlite", story(2)) as journal:
        with pytest.raises(GswlabError, match="'book:1:0' was read by step 1"):
            journal.append(Step(2, "book:1:0"))
        assert len(journal) == 2


def test_a_step_that_would_not_read_back_is_refused(tmp_path: Path) -> None:
    wrong = Actor("a1", "ghost", "Ann")  # type: ignore[arg-type]
    with Journal(tmp_path / "j.sqlite") as journal:
        with pytest.raises(GswlabError, match="ghost"):
            journal.append(Step(0, None, (Put("actor", wrong),)))
        assert len(journal) == 0


@pytest.mark.parametrize("k", [-1, 4, 10**9])
def test_a_version_out_of_range_names_the_range(tmp_path: Path, k: int) -> None:
    with (
        written(tmp_path / "j.sqlite", story(3)) as journal,
        pytest.raises(GswlabError, match=rf"version {k} .*: 0 to 3\)"),
    ):
        journal.at(k)


def test_steps_are_indexed_like_a_list(tmp_path: Path) -> None:
    steps = story(3)
    with written(tmp_path / "j.sqlite", steps) as journal:
        assert journal[0] == steps[0]
        assert journal[-1] == steps[2]
        with pytest.raises(GswlabError, match="0 to 2"):
            journal[3]


def test_a_run_is_read_without_its_source_files(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        journal.add(DOCUMENT, CHUNKS)
        journal.add(DOCUMENT, CHUNKS)
    with Journal(path, "r") as journal:
        assert journal.documents() == (DOCUMENT,)
        assert journal.chunks() == CHUNKS
        assert repr(journal).endswith("0 steps of 3 chunks)")


def test_another_text_under_the_same_id_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        journal.add(DOCUMENT)
        with pytest.raises(GswlabError, match=r"document .story. .* another text"):
            journal.add(Document("story", "Bob.", ()))


def test_going_on_under_another_config_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path, config="abc", settings={"seed": 1}) as journal:
        assert journal.meta == {"config": "abc", "settings": {"seed": 1}}
    with Journal(path, config="abc") as journal:
        journal.append(Step(0, None))
    with pytest.raises(GswlabError, match="config abc, not xyz"):
        Journal(path, config="xyz")


def test_only_one_process_writes_and_any_number_read(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with written(path, story(2)) as writer, Journal(path, "r") as reader:
        with pytest.raises(GswlabError, match="written by another process"):
            Journal(path)
        code = f"from gswlab.core.journal import Journal; Journal({str(path)!r})"
        child = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert "is being written by another process" in child.stderr
        assert len(reader) == 2
        writer.append(story(3)[2])
        assert reader.workspace() == writer.workspace()
    Journal(path).close()


@pytest.mark.parametrize("wrote_before", [False, True])
def test_what_another_wrote_meanwhile_is_counted(
    tmp_path: Path, wrote_before: bool
) -> None:
    path = tmp_path / "j.sqlite"
    written(path, story(2)).close()
    with Journal(path, shared=True) as journal:
        assert len(journal) == 2
        if wrote_before:
            journal.claim()
            assert len(journal) == 2
            journal.release()
        with Journal(path) as other:
            other.append(story(3)[2])
        journal.claim()
        assert len(journal) == 3
        journal.append(story(4)[3])
        assert len(journal) == 4


def test_a_reader_does_not_write(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    written(path, story(1)).close()
    with Journal(path, "r") as journal, pytest.raises(GswlabError, match="for reading"):
        journal.append(Step(1, None))


def test_a_journal_in_a_folder_that_may_not_be_written_is_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j.sqlite"
    written(path, story(2)).close()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Journal(path, "r") as journal:
        assert len(journal) == 2
    assert not path.with_name("j.sqlite-shm").exists()


def broken(path: Path, kind: str) -> None:
    if kind == "text":
        path.write_text("this is a diary, not a database " * 50)
    if kind == "other database":
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("CREATE TABLE cats (name TEXT)")
    if kind == "other version":
        written(path, []).close()
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA user_version = 99")
    if kind == "empty":
        path.touch()
    if kind == "folder":
        path.mkdir()


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("missing", "there is no journal at"),
        ("text", "file is not a database"),
        ("other database", "is no journal"),
        ("other version", "schema version 99 .*reads version 2"),
        ("empty", "is no journal"),
        ("folder", "there is no journal at"),
    ],
)
def test_what_is_no_journal_is_one_sentence(
    tmp_path: Path, kind: str, said: str
) -> None:
    path = tmp_path / "j.sqlite"
    broken(path, kind)
    with pytest.raises(GswlabError, match=said) as error:
        Journal(path, "r")
    assert error.value.command
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", ["text", "other database", "other version", "folder"])
def test_what_is_no_journal_is_not_overwritten(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "j.sqlite"
    broken(path, kind)
    before = None if kind == "folder" else path.read_bytes()
    with pytest.raises(GswlabError):
        Journal(path)
    assert before is None or path.read_bytes() == before


def test_a_new_journal_does_not_take_an_existing_path(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    written(path, story(1)).close()
    with pytest.raises(GswlabError, match="exists already"):
        Journal(path, "x")


def test_a_damaged_step_is_named_and_the_prefix_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    written(path, story(3)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE steps SET json = '{}' WHERE position = 2")
    with Journal(path, "r") as journal:
        with pytest.raises(GswlabError, match=r"step 3 of .* is not what was written"):
            journal.workspace()
        with journal.fork(tmp_path / "saved.sqlite", at=2) as saved:
            assert saved.workspace() == fold(story(2))


def test_a_fork_has_the_prefix_and_goes_its_own_way(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path, config="abc") as journal:
        journal.add(DOCUMENT, CHUNKS)
        for step in story(5):
            journal.append(step)
        with journal.fork(tmp_path / "fork.sqlite", at=3, config="xyz") as fork:
            fork.append(Step(3, "book:1:3", note="another way"))
            assert list(fork.steps(0, 3)) == story(3)
            assert fork.chunks() == CHUNKS
            assert fork.meta["forked"] == {"of": str(path), "config": "abc", "at": 3}
        assert list(journal) == story(5)
        with pytest.raises(GswlabError, match="0 to 5"):
            journal.fork(tmp_path / "no.sqlite", at=6)
    assert not (tmp_path / "no.sqlite").exists()


def test_what_killed_forks_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    left = [tmp_path / f".fork.sqlite.new{end}" for end in ("", "-wal", "-shm")]
    left.append(tmp_path / ".fork.sqlite.new-journal")
    for name in left:
        name.write_bytes(b"half a page")
    with written(tmp_path / "j.sqlite", story(3)) as journal:
        journal.fork(tmp_path / "fork.sqlite", at=2).close()
    with Journal(tmp_path / "fork.sqlite", "r") as fork:
        assert fork.workspace() == fold(story(2))
    assert not [name for name in left if name.exists()]


@given(runs())
def test_a_step_and_its_inverse_leave_the_same_nouns(found: list[Step]) -> None:
    before = Workspace()
    for step in found:
        after = before.apply(step)
        back = after.apply(Step(after.version, None, invert(step, before)))
        assert back.nouns == before.nouns
        assert back.shelves == before.shelves
        before = after


@settings(max_examples=40)
@given(runs())
def test_undoing_everything_leaves_no_noun(
    tmp_path_factory: pytest.TempPathFactory, found: list[Step]
) -> None:
    path = tmp_path_factory.mktemp("run") / "j.sqlite"
    with written(path, found) as journal:
        for k in reversed(range(len(found))):
            step = journal.undo()
            assert step.undoes == k
            assert journal.workspace().nouns == fold(found[:k]).nouns
        assert len(journal) == 2 * len(found)
        with pytest.raises(GswlabError, match="nothing to undo"):
            journal.undo()


def test_an_undone_chunk_may_be_read_again_under_new_ids(tmp_path: Path) -> None:
    with written(tmp_path / "j.sqlite", story(2)) as journal:
        journal.undo()
        workspace = journal.workspace()
        assert "book:1:1" not in workspace.chunks
        assert workspace.counts["a"] == 3
        journal.append(Step(3, "book:1:1", note="again"))
        assert journal.undo().undoes == 3
        assert journal.undo().undoes == 0
        assert not journal.workspace().nouns


def test_a_standing_question_is_an_ordinary_step_without_a_chunk(
    tmp_path: Path,
) -> None:
    question = Question("q1", "Who lit the lamp?", "agent", standing=True)
    with written(tmp_path / "j.sqlite", story(1)) as journal:
        journal.append(Step(1, None, (Put("question", question),)))
        assert journal.workspace().questions == (question,)
        assert dict(journal.workspace().chunks) == {"book:1:0": 0}


def test_equal_runs_export_equal_bytes(tmp_path: Path) -> None:
    steps = story(4)
    with written(tmp_path / "one.sqlite", steps) as one:
        first = list(one.export())
    for at in range(4):
        with written(tmp_path / f"{at}" / "deep" / "j.sqlite", steps[:at]) as journal:
            pass
        with Journal(journal.path) as journal:
            for step in steps[at:]:
                journal.append(step)
            assert list(journal.export()) == first
    header = json.loads(first[0])
    assert header == {"journal": "gswlab", "schema": 1, "config": None}
    assert first[1:] == [encode_step(step) for step in steps]
    assert str(tmp_path) not in "".join(first)


CHILD = """
import sys
import time
sys.path.insert(0, {tests!r})
from pathlib import Path
from long_story import story
from gswlab.core.journal import Journal
with Journal(Path({path!r})) as journal:
    for step in story({length})[len(journal):]:
        journal.append(step)
        print(step.index, flush=True)
        time.sleep(0.001)  # a fast disk must not end the run before its last kill
"""


def test_a_run_killed_again_and_again_ends_as_if_never_killed(tmp_path: Path) -> None:
    length, rng, path = 1000, random.Random(2511), tmp_path / "j.sqlite"
    code = CHILD.format(
        tests=str(Path(__file__).resolve().parents[1]), path=str(path), length=length
    )
    confirmed = -1
    for _ in range(8):
        child = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        for _ in range(rng.randrange(1, 30)):
            confirmed = int(child.stdout.readline())
        time.sleep(rng.random() / 100)
        child.send_signal(signal.SIGKILL)
        rest = child.communicate()[0].split()
        confirmed = int(rest[-1]) if rest else confirmed
        with Journal(path, "r") as journal:
            # a step said to be written is there; at most one more was on its way
            assert confirmed + 1 <= len(journal) <= confirmed + 2
            assert journal.workspace() == fold(story(len(journal)))
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    with Journal(path) as journal, written(tmp_path / "k.sqlite", story(length)) as k:
        assert list(journal.export()) == list(k.export())


def test_a_journal_killed_while_it_was_made_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    for partial in (b"", None):
        if partial is None:
            path.unlink()
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                db.execute("PRAGMA journal_mode = WAL")
        else:
            path.write_bytes(partial)
        with written(path, story(1)) as journal:
            assert len(journal) == 1


def test_any_of_ten_thousand_steps_is_shown_at_once(tmp_path: Path) -> None:
    length, rng, path = 10_000, random.Random(0), tmp_path / "j.sqlite"
    written(path, []).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        rows = [(s.chunk, None, encode_step(s)) for s in story(length)]
        insert(db, "steps", rows)
        db.execute("COMMIT")
    with Journal(path, "r") as journal:
        journal.workspace()  # opened: everything was folded once
        seconds = []
        for k in [*rng.sample(range(length + 1), 50), length]:
            start = time.perf_counter()
            workspace = journal.at(k)
            seconds.append(time.perf_counter() - start)
            assert workspace.version == k
            assert len(workspace.nouns) == (2 * k + 1 if k else 0)
    # the promise is 50 ms; the bound leaves room for a busy machine
    assert sorted(seconds)[len(seconds) // 2] < 0.05
    assert max(seconds) < 0.25

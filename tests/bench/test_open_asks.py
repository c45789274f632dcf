"""An outage is no result: what failed is asked again by the command that asked."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from obliging import Faulty, obliging
from standin import StandIn

import gswlab
from gswlab.__main__ import main
from gswlab.bench.collect import collect

BOOK = {
    "Chapter 1": "On May 7, 2024, Ann Ray opened a book fair in Tall Mill.",
    "Chapter 2": "On June 2, 2024, Bo Lind met Ann Ray at the Old Quay. She left.",
}

PADDING = "Bo Lind sat down. Ann Ray drank tea. It rained. Ann Ray called Bo Lind."


def asked(question: str, gold: list[str], chapters: list[int]) -> dict[str, Any]:
    return {
        "question": question,
        "retrieval_type": "Spaces",
        "get": "all",
        "correct_answer": gold,
        "correct_answer_chapters": chapters,
        "n_chapters_correct_answer": len(chapters),
    }


@pytest.fixture
def paper(tmp_path: Path, server: StandIn) -> list[str]:
    """The paper's experiment on a book of two chapters."""
    (tmp_path / "b.json").write_text(json.dumps(BOOK))
    first = asked("Where was Ann Ray on May 7, 2024?", ["Tall Mill"], [1])
    empty = asked("Where was Bo Lind on May 7, 2024?", [], [])
    (tmp_path / "q.json").write_text(json.dumps([first, empty]))
    files = (f"dataset.{n}={tmp_path / n[0]}.json" for n in ("book", "questions"))
    given = ["experiment=gsw_paper", *files, f"llm.base_url={server.url}"]
    given += ["embedder=none", "memory.rank=cue", "llm.retries=0"]
    return [*given, f"llm.cassette={tmp_path / 'c'}", f"run.dir={tmp_path / 'run'}"]


def failing(stage: str) -> Any:
    """A server that is out for all asks of one schema."""

    def script(body: dict[str, Any], number: int) -> Any:
        out = body["response_format"]["json_schema"]["name"] == stage
        return (500, {"retry-after-ms": "1"}, "out") if out else obliging(body, number)

    return script


def exported(folder: Path) -> list[str]:
    return list(gswlab.reopen(folder).journal.export())


def scores(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "scores.json").read_text())


def test_a_failed_answer_is_no_abstention_and_is_asked_again(
    paper, server, tmp_path, capsys
):
    server.script = failing("AnswerReply")
    run = tmp_path / "run"
    assert main(["run", *paper]) == 3
    shown = capsys.readouterr()
    assert json.loads(shown.out)["partial"] == 2
    assert "2 asks got no usable reply (rule: figures are partial" in shown.err
    found = scores(run)
    assert found["partial"] == found["failed"]["answers"] == 2
    assert found["strict"]["overall"]["f1"]["mean"] == 0  # an empty question, too
    assert found["abstention"]["answerable_abstained"] == 0
    assert list(collect(tmp_path)["partial"]) == [2]
    rows = [json.loads(line) for line in (run / "answers.jsonl").open()]
    assert not any(row["abstained"] for row in rows)
    server.script = obliging
    assert main(["run", *paper]) == 0
    assert "partial" not in scores(run)
    assert "partial" not in collect(tmp_path)


@pytest.mark.parametrize("stage", ["OperatorReply", "Reconciled"])
def test_a_chunk_that_failed_is_read_again_by_the_same_command(
    paper, server, tmp_path, stage
):
    server.script = failing(stage)
    assert main(["run", *paper]) == 3
    server.script = obliging
    assert main(["run", *paper]) == 0
    whole = [*paper, f"run.dir={tmp_path / 'whole'}"]
    assert main(["run", *whole]) == 0
    assert exported(tmp_path / "run") == exported(tmp_path / "whole")
    calls = (tmp_path / "run" / "ledger.jsonl").read_text()
    assert '"failed"' in calls  # what was lost is on record


FAULTS = int(os.environ.get("GSWLAB_FAULTS", "40"))


def test_faults_leave_runs_as_they_are_without_any(paper, server, tmp_path):
    """Chapters of several chunks, runs until so many faults (GSWLAB_FAULTS) have come.

    A server in trouble breaks three in ten replies of a command and of two reruns; the
    third reaches it when it is well again.
    """
    long = {name: f"{text} {PADDING}" for name, text in BOOK.items()}
    (tmp_path / "b.json").write_text(json.dumps(long))
    server.script = obliging
    given = [*paper, "llm.retries=4"]
    assert main(["run", *given, f"run.dir={tmp_path / 'whole'}"]) == 0
    left = FAULTS
    while left:
        own = [f"run.dir={tmp_path / str(left)}", f"llm.cassette={tmp_path}/c{left}"]
        run, faulty = tmp_path / str(left), Faulty(left, left)
        tries = faulty, faulty, faulty, obliging
        for server.script in tries:
            if main(["run", *given, *own]) == 0:
                break
        else:
            pytest.fail("the third rerun left asks open")
        assert exported(run) == exported(tmp_path / "whole")
        told = [(f / "answers.jsonl").read_text() for f in (run, tmp_path / "whole")]
        assert told[0] == told[1]
        assert scores(run)["strict"] == scores(tmp_path / "whole")["strict"]
        left = faulty.left

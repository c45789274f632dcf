"""Evidence tokens are those of what a reader was given: every memory, every reader."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gswlab
from gswlab.bench.plots import BUNDLED
from gswlab.bench.runner import read_world
from gswlab.core.budget import count_tokens, text_alone
from gswlab.core.nouns import Answer, Evidence
from gswlab.language.dates.format import shown

ROOT = Path(__file__).resolve().parents[2]
MEMORIES = sorted(path.stem for path in (ROOT / "conf" / "memory").glob("*.yaml"))
READERS = sorted(path.stem for path in (ROOT / "conf" / "reader").glob("*.yaml"))
ASKING = {"graph_llm", "gsw_llm", "gsw_paper"}  # what a model does is tested apart
OF_PLOTS = {"graph", "parallel", "serial", "serial_published"}
NO_BUDGET = {"parallel"}  # measured as it was published
STORY = "gswlab/data/story.txt"
ASKED = st.sampled_from(
    [
        "Where was Clara Novak on March 3, 2025?",
        "Who was arrested?",
        "List the dates of Clara Novak in chronological order.",
        "What happened last at the Old Mill?",
        "Who is the enemy of the keeper?",
        "Who was where?",
    ]
)
BUDGETS = st.sampled_from([0, 1, 7, 60, 250, 1000, 10**6])


@cache
def fitted(name: str) -> Any:
    """A memory that has read a story, or a plot where it needs one, and its lab."""
    told = [f"dataset.file={STORY}"]
    if name in OF_PLOTS:
        files = (BUNDLED / f"lighthouse_ja.{end}" for end in ("xml", "jsonl"))
        told = [
            "experiment=plot",
            *map("dataset.{}={}".format, ("file", "questions"), files),
        ]
    lab = gswlab.open(*told, f"memory={name}", "reader=cue")
    if name in OF_PLOTS:
        return read_world(lab.dataset, lab.blank(), lab.dataset.worlds[0])
    while lab.step() is not None:
        pass
    return lab.memory


@cache
def reader(name: str) -> Any:
    return gswlab.open(f"dataset.file={STORY}", f"reader={name}").reader


@pytest.mark.parametrize("memory", [m for m in MEMORIES if m not in ASKING])
@settings(max_examples=12)
@given(question=ASKED, budget=BUDGETS)
def test_the_tokens_of_evidence_are_those_of_its_text_and_within_the_budget(
    memory: str, question: str, budget: int
) -> None:
    found = fitted(memory).recall(question, budget)
    for evidence in (found, text_alone(found)):
        assert evidence.tokens == count_tokens(evidence.text)
    assert found.tokens <= budget or memory in NO_BUDGET


# `lookup` follows what an agent did, which is in the trace, not in the window.
@pytest.mark.parametrize("name", [r for r in READERS if r not in ("llm", "lookup")])
@pytest.mark.parametrize("memory", ["gsw", "bm25", "memgpt", "serial"])
@settings(max_examples=6)
@given(question=ASKED)
def test_a_reader_answers_from_what_was_counted_alone(
    memory: str, name: str, question: str
) -> None:
    found = fitted(memory).recall(question, 1000)
    bare = Evidence(found.items, 0)  # neither count nor trace is read
    answers = [reader(name).answer(question, each) for each in (found, bare)]
    assert answers[0] == answers[1]


@settings(max_examples=6)
@given(question=ASKED)
def test_what_the_workspace_answers_stands_in_what_was_counted(question: str) -> None:
    found = fitted("gsw").recall(question, 10**6)
    answer: Answer = reader("cue").answer(question, found)
    days = {shown(f.date.value, "en") for i in found.items for f in i.facts if f.date}
    assert all(item in found.text or item in days for item in answer.items)


@pytest.mark.parametrize("memory", ["gsw", "bm25"])
def test_a_run_writes_the_tokens_of_what_its_reader_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: str
) -> None:
    told = ("experiment=generated", "dataset.chapters=3", "dataset.cap=1")
    lab = gswlab.open(*told, f"memory={memory}", "reader=cue", f"run.dir={tmp_path}")
    answer, tokens = lab.reader.answer, list[int]()

    def counting(question: str, evidence: Evidence) -> Answer:
        tokens.append(count_tokens(evidence.text))
        found: Answer = answer(question, evidence)
        return found

    monkeypatch.setattr(lab.reader, "answer", counting)
    lab.run()
    written = [r["evidence_tokens"] for r in lab.folder.read_lines("answers.jsonl")]
    assert any(written)
    assert tokens[: len(written)] == written  # then wrong answers are read anew


def book_of(name: str, folder: Path) -> list[str]:
    """The settings of a book: EpBench's short one, or one of our own."""
    if name == "epbench20":
        return ["experiment=epbench20"]
    home, made = ROOT / "experiments" / "texts" / "books", folder / "questions.json"
    ask = [sys.executable, str(home / "questions.py"), str(home / name), "--out"]
    subprocess.run([*ask, str(made)], check=True, capture_output=True)
    files = f"dataset.book={home / name / 'book.json'}", f"dataset.questions={made}"
    return ["experiment=epbench", *files]


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", ["epbench20", "harbour", "kestrel"])
def test_the_whole_book_as_text_scores_what_the_workspace_scores(
    tmp_path: Path, name: str
) -> None:
    told, scores = book_of(name, tmp_path), dict[str, dict[str, Any]]()
    for memory in ("gsw", "long_context"):
        given_to = (f"memory={memory}", "budget=1000000", "reader=cue")
        lab = gswlab.open(*told, *given_to, f"run.dir={tmp_path / memory}")
        scores[memory] = lab.run()
    workspace, text = scores["gsw"], scores["long_context"]
    assert text["strict_f1"] == pytest.approx(workspace["strict_f1"], abs=0.01)
    assert text["evidence_tokens"] > 50 * workspace["evidence_tokens"]

"""FairytaleQA: stories read once, and where the first citation of an answer stands."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from gswlab.bench.fairytale import FairytaleQA
from gswlab.core.errors import GswlabError
from gswlab.lab import config

SECTIONS = (
    "There was once a miller who had three daughters. They lived beside a river.",
    "The eldest daughter found a golden comb in the reeds. She hid it at once.",
    "A heron came to the door, because the comb was his. He wept bitterly.",
)
ASKED = (
    ("How many daughters did the miller have?", "1", "three", "character"),
    ("Why did the heron come to the door?", "3", "the comb was his", "causal"),
    ("What did the eldest daughter find in the reeds?", "2", "a golden comb", "action"),
    ("Was there snow on Jupiter?", "1", "no", "setting"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one story of our own, laid out as FairytaleQA is."""
    names = [f"answer{number}" for number in range(1, 7)]
    told = tmp_path / "section-stories" / "val" / "the-heron-story.csv"
    asked = tmp_path / "questions" / "val" / "the-heron-questions.csv"
    for path in (told, asked):
        path.parent.mkdir(parents=True)
    with told.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("section", "text"))
        rows.writerows(enumerate(SECTIONS, 1))
    with asked.open("w", newline="") as file:
        rows = csv.writer(file)
        columns = "question_id", "cor_section", "attribute1", "question"
        rows.writerow((*columns, *names))
        for number, (question, section, answer, kind) in enumerate(ASKED, 1):
            given = answer, "", "", f"{answer} indeed", "", ""
            rows.writerow((number, section, kind, question, *given))
    return tmp_path


def test_a_run_scores_words_sections_and_silence_by_kind_of_question(folder, tmp_path):
    given = f"dataset.folder={folder}", f"run.dir={tmp_path / 'run'}"
    line = config.open("experiment=fairytale", "embedder=none", *given).run()
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert scores["section_hit"]["character"]["mean"] == 1
    assert scores["section_hit"]["causal"]["mean"] == 1
    assert scores["section_hit"]["setting"]["mean"] == 0  # silence hits no section
    assert scores["abstained"]["setting"]["mean"] == 1
    assert scores["token_f1"]["causal"]["mean"] > 0.5
    assert line["section_hit"] == 0.75
    assert line["abstained"] == 0.25


def test_a_passage_has_its_words_scored_and_is_no_right_answer(folder, tmp_path):
    given = f"dataset.folder={folder}", f"run.dir={tmp_path / 'run'}"
    config.open("experiment=fairytale", "embedder=none", *given).run()
    lines = (tmp_path / "run" / "answers.jsonl").read_text().splitlines()
    rows = {row["question"]: row for row in map(json.loads, lines)}
    shown = [row for row in rows.values() if row["passage_only"]]
    assert all(row["abstained"] and not row["items"] for row in shown)
    assert all(row["accuracy"] == 0 for row in shown)


def test_no_memory_is_told_of_a_section_or_an_answer(folder):
    data = FairytaleQA(str(folder))
    (world,) = data.worlds
    assert " ".join(chunk.text for chunk in world.chunks) == " ".join(SECTIONS)
    assert all(chunk.title is None for chunk in world.chunks)
    assert {q.gold for q in world.questions} == {
        frozenset({chunk.id}) for chunk in world.chunks
    }


def test_a_folder_of_another_layout_is_named_with_its_rule(tmp_path):
    with pytest.raises(GswlabError, match=r"holds no questions/val"):
        FairytaleQA(str(tmp_path)).worlds  # noqa: B018

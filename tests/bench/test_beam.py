"""BEAM without a judge: turns, marks, nested gold, labels that cannot be right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gswlab.baselines.bm25 import BM25
from gswlab.bench.beam import Beam
from gswlab.bench.measures import found_in
from gswlab.core.errors import GswlabError
from gswlab.lab import config

TURNS = (
    ("user", "My sprint ends on March 29. ->-> 1,1"),
    ("assistant", "Noted: March 29. Shall we plan the login page next?"),
    ("user", "Move it to April 4, please ->->  1,2)"),
    ("assistant", "word " * 400),
)
PROBES = {
    "knowledge_update": [
        {
            "question": "When does my sprint end?",
            "answer": "April 4",
            "source_chat_ids": {"original_info": [0], "updated_info": [[2]]},
            "rubric": ["LLM response should state: April 4"],
        },
        {
            "question": "When is the login page due?",
            "answer": "May 9",
            "source_chat_ids": [1],
        },
    ],
    "temporal_reasoning": [
        {
            "question": "How many weeks are left?",
            "answer": "4 weeks",
            "source_chat_ids": [0],
            "rubric": ["LLM response should state: 8 weeks"],
        }
    ],
    "abstention": [{"question": "Who paid?", "ideal_response": "It is not said."}],
}


@pytest.fixture
def beam(tmp_path: Path) -> Beam:
    turns = [
        {"id": n, "role": role, "content": text, "index": "1,1"}
        for n, (role, text) in enumerate(TURNS)
    ]
    chat = [{"batch_number": 1, "turns": [turns[:2], turns[2:]]}]
    folder = tmp_path / "1" / "probing_questions"
    folder.mkdir(parents=True)
    (tmp_path / "1" / "chat.json").write_text(json.dumps(chat))
    (folder / "probing_questions.json").write_text(json.dumps(PROBES))
    return Beam(folder=str(tmp_path), chats="1")


def test_the_marks_of_the_plan_are_no_part_of_a_turn(beam: Beam) -> None:
    (world,) = beam.worlds
    assert [chunk.text for chunk in world.chunks][:3] == [
        "My sprint ends on March 29.",
        "Noted: March 29. Shall we plan the login page next?",
        "Move it to April 4, please",
    ]


def test_the_turns_of_a_question_are_found_however_they_nest(beam: Beam) -> None:
    (world,) = beam.worlds
    first = world.questions[0]
    assert first.gold == {world.chunks[0].id, world.chunks[2].id}


def test_a_question_without_turns_wants_an_abstention(beam: Beam) -> None:
    (world,) = beam.worlds
    assert [q.absent for q in world.questions] == [False, False, False, True]


def test_labels_that_cannot_be_right_are_doubted(beam: Beam) -> None:
    (world,) = beam.worlds
    assert [q.doubted for q in world.questions] == [False, True, True, False]


def test_a_turn_too_long_for_the_budget_is_passed_over(beam: Beam) -> None:
    (world,) = beam.worlds
    memory = BM25()
    for chunk in world.chunks:
        memory.partial_fit(chunk)
    handed = memory.recall("word sprint April", 60)
    assert handed.tokens <= 60
    assert found_in(handed, world.chunks, world.questions[0].gold) == (2, 2)


def test_a_folder_that_is_no_chat_says_how_one_is_laid_out(tmp_path: Path) -> None:
    with pytest.raises(GswlabError, match=r"chat\.json"):
        Beam(folder=str(tmp_path), chats="1").worlds  # noqa: B018


def test_a_run_tells_the_share_of_turns_by_kind_without_a_judge(
    beam: Beam, tmp_path: Path
) -> None:
    typed = f"dataset.folder={beam.folder}", "dataset.chats=1", "memory=bm25"
    lab = config.open("experiment=beam", *typed, f"run.dir={tmp_path / 'run'}")
    lab.run()
    scores = lab.folder.read_json("scores.json")
    assert set(scores["evidence_recall"]) == {
        *("all", "knowledge_update", "temporal_reasoning")
    }
    assert set(scores["accuracy"]) == {"all", "abstention"}

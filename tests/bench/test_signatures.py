"""Failure signatures: recall by cues, what is invented, tokens against chapters."""

from __future__ import annotations

import json

import pytest

import gswlab
from gswlab.bench.epbench import EpQuestion
from gswlab.bench.grounding import Checker, Printed, invented
from gswlab.bench.judge import Verdict
from gswlab.bench.scoring import Scored, recall_by_cues, tokens_and_chapters
from gswlab.core.nouns import Answer, Evidence, Item, Span
from gswlab.core.step import Set
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

TEXT = """On May 7, 2031, Ann Ray opened the kite fair at Quay House. Bo Lind came.

The next day Ann Ray walked to the Old Mill. She met Bo Lind there.
"""
DOCUMENT = document_of(TEXT, "b")


@pytest.fixture(scope="module")
def workspace():
    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(DOCUMENT):
        memory.partial_fit(chunk)
    memory.finish()
    return memory.workspace


@pytest.fixture
def checker(workspace):
    return Checker([DOCUMENT], workspace)


def at(phrase):
    start = TEXT.index(phrase)
    return Span("b", start, start + len(phrase))


def answered(text, *spans, places=False):
    answer = Answer((text,), False, (), spans, "told")
    return [Printed(answer, Evidence((), 0), places)]


def wrong(checker, text, *spans, places=False):
    """How many more things are invented when this is answered."""
    found = invented(checker, answered(text, *spans, places=places))
    return found["invented"]


def asked(cue, gold, found, matching=1):
    question = EpQuestion(0, "?", "Times", "all", gold, (), matching, cue=cue)
    verdict = Verdict(gold, gold[:found], tuple(range(found)))
    return Scored(question, verdict)


def test_recall_is_told_by_the_number_of_cues_a_question_gives():
    rows = [
        asked("({2031}, *, *, *)", ("a", "b"), 1),
        asked("({2031}, *, {Ann}, *)", ("a",), 1),
        asked("({2031}, *, {Bo}, *)", ("a",), 0),
    ]
    figures = recall_by_cues(rows)
    assert [f and (f["mean"], f["n"]) for f in figures.values()] == [
        (0.5, 1),
        (0.5, 2),
        None,
        None,
    ]


def test_questions_without_an_answer_are_not_in_the_recall():
    rows = [asked("({2031}, *, *, *)", (), 0), asked("({2031}, *, *, *)", ("a",), 1)]
    assert recall_by_cues(rows)["1"]["n"] == 1


def test_cues_that_a_dataset_does_not_mark_give_no_recall():
    assert set(recall_by_cues([asked("", ("a",), 1)]).values()) == {None}


def test_tokens_that_grow_with_the_chapters_correlate_wholly():
    assert tokens_and_chapters([0, 20, 45, 90], [0, 1, 2, 6])["mean"] == 1.0
    assert tokens_and_chapters([90, 45, 20, 0], [0, 1, 2, 6])["mean"] == -1.0


def test_a_correlation_with_what_never_varies_is_undefined():
    assert tokens_and_chapters([1000, 1000, 1000], [0, 1, 2]) is None
    assert tokens_and_chapters([1, 2, 3], [1, 1, 1]) is None
    assert tokens_and_chapters([1], [1]) is None


def test_what_a_workspace_says_of_a_text_is_in_the_text(checker):
    figures = invented(checker)
    assert figures["invented"] == 0, figures["examples"]
    assert figures["dates"] > 2
    assert figures["places"] > 2


def test_a_date_is_supported_by_a_span_however_it_is_written(checker):
    assert wrong(checker, "May 07, 2031", at("May 7, 2031")) == 0
    assert wrong(checker, "2031-05-07", at("May 7, 2031")) == 0
    assert wrong(checker, "May 08, 2031", at("May 7, 2031")) == 1
    assert wrong(checker, "May 07, 2031", at("Bo Lind")) == 1
    assert wrong(checker, "May 07, 2031") == 1


def test_a_relative_date_leads_to_a_day_from_one_the_text_names(checker):
    assert wrong(checker, "May 08, 2031", at("The next day")) == 0
    assert wrong(checker, "May 12, 2031", at("The next day")) == 1


def test_a_place_that_the_text_does_not_have_is_invented(checker):
    assert wrong(checker, "Quay House", at("Quay House"), places=True) == 0
    assert wrong(checker, "Quay House", at("Bo Lind"), places=True) == 1
    assert wrong(checker, "Pier 9", at("Quay House"), places=True) == 1


def test_a_place_named_in_passing_needs_its_span_too(checker):
    assert wrong(checker, "the fair at the Old Mill", at("Old Mill")) == 0
    assert wrong(checker, "the fair at the Old Mill", at("kite fair")) == 1


def test_evidence_handed_over_is_looked_at_as_answers_are(checker):
    item = Item("Ann Ray: at Quay House.", (at("Old Mill"),), None, 1.0)
    nothing = Answer((), True, (), (), "no")
    found = invented(checker, [Printed(nothing, Evidence((item,), 9))])
    assert [e["value"] for e in found["examples"]] == ["Quay House"]


def test_a_date_or_place_that_a_workspace_made_up_is_found(workspace):
    day = next(t for t in workspace.times if t.value == "2031-05-07")
    place = next(p for p in workspace.places if p.name == "Quay House")
    dated = workspace.change(Set("time", day.id, "value", "1999-01-01"))
    moved = workspace.change(Set("place", place.id, "name", "Mars Base"))
    moved = moved.change(Set("place", place.id, "actor", None))
    for changed in (dated, moved):
        assert invented(Checker([DOCUMENT], changed))["invented"] > 0


def test_a_name_in_another_script_is_looked_for_in_its_own():
    text = "2031年5月7日、山田太郎は桜公園にいた。"
    document = document_of(text, "j")
    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(document):
        memory.partial_fit(chunk)
    checker = Checker([document], memory.workspace)
    spans = (Span("j", text.index("桜公園"), text.index("桜公園") + 3),)
    assert wrong(checker, "桜公園", *spans, places=True) == 0
    assert wrong(checker, "梅公園", *spans, places=True) == 1


def test_examples_are_few_and_sorted_and_the_count_is_whole(checker):
    many = [p for n in range(30) for p in answered(f"Pier {n:02}", places=True)]
    found = invented(checker, many)
    assert (found["invented"], len(found["examples"])) == (30, 10)
    values = [example["value"] for example in found["examples"]]
    assert values == sorted(values)


def question(text, cue, gold, chapters):
    return {
        "question": text,
        "cue_completed": cue,
        "retrieval_type": "Times",
        "correct_answer": gold,
        "correct_answer_chapters": chapters,
        "n_chapters_correct_answer": len(chapters),
    }


def test_every_run_prints_the_three_signatures(tmp_path):
    first, second = TEXT.strip().split("\n\n")
    book = {"Chapter 1": first, "Chapter 2": second}
    house = "On which dates was there an event at Quay House?"
    moon = "On which dates was there an event at Moon Hall?"
    rows = [
        question(house, "(*, {Quay House}, *, *)", ["May 07, 2031"], [1]),
        question(moon, "(*, {Moon Hall}, *, *)", [], []),
    ]
    for name, data in (("book", book), ("questions", rows)):
        (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    files = (f"dataset.{n}={tmp_path / n}.json" for n in ("book", "questions"))
    run = (*files, "embedder=none", f"run.dir={tmp_path / 'run'}")
    line = gswlab.open("experiment=epbench", *run).run()
    assert line["recall_by_cues"] == [1.0, None, None, None]
    assert line["invented"] == 0
    assert line["tokens_and_chapters"] == 1.0
    figures = json.loads((tmp_path / "run" / "scores.json").read_text("utf-8"))
    assert figures["recall_by_cues"]["1"]["n"] == 1
    assert figures["invented"]["dates"] > 0


def test_a_run_without_questions_still_says_what_is_invented(tmp_path):
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    run = ("embedder=none", f"run.dir={tmp_path / 'run'}")
    assert (
        gswlab.open(f"dataset.file={tmp_path / 'b.txt'}", *run).run()["invented"] == 0
    )

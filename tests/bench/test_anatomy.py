"""Error anatomy: a wrong answer is blamed on the first stage that gold mends."""

from __future__ import annotations

import pytest

from gswlab.bench.anatomy import Anatomy, summed, tuples_of
from gswlab.bench.epbench import EpQuestion
from gswlab.bench.judge import Judge, Verdict
from gswlab.core.nouns import Answer
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.qa.readers.cue import CueReader
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

BOOK = """Chapter 1

On May 7, 2031, Ann Ray opened the kite fair at Quay House. She had lived in
Malden since June 1, 2029.

Chapter 2

On July 9, 2032, Bo Lind held a swimming race at the Old Mill. Nobody came.
"""


def tuple_of(date, place, person, kind):
    return {"date": date, "location": place, "entity": person, "content": kind}


RIGHT = {
    "1": tuple_of("May 07, 2031", "Quay House", "Ann Ray", "kite fair"),
    "2": tuple_of("July 09, 2032", "Old Mill", "Bo Lind", "swimming race"),
}


@pytest.fixture(scope="module")
def workspace():
    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(document_of(BOOK, "b")):
        memory.partial_fit(chunk)
    memory.finish()
    return memory.workspace


def blamed(workspace, asked, gold, text, tuples=RIGHT, reader=None):
    question = EpQuestion(0, text, asked, "all", (gold,), (1,), 1)
    anatomy = Anatomy(workspace, tuples_of(tuples), reader or CueReader(), Judge())
    wrong = Verdict((gold,), (), ())
    return [stage for _, stage in anatomy.blamed([question], [wrong])]


def test_what_is_believed_and_was_not_handed_over_is_the_fault_of_recall(workspace):
    said = "Where was Ann Ray on May 7, 2031?"
    assert blamed(workspace, "Spaces", "Quay House", said) == ["recall"]


def test_a_value_that_lost_the_vote_is_the_fault_of_reconciliation(workspace):
    other = RIGHT | {
        "1": tuple_of("June 01, 2029", "Quay House", "Ann Ray", "kite fair")
    }
    said = "When was Ann Ray at Quay House?"
    found = blamed(workspace, "Times", "June 01, 2029", said, other)
    assert found == ["reconciliation"]


def test_a_value_that_nothing_speaks_for_is_the_fault_of_extraction(workspace):
    other = RIGHT | {"1": tuple_of("May 07, 2031", "Elm Court", "Ann Ray", "kite fair")}
    said = "Where was Ann Ray on May 7, 2031?"
    assert blamed(workspace, "Spaces", "Elm Court", said, other) == ["extraction"]


def test_who_is_wrong_with_gold_in_hand_cannot_read(workspace):
    class Silent:
        def answer(self, question, evidence):
            return Answer((), True, (), (), "nothing to say")

    said = "Where was Ann Ray on May 7, 2031?"
    found = blamed(workspace, "Spaces", "Quay House", said, reader=Silent())
    assert found == ["reading"]


def test_right_answers_are_nobody_s_fault_and_sums_are_complete(workspace):
    question = EpQuestion(0, "Where?", "Spaces", "all", ("Quay House",), (1,), 1)
    anatomy = Anatomy(workspace, tuples_of(RIGHT), CueReader(), Judge())
    right = Verdict(("Quay House",), ("Quay House",), (0,))
    assert list(anatomy.blamed([question], [right])) == []
    counts = summed([(question, "recall"), (question, "reading")])
    assert counts["wrong"] == counts["recall"] + counts["reading"] == 2
    assert counts["by_asked"] == {
        "Spaces": {"extraction": 0, "reconciliation": 0, "recall": 1, "reading": 1}
    }

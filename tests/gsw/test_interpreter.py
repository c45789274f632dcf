"""Evidence that is text alone: read once, in order, as the book itself is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gswlab
from gswlab.baselines.bm25 import BM25
from gswlab.baselines.passages import LongContext
from gswlab.core.budget import count_tokens, text_alone
from gswlab.core.document import Document
from gswlab.core.nouns import Evidence, Item, Span
from gswlab.gsw.interpreter import Interpreter
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.qa.readers.cue import CueReader
from gswlab.qa.readers.model import as_read
from gswlab.text.chunks import UNITS, chunks
from gswlab.text.document import document_of

TEXT = """Chapter 1

Ann Ray left Kobe on May 7, 2024. She took the night ferry to Oban. Rain fell. The
pottery class at the Old Mill began late. Ann Ray sang. Nobody minded the rain.

Chapter 2

On May 9, 2024, Bo Lind opened the kite fair at Quay House. Children ran. He was glad.
"""
ASKED = (
    "Where was Ann Ray on May 7, 2024?",
    "When was Bo Lind at Quay House?",
    "Who was at Quay House on May 9, 2024?",
    "On which dates was Karl Fenn at Quay House?",
    "Who opened the kite fair?",
    "List the places of Bo Lind in chronological order.",
)


@pytest.fixture(scope="module")
def document() -> Document:
    return document_of(TEXT, "book")


class Counting(SpacyOperator):
    """How many chunks were extracted, all together."""

    read = 0

    def extract(self, *given: Any) -> Any:
        type(self).read += 1
        return super().extract(*given)


def fitted(memory: Any, document: Document, unit: str = "chunk") -> Any:
    for chunk in chunks(document, 3 * UNITS[unit]):
        memory.partial_fit(chunk)
    memory.finish()
    return memory


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("question", ASKED)
def test_the_whole_book_as_text_is_answered_as_the_workspace_answers(
    document: Document, question: str, unit: str
) -> None:
    parts = SpacyOperator(), RulesReconciler()
    reader = CueReader(Interpreter(*parts))
    gsw = fitted(GSW(*parts), document)
    whole = fitted(LongContext(), document, unit)
    mine = reader.answer(question, gsw.recall(question, 10**6))
    theirs = reader.answer(question, whole.recall(question, 10**6))
    assert (theirs.items, theirs.abstained) == (mine.items, mine.abstained)
    assert set(theirs.spans) == set(mine.spans)


def test_the_same_items_in_any_order_are_read_once(document: Document) -> None:
    reader = CueReader(Interpreter(Counting(), RulesReconciler()))
    found = fitted(LongContext(), document).recall("?", 10**6)
    turned = Evidence(found.items[::-1], found.tokens)
    answers = [reader.answer(ASKED[1], evidence) for evidence in (found, turned)]
    assert answers[0] == answers[1]
    assert Counting.read == len(found.items)


def test_what_overlaps_is_read_once(document: Document) -> None:
    interpreter = Interpreter(SpacyOperator(), RulesReconciler())
    whole, part = chunks(document, 10**6)[0], chunks(document)[0]
    items = [Item(c.text, (c.span,), c.chapter, 1.0) for c in (part, whole)]
    pieces = [*interpreter._cut([part, whole])]
    assert "".join(p.text for p in pieces).count("Rain fell.") == 1
    assert pieces[-1].span.end == whole.span.end
    assert interpreter(ASKED[0], Evidence(tuple(items), 0)).items


def test_a_text_of_its_own_cites_what_its_item_rests_on() -> None:
    reader = CueReader(Interpreter(SpacyOperator(), RulesReconciler()))
    rests = (Span("book", 5, 9), Span("book", 40, 44))
    item = Item("On May 9, 2024, Bo Lind was at Quay House.", rests, 2, 1.0)
    answer = reader.answer("Where was Bo Lind on May 9?", Evidence((item,), 10))
    assert answer.items == ("Quay House",)
    assert set(answer.spans) <= set(rests)


def test_a_chapter_is_one_unit_and_a_window_three_chunks(document: Document) -> None:
    sizes = {unit: len(chunks(document, 3 * n)) for unit, n in UNITS.items()}
    assert sizes == {"chunk": 3, "window": 2, "chapter": 2}


@pytest.mark.parametrize("question", ASKED)
def test_a_model_is_shown_what_was_counted_and_nothing_else(
    document: Document, question: str
) -> None:
    gsw = fitted(GSW(SpacyOperator(), RulesReconciler()), document)
    for memory in (gsw, fitted(BM25(), document)):
        found = memory.recall(question, 200)
        lines = as_read(found)[0].splitlines()
        told = [line for line in lines if line.startswith(("[", "    "))]
        shown = [line.split("] ", 1)[-1] for line in told]
        assert sorted(" ".join(shown).split()) == sorted(found.text.split())
        assert found.tokens == count_tokens(found.text)


def test_evidence_as_text_alone_has_nothing_behind_it(
    document: Document, tmp_path: Path
) -> None:
    gsw = fitted(GSW(SpacyOperator(), RulesReconciler()), document)
    found = gsw.recall(ASKED[1], 200)
    bare = text_alone(found)
    assert found.items[0].facts
    assert not any(item.facts or item.told for item in bare.items)
    assert bare.tokens == count_tokens(bare.text) < found.tokens
    assert "place:" not in as_read(bare)[0]


BOOKS = Path(__file__).resolve().parents[2] / "experiments" / "texts" / "books"


@pytest.mark.slow
@pytest.mark.parametrize("book", ["terraces", "kestrel"])
def test_a_book_of_our_own_as_text_scores_what_the_workspace_scores(
    book: str, tmp_path: Path
) -> None:
    asked, here = tmp_path / "questions.json", BOOKS / book
    ask = [sys.executable, str(BOOKS / "questions.py"), str(here), "--cap", "1"]
    subprocess.run([*ask, "--out", str(asked)], check=True, capture_output=True)
    files = f"dataset.book={here / 'book.json'}", f"dataset.questions={asked}"
    f1 = []
    for memory in ("gsw", "long_context"):
        given = f"memory={memory}", "budget=1000000", f"run.dir={tmp_path / memory}"
        scores = gswlab.open("experiment=epbench", *files, *given).run()
        f1.append(scores["strict_f1"])
    assert abs(f1[0] - f1[1]) <= 0.01

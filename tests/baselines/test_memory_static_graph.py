"""Static graph RAG: two steps away is found, and each kind of tie can be left out."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import RULES, STORY, Words, chunk, read, story

import gswlab
from gswlab.baselines.static_graph import StaticGraph, grams

QUESTION = "In which town does a member of the choir that Ann Ray founded sell?"


def memory(**chosen):
    return StaticGraph(RULES, Words(), **chosen)


def rows(fitted, question=QUESTION):
    return [row for row, _ in fitted.rank(question)]


def test_the_constants_are_those_of_the_definition():
    fresh = memory()
    assert (fresh.seeds, fresh.damping, fresh.similar) == (5, 0.5, 0.7)


def test_the_ranking_is_that_of_the_walk_from_the_seeds():
    fitted = read(memory(seeds=1), story())
    ranks = [score for _, score in fitted.rank("Who is Ann Ray?")]
    assert ranks == sorted(ranks, reverse=True)
    assert rows(fitted, "Who is Ann Ray?")[:2] == [0, 1]  # and whom the text names


def test_a_passage_that_names_a_title_is_tied_to_it():
    texts = [chunk(0, "See the old mill (1780) there.", "A"), chunk(1, "x", "Old Mill")]
    tied = read(memory(similar=2), texts)._walk.steps
    loose = read(memory(similar=2, titles=False), texts)._walk.steps
    assert tied[0, 1] > 0
    assert loose[0, 1] == 0


def test_passages_are_tied_from_the_cosine_on():
    same = [chunk(i, "rain fell all day") for i in range(2)]
    assert read(memory(), same)._walk.steps[0, 1] == pytest.approx(1.0)
    assert read(memory(similar=2), same)._walk.steps.nnz == 0


@pytest.mark.parametrize("score", ["bm25", "dense"])
def test_either_first_score_leads_to_the_founder(score):
    assert 0 in rows(read(memory(score=score), story()), "Who founded a choir?")[:2]


def test_a_question_without_a_known_word_leaves_the_order_of_reading():
    fitted = read(memory(), story())
    assert rows(fitted, "zzz") == [0, 1, 2, 3]


def test_forgetting_a_document_leaves_a_graph_that_never_had_it():
    both = read(memory(), [*story("a"), *story("b")])
    both.forget("b")
    alone = read(memory(), story("a"))
    assert both.recall(QUESTION, 300) == alone.recall(QUESTION, 300)


def test_without_similar_passages_no_embedder_is_needed():
    fitted = read(StaticGraph(RULES, None, similar=2), story())
    assert len(rows(fitted)) == 4


def test_runs_of_words_are_bounded_in_length():
    text = " ".join("abcdefghijkl")
    assert max(len(gram.split()) for gram in grams(text, 3)) == 3
    assert np.all([gram in text for gram in grams(text, 3)])


def test_a_run_that_was_interrupted_ends_in_the_same_bytes(tmp_path):
    book = tmp_path / "story.txt"
    book.write_text("\n\n".join(text for _, text in STORY), encoding="utf-8")
    chosen = ["memory=static_graph", "memory.similar=2", "embedder=none"]

    def opened(name):
        run = f"run.dir={tmp_path / name}"
        return gswlab.open(f"dataset.file={book}", "chunk.sentences=2", run, *chosen)

    whole, half = opened("whole"), opened("half")
    while whole.step():
        pass
    half.step()
    half.journal.close()
    del half
    again = opened("half")
    while again.step():
        pass
    assert list(again.journal.export()) == list(whole.journal.export())
    found = again.answer("Who founded the Larch Choir?")[1]
    assert found == whole.answer("Who founded the Larch Choir?")[1]
    assert "Ann Ray" in found.items[0].text

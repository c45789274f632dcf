"""HippoRAG 2: facts lead to passages that a question does not resemble."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from graphs import PAIRS, RULES, Words, chunk, read, story

from gswlab.baselines.hipporag import HippoRAG, scaled
from gswlab.core.errors import GswlabError
from gswlab.core.protocols import Memory
from gswlab.core.step import Step


def memory(**settings):
    return HippoRAG(RULES, Words(), **settings)


def titles(found):
    return [item.text.split("\n")[0] for item in found.items]


def test_the_constants_are_the_published_ones():
    fresh = memory()
    assert (fresh.damping, fresh.passage_weight, fresh.synonym) == (0.5, 0.05, 0.8)
    assert (fresh.facts, fresh.phrases) == (5, 5)


def test_a_recognised_fact_leads_on_to_a_passage_without_a_word_of_the_question():
    far = [
        chunk(4, "The bread is the best of the town.", "The bread"),
        chunk(5, "The sailors take the ship to the sea.", "The sailors"),
        *story(),
    ]
    question = "Who founded the Larch Choir?"
    by_facts = memory(recognition=0.3, passage_weight=0.0)
    found = read(by_facts, far).recall(question, 1000)
    dense = read(memory(recognition=1.1), far).recall(question, 1000)
    assert set(titles(found)[:2]) == {"Ann Ray", "Larch Choir"}
    assert titles(dense).index("Bo Lind") > titles(dense).index("The sailors")
    assert titles(found).index("Bo Lind") < titles(found).index("The sailors")


def test_without_a_recognised_fact_the_ranking_is_that_of_similarity():
    fitted = read(memory(recognition=1.1), story())
    question = "What burned by the sea?"
    rows = [row for row, _ in fitted.rank(question)]
    texts = [f"{c.title}\n{c.text}" for c in story()]
    near = Words().embed(texts) @ Words().embed([question])[0]
    assert rows == list(np.argsort(-near, kind="stable"))


def test_a_fact_of_which_the_question_names_nothing_is_not_recognised():
    question = "Which choir was founded by whom?"
    dense = read(memory(recognition=1.1), story()).rank(question)
    assert read(memory(recognition=0.1), story()).rank(question) == dense
    loose = read(memory(recognition=0.1, named=False), story()).rank(question)
    assert loose != dense


def test_synonyms_tie_phrases_that_are_near_and_no_others():
    fitted = read(memory(), story())
    steps = fitted._graph.walk.steps.toarray()
    assert steps.sum(axis=0) == pytest.approx(np.ones(len(steps)))
    loose = read(memory(synonym=0.1), story())._graph.walk.steps
    assert loose.nnz > fitted._graph.walk.steps.nnz


def test_reading_one_by_one_ends_where_reading_at_once_does():
    question = "Who sang in Tarn?"
    asked_midway = memory()
    for each in story():
        asked_midway.partial_fit(each)
        asked_midway.recall(question, 200)
    assert asked_midway.recall(question, 200) == read(memory(), story()).recall(
        question, 200
    )


def test_forgetting_a_document_leaves_what_was_read_without_it():
    both = read(memory(), [*story("a"), *story("b")])
    assert isinstance(both, Memory)
    step = both.forget("b")
    assert [span.document for span in step.events[0].spans] == ["b"] * 4
    alone = read(memory(), story("a"))
    assert both.recall("Who is Ann Ray?", 300) == alone.recall("Who is Ann Ray?", 300)
    with pytest.raises(GswlabError, match="no document 'b' was read"):
        both.forget("b")


def test_a_step_tells_what_was_extracted_and_where():
    step = memory().partial_fit(story()[0])
    assert isinstance(step, Step)
    event = step.events[-1]
    assert ("Ann Ray", "found", "Larch Choir") in event.data["triples"]
    assert all(span.start >= 0 and span.document == "book" for span in event.spans)


def test_evidence_keeps_to_its_budget_and_to_the_text():
    found = read(memory(), story()).recall("Who founded the Larch Choir?", 40)
    assert 0 < found.tokens <= 40
    for item in found.items:
        (span,) = item.spans
        text = next(c.text for c in story() if c.span == span)
        assert item.text.endswith(text)


def test_a_clone_has_the_settings_and_nothing_else():
    fitted = read(memory(damping=0.7), story())
    clone = fitted.clone()
    assert (clone.damping, clone.chunks, clone.extractions) == (0.7, [], [])
    assert not clone.recall("Who is Ann Ray?", 100).items


def test_no_embedder_is_one_sentence_with_the_way_out():
    fitted = replace(HippoRAG(PAIRS, None))
    fitted.partial_fit(story()[0])
    with pytest.raises(GswlabError, match="embedder=minilm"):
        fitted.recall("Who?", 10)


def test_equal_scores_are_all_the_whole_scale():
    assert list(scaled(np.array([0.4, 0.4]))) == [1.0, 1.0]

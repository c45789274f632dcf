"""LightRAG: grows by insertion, forgets a document exactly, keeps its token shares."""

from __future__ import annotations

import numpy as np
import pytest
from graphs import RULES, STORY, Words, chunk, read, story
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.baselines.knowledge_graph import Knowledge, as_parts
from gswlab.baselines.lightrag import (
    CHUNKS,
    CITED,
    ENTITIES,
    LEAST,
    RELATIONS,
    LightRAG,
)
from gswlab.core.budget import tokens_of
from gswlab.models.vectors.minilm import MiniLM

QUESTION = "Who founded the Larch Choir?"
TEXTS = [text for _, text in STORY]


def memory(**chosen):
    return LightRAG(RULES, Words(), **chosen)


def known(knowledge):
    return list(knowledge.nodes()), list(knowledge.ties())


def filled(chunks):
    knowledge = Knowledge()
    for each in chunks:
        knowledge.add(each, RULES.extract(each))
    return knowledge


def test_the_constants_are_the_published_ones():
    assert (memory().top, CHUNKS, CITED, LEAST) == (40, 20, 5, 0.2)
    assert (ENTITIES * 30_000, RELATIONS * 30_000) == (6000, 8000)


def test_entities_of_several_chunks_are_one_with_the_sentences_of_all():
    node = filled(story()).node("larch choir")
    assert node.name == "Larch Choir"
    assert len(node.chunks) == 2
    assert {told.text.split(".")[0] for told in node.told} >= {
        "Ann Ray founded the Larch Choir in Tarn"
    }


def test_a_relation_weighs_as_many_triples_as_say_it():
    twice = [chunk(0, "Ann Ray met Bo Lind."), chunk(1, "Bo Lind saw Ann Ray.")]
    tie = filled(twice).tie(("ann ray", "bo lind"))
    assert (tie.weight, tie.keywords) == (2, ("meet", "see"))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from("abc")), max_size=8))
def test_forgetting_leaves_exactly_what_the_other_documents_said(told):
    chunks = [chunk(i, text, None, name) for i, (text, name) in enumerate(told)]
    knowledge = filled(chunks)
    for each in chunks:
        if each.document == "b":
            knowledge.drop(each.id)
    assert known(knowledge) == known(filled(c for c in chunks if c.document != "b"))


def test_forgetting_a_document_leaves_a_memory_that_never_read_it():
    both = read(memory(), [*story("a"), *story("b")])
    both.forget("b")
    alone = read(memory(), story("a"))
    assert known(both.knowledge) == known(alone.knowledge)
    assert both.recall(QUESTION, 300) == alone.recall(QUESTION, 300)


def test_inserting_one_by_one_ends_where_reading_at_once_does():
    slowly = memory()
    for each in story():
        slowly.partial_fit(each)
        slowly.recall(QUESTION, 100)
    assert slowly.recall(QUESTION, 300) == read(memory(), story()).recall(QUESTION, 300)


def test_an_insert_embeds_only_what_it_names():
    class Counting(Words):
        texts = frozenset()

        def embed(self, texts):
            self.new, self.texts = frozenset(texts) - self.texts, self.texts | {*texts}
            return super().embed(texts)

    embedder = Counting()
    fitted = read(LightRAG(RULES, embedder), story())
    before = embedder.texts
    fitted.partial_fit(chunk(9, "Cy Dow sings.", "Cy Dow"))
    fitted.finish()
    assert all("cy dow" in text.lower() for text in embedder.texts - before)


def test_the_tables_keep_to_their_shares_and_all_to_the_budget():
    for budget in (30, 60, 120, 400):
        found = read(memory(), story()).recall(QUESTION, budget)
        assert found.tokens <= budget
        texts = {f"{c.title}\n{c.text}" for c in story()}
        tables = [item for item in found.items if item.text not in texts]
        entities = [item for item in tables if " (" in item.text]
        relations = [item for item in tables if item not in entities]
        assert tokens_of(entities) <= ENTITIES * budget
        assert tokens_of(relations) <= RELATIONS * budget


def test_every_span_of_the_evidence_is_text_of_a_chunk():
    by_start = {c.span.start: c for c in story()}
    for item in read(memory(), story()).recall(QUESTION, 400).items:
        assert item.spans
        for span in item.spans:
            base = by_start[1000 * (span.start // 1000)]
            said = base.text[span.start - base.span.start : span.end - base.span.start]
            assert said
            assert said.endswith(".")


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "mix"])
def test_each_mode_finds_who_sings(mode):
    found = read(memory(mode=mode), story()).rank("Did the Larch Choir sing?")
    assert 1 in [row for row, _ in found[:2]]


def test_local_starts_from_names_and_global_from_the_other_words():
    fitted = read(memory(), story())
    assert fitted.keywords("Is Ann Ray a baker?") == ("Ann Ray", "baker")
    assert fitted.keywords("is it?") == ("is it?", "is it?")


def test_an_empty_memory_recalls_nothing_at_all():
    assert memory().recall(QUESTION, 100).items == ()


def test_an_entity_is_embedded_as_its_name_and_its_relations():
    embedder = MiniLM()
    name, one, other = embedder.embed(["Ann Ray", "Ann Ray run mill", "Bo see Ann Ray"])
    parts = ("Ann Ray", "Ann Ray run mill", "Bo see Ann Ray")
    (whole,) = as_parts([parts], embedder)
    expected = name + (one + other) / 2
    assert np.allclose(whole, expected / np.linalg.norm(expected), atol=1e-5)
    assert np.allclose(as_parts([("Ann Ray",)], embedder)[0], name, atol=1e-5)

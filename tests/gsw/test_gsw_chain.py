"""GSW asked along chains: what is asked first, followed and handed over."""

from __future__ import annotations

import pytest
from graphs import Words, chunk, read

from gswlab.core.errors import GswlabError
from gswlab.core.protocols import Memory
from gswlab.gsw.chain import BACK, GSWChain, decompose
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler

PARAGRAPHS = (
    ("Tall Mill", "Tall Mill is a mill. Ann Ray built Tall Mill in 1831."),
    ("Ann Ray", "Ann Ray was a mason. She left Port Elm with Bo Lind."),
    ("Port Elm", "Port Elm is a town. Dora Quist governed Port Elm."),
    ("Hill Farm", "Hill Farm is a farm. Cows grazed on Hill Farm."),
)
ASKED = "Which town did the mason who built Tall Mill leave?"


def memory(**settings):
    parts = SpacyOperator(), RulesReconciler()
    return GSWChain(*parts, embedder=Words(), **settings)


@pytest.fixture(scope="module")
def known():
    texts = enumerate(PARAGRAPHS)
    return read(memory(), [chunk(i, text, title) for i, (title, text) in texts])


def test_what_a_question_rests_on_is_asked_first():
    first, then = decompose(ASKED)[0]
    assert first == "the mason who built Tall Mill"
    assert then == f"Which town did {BACK} leave?"


def test_what_is_compared_is_asked_one_name_at_a_time():
    asked = decompose("Are Ann Ray and Dora Quist both masons?")
    assert len(asked) == 2
    assert all(len(hops) == 1 for hops in asked)
    assert "Ann Ray" in asked[0][0]
    assert "Dora" not in asked[0][0]


@pytest.mark.parametrize(
    "question", ["", "?", "Who left?", "誰が港を出たか。", "Or A or B"]
)
def test_whatever_is_asked_there_is_something_to_ask(question):
    assert all(
        hops and all(isinstance(hop, str) for hop in hops)
        for hops in decompose(question)
    )


def test_a_chain_leads_to_a_paragraph_that_the_question_does_not_name(known):
    found = known.recall(ASKED, 1000)
    titles = [item.text.split("\n")[0] for item in found.items]
    assert titles[0] == "Tall Mill"
    assert "Ann Ray" in titles[:3]
    assert "Hill Farm" not in titles[:3]
    assert found.trace[0].data["asked"][0].startswith("the mason who built Tall Mill")


def test_pairs_are_sentences_of_the_workspace_and_cite_the_text(known):
    known.handed = "pairs"
    found = known.recall(ASKED, 1000)
    known.handed = "chunks"
    assert any("builds Tall Mill" in item.text for item in found.items)
    assert all(item.spans and item.told for item in found.items)
    texts = [item.text for item in found.items]
    assert len(texts) == len(set(texts))


def test_evidence_keeps_to_its_budget(known):
    assert known.recall(ASKED, 20).tokens <= 20


def test_a_question_that_lists_is_answered_by_its_cues_as_gsw_does(known):
    question = "List all dates on which events took place at Port Elm."
    plain = GSW(known.operator, known.reconciler, known.workspace, past=known.past)
    assert known.recall(question, 500) == plain.recall(question, 500)


def test_nothing_read_is_nothing_recalled():
    assert memory().recall(ASKED, 100).items == ()


def test_a_clone_has_the_settings_and_nothing_else(known):
    clone = known.clone()
    assert isinstance(clone, Memory)
    assert (clone.beam, clone.workspace.version) == (known.beam, 0)
    assert clone.recall(ASKED, 100).items == ()


def test_no_embedder_is_one_sentence_with_the_way_out():
    lone = GSWChain(SpacyOperator(), RulesReconciler())
    with pytest.raises(GswlabError, match="embedder=minilm"):
        lone.recall(ASKED, 100)


def test_a_memory_beside_any_journal_looks_up_what_it_read_itself():
    read_alone = GSW(SpacyOperator(), RulesReconciler(), evidence="chunks")
    text = "On May 7, 2024 Ann Ray attended the Jazz Night at Quay House."
    read(read_alone, [chunk(0, text)])
    found = read_alone.recall("List all events at Quay House.", 500)
    assert [item.text for item in found.items] == [text]
    assert read_alone.clone().recall("List all events at Quay House.", 9).items == ()

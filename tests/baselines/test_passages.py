"""Memories that keep chunks: what they rank, hand over, tell their journal and keep."""

from __future__ import annotations

import pytest

import gswlab
from gswlab.baselines.bm25 import BM25
from gswlab.baselines.dense import Dense
from gswlab.baselines.hybrid import Hybrid
from gswlab.baselines.passages import ClosedBook, LongContext
from gswlab.core.budget import count_tokens, cut
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Evidence, Item, Span
from gswlab.core.protocols import Memory
from gswlab.language.stems import bm25_words
from gswlab.qa.readers.cue import CueReader
from gswlab.text.chunks import titled

TEXTS = {
    "Tall Mill": "The mill burned down. Ann Ray rebuilt it in stone.",
    "Old Pier": "Boats land here. The pier belongs to the harbour.",
    "Ann Ray": "She was a mason and a chess player.",
}
STORY = """Chapter 1

Ann Ray opened a book fair. She sold books. Rain fell.

Chapter 2

Bo Lind held a chess tournament at Old Pier. He lost. The crowd laughed.
"""


def chunk(index, title, text):
    span = Span("pool", index * 1000, index * 1000 + len(text))
    return Chunk(
        f"pool:{index + 1}:{index}", "pool", index + 1, index, text, span, title
    )


def filled(memory):
    for index, (title, text) in enumerate(TEXTS.items()):
        memory.partial_fit(chunk(index, title, text))
    return memory


def titles(memory, question, budget=1000):
    items = memory.recall(question, budget).items
    return [item.text.partition("\n")[0] for item in items]


def test_bm25_finds_words_of_titles_and_of_texts():
    memory = filled(BM25())
    assert titles(memory, "Where do boats land?")[0] == "Old Pier"
    assert titles(memory, "Tell me of Tall things")[0] == "Tall Mill"


def test_bm25_scores_agree_with_the_formula_by_hand():
    # idf ln(1 + (N - n + .5) / (n + .5)), lengths 12, 11 and 10 words, title counted
    import math

    memory = filled(BM25())
    memory.finish()
    idf = math.log(1 + (3 - 1 + 0.5) / 1.5)
    length = 1.5 * (1 - 0.75 + 0.75 * 11 / 11)
    assert memory.scores("boats")[1] == pytest.approx(idf / (1 + length), rel=1e-4)


def test_ties_keep_the_order_in_which_chunks_were_read():
    assert titles(filled(BM25()), "zebra") == list(TEXTS)


def test_a_title_the_question_names_lifts_its_chunk():
    question = "Which mill was rebuilt in stone by Ann Ray?"
    assert titles(filled(BM25()), question)[0] == "Tall Mill"
    assert titles(filled(BM25(title=1.0)), question)[0] == "Ann Ray"


def test_words_of_any_script_can_be_found():
    assert bm25_words("Über 港の船 Москва") == ["ber", "港", "の", "船", "москва"]


def test_what_is_handed_over_fits_the_budget_to_the_token():
    memory = filled(BM25())
    whole = memory.recall("mill", 1000)
    assert whole.tokens == count_tokens(whole.text)
    least = memory.recall("mill", whole.tokens - 1)
    assert len(least.items) == 2
    assert least.tokens < whole.tokens
    assert memory.recall("mill", 1).items == ()


@pytest.mark.parametrize("budget", [0, 1, 7, 40, 10_000])
def test_cutting_keeps_the_longest_front_that_fits(budget):
    items = [Item("word " * (n % 7 + 1), (), None, 0.0) for n in range(50)]
    kept = len(cut(items, budget))
    assert count_tokens(Evidence(tuple(items[:kept]), 0).text) <= budget or not kept
    more = Evidence(tuple(items[: kept + 1]), 0).text
    assert kept == 50 or count_tokens(more) > budget


def test_a_clone_has_the_settings_and_nothing_read():
    memory = filled(BM25(k1=0.9))
    assert isinstance(memory, Memory)
    assert memory.clone().k1 == 0.9
    assert memory.clone().recall("mill", 100).items == ()


def test_finishing_again_does_nothing_and_a_later_chunk_is_found():
    memory = filled(BM25())
    assert memory.finish().events
    assert not memory.finish().events
    memory.partial_fit(chunk(3, "Quay", "A zebra walks."))
    assert titles(memory, "zebra")[0] == "Quay"


@pytest.fixture
def opened(tmp_path):
    """Opens the same run again and again."""
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")

    def lab(*overrides):
        given = (f"dataset.file={tmp_path / 'story.txt'}", "chunk.sentences=1")
        return gswlab.open(*given, "memory=bm25", *overrides, f"run.dir={tmp_path}/r")

    return lab


def test_a_memory_without_a_workspace_is_resumed_from_its_journal(opened):
    first = opened()
    for _ in range(4):
        first.step()
    again = opened()
    assert again.memory.chunks == list(again.chunks[:4])
    again.run()
    assert again.finished
    assert again.answer("Who held a chess tournament?")[1].items[0].chapter == 2


def test_steps_of_such_a_memory_change_nothing_and_say_what_was_kept(opened):
    lab = opened()
    lab.run()
    steps = list(lab.journal)
    assert [step.index for step in steps] == list(range(len(lab.chunks) + 1))
    assert not any(step.changes for step in steps)
    assert {e.kind for step in steps for e in step.events} == {"kept", "indexed"}


def test_an_undone_chunk_is_forgotten_and_may_be_read_again(opened):
    lab = opened()
    for _ in range(3):
        lab.step()
    lab.journal.undo()
    assert len(lab.memory.chunks) == 2
    lab.step()
    assert lab.memory.chunks == list(lab.chunks[:3])


def test_asking_midway_leaves_the_journal_and_the_memory_alone(opened):
    lab = opened()
    lab.step()
    before = list(lab.journal.export())
    lab.ask("Who opened a book fair?")
    assert list(lab.journal.export()) == before
    assert lab.memory.clone() == BM25()


class Letters:
    """An embedder whose vector is the counts of letters: nothing to install."""

    def embed(self, texts):
        import numpy as np

        letters = "abcdefghijklmnopqrstuvwxyz"
        counts = [[text.lower().count(c) for c in letters] for text in texts]
        vectors = np.array(counts, np.float32).reshape(len(texts), 26)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)


def test_closed_book_recalls_nothing_and_the_reader_abstains():
    evidence = filled(ClosedBook()).recall("Where do boats land?", 1000)
    assert evidence.items == ()
    assert CueReader().answer("Where do boats land?", evidence).abstained


def test_long_context_is_the_text_in_order_cut_to_the_budget():
    memory = filled(LongContext())
    assert titles(memory, "Old Pier?") == list(TEXTS)
    assert titles(memory, "Old Pier?", budget=20) == ["Tall Mill"]


def test_dense_recall_ranks_by_the_cosine_of_whole_chunks():
    asked = "Old Pier " + TEXTS["Old Pier"]
    assert titles(filled(Dense(Letters())), asked)[0] == "Old Pier"


def test_dense_recall_without_an_embedder_names_the_setting():
    with pytest.raises(GswlabError, match="embedder=minilm"):
        filled(Dense()).recall("mill", 100)


def test_fusion_adds_reciprocal_ranks_of_both_rankings():
    memory = filled(Hybrid(BM25(), Dense(Letters()), constant=1))
    question = "Where do boats land?"
    found = {item.text: item.score for item in memory.recall(question, 1000).items}
    for row in range(3):
        parts = (memory.lexical, memory.dense)
        orders = [[r for r, _ in part.rank(question)] for part in parts]
        hand = sum(1 / (1 + order.index(row) + 1) for order in orders)
        assert found[memory.item(row, 0.0).text] == pytest.approx(hand)


def test_a_clone_of_a_fusion_shares_nothing_that_was_read():
    memory = filled(Hybrid(BM25(), Dense(Letters())))
    clone = memory.clone()
    assert clone.recall("mill", 100).items == ()
    assert len(memory.lexical.chunks) == 3


def test_a_heading_that_only_counts_is_no_title():
    assert titled(chunk(0, "Chapter 12", "Rain fell.")) == "Rain fell."
    assert titled(chunk(0, "第三章", "雨が降った。")) == "雨が降った。"
    assert titled(chunk(0, "Chapter 3. The Ferry", "Rain fell.")).startswith(
        "Chapter 3"
    )

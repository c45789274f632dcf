"""Linked passages: what the ties bring in that words alone do not find."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from gswlab.baselines.linked import Linked
from gswlab.core.nouns import Chunk, Span

TEXTS = {
    "Tall Mill (building)": "It was built by Ann Ray for the town.",
    "Ann Ray": "She was a mason, a chess player, and came from far away.",
    "Old Pier": "Boats land here. Bo Lind dug it, and lived at Sand Hill.",
    "Sand Hill": "A hill.",
    "The Grey Song": "A tune that Bo Lind wrote.",
}


class Blank:
    """An embedder to which all texts mean the same."""

    def embed(self, texts):
        return np.ones((len(texts), 2), np.float32) / np.float32(np.sqrt(2))


def filled(**settings):
    memory = Linked(embedder=Blank(), **settings)
    for index, (title, text) in enumerate(TEXTS.items()):
        span = Span("pool", index * 1000, index * 1000 + len(text))
        name = f"pool:{index + 1}:{index}"
        memory.partial_fit(Chunk(name, "pool", index + 1, index, text, span, title))
    memory.finish()
    return memory


def titles(memory, question):
    return [memory.chunks[row].title for row, _ in memory.rank(question)]


def test_a_title_that_the_found_passage_names_comes_next():
    asked = "Who put up the Tall Mill building?"
    assert titles(filled(), asked)[:2] == ["Tall Mill (building)", "Ann Ray"]


def test_without_ties_by_title_or_name_nothing_is_walked():
    bare = filled(titles=False, names=0.0)
    asked = "Who put up the Tall Mill building?"
    ranks = dict(bare.rank(asked))
    assert ranks[0] > 0
    assert ranks[1] == pytest.approx(0.0, abs=1e-9)


def test_a_name_that_few_passages_share_ties_them():
    asked = "Where do boats land?"
    assert titles(filled(titles=False), asked)[1] in ("The Grey Song", "Sand Hill")
    alone = dict(filled(titles=False, common=1).rank(asked))
    assert alone[4] == pytest.approx(0.0, abs=1e-9)


def test_the_walk_is_networkx_pagerank_on_the_same_ties():
    memory = filled(sharpness=1.0, names=0.0)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(5))
    for one, other in ((0, 1), (2, 3)):
        graph.add_edge(one, other, weight=1.0)
        graph.add_edge(other, one, weight=0.3)
    question = "Which mill did the mason build?"
    start = dict(enumerate(memory._found(question)))
    known = nx.pagerank(graph, alpha=0.5, personalization=start, tol=1e-12)
    for row, share in memory.rank(question):
        assert share == pytest.approx(known[row], abs=1e-6)


def test_a_clone_has_read_nothing_and_keeps_the_settings():
    clone = filled(sharpness=2.0).clone()
    assert clone.sharpness == 2.0
    assert clone.recall("Who?", 100).items == ()

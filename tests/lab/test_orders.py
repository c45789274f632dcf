"""Order sensitivity: which facts survive when the same text is read in other orders."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opening import opened
from strategies import runs

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.core.workspace import Workspace
from gswlab.lab.futures.orders import noun_facts, orders, shuffled, survived
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.view.run.futures import write_futures

CHAPTERS = """Chapter 1

Ragna Horvath opened the fair at Quay House. She sold coins.

Chapter 2

Ragna came to the Old Mill on May 7, 2024. It rained. Ragna Horvath laughed.

Chapter 3

Three days later Bo Lind won a race at Old Pier.
"""
ONE = "Ragna Horvath opened the fair. Ragna sold coins. She laughed. Bo Lind wept."


@settings(max_examples=5)
@given(seed=st.integers(0, 99), many=st.integers(1, 3))
def test_with_one_chapter_every_order_is_the_same_and_all_survives(
    tmp_path_factory: pytest.TempPathFactory, seed: int, many: int
) -> None:
    lab = opened(tmp_path_factory.mktemp("one"), ONE)
    found = orders(lab, shuffles=many, seed=seed, questions=["Who wept?"])
    assert found.stability == 1
    assert set(found.facts()["stability"]) == {1.0}
    assert set(found.to_frame()["least"]) == {1.0}
    assert list(found.answers()["same_answer"]) == [1.0]


@given(runs())
def test_a_reading_survives_itself_whole(steps: list[object]) -> None:
    workspace = Workspace()
    for step in steps:
        workspace = workspace.apply(step)  # type: ignore[arg-type]
    nouns = noun_facts(workspace)
    kept = survived(nouns, nouns)
    for noun in nouns:
        if noun.ink and not any(n.ink & noun.ink for n in nouns if n is not noun):
            assert kept[noun.id] == set(noun.told)


@settings(max_examples=20)
@given(seed=st.integers(), by=st.sampled_from(["chapter", "chunk"]))
def test_an_order_has_every_chunk_once_and_chapters_stay_whole(
    seed: int, by: str
) -> None:
    read = chunks(document_of(CHAPTERS, "story"), 1)
    for order in shuffled(read, 3, seed, by):  # type: ignore[arg-type]
        assert sorted(c.index for c in order) == [c.index for c in read]
        if by == "chapter":
            turns = [c.chapter for c in order]
            assert len([*dict.fromkeys(turns)]) == 3
            runs = sum(a != b for a, b in pairwise(turns))
            assert runs == 2
            for chapter in (1, 2, 3):
                inside = [c.index for c in order if c.chapter == chapter]
                assert inside == sorted(inside)


def test_more_shuffles_begin_with_the_same_orders() -> None:
    read = chunks(document_of(CHAPTERS, "story"), 1)
    few, more = (list(shuffled(read, many, 7, "chunk")) for many in (2, 5))
    assert more[:2] == few
    assert list(shuffled(read, 5, 8, "chunk")) != more


def test_what_depends_on_the_order_is_found_and_what_does_not_survives(
    tmp_path: Path,
) -> None:
    lab = opened(tmp_path, CHAPTERS)
    found = orders(lab, shuffles=6, seed=1)
    frame = found.to_frame().set_index("noun")
    assert 0 < found.stability < 1
    assert frame.loc["Bo Lind", "stability"] == 1
    facts = found.facts()
    assert facts.iloc[0]["stability"] < 1
    assert len(facts) == frame["facts"].sum()
    assert found.words()[0] == "6 other orders of chapters read, 0 calls."
    assert list(frame["stability"]) == sorted(frame["stability"])


def test_the_same_seed_gives_the_same_page(tmp_path: Path) -> None:
    lab = opened(tmp_path, CHAPTERS)
    pages = []
    for name in ("one", "other"):
        found = orders(lab, shuffles=3, seed=5, questions=["Who <b>won</b>?"])
        page = write_futures(found, tmp_path / f"{name}.html").read_bytes()
        pages.append((page, repr(found)))
    assert pages[0] == pages[1]
    assert b"<b>won" not in pages[0][0]
    assert b"<script" not in pages[0][0]


def test_reading_other_orders_writes_nothing(tmp_path: Path) -> None:
    lab = opened(tmp_path, CHAPTERS)
    before = list(lab.journal.export()), sorted(tmp_path.rglob("*"))
    orders(lab, shuffles=2, by="chunk")
    assert (list(lab.journal.export()), sorted(tmp_path.rglob("*"))) == before


def test_a_memory_without_a_workspace_is_compared_by_what_it_recalls(
    tmp_path: Path,
) -> None:
    lab = opened(tmp_path, CHAPTERS, "memory=bm25", "reader=extractive")
    found = orders(lab, shuffles=2, questions=["Who won a race?"])
    assert repr(found) == "Orders(2 orders of chapters, 1 asked)"
    assert list(found.answers()["same_evidence"]) == [1.0]
    with pytest.raises(GswlabError, match=r"keeps no workspace.*questions=\["):
        orders(lab)


def test_what_cannot_be_shuffled_is_said_in_a_sentence(tmp_path: Path) -> None:
    lab = opened(tmp_path, ONE)
    with pytest.raises(GswlabError, match="shuffles=0 is no number of orders"):
        orders(lab, shuffles=0)
    with pytest.raises(GswlabError, match="by='page' is no unit"):
        orders(lab, by="page")  # type: ignore[arg-type]
    unread = gswlab.open(f"dataset.file={tmp_path / 'story.txt'}", "chunk.sentences=4")
    unread.folder = type(unread.folder)(tmp_path / "new")
    with pytest.raises(GswlabError, match="has read nothing"):
        orders(unread)

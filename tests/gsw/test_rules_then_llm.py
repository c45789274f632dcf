"""A model asked only where rules have no word for it: the kind of a chapter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from obliging import obliging

import gswlab

CHAPTERS = (
    "The cellar was cold. Ann Ray held her glass to the light. She spat. He laughed.",
    "On May 7, 2024, Bo Lind opened a book fair in Tall Mill. It rained. She left.",
)


@pytest.fixture
def book(tmp_path: Path, server: Any) -> Path:
    server.script = obliging
    path = tmp_path / "book.txt"
    told = (f"Chapter {n}\n\n{text}" for n, text in enumerate(CHAPTERS, 1))
    path.write_text("\n\n".join(told))
    return path


def opened(book: Path, server: Any, *overrides: str) -> Any:
    given = "llm=openai", f"llm.base_url={server.url}", "llm.cassette=null"
    rest = f"run.dir={book.parent / 'run'}", "embedder=none", "chunk.sentences=1"
    return gswlab.open(f"dataset.file={book}", *given, *rest, *overrides)


def asked(server: Any) -> list[str]:
    names = (b["response_format"]["json_schema"]["name"] for b in server.requests)
    return sorted(names)


def test_only_a_chapter_that_names_no_kind_is_asked_about(book, server):
    opened(book, server, "operator=rules_then_llm").run()
    assert asked(server) == ["OccasionReply"]


def test_the_kind_of_a_chapter_that_names_none_is_a_vote_that_is_marked_inferred(
    book, server
):
    lab = opened(book, server, "operator=rules_then_llm")
    lab.run()
    votes = [v for e in lab.workspace.episodes for v in e.votes if v.field == "kind"]
    (mine,) = (vote for vote in votes if vote.reason.startswith("inferred: "))
    assert mine.candidate == "wine tasting"
    first, *_ = lab.workspace.episodes
    assert first.kind.value == "wine tasting"


def test_a_kind_whose_quote_the_chapter_does_not_have_is_refused(book, server):
    said = {"kind": "wine tasting", "quote": "a hundred corks"}
    server.script = lambda body, number: (
        json.dumps(said)
        if body["response_format"]["json_schema"]["name"] == "OccasionReply"
        else obliging(body, number)
    )
    lab = opened(book, server, "operator=rules_then_llm")
    lab.run()
    events = [event for step in lab.journal.steps() for event in step.events]
    assert any("is not in the chapter" in str(event.data) for event in events)
    votes = [v for e in lab.workspace.episodes for v in e.votes]
    assert not any(vote.candidate == "wine tasting" for vote in votes)


def test_a_failed_ask_leaves_the_map_of_the_rules(book, server):
    server.script = lambda body, number: (400, {"x-should-retry": "false"}, "out")
    rules = gswlab.open(
        *(f"dataset.file={book}", f"run.dir={book.parent / 'rules'}"),
        *("embedder=none", "chunk.sentences=1"),
    )
    rules.run()
    lab = opened(book, server, "operator=rules_then_llm")
    assert lab.run()["partial"] > 0
    assert lab.workspace.actors == rules.workspace.actors
    assert lab.workspace.episodes == rules.workspace.episodes

"""Chapters of one book that are read apart are asked about at once, nothing twice."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from obliging import obliging
from standin import StandIn

import gswlab

AT_ONCE = 8


class Counting:
    """One that counts whom it serves at once, by what is asked.

    The first reconcilings wait until so many of them are under way.
    """

    def __init__(self, wanted: int) -> None:
        self.wanted, self.now, self.peak = wanted, dict[str, int](), dict[str, int]()
        self._met = threading.Condition()

    def __call__(self, body: dict[str, Any], number: int) -> Any:
        stage = body["response_format"]["json_schema"]["name"]
        with self._met:
            self.now[stage] = self.now.get(stage, 0) + 1
            self.peak[stage] = max(self.peak.get(stage, 0), self.now[stage])
            self._met.notify_all()
            if stage == "Reconciled" and not self._met.wait_for(self._reached, 30):
                self.wanted = 0
        said = obliging(body, number)
        with self._met:
            self.now[stage] -= 1
        return said

    def _reached(self) -> bool:
        return self.peak["Reconciled"] >= self.wanted


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Nine chapters of three chunks; one counts its days from the one before."""
    opening = {n: f"On May {n}, 2024, Ann Ray met Bo Lind." for n in range(1, 10)}
    opening[4] = "Three days later, Ann Ray met Bo Lind."
    path = tmp_path / "book.txt"
    path.write_text(
        "\n\n".join(
            f"Chapter {n}\n\n{first} Ann Ray sat down. Bo Lind ate {n} pears."
            for n, first in opening.items()
        )
    )
    return path


def ran(book: Path, server: StandIn, name: str, *overrides: str) -> list[str]:
    """The journal of a run, and in `server` what it asked."""
    server.requests.clear()
    given = "llm=openai", f"llm.base_url={server.url}", "llm.cassette=null"
    folder = f"run.dir={book.parent / name}"
    chosen = "operator=llm", "embedder=none", "chunk.sentences=1"
    lab = gswlab.open(f"dataset.file={book}", *given, folder, *chosen, *overrides)
    lab.run()
    assert lab.llm.open == 0
    return list(lab.journal.export())


@pytest.mark.parametrize("choice", ["llm", "rules_then_llm"])
def test_chapters_are_asked_at_once_and_become_what_they_are_one_by_one(
    book, server, choice
):
    chosen = f"reconciler={choice}", "reconciler.scope=chapter"
    server.script = obliging
    alone = ran(book, server, "alone", *chosen, "llm.concurrency=1")
    asked = sorted(json.dumps(body, sort_keys=True) for body in server.requests)
    server.script = counting = Counting(AT_ONCE - 2)
    together = ran(book, server, "together", *chosen, f"llm.concurrency={AT_ONCE}")
    assert together == alone
    again = sorted(json.dumps(body, sort_keys=True) for body in server.requests)
    assert again == asked
    assert max(counting.peak.values()) <= AT_ONCE
    assert counting.peak.get("Reconciled", AT_ONCE) >= AT_ONCE - 2


def test_a_scope_beyond_the_chapter_is_asked_chunk_by_chunk(book, server):
    server.script = counting = Counting(0)
    ran(book, server, "run", "reconciler=llm", f"llm.concurrency={AT_ONCE}")
    assert counting.peak["Reconciled"] == 1


def test_what_a_chapter_shows_counts_its_ids_from_its_own_first_nouns(book, server):
    server.script = obliging
    ran(book, server, "run", "reconciler=llm", "reconciler.scope=chapter")
    shown = [str(body["messages"][1]["content"]) for body in server.requests]
    records = [text.partition("<workspace>")[2] for text in shown]
    firsts = [text for text in records if '"id": "a1"' in text]
    assert len(firsts) == 18  # every chunk of a chapter but its first

"""What a run folder survives: `python recipes/attacks.py RUNS [PART ...] > CSV`.

200 accidents to a journal, 300 kills of six commands, 1,000 broken replies and 1,000
malicious settings, with the helpers of `tests/attacks.py`. A row is a part: how many
were tried, how many were named or left no mark, and how many held.
"""

from __future__ import annotations

import csv
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import given as given_settings
from table import commit

import gswlab

TESTS = Path(__file__).resolve().parents[2] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "lab")]

import attacks  # noqa: E402 - it stands with the tests
import test_trust  # noqa: E402
from test_damage import COMMANDS  # noqa: E402

from gswlab.models.ask import Ask, ModelError  # noqa: E402
from gswlab.models.model import Model  # noqa: E402

ACCIDENTS, KILLS, FAULTS, ORDERS = 200, 300, 1000, 1000
SETTINGS = settings(deadline=None, suppress_health_check=[*HealthCheck])
HEADS = "part", "tried", "had_an_effect", "held", "commit"
Row = tuple[str, int, int, int]


def made(home: Path) -> Path:
    """A story and a run that has read it."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "story.txt").write_text(attacks.STORY * 3, "utf-8")
    given = f"dataset.file={home / 'story.txt'}", "embedder=none"
    lab = gswlab.open(*given, f"run.dir={home / 'run'}")
    lab.run()
    lab.ask("Who opened a book fair?")
    lab.journal.close()
    return home


def accidents(home: Path) -> Iterator[Row]:
    """Corruptions of a journal: named, or every command says what it did before."""
    run = made(home / "whole") / "run"
    true = {
        words: attacks.spoken(*(word.format(run) for word in words))[1]
        for words in COMMANDS
    }
    felt, held = 0, 0
    for number in range(ACCIDENTS):
        what = attacks.corrupted(run, home / "damaged", number)
        found = attacks.misled(home / "damaged", true, f"{number} {what}")
        felt += attacks.spoken("check", str(home / "damaged"))[0] != 0
        held += not found
        for problem in found:
            print(problem, file=sys.stderr)
    yield "accidents", ACCIDENTS, felt, held


def kills(home: Path) -> Iterator[Row]:
    """Commands killed at random moments, ten on end; each ends as if it never was."""
    source = made(home / "source")
    each = KILLS // len(attacks.DEEDS)
    for deed in attacks.DEEDS:
        felt, held = 0, 0
        for victim in range(each // 10):
            place = home / f"{deed.__name__}{victim}"
            try:
                felt += attacks.survived(deed, source, place, 10, seed=victim)
                held += 10
            except AssertionError as error:
                print(deed.__name__, victim, error, file=sys.stderr)
        yield f"kills: {deed.__name__}", each, felt, held


def faults(home: Path) -> Iterator[Row]:
    """Broken replies: a failed ask each, and a line in the ledger."""
    turns = [*attacks.TURNS]
    random.Random(0).shuffle(turns)
    with attacks.faulty(turns) as (url, did):
        asked = Model(url, "m", retries=0, timeout=5, concurrency=1)
        asks = (
            Ask(({"role": "user", "content": f"{n}?"},), "reader")
            for n in range(FAULTS)
        )
        failed = sum(isinstance(said, ModelError) for said in asked.ask_all(asks))
    kept = Counter(entry.outcome for entry in asked.ledger.entries)["failed"]
    yield "broken replies", FAULTS, len(did), min(failed, kept)


def orders(home: Path) -> Iterator[Row]:
    """Settings of malice: nothing called, told, written or run because of them."""
    made(home)
    words = "memory=bm25", "reader=extractive", "embedder=none"
    given = f"dataset.file={home / 'story.txt'}", f"run.dir={home / 'plain'}"
    gswlab.open(*given, *words).run()
    os.environ |= dict.fromkeys(("OPENAI_API_KEY", "PRIVATE"), test_trust.SECRET)
    os.environ["GSWLAB_CACHE"] = str(home.parent / "cache")
    felt: list[bool] = []
    found: list[str] = []

    @settings(SETTINGS, max_examples=ORDERS, database=None, derandomize=True)
    @given_settings(test_trust.LISTED_SETTINGS)
    def each(listed: list[tuple[list[str], object]]) -> None:
        refused, wrong = test_trust.swayed(home, listed)
        felt.append(refused)
        if wrong:
            found.append(wrong)
            print(wrong, listed, file=sys.stderr)

    each()
    yield "malicious settings", len(felt), sum(felt), len(felt) - len(found)


PARTS = {"accidents": accidents, "kills": kills, "faults": faults, "orders": orders}


def main(runs: str, *parts: str) -> None:
    """Write a row a part."""
    os.environ["TQDM_DISABLE"] = "1"
    home, table = Path(runs).resolve(), csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    for part in parts or PARTS:
        for row in PARTS[part](home / part):
            table.writerow((*row, commit()))
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

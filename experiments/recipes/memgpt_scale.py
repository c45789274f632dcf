"""Does recall storage slow down? `python recipes/memgpt_scale.py DIR > CSV`.

One agent's file grows to a million messages of made-up words, frequent as words are. At
each size single messages are appended, each on disk when it returns, and searches are
timed: of a fact told once, of common words, of a day of fifty messages. Two rows have
no target: ten thousand messages have fewer hits of theirs than a search looks at. At
the largest size the writing process is killed, and every message it had acknowledged is
looked for. Milliseconds are worth what the machine was quiet.
"""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

import numpy as np
from table import commit

from gswlab.memgpt.agent import Agent
from gswlab.memgpt.database import Database
from gswlab.memgpt.nouns import HitPage, Message
from gswlab.memgpt.storage import Recall

SIZES, A_DAY, BATCH, ROUNDS, ACKNOWLEDGED = (
    (10_000, 100_000, 1_000_000),
    50,
    2000,
    40,
    200,
)
HEADS = (
    *("messages", "figure", "hits", "median_ms", "p95_ms", "against_first"),
    *("target", "commit"),
)
Figure = tuple[int, str, str, float, float]
NAN = float("nan")
LETTERS = "etaoinshrdlucmfwypvbgk"


class Talk:
    """Messages of made-up words, their frequencies Zipf's, the same every time."""

    def __init__(self) -> None:
        self.random = random.Random(0)
        made = {self._word() for _ in range(60_000)}
        self.words = sorted(made, key=lambda word: (len(word), word))
        self.weights = list(accumulate(1 / (5 + n) for n in range(len(self.words))))

    def _word(self) -> str:
        return "".join(self.random.choices(LETTERS, k=self.random.randint(3, 9)))

    def message(self, number: int) -> Message:
        """Message `number`; every tenth thousand one tells a fact of its own."""
        many = self.random.randint(6, 24)
        said = self.random.choices(self.words, cum_weights=self.weights, k=many)
        if number % 10_000 == 5_000:
            said.append(f"the zqx{number}vault opens at noon")
        day = (date(1970, 1, 1) + timedelta(days=number // A_DAY)).isoformat()
        text = " ".join(said)
        return Message(0, "user", "message", text, 0, number, "Ann", day)


def searches(recall: Recall, talk: Talk) -> dict[str, Callable[[], HitPage]]:
    """What is searched for, by what it is called in the table."""
    common, second, seldom = talk.words[0], talk.words[1], talk.words[2_000]
    return {
        "a fact told once, by substring": lambda: recall.search("zqx5000vault"),
        "a fact told once, by words": lambda: recall.search(
            f"when opens zqx5000vault {common}", by="words"
        ),
        "a common word, by words": lambda: recall.search(common, by="words"),
        "eight words, common to seldom": lambda: recall.search(
            " ".join(talk.words[n] for n in (0, 1, 2, 5, 20, 100, 1_000, 20_000)),
            by="words",
        ),
        "a common substring": lambda: recall.search(common, by="substring"),
        "its fifth page": lambda: recall.search(common, 5, 4, "substring"),
        "two words in a row, more often the more there is": lambda: recall.search(
            f"{common} {second}", by="substring"
        ),
        "a seldom word, more often the more there is": lambda: recall.search(
            seldom, by="words"
        ),
        "what nobody said": lambda: recall.search("zzqq never", by="substring"),
        "one day": lambda: recall.between("1970-02-03", "1970-02-03"),
    }


def timed(call: Callable[[], object], rounds: int = ROUNDS) -> tuple[float, float]:
    """Milliseconds, median and 95th percentile; the first call is not counted."""
    call()
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        taken.append((time.perf_counter() - began) * 1e3)
    return float(np.median(taken)), float(np.percentile(taken, 95))


def grown(recall: Recall, talk: Talk, number: int, size: int) -> int:
    """Append in large transactions until there are `size`; the next number."""
    while number < size:
        with recall.db.transaction():
            for _ in range(min(BATCH, size - number)):
                recall.append(talk.message(number))
                number += 1
    return number


def measured(file: Path) -> Iterator[Figure]:
    """Every figure at every size."""
    recall, talk, number = Recall(Database(file)), Talk(), 0
    for size in SIZES:
        number = grown(recall, talk, number, size)

        def append(at: int = size) -> None:
            recall.append(talk.message(at))

        yield size, "append, on disk", "", *timed(append, 200)
        number += 201
        for name, call in searches(recall, talk).items():
            found = call()
            hits = f"{found.total}{'+' if found.more else ''}"
            yield size, name, hits, *timed(call)
        yield size, "file, MB", "", file.stat().st_size / 1e6, NAN
    recall.db.close()


def killed(file: Path) -> Iterator[Figure]:
    """A process that appends is killed; what it acknowledged, and what is missing."""
    command = (sys.executable, __file__, str(file), "append")
    told: list[int] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        while len(told) < ACKNOWLEDGED:
            told.append(int(child.stdout.readline()))
        os.kill(child.pid, signal.SIGKILL)
        told += [int(line) for line in child.stdout.read().split()]
    began = time.perf_counter()
    agent = Agent(file=str(file))
    found = [agent.storage.recall.search(f"acknowledged {n}.").total for n in told]
    seconds = time.perf_counter() - began
    yield SIZES[-1], "acknowledged before the kill", "", len(told), NAN
    yield SIZES[-1], "of these missing after it", "", sum(not n for n in found), NAN
    yield SIZES[-1], "opened and all looked for, seconds", "", seconds, NAN


def append(file: Path) -> None:
    """Messages heard by an agent, each number printed once it is on disk."""
    agent, number = Agent(file=str(file)), 0
    while True:
        agent.hear(f"This is acknowledged {number}. It is so.", speaker="Ann")
        print(number, flush=True)
        number += 1


def main(folder: Path) -> None:
    """Print the table."""
    file, made = folder / "agent.sqlite", commit()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    first: dict[str, float] = {}
    for figures in (measured, killed):
        for size, name, hits, median, p95 in figures(file):
            ratio = median / first.setdefault(name, median) if median else 1.0
            free = "MB" in name or "the more" in name or figures is killed
            target = "0" if "missing" in name else "" if free else "2"
            shown = "" if figures is killed else f"{ratio:.2f}"
            tail = "" if p95 != p95 else f"{p95:.3g}"
            told = size, name, hits, f"{median:.4g}", tail, shown
            table.writerow((*told, target, made))
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[2:]:
        append(Path(sys.argv[1]))
    else:
        main(Path(sys.argv[1]))

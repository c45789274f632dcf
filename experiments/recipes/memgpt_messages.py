"""Does an agent slow down? `python recipes/memgpt_messages.py DIR > CSV`.

One chat of 50,000 messages with the scripted policy, read as a run reads: a step a
message, in the journal and in the agent's file. CPU milliseconds a message of the last
500 of each size, against those of the smallest; and what opening the chat again takes.
"""

from __future__ import annotations

import csv
import gc
import os
import random
import sys
import time
from collections.abc import Iterator

from table import commit

import gswlab

SIZES, TIMED = (1000, 5000, 10_000, 25_000, 50_000), 500
HEADS = ("messages", "figure", "value", "against_first", "target", "commit")
NAMES = ("Ann Ray", "Bo Lind", "Mara Vey", "Ian Holt", "Eve Dunn", "Oto Brandt")
THINGS = ("boat", "house", "bicycle", "garden", "dog", "violin", "map", "lantern")
PLACES = ("Lima", "Oslo", "Tall Mill", "Old Pier", "Kyoto", "Lisbon", "Graz")


def said(number: int) -> str:
    """Message `number`: every ninth is a question."""
    chance = random.Random(number)
    name, thing, place = map(chance.choice, (NAMES, THINGS, PLACES))
    if number % 9 == 8:
        return f"Where is the {thing} of {name}?"
    return f"The {thing} of {name} is in {place} since day {number}."


def talked(folder: str) -> Iterator[tuple[int, str, float]]:
    """Milliseconds of CPU a message at each size, and of opening the chat again."""
    chat, number = gswlab.chat("embedder=none", run=folder), 0
    for size in SIZES:
        began = time.process_time()
        while number < size:
            if number == size - TIMED:
                began = time.process_time()
            chat.send(said(number))
            number += 1
        spent = time.process_time() - began
        yield size, "a message, CPU ms", 1000 * spent / TIMED
        del chat  # and with it its journal, which the next one opens anew
        gc.collect()
        began = time.process_time()
        chat = gswlab.chat("embedder=none", run=folder)
        _ = chat.agent
        spent = time.process_time() - began
        yield size, "opening, CPU ms a message", 1000 * spent / size


def main(folder: str, *sizes: str) -> None:
    """Write a row a figure."""
    global SIZES
    SIZES = tuple(map(int, sizes)) or SIZES
    os.environ["TQDM_DISABLE"] = "1"
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    first: dict[str, float] = {}
    for size, figure, value in talked(folder):
        ratio = value / first.setdefault(figure, value)
        table.writerow((size, figure, f"{value:.3f}", f"{ratio:.2f}", "2.6", commit()))
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

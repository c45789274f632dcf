"""Does it slow down as the book grows? `python recipes/scale.py RUNS > CSV`.

Generated books of 200 and 2,000 chapters, each read, asked and scored in a process of
its own, so that its peak memory is its own, and with no vector on disk, as on a first
day. Wall seconds are those of a machine that may be busy; CPU seconds stand beside.
"""

from __future__ import annotations

import csv
import gc
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
from table import commit

from gswlab.bench.runner import chunks_ahead
from gswlab.lab import config
from gswlab.lab.lab import Lab
from gswlab.language.pipeline import model

SIZES, ENDS, SHOWN = (200, 2000), 200, 20
RATIO, READINGS = "reading against its parser, of CPU", 5
HEADS = ("chapters", "figure", "value", "target", "commit")
Figure = tuple[str, float, str]
Clocks = tuple[float, float]  # seconds: wall, CPU


def clocks() -> Clocks:
    """Now, by the wall and by this process's CPU."""
    return time.perf_counter(), time.process_time()


def since(began: Clocks) -> Clocks:
    """Seconds since `began`."""
    wall, cpu = clocks()
    return wall - began[0], cpu - began[1]


def both(name: str, spent: Clocks, target: str = "", scale: float = 1) -> list[Figure]:
    """A figure by the wall and by the CPU; the target is the wall's."""
    wall, cpu = spent
    return [(name, wall * scale, target), (f"{name}, of CPU", cpu * scale, "")]


def read(lab: Lab, chapters: int) -> Iterator[Figure]:
    """Read a book: all of it, the pace at both ends, and the end of input.

    The parser's own pass goes beside it, batch by batch: a machine that slows down
    slows both.
    """
    texts, parser = [c.text for c in lab.chunks], model("en")
    parses, steps, ahead = list[Clocks](), list[Clocks](), chunks_ahead(lab)
    while not lab.finished:
        if len(steps) % ahead == 0:
            batch, began = texts[len(steps) :][:ahead], clocks()
            gc.disable()  # that a book's nouns are searched is no cost of the parser's
            deque(parser.pipe(batch), maxlen=0)
            parses.append(since(began))
            gc.enable()
        began = clocks()
        lab.step(ahead)
        steps.append(since(began))
    parsed, reading = np.sum(parses, axis=0), np.sum(steps, axis=0)
    yield from both("its parser in batches, seconds", parsed)
    yield from both("reading, seconds", reading, "60" if chapters == 200 else "")
    yield RATIO, reading[1] / parsed[1], "3"
    numbers = np.array([chunk.chapter or 0 for chunk in lab.chunks])
    paced = np.array(steps[: len(numbers)])
    first = paced[numbers <= ENDS].mean(axis=0)
    last = paced[numbers > numbers.max() - ENDS].mean(axis=0)
    yield from both(f"chunk of the first {ENDS} chapters, ms", first, scale=1e3)
    yield from both(f"chunk of the last {ENDS} chapters, ms", last, scale=1e3)
    yield from both("last chapters against first", last / first, "1.5")
    yield from both("end of input, seconds", steps[-1])


def answer(lab: Lab) -> Iterator[Figure]:
    """Every question asked once, the first with the set-up; then the run is scored."""
    taken = []
    for question in lab.dataset.load_questions():
        started = clocks()
        lab.answer(question.question)
        taken.append(since(started))
    rest = np.array(taken[1:])
    yield from both("first question (set-up), seconds", taken[0])
    yield from both("question, median, ms", np.median(rest, axis=0), scale=1e3)
    p95 = np.percentile(rest, 95, axis=0)
    yield from both("question, p95, ms", p95, "20", scale=1e3)
    yield "question, slowest, ms", rest[:, 0].max() * 1e3, ""
    yield "strict F1", lab.run()["strict_f1"], ""


def shown(lab: Lab) -> Iterator[Figure]:
    """The run opened again, and random steps of it shown."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield "peak memory, MB", used.ru_maxrss / 1024, "2048"
    began, journal = clocks(), config.reopen(lab.folder.path).journal
    journal.workspace()
    yield from both("run opened, seconds", since(began))
    taken = []
    for k in random.Random(0).choices(range(len(journal)), k=SHOWN):
        began = clocks()
        journal.at(k)
        taken.append(since(began))
    yield from both("step shown, slowest, ms", np.max(taken, axis=0), "50", 1e3)


def measure(chapters: int, folder: Path, parts: str) -> None:
    """Everything about one book, in this process: a line of JSON a figure."""
    os.environ["GSWLAB_CACHE"] = str(folder.parent / f"cache_{folder.name}")
    lab = config.open(
        "experiment=generated", f"dataset.chapters={chapters}", f"run.dir={folder}"
    )
    more = () if parts == "read" else (answer(lab), shown(lab))
    for part in (read(lab, chapters), *more):
        for figure in part:
            print(json.dumps(figure), flush=True)


def measured(chapters: int, folder: Path, parts: str = "all") -> list[Figure]:
    """The figures of one book, by a process of its own."""
    command = (sys.executable, __file__, str(folder), str(chapters), parts)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [*map(tuple, map(json.loads, done.stdout.splitlines()))]


def spread(runs: Path, first: list[Figure]) -> list[Figure]:
    """The smaller book's figures, its ratio the median of several readings.

    One reading is as much the machine's as ours: of the same code a tenth apart.
    """
    again = (runs / f"again{n}" for n in range(1, READINGS))
    books = [measured(SIZES[0], folder, "read") for folder in again]
    ratios = [value for name, value, _ in chain(first, *books) if name == RATIO]
    rest = [figure for figure in first if figure[0] != RATIO]
    of = f"{RATIO}, of {READINGS} readings"
    ends = (f"{of}, the least", min(ratios), ""), (f"{of}, the most", max(ratios), "")
    return [*rest, (RATIO, float(np.median(ratios)), "3"), *ends]


def main(runs: Path) -> None:
    """Print the table of all sizes, each measured by a process of its own."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    for chapters in SIZES:
        figures = measured(chapters, runs / str(chapters))
        if chapters == SIZES[0]:
            figures = spread(runs, figures)
        for name, value, target in figures:
            table.writerow((chapters, name, f"{value:.4g}", target, made))
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[2:]:
        measure(int(sys.argv[2]), Path(sys.argv[1]), sys.argv[3])
    else:
        main(Path(sys.argv[1]))

"""Does it slow down as the book grows? `python experiments/scale.py RUNS > CSV`.

Generated books of 200 and 2,000 chapters, each run by the ordinary command in a process
of its own, so that its peak memory is its own. Seconds are this machine's: the table is
repeated, not its digits.
"""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from table import commit

from gswlab import config

SIZES, ENDS, SHOWN = (200, 2000), 200, 100
HEADS = ("chapters", "figure", "value", "target", "commit")
Figure = tuple[str, float, str]


def run(chapters: int, folder: Path) -> Iterator[Figure]:
    """Read, answer and score a book; seconds and megabytes of the whole process."""
    command = (
        sys.executable, "-m", "gswlab", "run", "experiment=generated",
        f"dataset.chapters={chapters}", f"run.dir={folder}",
    )  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    spent = json.loads((folder / "ledger.json").read_text())["seconds"]
    yield "reading, seconds", spent["reading"], "60" if chapters == 200 else ""
    yield "answering, seconds", spent["answering"], ""
    yield "peak memory, MB", used.ru_maxrss / 1024, "2048"
    scored = json.loads((folder / "scores.json").read_text())
    yield "strict F1", scored["strict"]["overall"]["f1"]["mean"], ""


def pace(folder: Path) -> Iterator[Figure]:
    """Seconds a chunk at both ends of the book, and a question."""
    rows = list(csv.reader((folder / "timings.csv").read_text().splitlines()))[1:]
    steps = [float(seconds) for what, _, seconds in rows if what == "step"]
    asked = [float(seconds) for what, _, seconds in rows if what == "question"]
    documents = config.reopen(folder)
    chapters = [chunk.chapter or 0 for chunk in documents.chunks]
    first = [s for s, n in zip(steps, chapters, strict=False) if n <= ENDS]
    last = [s for s, n in zip(steps, chapters, strict=False) if n > chapters[-1] - ENDS]
    yield f"chunk of the first {ENDS} chapters, ms", float(np.mean(first)) * 1e3, ""
    yield f"chunk of the last {ENDS} chapters, ms", float(np.mean(last)) * 1e3, ""
    yield "last chapters against first", float(np.mean(last) / np.mean(first)), "1.5"
    yield "end of input, seconds", steps[-1], ""
    yield "first question (set-up), seconds", asked[0], ""
    yield "question, median, ms", float(np.median(asked[1:])) * 1e3, ""
    yield "question, p95, ms", float(np.percentile(asked[1:], 95)) * 1e3, "20"


def shown(folder: Path) -> Iterator[Figure]:
    """A random step shown, once the run is open."""
    journal = config.reopen(folder).journal
    began = time.perf_counter()
    journal.workspace()
    yield "run opened, seconds", time.perf_counter() - began, ""
    taken = []
    for k in random.Random(0).choices(range(len(journal)), k=SHOWN):
        began = time.perf_counter()
        journal.at(k)
        taken.append(time.perf_counter() - began)
    yield "step shown, p95, ms", float(np.percentile(taken, 95)) * 1e3, "50"
    yield "step shown, slowest, ms", max(taken) * 1e3, "50"


def main(runs: Path) -> None:
    """Print the table of all sizes."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    for chapters in SIZES:
        folder = runs / str(chapters)
        for figures in (run(chapters, folder), pace(folder), shown(folder)):
            for name, value, target in figures:
                table.writerow((chapters, name, f"{value:.4g}", target, made))
                sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

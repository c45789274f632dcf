"""How fast the page of a run is: opened, its slider moved, at several sizes.

A generated book is read chunk by chunk; the page is of its first steps and as many
nouns. Opening and moves are timed in headless Chromium (`pace.py`).

python experiments/recipes/page_speed.py [RUNS] > experiments/results/page_speed.csv
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

from pace import pace
from table import commit

import gswlab
from gswlab.core.journal import Journal
from gswlab.view.run.page import NODES, STEPS, page

SIZES = ((50, 200), (200, 500), (200, NODES), (500, NODES), (2000, NODES))
CHAPTERS = 220
HEADS = ("steps", "nouns", "shown_steps", "shown_nouns", "figure", "value", "target",
         "commit")  # fmt: skip
TARGETS = {"opened, ms": 2000, "move, p95, ms": 100}
WITHIN = 500  # nouns up to which the targets are meant


def read(runs: Path, steps: int) -> Path:
    """A run folder's journal with at least so many steps."""
    lab = gswlab.open(
        "experiment=generated", f"dataset.chapters={CHAPTERS}", f"run.dir={runs}/book"
    )
    while len(lab.journal) < steps and lab.step() is not None:
        pass
    return lab.folder.journal


def rows(runs: Path, steps: int, nodes: int) -> list[tuple[object, ...]]:
    """The figures of one size."""
    part = runs / f"{steps}.sqlite"
    if not part.exists():
        Journal(read(runs, steps), "r").fork(part, steps).close()
    with Journal(part, "r") as journal:
        started = time.perf_counter()
        file = page(journal, nodes).write(runs / f"{steps}_{nodes}.html")
        made = time.perf_counter() - started
        found, nouns = len(journal), len(journal.workspace().nouns)
    told = pace(file)
    size = found, nouns, min(found, STEPS), nodes
    p95, half = told.moved(0.95), told.moved(0.5)
    figures = {
        "made, s": made,
        "MB": told.megabytes,
        "opened, ms": told.opened.clock,
        "opened, ms busy": told.opened.busy,
        "move, median, ms": half.clock,
        "move, median, ms busy": half.busy,
        "move, p95, ms": p95.clock,
        "move, p95, ms busy": p95.busy,
    }
    print(size, {name: round(value, 1) for name, value in figures.items()},
          file=sys.stderr)  # fmt: skip
    return [
        (*size, name, f"{value:.4g}", TARGETS.get(name, "") if nodes <= WITHIN else "")
        for name, value in figures.items()
    ]


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "runs/page_speed")
    folder.mkdir(parents=True, exist_ok=True)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made_by = commit()
    for size in SIZES:
        table.writerows((*row, made_by) for row in rows(folder, *size))

"""Error against each dial of the generator: `python recipes/dials.py RUNS > CSV`.

Books of 24 chapters, two seeds; at each strength the error (1 - strict F1) on the kinds
of question that EpBench has and, where a dial tells roles or states, on questions about
these. Intervals resample questions; at strength 0 all dials share their books.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from switches import result
from table import commit

import gswlab
from gswlab.bench.generated.questions import OFFICIAL
from gswlab.bench.generated.universe import Dials
from gswlab.bench.statistics import interval

CHAPTERS, SEEDS, STRENGTHS = 24, (1, 2), (0.0, 0.25, 0.5, 0.75, 1.0)
HEADS = ("dial", "strength", "questions", "n", "error", "low", "high", "commit")


def errors(runs: Path, seed: int, dial: str, strength: float) -> dict[str, list[float]]:
    """The error of every question about one book, by what is asked."""
    name = f"{dial}-{strength}-{seed}" if strength else f"plain-{seed}"
    size = (f"dataset.chapters={CHAPTERS}", f"dataset.seed={seed}", "dataset.cap=3")
    lab = gswlab.open(
        "experiment=generated", *size, f"dataset.dials.{dial}={strength}",
        f"run.dir={runs / name}",
    )  # fmt: skip
    f1 = result(lab).f1
    print(name, file=sys.stderr)
    found: dict[str, list[float]] = defaultdict(list)
    for question, value in zip(lab.dataset.load_questions(), f1, strict=True):
        about = "events" if (question.template or 0) < OFFICIAL else "roles and states"
        found[about].append(1 - value)
    return found


def main(runs: Path) -> None:
    """Print the table of all dials."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    for dial in Dials.names():
        for strength in STRENGTHS:
            books = [errors(runs, seed, dial, strength) for seed in SEEDS]
            for about in sorted({name for book in books for name in book}):
                found = interval([v for book in books for v in book[about]]).to_dict()
                figures = (found[name] for name in ("n", "mean", "low", "high"))
                table.writerow((dial, strength, about, *figures, made))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""How quick a finished run is at hand: CPU seconds, user and system, best of three.

Seconds depend on the machine and on who else is busy there: `ratio` is to the seconds
of `python -c pass` taken in between, and `target` the most seconds asked for.

python experiments/recipes/quick.py [RUNS]
"""

from __future__ import annotations

import csv
import resource
import subprocess
import sys
from pathlib import Path

from table import commit
from tqdm.auto import tqdm

import gswlab

CHUNKS = 60
QUESTION = "Who opened the exhibition?"
BOOK = ("experiment=generated", "dataset.chapters=20", "chunk.sentences=9")
RESULT = Path(__file__).resolve().parents[1] / "results" / "quick.tsv"


def finished(runs: Path) -> Path:
    """A run of a generated book, read to its end: 60 chunks and a few."""
    lab = gswlab.open(*BOOK, f"run.dir={runs}/book")
    assert len(lab.chunks) >= CHUNKS, len(lab.chunks)
    while lab.step() is not None:
        pass
    return lab.folder.path


def seconds(*arguments: str) -> float:
    """CPU seconds of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(runs: Path) -> None:
    """Measure, and write the table."""
    run, typed = str(finished(runs)), ("-m", "gswlab")
    measured = {
        "import gswlab": (("-c", "import gswlab"), 0.3),
        "--help": ((*typed, "--help"), 0.3),
        "step 4": ((*typed, "step", run, "4"), 0.6),
        "step -1": ((*typed, "step", run, "-1"), 0.6),
        "step 999": ((*typed, "step", run, "999"), 0.6),
        "ask": ((*typed, "ask", run, QUESTION), 1.5),
    }
    rows = []
    for name, (arguments, target) in tqdm(measured.items(), "measuring"):
        pairs = [(seconds(*arguments), seconds("-c", "pass")) for _ in range(3)]
        best, base = (min(each) for each in zip(*pairs, strict=True))
        rows.append((name, f"{best:.2f}", f"{best / base:.0f}", target, commit()))
    with RESULT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, "excel-tab", lineterminator="\n")
        writer.writerows([("command", "seconds", "ratio", "target", "commit"), *rows])
    print(RESULT.read_text("utf-8"))


if __name__ == "__main__":
    main(Path(*sys.argv[1:2] or ("runs/quick",)))

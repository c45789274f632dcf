"""What a step cost, where a run has a ledger: calls, tokens, money, seconds."""

from __future__ import annotations

import csv
from pathlib import Path

from gswlab.bench.folder import RunFolder
from gswlab.core.step import Step
from gswlab.models.ledger import Ledger, entries


def step_cost(folder: Path, step: Step) -> str:
    """The cost of a step in words; empty where nothing was counted of it.

    Calls and tokens are those about the step's chunk, from `ledger.jsonl`; seconds are
    the step's own, from `timings.csv`.
    """
    told = []
    ledger = Ledger()
    ledger.entries = entries(RunFolder(folder).ledger)
    if step.chunk and (cost := ledger.by("chunk").get(step.chunk)):
        told.append(cost.words())
    if (seconds := _seconds(folder / "timings.csv").get(step.index)) is not None:
        told.append(f"read in {seconds:.2f} s")
    return "; ".join(told)


def _seconds(file: Path) -> dict[int, float]:
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.reader(lines) if len(row) == 3 and row[0] == "step"]
    return {int(number): float(value) for _, number, value in rows}

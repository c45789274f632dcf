"""Gates on HotpotQA side by side, each held against ours question by question.

    python recipes/gedig_hotpotqa.py rates RUN       # AG and link rates of a run
    python experiments/recipes/gedig_hotpotqa.py table DIR       # a folder a world: CSV
    python recipes/gedig_hotpotqa.py figure CSV      # the curves, a figure a world
    python experiments/recipes/gedig_hotpotqa.py reliability TRAIN DEV DIR

`difference` is ours less theirs in the area under recall against tokens; questions that
share a gold paragraph are drawn together. The reliability is of the probability that
evidence is complete, by the price of the next offer, in the pool: fitted on the file
TRAIN, read off on DEV; it writes gedig_reliability.csv and .svg.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from table import commit

import gswlab
from gswlab.bench.hotpotqa import AREA, GATE_MEANS, TOKEN_FIGURES, completeness
from gswlab.bench.statistics import clusters, paired, permutation
from gswlab.gedig.thresholds import Calibration

OURS = "gedig"
SHOWN = (*TOKEN_FIGURES, "recall@5", "em", "f1", "evidence_tokens")
GATES = (*GATE_MEANS, "fires", "follows")
SECONDS = ("indexing", "retrieval", "gauge", "querying", "answering")
LINES = ("gedig", "never", "always", "rounds_1", "random_fires", "random_follows")
HEADS = (
    "world", "run", "reader", "settings", "n",
    *(f"{name}{end}" for name in SHOWN for end in ("", "_low", "_high")),
    "difference", "difference_low", "difference_high", "p",
    *(f"gate_{name}" for name in GATES), *(f"{name}_seconds" for name in SECONDS),
    "commit",
)  # fmt: skip


def read(run: Path) -> list[dict[str, Any]]:
    """The rows of a run, a question each."""
    return [json.loads(line) for line in (run / "answers.jsonl").open()]


def rates(folder: str) -> None:
    """How often AG fired and a link was followed, of all decisions."""
    gates = json.loads(Path(folder, "scores.json").read_text())["gates"]
    print(gates["fires"]["mean"], gates["follows"]["mean"])


def table(folder: str) -> None:
    """A row a run."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADS)
    made = commit()
    for world in sorted(path for path in Path(folder).iterdir() if path.is_dir()):
        base = read(world / OURS) if (world / OURS).exists() else None
        for run in sorted(p.parent for p in world.glob("*/scores.json")):
            writer.writerow([world.name, run.name, *_row(run, base), made])


def _row(run: Path, base: list[dict[str, Any]] | None) -> Iterator[Any]:
    scores = json.loads((run / "scores.json").read_text())
    typed = (run / "overrides.yaml").read_text().splitlines()
    kept = [line[2:] for line in typed if "gate" in line or "memory" in line]
    yield from (scores["reader"], " ".join(kept), scores["questions"])
    for name in SHOWN:
        yield from (scores[name][key] for key in ("mean", "low", "high"))
    yield from _against(run, base)
    gates = scores.get("gates", {})
    yield from (gates.get(name, {}).get("mean", "") for name in GATES)
    seconds = json.loads((run / "ledger.json").read_text())["seconds"]
    yield from (seconds.get(name, "") for name in SECONDS)


def _against(run: Path, base: list[dict[str, Any]] | None) -> list[Any]:
    if base is None or run.name == OURS:
        return [""] * 4
    pair = [[row[AREA] for row in rows] for rows in (base, read(run))]
    homes = clusters(base)
    gap = paired(*pair, homes).to_dict()
    p = round(permutation(*pair, homes), 4)
    return [gap["mean"], gap["low"], gap["high"], p]


def figure(path: str) -> None:
    """The curves of each world, among the figures."""
    import pandas as pd
    from plates import recall_by_tokens

    runs = pd.read_csv(path)
    for world in ("own", "pool"):
        own = runs[(runs.world == world) & runs.run.isin(LINES)]
        if len(own):
            told = own.assign(memory=own.run, experiment="hotpotqa")
            figures = Path(__file__).resolve().parents[1] / "figures"
            recall_by_tokens(told).save(figures / f"gedig_{world}.svg")


def reliability(train: str, dev: str, folder: str) -> None:
    """How far the calibrations of a train file are believed on another one."""
    from plates import reliability as drawn

    known, others = (prices(path, folder) for path in (train, dev))
    held = {
        method: Calibration.of(*zip(*known, strict=True), method=method).reliability(
            *zip(*others, strict=True)
        )
        for method in ("isotonic", "logistic")
    }
    here = Path(__file__).resolve().parents[1]
    table = here / "results" / "gedig_reliability.csv"
    with table.open("w", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("method", "prices", "error", "said", "so", "commit"))
        for method, told in held.items():
            error, made = round(told.error, 4), commit()
            pairs = zip(told.said, told.so, strict=True)
            writer.writerows(
                (method, told.n, error, round(a, 4), round(b, 4), made)
                for a, b in pairs
            )
    drawn(pd.read_csv(table)).save(here / "figures" / "gedig_reliability.svg")


def prices(path: str, folder: str) -> list[tuple[float, bool]]:
    """The prices of a file's questions in its pool, DG off, beside completeness."""
    name = Path(path).stem
    lab = gswlab.open(
        "experiment=hotpotqa", "memory=gedig", "gate.thresholds.dg=1.0e9",
        "dataset.world=pool", "budget=1500", f"dataset.file={path}",
        f"run.dir={folder}/{name}",
    )  # fmt: skip
    while lab.step() is not None:
        pass
    return completeness(lab)


COMMANDS: dict[str, Callable[..., None]] = {
    "rates": rates, "table": table, "figure": figure, "reliability": reliability,
}  # fmt: skip

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])

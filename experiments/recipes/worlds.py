"""The figures of runs over worlds as one CSV table, a row a run, measure and setting.

python experiments/recipes/worlds.py DIR [RUN MEASURE] > experiments/results/NAME.csv

With RUN and MEASURE the measure of that run is held against every other run's of the
same questions, pair by pair: rows whose measure is `MEASURE, RUN less`. Milliseconds
are of the machine and its load.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from table import commit

from gswlab.bench.folder import RunFolder
from gswlab.bench.statistics import clusters, paired, permutation
from gswlab.bench.task import MEASURES

HEADS = (
    *("run", "policy", "reader", "measure", "setting"),
    *("mean", "low", "high", "n", "config", "commit"),
)
Row = dict[str, Any]


def figures(scores: Row, labels: str = "") -> Iterator[Row]:
    """Every figure of a run, by measure and setting."""
    for measure in MEASURES:
        for setting, figure in scores.get(measure, {}).items():
            yield {"measure": f"{measure}{labels}", "setting": setting, **figure}
    if "evidence_chunks" in scores:
        chunks = scores["evidence_chunks"]
        yield {"measure": f"evidence_chunks{labels}", "setting": "all", **chunks}
    if "undoubted" in scores:
        yield from figures(scores["undoubted"], ", audited errors out")


def seconds(folder: Path) -> Iterator[Row]:
    """What reading a world and recalling took."""
    for what in ("reading_ms", "recalling_ms"):
        for name, value in (
            RunFolder(folder).read_json("ledger.json").get(what, {}).items()
        ):
            yield {"measure": what, "setting": name, "mean": value}


def differences(folder: Path, base: Path, measure: str) -> Iterator[Row]:
    """The measure of `base` less that of a run, over what both were asked."""
    mine, theirs = (
        RunFolder(path).read_lines("answers.jsonl") for path in (base, folder)
    )
    if [row["id"] for row in mine] != [row["id"] for row in theirs] or folder == base:
        return
    pairs = [
        (a, b) for a, b in zip(mine, theirs, strict=True) if a[measure] is not None
    ]
    homes = clusters([a for a, _ in pairs])
    one, other = ([row[measure] for row in side] for side in zip(*pairs, strict=True))
    gap, p = paired(one, other, homes), permutation(one, other, homes)
    told = {"measure": f"{measure}, {base.name} less", "setting": "all"}
    yield {**told, **gap.to_dict()}
    yield {
        "measure": f"{measure}, {base.name} less",
        "setting": "p",
        "mean": round(p, 5),
    }


def main(folder: str, base: str = "", measure: str = "evidence_recall") -> None:
    """Print the table of all runs below a folder."""
    table = csv.DictWriter(sys.stdout, HEADS, lineterminator="\n")
    table.writeheader()
    made = commit()
    for path in sorted(Path(folder).glob("*/scores.json")):
        scores = json.loads(path.read_text("utf-8"))
        named = {"run": path.parent.name, "commit": made}
        named |= {key: scores.get(key, "") for key in ("policy", "reader", "config")}
        rows = [*figures(scores), *seconds(path.parent)]
        if base:
            rows += differences(path.parent, Path(folder, base), measure)
        table.writerows({**named, **row} for row in rows)


if __name__ == "__main__":
    main(*sys.argv[1:])

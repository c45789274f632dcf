"""Books that rules are judged by: `litbank.py lay FOLDER INTO`, `litbank.py table RUN`.

`lay` links all books of FOLDER but the ten set aside into INTO; `table` prints a run's
figures with their intervals over books.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from table import commit

from gswlab.bench.litbank import set_aside

_LAYERS = ("coref", "quotations", "events")


def lay(folder: Path, into: Path) -> None:
    """Link every book that is not set aside; no file of those that are is opened."""
    names = {path.stem for path in (folder / "coref" / "tsv").glob("*.ann")}
    for layer in _LAYERS:
        (into / layer / "tsv").mkdir(parents=True)
        for path in sorted((folder / layer / "tsv").iterdir()):
            if path.stem in names - set_aside(names):
                (into / layer / "tsv" / path.name).symlink_to(path.resolve())


def table(run: Path) -> None:
    """Print every figure of a run: value, interval, books."""
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(("figure", "value", "low", "high", "books", "config", "commit"))
    made = commit()
    for path, (low, high) in scores["intervals"].items():
        value = scores
        for name in path.split("."):
            value = value[name]
        rows.writerow((path, value, low, high, scores["books"], scores["config"], made))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["lay", folder, into]:
            lay(Path(folder), Path(into))
        case ["table", run]:
            table(Path(run))
        case _:
            sys.exit(__doc__)

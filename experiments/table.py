"""A run's scores as a small CSV table: `python experiments/table.py RUN`."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Only what changes a figure: a recipe's own table does not make its commit dirty.
SOURCES = ("gswlab", "requirements", "pyproject.toml")


def commit() -> str:
    """The commit that made the figures, marked where the sources differ from it."""
    head = ["git", "rev-parse", "--short", "HEAD"]
    name = subprocess.run(head, capture_output=True, text=True, check=True).stdout
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", *SOURCES])
    return name.strip() + ("+" if changed.returncode else "")


def rows(scores: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every figure that has a mean: its path in the scores, and the figure."""
    stack: list[tuple[str, Any]] = [("", scores)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, dict) and "mean" in node:
            yield path, node
        if isinstance(node, dict):
            inner = [(f"{path}/{key}".lstrip("/"), node[key]) for key in node]
            stack += reversed(inner)


def main(run: str) -> None:
    """Print the table of a run folder."""
    scores = json.loads((Path(run) / "scores.json").read_text(encoding="utf-8"))
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("figure", "value", "low", "high", "n", "config", "commit"))
    made = scores["config"], commit()
    for path, figure in rows(scores):
        values = (figure.get(key, "") for key in ("mean", "low", "high", "n"))
        table.writerow((path, *values, *made))
    counts = {**scores["abstention"], **(scores["tuples"] or {})}
    for name, count in counts.items():
        if isinstance(count, int):
            table.writerow((name, count, "", "", "", *made))


if __name__ == "__main__":
    main(sys.argv[1])

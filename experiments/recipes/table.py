"""Scores of runs as one small CSV table: `python recipes/table.py RUN ...`."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

Row = Sequence[Any]

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


def figures(run: Path) -> Iterator[tuple[object, ...]]:
    """The rows of one run folder: figure, value, interval, n, config."""
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    for path, figure in rows(scores):
        values = (figure.get(key, "") for key in ("mean", "low", "high", "n"))
        yield (run.name, path, *values, scores["config"])
    told = scores.get("invented") or {}
    counts = {**(scores.get("abstention") or {}), **(scores.get("tuples") or {})}
    counts |= {name: told[name] for name in told if name == "invented"}
    for name, count in counts.items():
        if isinstance(count, int):
            yield run.name, name, count, "", "", "", scores["config"]


def grown(
    target: str, heads: Sequence[str], parts: Mapping[str, Callable[[], Iterable[Row]]]
) -> None:
    """Write a table part by part, the commit in its last column.

    Interrupted it goes on: what this commit has made of it stands beside it, a line a
    part, and is not made again.
    """
    made, done, file = commit(), dict[str, list[Row]](), Path(target)
    draft = file.with_suffix(".unfinished")
    for line in draft.read_text("utf-8").splitlines() if draft.exists() else ():
        known = json.loads(line)
        if known["commit"] == made:
            done[known["part"]] = known["rows"]
    with draft.open("a", encoding="utf-8") as kept:
        for part in tqdm(parts, unit="part"):
            if part not in done:
                done[part] = [[*row, made] for row in parts[part]()]
                line = json.dumps({"commit": made, "part": part, "rows": done[part]})
                kept.write(line + "\n")
                kept.flush()
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow((*heads, "commit"))
        table.writerows(row for part in parts for row in done[part])
    draft.unlink()


def main(runs: list[str]) -> None:
    """Print one table of all run folders."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    header = ("run", "figure", "value", "low", "high", "n", "config", "commit")
    table.writerow(header)
    made = commit()
    for run in runs:
        table.writerows((*row, made) for row in figures(Path(run)))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Seconds and megabytes of each memory: `python experiments/index_5000.py FILE RUNS`.

A pool of paragraphs is indexed, its questions are asked: each memory in a process of
its own, so that its peak memory is its own, with no vector or extraction on disk. Wall
seconds are those of a machine that may be busy; CPU seconds stand beside.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from table import commit

from gswlab import config

HEADS = (
    *("memory", "paragraphs", "questions", "index_seconds", "index_cpu_seconds"),
    *("query_seconds", "query_cpu_seconds", "peak_mb", "commit"),
)
MOST = 4096  # MB that no memory may need more than


def measure(file: str, cache: Path, memory: str) -> dict[str, Any]:
    """Index and ask one memory, in this process."""
    os.environ["GSWLAB_CACHE"] = str(cache)
    given = f"dataset.file={config.quoted(file)}", "dataset.world=pool"
    lab = config.open("experiment=hotpotqa", *given, f"memory={memory}")
    chunks, questions = lab.chunks, lab.dataset.questions
    fresh, began = lab.blank(), (time.perf_counter(), time.process_time())
    for chunk in chunks:
        fresh.partial_fit(chunk)
    fresh.finish()
    fresh.recall("Who?", lab.budget)  # what a first question prepares is indexing too
    indexed = (time.perf_counter(), time.process_time())
    for question in questions:
        fresh.recall(question.question, lab.budget)
    asked = (time.perf_counter(), time.process_time())
    return {
        "memory": memory,
        "paragraphs": len(chunks),
        "questions": len(questions),
        "index_seconds": round(indexed[0] - began[0], 1),
        "index_cpu_seconds": round(indexed[1] - began[1], 1),
        "query_seconds": round(asked[0] - indexed[0], 1),
        "query_cpu_seconds": round(asked[1] - indexed[1], 1),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def row(file: str, runs: Path, memory: str) -> dict[str, Any]:
    """The row of a memory: measured by a process of its own, unless it is on disk."""
    kept = runs / f"{memory}.json"
    if not kept.exists():
        print(f"measuring {memory}", file=sys.stderr)
        words = [sys.executable, __file__, file, str(runs), "--alone", memory]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        kept.write_text(json.dumps({**json.loads(done.stdout), "commit": commit()}))
    found: dict[str, Any] = json.loads(kept.read_text())
    return found


def main(file: str, runs: Path, memories: list[str]) -> int:
    """Print the table; the status says whether a memory needs too much."""
    every = config.jobs(["memory=all", "experiment=hotpotqa"])
    names = memories or [job[0].removeprefix("memory=") for job in every]
    rows = [row(file, runs, name) for name in names]
    table = csv.DictWriter(sys.stdout, HEADS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    large = [each["memory"] for each in rows if each["peak_mb"] > MOST]
    if large:
        print(f"more than {MOST} MB: {', '.join(large)}", file=sys.stderr)
    return len(large)


if __name__ == "__main__":
    file, runs, *rest = sys.argv[1:]
    if rest[:1] == ["--alone"]:
        cache = Path(runs, "caches", rest[1])
        print(json.dumps(measure(file, cache, rest[1])))
    else:
        sys.exit(main(file, Path(runs), rest))

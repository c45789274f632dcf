"""Seconds and megabytes of each memory: `python recipes/index_5000.py FILE RUNS`.

A pool of paragraphs is indexed, its questions are asked: each memory in a process of
its own, so that its peak memory is its own. What several memories do alike is measured
once (the first rows: parses, what the graph memories extract, vectors of paragraphs)
and handed to those that need it; their seconds of indexing count it, so they are those
of an index with nothing on disk. Wall seconds are those of a machine that may be busy;
CPU seconds stand beside.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from table import commit

from gswlab.core.workspace import Workspace
from gswlab.lab import config
from gswlab.lab.lab import Lab
from gswlab.models.vectors import embedder as cache
from gswlab.text.chunks import titled

HEADS = (
    *("memory", "paragraphs", "questions", "shared", "index_seconds"),
    *("index_cpu_seconds", "query_seconds", "query_cpu_seconds", "peak_mb", "commit"),
)
MOST = 4096  # MB that no memory may need more than
SHARED = ("parsing", "extraction", "vectors")
Row = dict[str, Any]


def opened(file: str, caches: Path, name: str, memory: str) -> Lab:
    """A run over the pool: parses and extractions are shared, vectors are its own."""
    os.environ["GSWLAB_CACHE"] = str(caches / name)
    shared = (
        f"operator.parses={config.quoted(str(caches / 'parses'))}",
        f"extractor.cache={config.quoted(str(caches / 'extractions'))}",
    )
    given = f"dataset.file={config.quoted(file)}", "dataset.world=pool"
    return config.open("experiment=hotpotqa", *given, *shared, f"memory={memory}")


def clocked(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds of some work."""
    began = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began[0], time.process_time() - began[1]


def alike(file: str, caches: Path, stage: str) -> Row:
    """What several memories do alike, in this process: its seconds and megabytes."""
    lab = opened(file, caches, stage, "hipporag")
    memory, chunks = lab.blank(), lab.chunks
    extractor, nothing = memory.extractor, Workspace()
    work: dict[str, Callable[[], object]] = {
        # The operator parses, then reads: a reading of what is parsed is taken off.
        "parsing": lambda: [extractor.operator.extract(c, nothing) for c in chunks],
        "extraction": lambda: [extractor.extract(chunk) for chunk in chunks],
        "vectors": lambda: memory.embedder.embed([titled(chunk) for chunk in chunks]),
    }
    wall, cpu = clocked(work[stage])
    if stage == "parsing":
        again = clocked(work[stage])
        wall, cpu = wall - again[0], cpu - again[1]
    return told(stage, len(chunks), (wall, cpu))


def measure(file: str, caches: Path, name: str) -> Row:
    """Index and ask one memory, in this process."""
    lab = opened(file, caches, name, name)
    ready = caches / "vectors" / "vectors"
    shutil.copytree(ready, caches / name / "vectors", copy_function=os.link)
    found, known = set[str](), cache.known

    def noted(folder: str, text: str) -> cache.Vectors | None:
        found.add(text)
        return known(folder, text)

    cache.known = noted
    chunks, questions = lab.chunks, lab.dataset.questions
    fresh = lab.blank()

    def index() -> None:
        for chunk in chunks:
            fresh.partial_fit(chunk)
        fresh.finish()
        fresh.recall("Who?", lab.budget)  # what a first question prepares is indexing

    def ask() -> None:
        for question in questions:
            fresh.recall(question.question, lab.budget)

    indexed, asked = clocked(index), clocked(ask)
    needs = {
        "parsing": hasattr(fresh, "operator") or hasattr(fresh, "extractor"),
        "extraction": hasattr(fresh, "extractor"),
        "vectors": titled(chunks[0]) in found,
    }
    shared = " ".join(stage for stage in SHARED if needs[stage])
    return told(name, len(chunks), indexed, asked, len(questions), shared)


def told(
    name: str,
    paragraphs: int,
    indexed: tuple[float, float],
    asked: tuple[float, float] = (0.0, 0.0),
    questions: int = 0,
    shared: str = "",
) -> Row:
    """A row, with the most memory that this process has held."""
    seconds = [round(each, 1) for each in (*indexed, *asked)]
    peak = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    values = (name, paragraphs, questions, shared, *seconds, peak)
    return dict(zip(HEADS, values, strict=False))


def row(file: str, runs: Path, name: str) -> Row:
    """A row: measured by a process of its own, unless it is on disk."""
    kept = runs / f"{name}.json"
    if not kept.exists():
        print(f"measuring {name}", file=sys.stderr)
        words = [sys.executable, __file__, file, str(runs), "--alone", name]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        kept.write_text(json.dumps({**json.loads(done.stdout), "commit": commit()}))
    found: Row = json.loads(kept.read_text())
    return found


def whole(row: Row, shared: dict[str, Row]) -> Row:
    """A row whose seconds of indexing count what it shares with others."""
    parts = [row, *(shared[stage] for stage in row["shared"].split())]
    heads = "index_seconds", "index_cpu_seconds"
    return row | {head: round(sum(p[head] for p in parts), 1) for head in heads}


def main(file: str, runs: Path, memories: list[str]) -> int:
    """Print the table; the status says whether a memory needs too much."""
    every = config.jobs(["memory=all", "experiment=hotpotqa"])
    names = memories or [job[0].removeprefix("memory=") for job in every]
    shared = {stage: row(file, runs, stage) for stage in SHARED}
    rows = [*shared.values(), *(whole(row(file, runs, n), shared) for n in names)]
    table = csv.DictWriter(sys.stdout, HEADS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    large = [each["memory"] for each in rows if each["peak_mb"] > MOST]
    if large:
        print(f"more than {MOST} MB: {', '.join(large)}", file=sys.stderr)
    return len(large)


def alone(file: str, runs: Path, name: str) -> int:
    """Print the row of one process."""
    caches = (runs / "caches").resolve()
    measured = alike if name in SHARED else measure
    print(json.dumps(measured(file, caches, name)))
    return 0


if __name__ == "__main__":
    file, runs, *rest = sys.argv[1:]
    if rest[:1] == ["--alone"]:
        sys.exit(alone(file, Path(runs), rest[1]))
    sys.exit(main(file, Path(runs), rest))

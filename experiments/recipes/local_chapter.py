"""A chapter read and judged by a local model: `local_chapter.py RUNS [GGUF] > CSV`.

A row a stage: calls, replies that were of no use, tokens as the server counts them and
seconds of waiting. Then the same again from the cassette: no call, no other byte.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from table import commit

import gswlab
from gswlab.lab.lab import Lab

STAGES = ("operator=llm", "reconciler=llm", "reader=llm", "judge=llm")
HEADS = ("model", "stage", "figure", "value", "commit")
Row = tuple[str, str, float]


def write_data(runs: Path) -> None:
    """A chapter of the generator's, and one question of every kind."""
    made = gswlab.open("experiment=generated", "dataset.chapters=1", "dataset.cap=1")
    questions = {q.asked: q for q in reversed(made.dataset.load_questions()) if q.gold}
    rows = [
        {
            "question": q.question,
            "retrieval_type": q.asked,
            "get": q.get,
            "correct_answer": list(q.gold),
            "correct_answer_chapters": list(q.chapters),
        }
        for q in questions.values()
    ]
    (runs / "book.json").write_text(json.dumps({"Chapter 1": made.document.text}))
    (runs / "questions.json").write_text(json.dumps(rows))


def opened(runs: Path, name: str, gguf: str | None) -> Lab:
    """The experiment, its replies kept beside its runs."""
    model = "llm=local", "llm.reuse=true"
    # the smallest model repeats itself until it is cut off
    own = f"llm.weights={gguf}" if gguf else "llm.max_tokens=200"
    kept = f"llm.cassette={runs / 'replies.sqlite'}", f"run.dir={runs / name}"
    files = {"book": "book.json", "questions": "questions.json"}
    data = (f"dataset.{key}={runs / file}" for key, file in files.items())
    return gswlab.open("experiment=epbench", *data, *STAGES, *model, own, *kept)


def started(lab: Lab) -> Iterator[Row]:
    """Seconds until the server stands."""
    began = time.perf_counter()
    _ = lab.llm.endpoint.server
    yield "server", "start, seconds", round(time.perf_counter() - began, 2)


def read(lab: Lab) -> Iterator[Row]:
    """What the run cost, a stage at a time."""
    scores = lab.run()
    useless = Counter(
        str(event.data["stage"])
        for step in lab.journal.steps()
        for event in step.events
        if event.kind == "failed"
    )
    for stage, cost in lab.llm.ledger.by("stage").items():
        yield stage, "calls", cost.calls
        yield stage, "asks without a usable reply", useless[stage]
        yield stage, "tokens read", cost.input_tokens
        yield stage, "tokens written", cost.output_tokens
        yield stage, "seconds", round(cost.seconds, 1)
    yield "run", "chunks", len(lab.chunks)
    yield "run", "questions", scores["questions"]
    status = Path(f"/proc/{lab.llm.endpoint.server.process.pid}/status").read_text()
    peak = re.findall(r"VmHWM:\s+(\d+) kB", status)
    yield "server", "memory, MB", round(int(peak[0]) / 1024)


def again(first: Lab, second: Lab) -> Iterator[Row]:
    """The same from the cassette."""
    second.run()
    yield "replay", "calls", second.llm.ledger.total().calls
    same = list(first.journal.export()) == list(second.journal.export())
    yield "replay", "equal to the byte", int(same)


def main(runs: Path, gguf: str | None = None) -> None:
    """Print the table."""
    write_data(runs)
    first, second = (opened(runs, name, gguf) for name in ("first", "second"))
    table, made = csv.writer(sys.stdout, lineterminator="\n"), commit()
    table.writerow(HEADS)
    for rows in (started(first), read(first), again(first, second)):
        table.writerows((first.llm.model, *row, made) for row in rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

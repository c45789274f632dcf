"""F1 against what a reader read: each memory of text by its unit and its budget.

    python experiments/recipes/curves.py experiments/results/curves.csv [KEY=VALUE ...]

A row is a memory on a book: `tokens` is all that the reader was given, facts written
out. One reader reads for all; `long_context` at "all" is the whole book as text. Rows
that the file has are kept: it goes on where it was stopped. `every=4` asks every fourth
question, `minutes` says when to stop, the rest names books, memories, units, budgets.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from table import commit
from tqdm.auto import tqdm

import gswlab
from gswlab.bench.scoring import Scored, strict_of
from gswlab.bench.statistics import interval

BOOKS = {"EpBench-20": "", "harbour": "harbour", "kestrel": "kestrel"}
MEMORIES = "bm25 dense hybrid linked hipporag lightrag graphrag static_graph gedig"
UNITS, BUDGETS = "chunk window chapter", "250 500 1000 2000 4000"
WHOLE = 10**6
FIGURES = ("strict_f1", "answerable_f1", "tokens")
ENDS = [f"{figure}{end}" for figure in FIGURES for end in ("", "_low", "_high")]
HEADS = ("book", "memory", "unit", "budget", "n", *ENDS, "false_answers", "empty")
Cell = tuple[str, str, str, str]


def cells(given: dict[str, str]) -> Iterator[Cell]:
    """Every row that is wanted, the cheap ones first."""
    for book in given.get("books", ",".join(BOOKS)).split(","):
        yield book, "gsw", "", "1000"
        yield book, "closed_book", "", "1000"
        yield book, "long_context", "chunk", "all"
        for budget in given.get("budgets", BUDGETS).split():
            for unit in given.get("units", UNITS).split():
                for memory in given.get("memories", MEMORIES).split():
                    yield book, memory, unit, budget


def opened(cell: Cell, folder: str) -> Any:
    """A lab that has read the book."""
    book, memory, unit, budget = cell
    told = [f"memory={memory}", f"budget={WHOLE if budget == 'all' else budget}"]
    told += [f"memory.unit={unit}"] if unit else []
    if own := BOOKS[book]:
        here = Path(__file__).parents[1] / "texts" / "books"
        made = Path(folder) / f"{own}.json"
        if not made.exists():
            ask = [sys.executable, str(here / "questions.py"), str(here / own)]
            subprocess.run([*ask, "--out", str(made)], check=True, capture_output=True)
        files = f"dataset.book={here / own / 'book.json'}", f"dataset.questions={made}"
        told += ["experiment=epbench", *files]
    else:
        told += ["experiment=epbench20"]
    lab = gswlab.open(*told, f"run.dir={folder}/{'-'.join(cell)}")
    while lab.step() is not None:
        pass
    return lab


def row(cell: Cell, lab: Any, reader: Any, every: int) -> list[Any]:
    """The figures of one memory on one book."""
    f1, spent, false, empty = [], [], 0, []
    for question in lab.dataset.load_questions()[::every]:
        evidence = lab.recall(question.question)
        answer = reader.answer(question.question, evidence)
        verdict = lab.judge.verdicts([(question, answer)])[0]
        f1.append(strict_of(Scored(question, verdict)).f1)
        empty.append(not verdict.gold)
        false += bool(not verdict.gold and verdict.items)
        spent.append(evidence.tokens)
    rest = [value for value, none in zip(f1, empty, strict=True) if not none]
    told = [interval(values).to_dict() for values in (f1, rest, spent)]
    ends = [figure[end] for figure in told for end in ("mean", "low", "high")]
    return [*cell, len(f1), *ends, false, sum(empty), commit()]


def main(target: str, *given: str) -> None:
    """Measure what the file lacks, a row at a time."""
    wanted = dict(one.split("=", 1) for one in given)
    every, until = int(wanted.get("every", "1")), float(wanted.get("minutes", "inf"))
    file, began, readers = Path(target), time.monotonic(), dict[str, Any]()
    known = set[Cell]()
    if file.exists():
        with file.open(newline="") as rows:
            known = {(*line[:4],) for line in csv.reader(rows)}  # type: ignore[misc]
    else:
        file.write_text(",".join((*HEADS, "commit")) + "\n")
    left = [cell for cell in dict.fromkeys(cells(wanted)) if cell not in known]
    with tempfile.TemporaryDirectory() as folder:
        for cell in tqdm(left, unit="row"):
            if time.monotonic() - began > 60 * until:
                break
            lab = opened(cell, folder)
            reader = readers.setdefault(cell[0], lab.reader)  # what is read is kept
            with file.open("a", newline="") as rows:
                told = row(cell, lab, reader, every)
                csv.writer(rows, lineterminator="\n").writerow(told)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Mechanisms switched off and on, one table: what each is worth on our own books.

    python recipes/switches.py RUNS QUESTIONS BOOK ... > results/switches.csv

Every row is a run that differs from the one it is held against in one mechanism:
strict F1 with its interval, the paired difference (questions resampled), and the mean
evidence tokens. What only changes recall or reading forks the default run at its end,
so that both ask the same workspace. Order tells only where evidence is cut to fit, so
re-ranking is also tried on a tight budget. Seconds go to `seconds.csv` in RUNS: no
clock is in the table.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from table import commit

import gswlab
from gswlab.bench.scoring import Scored, strict_of
from gswlab.bench.statistics import interval
from gswlab.bench.texts import EpBench
from gswlab.core.nouns import Answer
from gswlab.lab.lab import Lab

SWITCHES: dict[str, tuple[str, ...]] = {
    "default": (),
    "without space/time propagation": ("reconciler.propagation=false",),
    "without open questions": ("reconciler.questions=false",),
    "scope: chapter": ("reconciler.scope=chapter",),
    "evidence: raw chunks": ("memory.evidence=chunks",),
    "evidence: verb phrases": ("memory.evidence=phrases",),
    "evidence: actor summaries": ("memory.evidence=summaries",),
    "without re-rank": ("memory.rank=none",),
    "re-rank: similarity": ("memory.rank=similarity",),
    "matching: embedding": ("memory.match=embedding",),
    "tight budget": ("budget=40",),
    "tight budget, without re-rank": ("budget=40", "memory.rank=none"),
    "tight budget, re-rank: similarity": ("budget=40", "memory.rank=similarity"),
}
HEADS = (
    "book", "mechanism", "settings", "evidence", "reader", "n", "strict_f1", "low",
    "high", "against", "difference", "difference_low", "difference_high",
    "evidence_tokens", "config", "commit",
)  # fmt: skip


class Result(NamedTuple):
    """Strict F1 and evidence tokens, question by question, and what they cost."""

    f1: tuple[float, ...]
    tokens: tuple[int, ...]
    form: tuple[str, str]
    config: str
    seconds: dict[str, float]


def result(lab: Lab) -> Result:
    """Run, or take up, a lab; its answers scored one by one."""
    lab.run()
    dataset: EpBench = lab.dataset
    judge, f1, tokens = dataset.judge(), [], []
    lines = (lab.folder.path / "answers.jsonl").read_text("utf-8").splitlines()
    for question, row in zip(
        dataset.load_questions(), map(json.loads, lines), strict=True
    ):
        answer = Answer(
            tuple(row["items"]), row["abstained"], tuple(row["chapters"]), (), ""
        )
        f1.append(strict_of(Scored(question, judge.verdict(question, answer))).f1)
        tokens.append(row["evidence_tokens"])
    seconds = lab.folder.read_json("ledger.json")["seconds"]
    form = lab.config.settings["memory"]["evidence"], lab.names["reader"]
    return Result(tuple(f1), tuple(tokens), form, lab.config.hash, seconds)


def results(book: Path, questions: Path, runs: Path) -> dict[str, Result]:
    """Every switch on one book."""
    data = (f"dataset.book={book / 'book.json'}", f"dataset.questions={questions}")
    first: Lab | None = None
    found = {}
    for name, settings in SWITCHES.items():
        folder = f"run.dir={runs / book.name / _slug(name)}"
        if first is None or any(s.startswith("reconciler.") for s in settings):
            lab = gswlab.open("experiment=epbench", *data, *settings, folder)
        else:
            lab = first.fork(len(first.journal), *settings, folder)
        print(f"{book.name}: {name}", file=sys.stderr)
        found[name] = result(lab)
        first = first or lab
    return found


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)


def pooled(results: Iterable[Result]) -> Result:
    """Several books' questions as one."""
    found = list(results)
    f1 = tuple(value for one in found for value in one.f1)
    tokens = tuple(value for one in found for value in one.tokens)
    configs = " ".join(one.config for one in found)
    return Result(f1, tokens, found[0].form, configs, {})


def row(name: str, found: dict[str, Result]) -> tuple[object, ...]:
    """One line of a book's table."""
    own, against = found[name], name.partition(", ")[0]
    against = against if against != name else "default"
    changed = np.array(own.f1) - np.array(found[against].f1)
    score = interval(own.f1).to_dict()
    paired = interval(changed.tolist()).to_dict()
    figures = (score["n"], *(score[k] for k in ("mean", "low", "high")))
    difference = tuple(paired[k] for k in ("mean", "low", "high"))
    tokens = round(float(np.mean(own.tokens)), 2)
    set_ = " ".join(SWITCHES[name])
    return name, set_, *own.form, *figures, against, *difference, tokens, own.config


def main(runs: str, questions: str, *books: str) -> None:
    """Print the table of all books, and of them together."""
    by_book = {
        Path(book).name: results(
            Path(book), Path(questions, f"{Path(book).name}.questions.json"), Path(runs)
        )
        for book in books
    }
    both = {name: pooled(b[name] for b in by_book.values()) for name in SWITCHES}
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    for book, found in {**by_book, "together": both}.items():
        table.writerows((book, *row(name, found), made) for name in found)
    with Path(runs, "seconds.csv").open("w", encoding="utf-8") as file:
        spent = csv.writer(file, lineterminator="\n")
        spent.writerow(("book", "mechanism", "what", "seconds"))
        for book, found in by_book.items():
            for name, one in found.items():
                spent.writerows((book, name, *pair) for pair in one.seconds.items())


if __name__ == "__main__":
    main(*sys.argv[1:])

"""geDIG's gauge on the workspace memory: before the workspace, and at its recall.

    python recipes/gauged.py RUNS QUESTIONS reading|recall BOOK ... > TABLE.csv

Thresholds are percentiles of the prices of the books named in TRAIN, on which every
edit is accepted; figures are of the books named, together. A row differs from the one
it is held against in its gates alone; gates by lot fire as often and know nothing.
`kept` is the share of edits that were accepted, `nouns` what the workspace holds at the
end. No clock is in the table.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from table import commit

import gswlab
from gswlab.bench.scoring import Scored, strict_of
from gswlab.bench.statistics import interval, paired
from gswlab.core.nouns import Answer
from gswlab.core.step import Admission
from gswlab.gedig.record import recorded_prices
from gswlab.gedig.thresholds import Fixed, percentiles
from gswlab.lab.lab import Lab

TRAIN = ("harbour", "orchard")
LAM = 100.0  # the best of 5, 20 and 100 on harbour
SHARES = (90, 75)  # of edits that are accepted, in TRAIN
HEADS = (
    "mechanism", "settings", "reader", "n", "strict_f1", "low", "high", "against",
    "difference", "difference_low", "difference_high", "evidence_tokens",
    "tokens_low", "tokens_high", "kept", "held", "nouns", "commit",
)  # fmt: skip


class Result(NamedTuple):
    """Strict F1 and tokens a question; edits accepted and held, nouns at the end."""

    f1: tuple[float, ...] = ()
    tokens: tuple[int, ...] = ()
    edits: int = 0
    kept: int = 0
    held: int = 0
    nouns: int = 0

    def plus(self, other: Result) -> Result:
        """Two books' figures as one."""
        return Result(*(a + b for a, b in zip(self, other, strict=True)))


def opened(runs: Path, questions: Path, book: str, slug: str, *said: str) -> Lab:
    """The lab of one book."""
    where = Path("experiments/texts/books", book, "book.json")
    asked = questions / f"{book}.questions.json"
    data = (f"dataset.book={where}", f"dataset.questions={asked}")
    folder = f"run.dir={runs / book / slug}"
    return gswlab.open("experiment=epbench", *data, *said, folder)


def result(lab: Lab) -> Result:
    """Run, or take up, a lab; its answers scored one by one."""
    lab.run()
    dataset: Any = lab.dataset
    judge, f1, tokens = dataset.judge(), [], []
    rows = map(json.loads, (lab.folder.path / "answers.jsonl").open(encoding="utf-8"))
    for question, row in zip(dataset.load_questions(), rows, strict=True):
        items, chapters = tuple(row["items"]), tuple(row["chapters"])
        answer = Answer(items, row["abstained"], chapters, (), "")
        f1.append(strict_of(Scored(question, judge.verdict(question, answer))).f1)
        tokens.append(row["evidence_tokens"])
    said = [d for s in lab.journal.steps() for d in s.decisions]
    priced = [d for d in said if isinstance(d, Admission)]
    kept, held = (
        len({d.edit for d in priced if d.status == status})
        for status in ("accepted", "held")
    )
    edits, nouns = len({d.edit for d in priced}), len(lab.workspace.nouns)
    return Result(tuple(f1), tuple(tokens), edits, kept, held, nouns)


def gates(thresholds: Fixed, *more: str) -> tuple[str, ...]:
    """The settings of a reconciler with a gauge."""
    lam = f"reconciler.gauge.lam={LAM}"
    ag, dg = (
        f"reconciler.gates.{n}={getattr(thresholds, n):.6f}" for n in ("ag", "dg")
    )
    return ("reconciler=gauged", lam, ag, dg, *more)


def switches(runs: Path, questions: Path) -> dict[str, tuple[tuple[str, ...], str]]:
    """Each mechanism: its settings, and the row it is held against."""
    every = gates(Fixed(1000.0, 1000.0))
    prices = []
    for book in TRAIN:
        lab = opened(runs, questions, book, "train", *every)
        while lab.step():
            pass
        events = (e for step in lab.journal.steps() for e in step.events)
        prices += [one.price for one in recorded_prices(events)]
    found: dict[str, tuple[tuple[str, ...], str]] = {"rules": ((), "rules")}
    for share in SHARES:
        name = f"{share} % accepted, others held"
        own = percentiles(prices, ag=share, dg=share)
        lot = Fixed(*[LAM * (2 * share / 100 - 1)] * 2)
        never = f"{share} % accepted, none held"
        found[name] = gates(own), "rules"
        found[never] = gates(own, "reconciler.patience=0"), name
        said = gates(lot, "reconciler.chance=true", "reconciler.patience=0")
        found[f"{share} % accepted by lot"] = said, never
    return found


RECALLS: dict[str, tuple[tuple[str, ...], str]] = {
    "rules": ((), "rules"),
    "recall: chunks": (("memory.evidence=chunks",), "rules"),
    "recall: chunks, 250 tokens": (
        ("memory.evidence=chunks", "budget=250"),
        "recall: chunks",
    ),
    **{
        f"recall: chunks, gauge of lambda {lam}": (
            (
                "memory=gsw_gauged",
                "memory.evidence=chunks",
                f"memory.gate.gauge.lam={lam}",
            ),
            "recall: chunks",
        )
        for lam in (0.5, 1, 2)
    },
    "recall: episodes, gauge of lambda 1": (("memory=gsw_gauged",), "rules"),
}


def rows(
    runs: Path, questions: Path, what: str, books: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    """Every row of the table of `reading` or of `recall`."""
    listed = RECALLS if what == "recall" else switches(runs, questions)
    found = {name: Result() for name in listed}
    for book in books:
        first: Lab | None = None
        for name, (said, _) in listed.items():
            slug = "".join(c if c.isalnum() else "-" for c in name)
            print(f"{book}: {name}", file=sys.stderr)
            if first is None or what == "reading":
                lab = opened(runs, questions, book, slug, *said)
            else:
                folder = f"run.dir={runs / book / slug}"
                lab = first.fork(len(first.journal), *said, folder)
            found[name] = found[name].plus(result(lab))
            first = first or lab
    for name, (said, against) in listed.items():
        yield (
            name,
            " ".join(said),
            "cue",
            *_figures(found[name], found[against], against),
        )


def _figures(own: Result, other: Result, against: str) -> Iterator[object]:
    score, change = interval(own.f1).to_dict(), paired(own.f1, other.f1).to_dict()
    spent = paired(own.tokens, other.tokens).to_dict()
    yield from (score[k] for k in ("n", "mean", "low", "high"))
    yield against
    yield from (change[k] for k in ("mean", "low", "high"))
    yield round(float(np.mean(own.tokens)), 2)
    yield from (spent[k] for k in ("low", "high"))
    for count in (own.kept, own.held):
        yield round(count / own.edits, 4) if own.edits else ""
    yield own.nouns


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    runs, questions, what, *books = arguments
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    table.writerows(
        (*row, made) for row in rows(Path(runs), Path(questions), what, books)
    )


if __name__ == "__main__":
    main(sys.argv[1:])

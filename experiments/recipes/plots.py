"""Our plots, every system and k, as one table, and the paper's two tables beside.

    python experiments/recipes/plots.py RUNS > experiments/results/plots.csv

All runs are made in RUNS by one process. A row is one figure of one run:

========================== =========================================================
figure                     of the questions of these plots, of this kind
========================== =========================================================
evidence_tokens, accuracy  means
accuracy - RUN             the paired difference to that run
tokens / RUN               the ratio of mean tokens to that run's
USD MODEL                  mean tokens times the price in plot_prices.yaml
recall ms                  median and (high) 95th percentile of the time of a recall;
                           of vectors known from another run (else: plot_speed.csv)
========================== =========================================================

Plots are `all`, `large` (40 nodes or more), or one by its name; of one kind, and of one
plot, there are only the means. Rows whose run is `published` are the paper's, and
`recomputed` its second table from its mean tokens.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from table import commit

import gswlab
from gswlab.bench.plots import LARGE, PLOT_FIGURES
from gswlab.bench.statistics import interval, paired
from gswlab.models.ledger import TokenPrice, read_prices
from gswlab.view.figures.series import published_cells

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "results"
HEADS = ("run", "k", "plots", "kind", "figure", "value", "low", "high", "n", "reader")
BASES = ("long_context", "parallel")
PAPER = "serial Hybrid-RAG (Kondo and Oda)"
Rows = Sequence[Mapping[str, Any]]
BY_K = ("serial", "serial_published", "parallel", "graph")
ONCE = ("long_context", "closed_book", "dense", "bm25", "gsw")
# one mechanism of serial off or changed, k = 1
ABLATIONS = {
    "without_names": "named=false",
    "without_ties": "edges=false",
    "without_ranking": "ranked=false",
    "without_parts": "parted=false",
    "without_event": "at=false",
    "without_joined": "joined=0",
    "embed_descriptions": "embed=descriptions",
    "embed_names": "embed=names",
    "seeds_1": "seeds=1",
    "seeds_4": "seeds=4",
    "nodes_2": "nodes=2",
    "nodes_8": "nodes=8",
}


class Run(NamedTuple):
    """A finished run: its name, its k, its rows and its reader."""

    name: str
    k: str
    rows: Rows
    reader: str
    folder: Path


def money(tokens: float, price: TokenPrice) -> float:
    """The input cost of a question, to two digits, halves up, as the paper prints it.

    >>> money(871, Price(2.5, 0))
    0.0022
    """
    cost = Decimal(str(tokens)) * Decimal(str(price.input)) / 1_000_000
    last = Decimal(1).scaleb(cost.adjusted() - 1)
    return float(cost.quantize(last, ROUND_HALF_UP))


def run(folder: Path, name: str, memory: str, *settings: str, k: str = "") -> Run:
    """One run in a folder of its own."""
    home = folder / (f"{name}_k{k}" if k else name)
    given = [f"k={k}"] if k else []
    asked = ("experiment=plot", f"memory={memory}", f"run.dir={home}")
    lab = gswlab.open(*asked, *given, *settings)
    lab.run()
    return Run(name, k, lab.folder.read_lines("answers.jsonl"), "extractive", home)


def runs(folder: Path) -> Iterator[Run]:
    """Every system and k, then the ablations."""
    for name in BY_K:
        yield from (run(folder, name, name, k=str(k)) for k in range(4))
    for name, setting in ABLATIONS.items():
        yield run(folder, name, "serial", f"memory.{setting}", k="1")
    for name in ONCE:
        yield run(folder, name, name)


def parts(rows: Rows) -> Iterator[tuple[str, str, list[int]]]:
    """Plots, kind, and the questions that belong there."""
    every = range(len(rows))
    yield "all", "all", list(every)
    yield "large", "all", [n for n in every if rows[n]["nodes"] >= LARGE]
    for kind in dict.fromkeys(row["kind"] for row in rows):
        yield "all", kind, [n for n in every if rows[n]["kind"] == kind]
    for plot in dict.fromkeys(row["plot"] for row in rows):
        yield plot, "all", [n for n in every if rows[n]["plot"] == plot]


def figures(run: Run, bases: Mapping[str, Run]) -> Iterator[tuple[object, ...]]:
    """The rows of one run."""
    prices = read_prices(str(HERE / "plot_prices.yaml"))
    for plots, kind, chosen in parts(run.rows):
        head = (run.name, run.k, plots, kind)

        def of(name: str, other: Run, chosen: list[int] = chosen) -> list[float]:
            return [other.rows[n][name] for n in chosen]

        for name in PLOT_FIGURES:
            yield *head, name, *_told(interval(of(name, run))), run.reader
        if plots not in ("all", "large") or kind != "all":
            continue
        for base, other in bases.items():
            if base == run.name:
                continue
            gap = paired(of("accuracy", run), of("accuracy", other))
            yield *head, f"accuracy - {base}", *_told(gap), run.reader
            mine, theirs = (sum(of("evidence_tokens", one)) for one in (run, other))
            ratio = round(mine / theirs, 4)
            yield *head, f"tokens / {base}", ratio, "", "", len(chosen), run.reader
        tokens = sum(of("evidence_tokens", run)) / len(chosen)
        for model, price in prices.items():
            cost = money(tokens, price)
            yield *head, f"USD {model}", cost, "", "", len(chosen), run.reader
        times = _times(run, {run.rows[n]["id"] for n in chosen})
        middle, late = (round(float(np.percentile(times, q)), 2) for q in (50, 95))
        yield *head, "recall ms", middle, "", late, len(times), run.reader


def _told(found: Any) -> tuple[float, float, float, int]:
    told = found.to_dict()
    return told["mean"], told["low"], told["high"], told["n"]


def _times(run: Run, ids: set[str]) -> list[float]:
    """Milliseconds of each recall."""
    table = pd.read_csv(run.folder / "timings.csv")
    chosen = table[(table["what"] == "querying") & table["number"].isin(ids)]
    return [1000 * seconds for seconds in chosen["seconds"]]


def published() -> Iterator[tuple[object, ...]]:
    """The paper's tables, and its costs from its tokens at the file's prices."""
    first = published_cells(RESULTS / "published.csv", PAPER, "1 (k = 1)")
    for system, cells in first.items():
        for column, value in cells.items():
            yield f"published {system}", 1, "paper", "all", column, value, "", "", 5, ""
    prices = read_prices(str(HERE / "plot_prices.yaml"))
    second = published_cells(RESULTS / "published.csv", PAPER, "2 (input cost)")
    for system, cells in second.items():
        for model, price in prices.items():
            cost = money(cells["mean tokens"], price)
            for name, value in (("published", cells[model]), ("recomputed", cost)):
                figure = f"USD {model}"
                row = f"{name} {system}", 1, "paper", "all", figure, value
                yield *row, "", "", 5, ""


def main(folder: str) -> None:
    """Print the table of all runs."""
    made, found = commit(), list(runs(Path(folder)))
    bases = {one.name: one for one in found if one.name in BASES and one.k in ("", "1")}
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow((*HEADS, "commit"))
    for one in found:
        table.writerows((*row, made) for row in figures(one, bases))
    table.writerows((*row, made) for row in published())


if __name__ == "__main__":
    main(*sys.argv[1:])

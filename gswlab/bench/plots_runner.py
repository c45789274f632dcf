"""A run over questions about plots, resumable at any question.

1) read each plot into a memory of its own  2) for each question: recall; read off an
answer; one row  3) score. A row is on disk before the next question is asked.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Protocol, runtime_checkable

from tqdm.auto import tqdm

from gswlab.baselines.passages import LongContext
from gswlab.bench import runner
from gswlab.bench.bill import charge
from gswlab.bench.plots import PlotQuestion, Plots, World, right
from gswlab.bench.rows import Asking, Rows, read_into
from gswlab.bench.statistics import interval
from gswlab.core.protocols import Memory
from gswlab.hybridrag.parallel import Parallel
from gswlab.hybridrag.plot import Plot
from gswlab.hybridrag.stores.common import Update
from gswlab.models.ledger import Price

# The figures of questions about plots: means of rows, with their intervals.

FIGURES = ("evidence_tokens", "accuracy")
LARGE = 40  # nodes of a plot that counts as large
Row = Mapping[str, Any]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Every figure over all questions, by kind, by plot, and of the large plots.

    Intervals resample questions.
    """
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    plots = list(dict.fromkeys(row["plot"] for row in rows))
    large = [row for row in rows if row["nodes"] >= LARGE]
    return {
        "questions": len(rows),
        "correct": sum(row["accuracy"] for row in rows),
        **_means(rows),
        "by_kind": {k: _means([r for r in rows if r["kind"] == k]) for k in kinds},
        "by_plot": {p: _means([r for r in rows if r["plot"] == p]) for p in plots},
        **({f"plots_of_{LARGE}_nodes": _means(large)} if large else {}),
    }


def headline(scores: Mapping[str, Any]) -> dict[str, Any]:
    """The figures one looks at first, flat: what the last line of a run prints."""
    line = {key: scores[key] for key in ("config", "memory", "reader", "questions")}
    bounds = [scores["accuracy"]["low"], scores["accuracy"]["high"]]
    means = {name: scores[name]["mean"] for name in FIGURES}
    return {**line, **means, "accuracy_interval": bounds}


def _means(rows: Sequence[Row]) -> dict[str, Any]:
    return {name: interval([row[name] for row in rows]).to_dict() for name in FIGURES}


PUBLISHED = (LongContext, Parallel)  # measured as published: no budget cuts them


@runtime_checkable
class Inserting(Protocol):
    """A memory that reads a plot's graph, not its text alone."""

    def insert(self, plot: Plot) -> Update:
        """Make the graph hold exactly this plot; returns what was written."""


def run(lab: Asking, dataset: Plots) -> dict[str, Any]:
    """Read, answer, score and write; returns the headline figures.

    Raises:
        StoppedError: its budget is spent, or somebody cancelled; what it has is kept.
    """
    data = {"document": lab.data, **dataset.hashes()}
    scores = lab.folder.read_json("scores.json")
    if scores.get("data") != data:
        rows = list(_answered(lab, dataset))
        scores = {"data": data, **lab.names, **figures(rows)}
        lab.folder.write_json("scores.json", scores)
        charge(lab)  # once more: now it is known how many answers were correct
    return {**headline(scores), "run": str(lab.folder.path)}


def _answered(lab: Asking, dataset: Plots) -> Iterator[dict[str, Any]]:
    """A row a question: those on disk are repeated, the others are asked."""
    worlds = dataset.worlds
    total = sum(len(world.questions) for world in worlds)
    with Rows(lab) as rows:
        yield from rows.known
        done = {row["id"] for row in rows.known}
        with tqdm(total=total, initial=len(done), unit="question") as bar:
            for world in worlds:
                left = [q for q in world.questions if q.id not in done]
                for row in _rows(lab, dataset, world, left, rows):
                    bar.update()
                    yield row


def _rows(
    lab: Asking,
    dataset: Plots,
    world: World,
    left: list[PlotQuestion],
    rows: Rows,
) -> Iterator[dict[str, Any]]:
    """Rows of the questions of one plot that were not asked yet."""
    if not left:
        return
    began = time.perf_counter()
    memory = read(lab.blank(), world)
    store = getattr(memory, "store", None)
    rows.time(world.name, {"indexing": time.perf_counter() - began})
    budget = dataset.documents if isinstance(memory, PUBLISHED) else lab.budget
    with closing(store) if store is not None else nullcontext():
        for question in left:
            row, seconds = _row(lab, world, question, memory, budget)
            yield rows.keep(row, question.id, seconds)


def read(memory: Memory, world: World) -> Memory:
    """A memory that has read one plot: its graph, its text, or the file as it is."""
    if isinstance(memory, Inserting):
        memory.insert(world.plot)
    chunks = (world.whole,) if isinstance(memory, LongContext) else world.chunks
    return read_into(memory, world.plot.document, chunks)


def _row(
    lab: Asking, world: World, question: PlotQuestion, memory: Memory, budget: int
) -> tuple[dict[str, Any], dict[str, float]]:
    clock = [time.perf_counter()]
    evidence = memory.recall(question.question, budget)
    clock.append(time.perf_counter())
    answer = lab.reader.answer(question.question, evidence)
    clock.append(time.perf_counter())
    whats = ("querying", "answering")
    seconds = {what: clock[n + 1] - clock[n] for n, what in enumerate(whats)}
    told = runner.answer_row(question.id, question.question, answer, evidence)
    scored = {
        "id": question.id,
        "plot": world.name,
        "nodes": world.nodes,
        "kind": question.kind,
        "gold": [list(item) for item in question.answers],
        "accuracy": float(not answer.abstained and right(answer.items, question)),
    }
    return {**told, **scored}, seconds


# What handing over evidence costs: tokens times the price of a file.


def money(tokens: float, price: Price) -> float:
    """The input cost of one question.

    >>> money(871, Price(2.5, 0))
    0.0022
    """
    cost = Decimal(str(tokens)) * Decimal(str(price.input)) / 1_000_000
    return float(two_digits(cost))


def two_digits(value: Decimal) -> Decimal:
    """To two significant digits, halves up, as the paper's table prints costs.

    >>> two_digits(Decimal("0.000915"))
    Decimal('0.00092')
    """
    last = value.adjusted() - 1
    return value.quantize(Decimal(1).scaleb(last), ROUND_HALF_UP)

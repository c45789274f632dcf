"""Figures of HotpotQA: recall, answers, gates and how far calibrations are believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from gswlab.gedig.thresholds import Reliability
from gswlab.view.charts import curves
from gswlab.view.charts.chart import Chart
from gswlab.view.charts.comparison import accuracy_by_tokens, recall_at_k
from gswlab.view.charts.forest import forest
from gswlab.view.charts.plates.plate import Plate, dots, filled

_WORLDS = {"own": "own paragraphs", "pool": "pooled paragraphs"}
_LINES = ("gedig", "never", "always", "rounds_1", "random_fires", "random_follows")
_GEDIG = "geDIG (Miyauchi)"


def _recall(world: str, runs: pd.DataFrame) -> Chart:
    drawn = recall_at_k(runs)
    drawn.title += f", HotpotQA, {_WORLDS[world]}"
    return drawn


def _answers(world: str, runs: pd.DataFrame, published: pd.DataFrame) -> Chart:
    """Exact match and F1, the papers' figures below, grey."""
    parts = [
        dots(runs, "run", figure).assign(figure=name)
        for figure, name in (("em", "exact match"), ("f1", "F1"))
    ]
    names = {"EM": "exact match", "F1": "F1"}
    theirs = published[
        (published["paper"] == _GEDIG) & (published["table"] == "HotpotQA dev")
    ]
    theirs = theirs[theirs["column"].isin(names)]
    theirs = theirs.assign(row=theirs["row"] + " (published)")
    parts.append(dots(theirs, "row").assign(figure=theirs["column"].map(names)))
    rows = pd.concat(parts, ignore_index=True)
    title = f"HotpotQA, {_WORLDS[world]}: answers"
    return forest(rows, title, "share of the questions", "figure", (0, 1))


def _differences(world: str, runs: pd.DataFrame) -> Chart:
    rows = dots(runs, "run", "difference_mean")
    title = f"HotpotQA, {_WORLDS[world]}: against the tuned BM25"
    return forest(rows, title, "recall@5, memory less BM25")


def _index(table: pd.DataFrame) -> Chart:
    count = ", ".join(f"{n:,}" for n in sorted(table["paragraphs"].unique()))
    parts = [
        dots(table, "memory", figure).assign(what=name)
        for figure, name in (("index_seconds", "indexing, s"), ("peak_mb", "peak, MB"))
    ]
    drawn = forest(
        pd.concat(parts), f"Indexing {count} paragraphs", "s or MB, log", "what"
    )
    drawn.figure.axes[0].set_xscale("symlog", linthresh=1)
    return drawn


def _gates(world: str, runs: pd.DataFrame) -> Chart:
    kept = runs[(runs["world"] == world) & runs["run"].isin(_LINES)]
    told = filled(kept, f"the world {world}").assign(memory=kept["run"])
    drawn = curves.recall_by_tokens(told)
    drawn.title += f", {_WORLDS[world]}"
    return drawn


def _gate_differences(world: str, runs: pd.DataFrame) -> Chart:
    rows = dots(runs[runs["world"] == world], "run", "difference")
    title = f"What the gauge is ahead of each gate by, {_WORLDS[world]}"
    return forest(rows, title, "area under recall against tokens, gauge less gate")


def _reliability(table: pd.DataFrame) -> Chart:
    known = {
        str(method): Reliability(
            n=int(rows["prices"].iloc[0]),
            said=tuple(rows["said"]),
            so=tuple(rows["so"]),
        )
        for method, rows in table.groupby("method", sort=False)
    }
    drawn = curves.reliability(known)
    drawn.data = table.rename(columns={"prices": "n"})
    return drawn


def _rewiring(table: pd.DataFrame) -> Chart:
    told = table.assign(what=table["rewiring"] + ", " + table["questions"].astype(str))
    rows = dots(told, "what", "difference")
    return forest(rows, "Links rewired between two halves", "area, against none")


def _each(
    name: str, table: str, draw: Callable[..., Chart], *more: str
) -> Iterator[Plate]:
    """A plate a world; the table may be one a world."""
    for world in _WORLDS:
        needs = (table.format(world), *more)
        yield Plate(name.format(world), needs, partial(draw, world))


PLATES = (
    *_each("hotpotqa_{}_recall", "hotpotqa_{}", _recall),
    *_each("hotpotqa_{}_answers", "hotpotqa_{}", _answers, "published"),
    *_each("hotpotqa_{}_differences", "hotpotqa_{}", _differences),
    Plate("hotpotqa_own_tokens", ("hotpotqa_own",), accuracy_by_tokens),
    Plate("hotpotqa_pool_tokens", ("hotpotqa_pool",), accuracy_by_tokens),
    Plate("index_5000", ("index_5000",), _index),
    *_each("gedig_{}", "gedig_hotpotqa", _gates),
    *_each("gedig_{}_differences", "gedig_hotpotqa", _gate_differences),
    Plate("gedig_reliability", ("gedig_reliability",), _reliability),
    Plate("gedig_rewiring", ("gedig_rewiring",), _rewiring),
)

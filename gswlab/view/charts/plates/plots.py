"""Figures of questions about plots: graph first, vectors second."""

from __future__ import annotations

import pandas as pd

from gswlab.view.charts.chart import Chart
from gswlab.view.charts.comparison import accuracy_by_tokens
from gswlab.view.charts.forest import forest
from gswlab.view.charts.plates.plate import Plate, dots, filled
from gswlab.view.charts.settings import accuracy_by_setting

_SYSTEMS = ("serial", "serial_published", "parallel", "graph", "dense", "bm25",
            "gsw", "long_context", "closed_book")  # fmt: skip
_PAPER = "serial Hybrid-RAG (Kondo and Oda)"
_THEIRS = {"long_context": "Long-Context", "parallel": "Hybrid-RAG",
           "serial": "serial Hybrid-RAG"}  # fmt: skip
_OF_ITS_SHAPE = "lighthouse_ja"  # a plot as large as the paper's


def _figure(table: pd.DataFrame, figure: str, plots: str = "all") -> pd.DataFrame:
    """Rows of one figure, all kinds of question, k = 1 where there is a k."""
    told = table[(table["figure"] == figure) & (table["plots"] == plots)]
    told = told[(told["kind"] == "all") & told["k"].isin([1, float("nan")])]
    return filled(told, figure)


def _tokens(table: pd.DataFrame) -> Chart:
    """Accuracy against tokens, a point a system, k = 1."""
    parts = []
    for figure in ("evidence_tokens", "accuracy"):
        told = _figure(table, figure).set_index("run").reindex(list(_SYSTEMS))
        names = {"value": figure, "low": f"{figure}_low", "high": f"{figure}_high"}
        parts.append(told[list(names)].rename(columns=names))
    whose = _figure(table, "accuracy").set_index("run").reindex(list(_SYSTEMS))
    runs = pd.concat([*parts, whose[["n", "reader", "commit"]]], axis=1)
    return accuracy_by_tokens(runs.rename_axis("memory").reset_index())


def _published(table: pd.DataFrame, published: pd.DataFrame) -> Chart:
    """Tokens of a prompt, a plot of the paper's size and the paper's own."""
    ours = _figure(table, "evidence_tokens", _OF_ITS_SHAPE)
    ours = ours[ours["run"].isin(_THEIRS)]
    told = published[(published["paper"] == _PAPER) & published["column"].eq(
        "mean tokens")]  # fmt: skip
    names = {theirs: run for run, theirs in _THEIRS.items()}
    told = told.assign(run=told["row"].map(names))
    rows = [dots(ours, "run").assign(of="plot of ours"),
            dots(told, "run").assign(of="the paper's (published)")]  # fmt: skip
    both = pd.concat(rows, ignore_index=True)
    return forest(both, "Tokens handed over, k = 1", "tokens a question", "of")


def _by_k(table: pd.DataFrame) -> Chart:
    told = table[(table["plots"] == "all") & (table["kind"] == "all")]
    told = told.dropna(subset=["k"]).rename(columns={"figure": "measure"})
    told = told.assign(setting=told["k"].astype(int), mean=told["value"])
    names = ("serial", "serial_published", "parallel", "graph")
    return accuracy_by_setting(told, names, "Accuracy by k", "hops, k")


def _kinds(table: pd.DataFrame) -> Chart:
    told = table[(table["figure"] == "accuracy") & (table["plots"] == "all")]
    told = told[told["k"].isin([1, float("nan")]) & told["run"].isin(_SYSTEMS)]
    rows = dots(told, "run").assign(kind=told["kind"])
    rows = rows[rows["kind"] != "all"]
    return forest(rows, "Accuracy by kind of question, k = 1", "share", "kind", (0, 1))


def _ablations(table: pd.DataFrame) -> Chart:
    told = _figure(table, "accuracy")
    rows = dots(told[~told["run"].isin(_SYSTEMS[1:])], "run")
    return forest(rows, "What each part of serial recall is worth", "share", "", (0, 1))


PLATES = (
    Plate("plots_tokens", ("plots",), _tokens),
    Plate("plots_published", ("plots", "published"), _published),
    Plate("plots_k", ("plots",), _by_k),
    Plate("plots_kinds", ("plots",), _kinds),
    Plate("plots_ablations", ("plots",), _ablations),
)

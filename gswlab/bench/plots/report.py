"""The figures of questions about plots: means of rows, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gswlab.bench.statistics import interval

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

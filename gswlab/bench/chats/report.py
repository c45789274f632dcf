"""The figures of a run over worlds: means of rows, by setting, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gswlab.bench.hops.report import clusters
from gswlab.bench.statistics import bootstrap, interval

MEASURES = (
    *("accuracy", "f1", "answer_in_window"),
    *("evidence_recall", "evidence_tokens"),
)
Row = Mapping[str, Any]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Every figure over all questions and by setting; without doubted labels beside.

    Questions that share a gold chunk are drawn together in the bootstrap.
    """
    told: dict[str, Any] = {"questions": len(rows), **_figures(rows)}
    sure = [row for row in rows if not row["doubted"]]
    if len(sure) < len(rows):
        told["undoubted"] = {"questions": len(sure), **_figures(sure)}
    return told


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name in MEASURES:
        known = [row for row in rows if row.get(name) is not None]
        if known:
            told[name] = _by_setting(known, name)
    if wanted := [row for row in rows if row.get("evidence_recall") is not None]:
        told["evidence_chunks"] = _chunks(wanted)
    return told


def _by_setting(rows: Sequence[Row], name: str) -> dict[str, Any]:
    settings = dict.fromkeys(row["setting"] for row in rows)
    parts = {s: [row for row in rows if row["setting"] == s] for s in settings}
    return {s: _mean(part, name) for s, part in {"all": rows, **parts}.items()}


def _mean(rows: Sequence[Row], name: str) -> dict[str, Any]:
    return interval([float(row[name]) for row in rows], clusters(rows)).to_dict()


def _chunks(rows: Sequence[Row]) -> dict[str, Any]:
    """The share of gold chunks that evidence held, over all questions together."""
    held, wanted = (
        np.array([row[k] for row in rows], float) for k in ("held", "wanted")
    )
    share = bootstrap(
        len(rows), lambda n: float(held[n].sum() / wanted[n].sum()), clusters(rows)
    )
    return share.to_dict()


def headline(scores: Mapping[str, Any]) -> dict[str, Any]:
    """The figures one looks at first, flat: what the last line of a run prints."""
    names = ("config", "memory", "policy", "reader", "questions")
    line = {key: scores[key] for key in names if key in scores}
    means = {n: scores[n]["all"]["mean"] for n in MEASURES if n in scores}
    each = {s: figure["mean"] for s, figure in scores["accuracy"].items() if s != "all"}
    return {**line, **means, "accuracy_by_setting": each}

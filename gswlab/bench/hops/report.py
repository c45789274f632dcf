"""The figures of multi-hop questions: means of rows, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx

from gswlab.bench.hops import tokens
from gswlab.bench.hops.gated import gate_figures
from gswlab.bench.statistics import interval

DEPTHS = (2, 5, 10)
FIGURES = (
    *(f"recall@{k}" for k in DEPTHS),
    "em",
    "f1",
    "fact_f1",
    "fact_f1_own_split",
    "evidence_tokens",
    *tokens.FIGURES,
)
Row = Mapping[str, Any]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Every figure over all questions, and by kind of question where there are kinds.

    Questions that share a gold paragraph are drawn together in the bootstrap.
    """
    kinds = sorted({row["kind"] for row in rows if row["kind"]})
    told = {
        kind: _means([row for row in rows if row["kind"] == kind]) for kind in kinds
    }
    gates = (
        gate_figures(rows, clusters(rows)) if any(r.get("gates") for r in rows) else {}
    )
    more = {"gates": gates} if gates else {}
    return {"questions": len(rows), **_means(rows), **more, "by_kind": told}


def headline(scores: Mapping[str, Any]) -> dict[str, Any]:
    """The figures one looks at first, flat: what the last line of a run prints."""
    line = {key: scores[key] for key in ("config", "memory", "reader", "questions")}
    means = {name: scores[name]["mean"] for name in FIGURES if name in scores}
    bounds = [scores["recall@5"]["low"], scores["recall@5"]["high"]]
    return {**line, **means, "recall@5_interval": bounds}


def _means(rows: Sequence[Row]) -> dict[str, Any]:
    known = {name: [r for r in rows if r.get(name) is not None] for name in FIGURES}
    return {
        name: interval([row[name] for row in kept], clusters(kept)).to_dict()
        for name, kept in known.items()
        if kept
    }


def clusters(rows: Sequence[Row]) -> list[int]:
    """A number a row; rows that share gold, however indirectly, have the same.

    >>> clusters([{"gold": [1, 2]}, {"gold": [3]}, {"gold": [2, 4]}])
    [0, 1, 0]
    """
    shared: nx.Graph[object] = nx.Graph()
    for number, row in enumerate(rows):
        shared.add_edges_from((("row", number), chapter) for chapter in row["gold"])
        shared.add_node(("row", number))
    home = {
        node: part
        for part, nodes in enumerate(nx.connected_components(shared))
        for node in nodes
    }
    return [home["row", number] for number in range(len(rows))]

"""What gates did to questions: the statistics of the paper, from traces.

Of a question: whether AG and DG fired at its first and last price, that last price, the
edges priced by then, its decisions and whether its answer was forced. Rates of a fire
are of all decisions together, questions drawn whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gswlab.bench.statistics import bootstrap, interval
from gswlab.core.nouns import TraceEvent
from gswlab.gedig.record import read

Row = Mapping[str, Any]
MEANS = ("ag_first", "ag_last", "dg_first", "dg_last", "gauge", "edges", "rounds",
         "forced")  # fmt: skip


def gated(trace: Sequence[TraceEvent]) -> dict[str, Any] | None:
    """What a question's trace tells of gates; None where nothing decided."""
    made = [event for event in trace if "action" in event.data]
    if not made:
        return None
    prices = read(trace)
    actions = [str(event.data["action"]) for event in made]
    told: dict[str, Any] = {
        "decisions": len(made),
        "fires": sum(bool(price.data["ag"]) for price in prices),
        "follows": actions.count("follow"),
        "rounds": sum(action != "answer" for action in actions),
        "forced": float(bool(made[-1].data.get("forced"))),
    }
    if not prices:
        return told
    first, last = prices[0].data, prices[-1].data
    fired = {
        f"{gate}_{when}": float(data[gate])
        for gate in ("ag", "dg")
        for when, data in (("first", first), ("last", last))
    }
    edges = sum(len(price.data["edges"]) for price in prices)
    return {**told, **fired, "gauge": float(last["g_min"]), "edges": edges}


def gate_figures(rows: Sequence[Row], clusters: Sequence[int]) -> dict[str, Any]:
    """Means over questions, and the rates of AG and of links followed."""
    pairs = [(r.get("gates"), c) for r, c in zip(rows, clusters, strict=True)]
    known = [(told, cluster) for told, cluster in pairs if told]
    figures: dict[str, Any] = {}
    for name in MEANS:
        kept = [(told[name], c) for told, c in known if name in told]
        if kept:
            values, homes = zip(*kept, strict=True)
            figures[name] = interval(values, homes).to_dict()
    asked = np.array([told["decisions"] for told, _ in known], float)
    for name in ("fires", "follows") if known else ():
        count = np.array([told[name] for told, _ in known], float)

        def rate(drawn: Any, count: Any = count) -> float:
            return float(count[drawn].sum() / asked[drawn].sum())

        figures[name] = bootstrap(len(known), rate, [c for _, c in known]).to_dict()
    return figures

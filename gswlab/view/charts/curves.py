"""Curves of gates: recall against tokens, and how far calibrations are believed."""

from __future__ import annotations

import pandas as pd

from gswlab.bench.measures import TOKENS
from gswlab.gedig.thresholds import Reliability
from gswlab.view.charts.chart import Chart, chart
from gswlab.view.charts.runs import Table, kept, named, read
from gswlab.view.charts.styles import styled


def recall_by_tokens(runs: Table, figure: str = "recall") -> Chart:
    """Gold paragraphs among the first so many tokens, with intervals, a line a run.

    Args:
        runs: a table of runs with `recall@300t` and the like, and their intervals.
        figure: what stands before the `@`; `em` or `f1` where a table has them.
    """
    told = read(runs, f"{figure}@{TOKENS[0]}t")
    points = [most for most in TOKENS if f"{figure}@{most}t" in told]
    drawn, axis = chart(f"{_WORDS[figure]} against context tokens")
    for style, (name, row) in styled(named(told)):
        means, low, high = (
            [row[f"{figure}@{most}t{end}"] for most in points]
            for end in ("", "_low", "_high")
        )
        axis.plot(points, means, label=name, markersize=4, linewidth=1, **style)
        look = {"color": style["color"], "alpha": 0.12, "linewidth": 0}
        axis.fill_between(points, low, high, **look)
    axis.set_xscale("log")
    axis.set_xticks(points, [f"{most:,}" for most in points])
    axis.minorticks_off()
    axis.set(xlabel="context tokens", ylabel=_WORDS[figure].lower())
    return drawn.done(data=kept(told, *(f"{figure}@{most}t" for most in points)))


_WORDS = {
    "recall": "Recall of gold paragraphs", "em": "Exact match", "f1": "Answer F1",
}  # fmt: skip


def reliability(known: dict[str, Reliability]) -> Chart:
    """What calibrations said against what was so; on the diagonal they are right."""
    drawn, axis = chart("Is evidence complete as often as is said?")
    axis.plot([0, 1], [0, 1], color="#999999", linewidth=1, zorder=0)
    for style, (name, told) in styled(known.items()):
        label = f"{name} (n = {told.n})"
        axis.plot(told.said, told.so, label=label, markersize=4, linewidth=1, **style)
    axis.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="said", ylabel="so")
    rows = (
        {"calibration": name, "said": said, "so": so, "n": told.n}
        for name, told in known.items()
        for said, so in zip(told.said, told.so, strict=True)
    )
    return drawn.done(data=pd.DataFrame(rows))

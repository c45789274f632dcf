"""Accuracy against a setting, a line a run: nesting, documents, anything counted."""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.view.charts.chart import Chart, chart
from gswlab.view.charts.runs import Table, read
from gswlab.view.charts.styles import styled


def accuracy_by_setting(
    table: Table,
    runs: Sequence[str],
    title: str,
    label: str,
    measure: str = "accuracy",
) -> Chart:
    """A measure of `runs` by setting, with 95 % intervals.

    Args:
        table: `experiments/worlds.py` wrote it: run, measure, setting, mean, low, high.
        runs: which runs, in the order of the legend.
        title: of the figure.
        label: what the settings count.
        measure: what is drawn, from 0 to 1.
    """
    told = read(table, "setting")
    told = told[(told["measure"] == measure) & (told["setting"] != "all")]
    told = told[told["run"].isin(list(runs))]
    settings = list(dict.fromkeys(told["setting"].astype(str)))
    drawn, axis = chart(title)
    for style, name in styled(runs):
        own = told[told["run"] == name]
        own = own.set_index(own["setting"].astype(str)).reindex(settings)
        values, low, high = (own[key].astype(float) for key in ("mean", "low", "high"))
        across = range(len(settings))
        axis.plot(across, values, label=name, markersize=4, linewidth=1, **style)
        axis.fill_between(
            across, low, high, color=style["color"], alpha=0.12, linewidth=0
        )
    axis.set_xticks(range(len(settings)), settings)
    axis.set(ylim=(0, 1.03), xlabel=label, ylabel=measure.replace("_", " "))
    return drawn.done(data=told)

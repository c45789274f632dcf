"""The trace of a gauge as a vector figure: prices over time beside the plane.

The same trace as the page's, drawn once: g0 and g_min with their thresholds and fires,
and every edit by its cost and its gain, with lines of equal F.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gswlab.gedig.record import Priced
from gswlab.view.charts.chart import Chart, panelled
from gswlab.view.gauge.trace import CASES, GaugeTrace, case_of, fires

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAN = float("nan")
_SPOT: dict[str, Any] = {"color": "#0072B2", "linestyle": "-", "linewidth": 1}
_BEST: dict[str, Any] = {"color": "#CC79A7", "linestyle": "--", "linewidth": 1}
_LOOKS: dict[str, dict[str, Any]] = {
    "integrate": {"color": "#009E73", "marker": "o"},
    "explore on": {"color": "#D55E00", "marker": "^"},
    "redundant": {"color": "#777777", "marker": "s"},
}


def gauge_chart(trace: GaugeTrace) -> Chart:
    """Prices over the steps of a trace, and the plane of cost against gain.

    The price of each edit is drawn at its step. Lines of equal F are those of the first
    price's lambda; a trace without prices has empty axes.
    """
    drawn, (time, plane) = panelled(trace.title, 2)
    drawn.figure.set_size_inches(6.75, 2.9)
    _over_time(time, trace)
    _plane(plane, [one for _, one in trace.prices])
    for axis in (time, plane):
        axis.legend(fontsize=6, frameon=False, loc="best")
    return drawn.done(legend=False)


def _over_time(axis: Axes, trace: GaugeTrace) -> None:
    at = [n for n, _ in trace.prices]
    told = [one for _, one in trace.prices]
    axis.plot(at, [one.price.g0 for one in told], label="g0", **_SPOT)
    axis.plot(at, [one.price.g_min for one in told], label="g min", **_BEST)
    for name, look in (("ag", ":"), ("dg", "-.")):
        values = [getattr(one, f"theta_{name}") for one in told]
        drawn = [NAN if value is None else value for value in values]
        line: dict[str, Any] = {"color": "#000000", "linewidth": 0.8, "linestyle": look}
        axis.plot(at, drawn, label=f"θ {name.upper()}", **line)
    _fires(axis, trace, "ag", "explore on")
    _fires(axis, trace, "dg", "integrate")
    axis.set(xlabel="step", ylabel="F")


def _fires(axis: Axes, trace: GaugeTrace, gate: str, case: str) -> None:
    marks = [(n, one.price) for n, one in trace.prices if fires(one, gate)]
    values = [price.g0 if gate == "ag" else price.g_min for _, price in marks]
    look = {**_LOOKS[case], "markersize": 3.5, "linestyle": ""}
    axis.plot([n for n, _ in marks], values, label=f"{gate.upper()} fires", **look)


def _plane(axis: Axes, told: Sequence[Priced]) -> None:
    for name in CASES:
        spots = [_spot(one) for one in told if case_of(one) == name]
        look = {**_LOOKS[name], "markersize": 3.5, "linestyle": "", "alpha": 0.7}
        xs, ys = zip(*spots, strict=True) if spots else ((), ())
        axis.plot(xs, ys, label=name, **look)
    axis.set(xlabel="gain + γ shorter", ylabel="cost")
    if not told:
        return
    low, high = axis.get_xlim()
    least, most = axis.get_ylim()
    lam = told[0].lam
    for step in range(-8, 9):
        ends = [step / 2 + lam * gain for gain in (low, high)]
        axis.plot((low, high), ends, color="#BBBBBB", linewidth=0.5, zorder=0)
    axis.set(xlim=(low, high), ylim=(least, most))


def _spot(one: Priced) -> tuple[float, float]:
    """Where an edit is in the plane: gain, then cost, at its best hop."""
    best = one.terms[one.price.hop]
    return best.gain + one.gamma * best.shorter, best.cost

"""The trace of a gauge as one page: time, prices, the plane, the scene, in one file.

- Offline and by the keyboard, like the page of a run (`gswlab.view.run.page`).
- What the sliders show is weighed in the page from recorded terms; nothing is run.
- Everything drawn is also a table, which reads without scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.gedig.record import Priced
from gswlab.lab import config
from gswlab.lab.config import walked_before
from gswlab.view.kit.chart import FORMATS, Chart, panelled
from gswlab.view.kit.page import Page, described
from gswlab.view.papers.gedig_maze import film
from gswlab.view.papers.gedig_trace import (
    CASES,
    GaugeTrace,
    case_of,
    fires,
    named_nodes,
    of_events,
    of_steps,
    trace_payload,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SCRIPTS = tuple(
    f"papers/{name}.js"
    for name in ("gauge", "gauge_scene", "gauge_charts", "gauge_page")
)
_NAMED = 6  # nodes of an edit that a cell of the table names
_NAN = float("nan")
_SPOT: dict[str, Any] = {"color": "#0072B2", "linestyle": "-", "linewidth": 1}
_BEST: dict[str, Any] = {"color": "#CC79A7", "linestyle": "--", "linewidth": 1}
_LOOKS: dict[str, dict[str, Any]] = {
    "integrate": {"color": "#009E73", "marker": "o"},
    "explore on": {"color": "#D55E00", "marker": "^"},
    "redundant": {"color": "#777777", "marker": "s"},
}


def gauge_page(trace: GaugeTrace) -> Page:
    """The page of a trace."""
    return described(
        f"{trace.title}: the gauge, step by step",
        "papers/gauge.html",
        ("papers/gauge.css",),
        _SCRIPTS,
        trace.caption,
        1150,
        data=(data := trace_payload(trace)),
        title=trace.title,
        last=max(len(trace.beats) - 1, 0),
        prices=trace.prices,
        edit=partial(_edit, trace),
        case_of=case_of,
        beats=trace.beats,
        frames=trace.scene.get("frames"),
        scene=data["scene"],
        maze="frames" in trace.scene,
    )


def _edit(trace: GaugeTrace, priced: Priced) -> str:
    names = {node: str(told[2]) for node, told in trace.scene.get("nodes", {}).items()}

    def name(node: Any) -> str:
        if isinstance(node, (tuple, list)):
            return f"({', '.join(map(str, node))})"
        return named_nodes(names.get(named_nodes(node), node))

    told = [f"+ {name(node)}" for node in priced.data.get("nodes", ())]
    for sign, side in (("+", "edges"), ("−", "gone")):
        told += [f"{sign} {name(a)} – {name(b)}" for a, b in priced.data.get(side, ())]
    more = [f"and {len(told) - _NAMED} more"] if len(told) > _NAMED else []
    return "; ".join([*told[:_NAMED], *more]) or "nothing"


def gauge_chart(trace: GaugeTrace) -> Chart:
    """Prices over the steps of a trace, and the plane of cost against gain.

    The price of each edit is drawn at its step. Lines of equal F are those of the first
    price's lambda; a trace without prices has empty axes.
    """
    drawn, (time, plane) = panelled(trace.title, 2)
    drawn.figure.set_size_inches(6.75, 2.9)
    at = [n for n, _ in trace.prices]
    told = [one for _, one in trace.prices]
    time.plot(at, [one.price.g0 for one in told], label="g0", **_SPOT)
    time.plot(at, [one.price.g_min for one in told], label="g min", **_BEST)
    for name, look in (("ag", ":"), ("dg", "-.")):
        levels = [getattr(one, f"theta_{name}") for one in told]
        there = [_NAN if level is None else level for level in levels]
        line: dict[str, Any] = {"color": "#000000", "linewidth": 0.8, "linestyle": look}
        time.plot(at, there, label=f"θ {name.upper()}", **line)
    for gate, case in (("ag", "explore on"), ("dg", "integrate")):
        marks = [(n, one.price) for n, one in trace.prices if fires(one, gate)]
        values = [price.g0 if gate == "ag" else price.g_min for _, price in marks]
        dots = {**_LOOKS[case], "markersize": 3.5, "linestyle": ""}
        time.plot([n for n, _ in marks], values, label=f"{gate.upper()} fires", **dots)
    time.set(xlabel="step", ylabel="F")
    _plane(plane, told)
    for axis in (time, plane):
        axis.legend(fontsize=6, frameon=False, loc="best")
    return drawn.done(legend=False)


def _plane(axis: Axes, told: Sequence[Priced]) -> None:
    """Where edits are: gain, then cost, at their best hop; a look for each case."""
    for name in CASES:
        best = [(one, one.terms[one.price.hop]) for one in told if case_of(one) == name]
        look = {**_LOOKS[name], "markersize": 3.5, "linestyle": "", "alpha": 0.7}
        gains = [terms.gain + one.gamma * terms.shorter for one, terms in best]
        axis.plot(gains, [terms.cost for _, terms in best], label=name, **look)
    axis.set(xlabel="gain + γ shorter", ylabel="cost")
    if not told:
        return
    low, high = axis.get_xlim()
    least, most = axis.get_ylim()
    for step in range(-8, 9):
        ends = [step / 2 + told[0].lam * gain for gain in (low, high)]
        axis.plot((low, high), ends, color="#BBBBBB", linewidth=0.5, zorder=0)
    axis.set(xlim=(low, high), ylim=(least, most))


def trace_of(
    folder: str | Path, question: str | None = None, seed: int | None = None
) -> GaugeTrace:
    """What a run's gauge said.

    Of mazes the walk of a `seed` (else the first), walked again as it was; of a run
    over a text what a `question` makes its memory do, or else what reading did.

    Raises:
        GswlabError: the folder holds no run, or nothing of it was priced.
    """
    course = walked_before(Path(folder))
    if course is not None:
        number = course.mazes.numbers[0] if seed is None else seed
        return film(course.mazes, number, course.config.build("agent"))
    lab = config.reopen(folder)
    if question is None:
        trace = of_steps(lab.journal.steps(), str(Path(folder).name))
    else:
        trace = of_events(lab.memory.recall(question, lab.budget).trace, question)
    if not trace.prices:
        rule = "memory=gedig or gsw_gauged prices recall, reconciler=gauged reading"
        asked = "" if question is None else f" for {question!r}"
        raise GswlabError(f"nothing was priced{asked} in {folder}", rule)
    return trace


def write_trace(trace: GaugeTrace, path: str | Path) -> Path:
    """A trace as a page, or as a figure where `path` ends as one."""
    if Path(path).suffix in FORMATS:
        return gauge_chart(trace).save(path)
    return gauge_page(trace).write(path)

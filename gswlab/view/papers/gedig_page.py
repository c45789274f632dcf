"""The trace of a gauge as one page: time, prices, the plane, the scene, in one file.

- Offline and by the keyboard, like the page of a run (`gswlab.view.run.page`).
- What the sliders show is weighed in the page from recorded terms; nothing is run.
- Everything drawn is also a table, which reads without scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
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
    kept_edit,
    named_nodes,
    of_events,
    of_steps,
)
from gswlab.view.run.words import worded

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SCRIPTS = tuple(
    f"papers/{name}.js"
    for name in ("gauge", "gauge_scene", "gauge_charts", "gauge_page")
)
_NAMED = 6  # nodes and edges of an edit that are named
_MOVED = ("kind", "frames", "held", "open", "nodes", "edges")  # what a script moves
_DRAWN = {  # keys that a page has another place for
    *("g0", "g_min", "hop", "cost", "gain", "shorter", "terms", "lam", "gamma"),
    *("theta_ag", "theta_dg", "ag", "dg", "action", "gate", "reason", "kept"),
    *("nodes", "labels", "edges", "gone"),
}
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
    edits = [_edit(trace, one) for _, one in trace.prices]
    return described(
        f"{trace.title}: the gauge, step by step",
        "papers/gauge.html",
        ("papers/gauge.css",),
        _SCRIPTS,
        trace.caption,
        1150,
        data=trace_payload(trace, edits),
        title=trace.title,
        last=max(len(trace.beats) - 1, 0),
        prices=trace.prices,
        edits=edits,
        case_of=case_of,
        beats=trace.beats,
        scene=trace.scene,
        maze="frames" in trace.scene,
        reach=_reach([one for _, one in trace.prices]),
    )


def _reach(told: Sequence[Priced]) -> tuple[float, float, float]:
    """Where the sliders of a threshold begin and end, and that of λ ends: past all."""
    ends = [v for one in told for v in (one.price.g0, one.price.g_min)]
    ends += [v for one in told for v in (one.theta_ag, one.theta_dg) if v is not None]
    lam = max([3, *(2 * one.lam for one in told)])
    return floor(min([-1, *ends])) - 0.5, ceil(max([1, *ends])) + 0.5, ceil(lam)


def trace_payload(trace: GaugeTrace, edits: Sequence[str]) -> dict[str, Any]:
    """What the script of a page reads: prices with their terms and `edits` in words."""
    prices = [
        {
            "beat": beat,
            "terms": [[t.cost, t.gain, t.shorter] for t in one.terms],
            "lam": one.lam,
            "gamma": one.gamma,
            "ag": one.theta_ag,
            "dg": one.theta_dg,
            "gate": one.data.get("gate"),
            "action": named_nodes(one.action),
            "reason": named_nodes(one.data.get("reason", "")),
            "kept": kept_edit(one),
            "edit": edit,
            "to": one.data.get("to"),
            "more": worded({k: v for k, v in one.data.items() if k not in _DRAWN}),
            "nodes": [*map(_named, one.data.get("nodes", ()))],
            "edges": [[*map(_named, pair)] for pair in one.data.get("edges", ())],
        }
        for (beat, one), edit in zip(trace.prices, edits, strict=True)
    ]
    beats = [named_nodes(beat.label) for beat in trace.beats]
    scene = {name: trace.scene[name] for name in _MOVED if name in trace.scene}
    return {"beats": beats, "prices": prices, "scene": scene}


def _named(node: Any) -> Any:
    return node if isinstance(node, tuple) else named_nodes(node)  # a cell: numbers


def _edit(trace: GaugeTrace, priced: Priced) -> str:
    nodes = trace.scene.get("nodes", {})

    def name(node: Any) -> str:
        known = named_nodes(node)
        return named_nodes(nodes[known][2]) if known in nodes else known

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

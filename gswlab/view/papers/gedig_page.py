"""The trace of a gauge as one page: time, prices, the plane, the scene, in one file.

- Offline and by the keyboard, like the page of a run (`gswlab.view.run.page`).
- What the sliders show is weighed in the page from recorded terms; nothing is run.
- Everything drawn is also a table, which reads without scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.gedig.record import Priced
from gswlab.lab import config
from gswlab.view.kit.chart import FORMATS, Chart, panelled
from gswlab.view.kit.page import Page, described
from gswlab.view.papers import gedig_trace as traces
from gswlab.view.papers.gedig_maze import film
from gswlab.view.run.words import worded

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SCRIPTS = tuple(
    f"papers/{name}.js"
    for name in ("gauge", "gauge_scene", "gauge_charts", "gauge_page")
)
_MOVED = ("kind", "frames", "held", "open", "nodes", "edges")  # what a script moves
_READ = (  # of a price, by a script
    *("terms", "gamma", "theta_ag", "theta_dg", "action", "gate", "reason"),
    *("nodes", "edges"),
)
_TOLD = {  # of a price, elsewhere in the page
    *_READ,
    *("g0", "g_min", "hop", "cost", "gain", "shorter", "lam", "ag", "dg"),
    *("kept", "labels", "gone"),
}
_NAN = float("nan")
_LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "g0": ("price.g0", {"color": "#0072B2", "linestyle": "-", "linewidth": 1}),
    "g min": ("price.g_min", {"color": "#CC79A7", "linestyle": "--", "linewidth": 1}),
    "θ AG": ("theta_ag", {"color": "#000000", "linestyle": ":", "linewidth": 0.8}),
    "θ DG": ("theta_dg", {"color": "#000000", "linestyle": "-.", "linewidth": 0.8}),
}
_GATES = ("ag", "g0", "explore on"), ("dg", "g min", "integrate")
_DOTS: dict[str, Any] = {"markersize": 3.5, "linestyle": ""}
_LOOKS: dict[str, dict[str, Any]] = {
    "integrate": {"color": "#009E73", "marker": "o", **_DOTS},
    "explore on": {"color": "#D55E00", "marker": "^", **_DOTS},
    "redundant": {"color": "#777777", "marker": "s", **_DOTS},
}


def gauge_page(trace: traces.GaugeTrace) -> Page:
    """The page of a trace."""
    prices = [
        {
            **{key: _named(one.data.get(key)) for key in (*_READ, "to")},
            "beat": beat,
            "lam": one.lam,
            "kept": traces.kept_edit(one),
            "more": worded({k: v for k, v in one.data.items() if k not in _TOLD}),
        }
        for beat, one in trace.prices
    ]
    moved = {name: trace.scene[name] for name in _MOVED if name in trace.scene}
    beats = [traces.named_nodes(beat.label) for beat in trace.beats]
    return described(
        f"{trace.title}: the gauge, step by step",
        "papers/gauge.html",
        ("papers/gauge.css",),
        _SCRIPTS,
        trace.caption,
        1150,
        data={"beats": beats, "prices": prices, "scene": moved},
        title=trace.title,
        trace=trace,
        named=traces.named_nodes,
        case_of=traces.case_of,
    )


def _named(value: Any) -> Any:
    """A value as a page may show it: text is cut, a cell of a maze stays numbers."""
    if isinstance(value, list | tuple):
        return [*map(_named, value)]
    return traces.named_nodes(value) if isinstance(value, str) else value


def gauge_chart(trace: traces.GaugeTrace) -> Chart:
    """Prices over the steps of a trace, and the plane of cost against gain.

    The price of each edit is drawn at its step. Lines of equal F are those of the first
    price's lambda; a trace without prices has empty axes.
    """
    drawn, (time, plane) = panelled(trace.title, 2)
    drawn.figure.set_size_inches(6.75, 2.9)
    told = [one for _, one in trace.prices]
    for label, (path, look) in _LINES.items():
        values = [_NAN if v is None else v for v in map(attrgetter(path), told)]
        time.plot([n for n, _ in trace.prices], values, label=label, **look)
    for gate, line, case in _GATES:
        value = attrgetter(_LINES[line][0])
        fired = [(n, value(p)) for n, p in trace.prices if traces.fires(p, gate)]
        at, values = [n for n, _ in fired], [v for _, v in fired]
        time.plot(at, values, label=f"{gate.upper()} fires", **_LOOKS[case])
    time.set(xlabel="step", ylabel="F")
    _plane(plane, told)
    for axis in (time, plane):
        axis.legend(fontsize=6, frameon=False, loc="best")
    return drawn.done(legend=False)


def _plane(axis: Axes, told: Sequence[Priced]) -> None:
    """Where edits are: gain, then cost, at their best hop; a look for each case."""
    for name, look in _LOOKS.items():
        own = [one for one in told if traces.case_of(one) == name]
        best = [(one.gamma, one.terms[one.price.hop]) for one in own]
        gains = [terms.gain + gamma * terms.shorter for gamma, terms in best]
        costs = [terms.cost for _, terms in best]
        axis.plot(gains, costs, label=name, alpha=0.7, **look)
    axis.set(xlabel="gain + γ shorter", ylabel="cost")
    if not told:
        return
    limits = {"xlim": axis.get_xlim(), "ylim": axis.get_ylim()}
    for step in range(-8, 9):
        ends = [step / 2 + told[0].lam * gain for gain in limits["xlim"]]
        axis.plot(limits["xlim"], ends, color="#BBBBBB", linewidth=0.5, zorder=0)
    axis.set(**limits)


def trace_of(
    folder: str | Path, question: str | None = None, seed: int | None = None
) -> traces.GaugeTrace:
    """What a run's gauge said.

    Of mazes the walk of a `seed` (else the first), walked again as it was; of a run
    over a text what a `question` makes its memory do, or else what reading did.

    Raises:
        GswlabError: the folder holds no run, or nothing of it was priced.
    """
    course = config.walked_before(Path(folder))
    if course is not None:
        number = course.mazes.numbers[0] if seed is None else seed
        return film(course.mazes, number, course.config.build("agent"))
    lab = config.reopen(folder)
    if question is None:
        trace = traces.of_steps(lab.journal.steps(), Path(folder).name)
    else:
        events = lab.memory.recall(question, lab.budget).trace
        trace = traces.of_events(events, question)
    if not trace.prices:
        rule = "memory=gedig or gsw_gauged prices recall, reconciler=gauged reading"
        asked = "" if question is None else f" for {question!r}"
        raise GswlabError(f"nothing was priced{asked} in {folder}", rule)
    return trace


def write_trace(trace: traces.GaugeTrace, path: str | Path) -> Path:
    """A trace as a page, or as a figure where `path` ends as one."""
    if Path(path).suffix in FORMATS:
        return gauge_chart(trace).save(path)
    return gauge_page(trace).write(path)

"""The trace of a gauge as one page: time, prices, the plane, the scene, in one file.

- Offline and by the keyboard, like the page of a run (`gswlab.view.run.page`).
- What the sliders show is weighed in the page from recorded terms; nothing is run.
- Everything drawn is also a table, which reads without scripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.gedig.record import Priced
from gswlab.lab import config
from gswlab.lab.config import walked_before
from gswlab.view.kit.chart import FORMATS, Chart, panelled
from gswlab.view.kit.page import Page, asset, document, filled, json_text, sources
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import rows_html
from gswlab.view.papers.gedig_maze import film
from gswlab.view.papers.gedig_trace import (
    CASES,
    GaugeTrace,
    case_of,
    fires,
    named,
    of_events,
    of_steps,
    payload,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SCRIPTS = tuple(
    f"papers/{name}.js"
    for name in ("gauge", "gauge_scene", "gauge_charts", "gauge_page")
)
_PRICES = (
    *("price", "step", "edit", "what was done", "hop", "cost", "gain", "shorter"),
    *("λ", "θ AG", "θ DG", "g0", "g min", "case"),
)
_NAMED = 6  # nodes of an edit that a cell of the table names


def gauge_page(trace: GaugeTrace) -> Page:
    """The page of a trace.

    >>> gauge_page(GaugeTrace("empty", ())).title
    'empty: the gauge, step by step'
    """
    data = payload(trace)
    scripts = tuple(asset(name) for name in _SCRIPTS)
    style = "\n".join(asset(name) for name in ("run/parts.css", "papers/gauge.css"))
    body = filled(
        "papers/gauge.html",
        title=escape(trace.title),
        caption=escape(trace.caption),
        last=max(len(trace.beats) - 1, 0),
        price_table=_price_table(trace),
        beat_table=_beat_table(trace),
        scene_table=_scene_table(data["scene"]),
        data=json_text(data),
        scripts="".join(f"<script>{script}</script>\n" for script in scripts),
    )
    name = f"{trace.title}: the gauge, step by step"
    html = document(name, style, body, sources(scripts))
    return Page(html, name, trace.caption, 1150)


def write_gauge_page(trace: GaugeTrace, path: str | Path) -> Path:
    """Write the page of a trace to `path`."""
    return gauge_page(trace).write(path)


def _price_table(trace: GaugeTrace) -> str:
    names = {node: str(told[2]) for node, told in trace.scene.get("nodes", {}).items()}
    rows = (
        _price_row(n, beat, priced, names)
        for n, (beat, priced) in enumerate(trace.prices)
    )
    return rows_html(_PRICES, rows, "price-rows")


def _price_row(
    n: int, beat: int, priced: Priced, names: Mapping[str, str]
) -> tuple[str, ...]:
    price = priced.price
    best = price.terms[price.hop]
    figures = (best.cost, best.gain, best.shorter, priced.lam)
    return (
        f'<button type="button" data-price="{n}">{n + 1}</button>',
        str(beat),
        escape(_edit(priced, names)),
        escape(priced.action),
        str(price.hop),
        *(f"{value:.3f}" for value in figures),
        *("none" if t is None else f"{t:.3f}" for t in _thresholds(priced)),
        f"{price.g0:.3f}",
        f"{price.g_min:.3f}",
        case_of(priced),
    )


def _thresholds(priced: Priced) -> tuple[float | None, float | None]:
    return priced.theta_ag, priced.theta_dg


def _edit(priced: Priced, names: Mapping[str, str]) -> str:
    def name(node: Any) -> str:
        if isinstance(node, (tuple, list)):
            return f"({', '.join(map(str, node))})"
        return named(names.get(named(node), node))

    def lines(sign: str, side: str) -> list[str]:
        edges = priced.data.get(side, ())
        return [f"{sign} {name(a)} – {name(b)}" for a, b in edges]

    told = [f"+ {name(node)}" for node in priced.data.get("nodes", ())]
    told += lines("+", "edges") + lines("−", "gone")
    more = [f"and {len(told) - _NAMED} more"] if len(told) > _NAMED else []
    return "; ".join([*told[:_NAMED], *more]) or "nothing"


def _beat_table(trace: GaugeTrace) -> str:
    frames = trace.scene.get("frames", [{}] * len(trace.beats))
    rows = (
        (str(n), escape(beat.label), str(len(beat.prices)), *_frame(frame))
        for n, (beat, frame) in enumerate(zip(trace.beats, frames, strict=True))
    )
    maze = ("cell", "edges new", "cells found", "cells closed")
    heads = ("step", "what", "prices", *(maze if "frames" in trace.scene else ()))
    return rows_html(heads, rows)


def _frame(frame: Mapping[str, Any]) -> Iterator[str]:
    if "at" not in frame:
        return
    row, col = frame["at"]
    yield f"({row}, {col})"
    for side in ("gained", "opened", "closed"):
        yield str(len(frame.get(side, ())))


def _scene_table(scene: Mapping[str, Any]) -> str:
    if scene.get("kind") == "maze":
        rows = "\n".join(scene["rows"])
        return f"<p>Walls are #, the way is a dot.</p><pre>{escape(rows)}</pre>"
    names = {node: told[2] for node, told in scene.get("nodes", {}).items()}
    rows_ = (
        (escape(str(names[a])), escape(str(names[b])), str(n))
        for a, b, n in scene.get("edges", ())
    )
    return rows_html(("from", "to", "since step"), rows_)


# The trace of a gauge as a vector figure: prices over time beside the plane.

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


# The trace of a run folder: of a maze, of a question to its memory, of its steps.


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
    return write_gauge_page(trace, path)

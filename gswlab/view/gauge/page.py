"""The trace of a gauge as one page: time, prices, the plane, the scene, in one file.

- Offline and by the keyboard, like the page of a run (`gswlab.view.run.page`).
- What the sliders show is weighed in the page from recorded terms; nothing is run.
- Everything drawn is also a table, which reads without scripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gswlab.gedig.record import Priced
from gswlab.view.gauge.graph import named
from gswlab.view.gauge.trace import GaugeTrace, case_of, payload
from gswlab.view.run.page import Page
from gswlab.view.shell import asset, document, filled, json_text, sources
from gswlab.view.spans import escape
from gswlab.view.tables import rows_html

_SCRIPTS = tuple(
    f"gauge/{name}.js"
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
    style = "\n".join(asset(name) for name in ("run/parts.css", "gauge/gauge.css"))
    body = filled(
        "gauge/gauge.html",
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

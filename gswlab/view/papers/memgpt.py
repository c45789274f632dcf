"""What fills the window of an agent: a table, bars over time, a page with a slider.

Everything is drawn from a run's steps (`gswlab.memgpt.window`), so any moment
of a run that is over is shown as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gswlab.core.nouns import Chunk
from gswlab.core.step import Step
from gswlab.memgpt.window import WHY, Moment, Window, fates
from gswlab.view.kit.chart import HATCHES, STYLES, Chart, chart
from gswlab.view.kit.page import Page, described, rendered
from gswlab.view.kit.tables import Table, told_table
from gswlab.view.run.events_as_graph import windows
from gswlab.view.run.parts import PAPERS, AtStep, PaperPart

PARTS = tuple(WHY)
_PAGED = {"page_ins": "paged in", "page_outs": "paged out", "hits": "hits"}
_PALE = ("#B3B3B3", "#8C8C8C", "#666666", "#D9D9D9")  # what is always there
COLOURS = dict(zip(PARTS, (*_PALE, *(s["color"] for s in STYLES)), strict=False))
_LOOK: dict[str, Any] = {"colours": COLOURS, "why": WHY}


def _moments_at(steps: Sequence[Step], chunks: Sequence[Chunk]) -> AtStep:
    told = windows(steps, chunks)
    return lambda k: rendered("papers/at_step.html", moment=told.get(k), **_LOOK)


PAPERS.append(PaperPart("window", _moments_at, last=True))


def window_table(window: Window) -> Table:
    """The parts of a window, a row each; above them the sum that gives a queue room."""
    return told_table("papers/window.txt", window=window)


def window_chart(told: Sequence[Moment]) -> Chart:
    """Tokens by part after each step, stacked; above them what was paged in and out."""
    drawn, axis = chart("What fills the window")
    drawn.figure.set_size_inches(7.2, 3.6)
    at = [moment.index + 1 for moment in told]
    base = [0.0] * len(told)
    for n, part in enumerate(PARTS):
        tokens = [float(moment.parts.get(part, 0)) for moment in told]
        if not any(tokens):
            continue
        hatch = HATCHES[n % len(HATCHES)]
        look: dict[str, Any] = {"color": COLOURS[part], "width": 0.9, "hatch": hatch}
        axis.bar(at, tokens, bottom=base, label=part, **look)
        base = [a + b for a, b in zip(base, tokens, strict=True)]
    total = max((m.terms["total"] for m in told), default=0)
    axis.axhline(total, color="black", linewidth=1, label="the window")
    for name, height, mark in (("page_ins", 1.04, "^"), ("page_outs", 1.10, "v")):
        paged = [moment.index + 1 for moment in told if moment.paging.get(name)]
        look = {"linestyle": "", "marker": mark, "markersize": 5, "color": "black"}
        axis.plot(paged, [total * height] * len(paged), label=_PAGED[name], **look)
    axis.set(xlabel="step", ylabel="tokens", ylim=(0, total * 1.16))
    return drawn.done()


def fates_table(told: Sequence[Moment]) -> Table:
    """What people said and left the window: when, in the summary or not, when back."""
    return told_table("papers/fates.txt", rows=fates(told).to_dict("records"))


def window_page(told: Sequence[Moment]) -> Page:
    """Every moment of a run as one page that opens anywhere, with a slider.

    Without scripts all moments read from top to bottom.
    """
    return described(
        "The window, step by step",
        "papers/window.html",
        ("papers/window.css",),
        ("papers/slides.js",),
        f"{len(told)} moments" if told else "nothing was said yet",
        640,
        last=max(len(told), 1),
        moments=told,
        paged=_PAGED,
        **_LOOK,
    )

"""What fills the window of an agent: a table, bars over time, a page with a slider.

Everything is drawn from a run's steps (`gswlab.memgpt.window`), so any moment
of a run that is over is shown as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gswlab.core.nouns import Chunk
from gswlab.core.step import Step
from gswlab.memgpt.window import (
    WHY,
    Moment,
    QueueEntry,
    Window,
    WindowPart,
    fates,
    moments,
)
from gswlab.view.kit.chart import HATCHES, STYLES, Chart, chart
from gswlab.view.kit.page import Page, asset, document, sources, stylesheet
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import Table

OTHER = (AttributeError, KeyError, TypeError, ValueError)  # than the layout we know


def windows(steps: Sequence[Step], chunks: Iterable[Chunk]) -> dict[int, Moment]:
    """The window after each step that has one, by the step's index."""
    try:
        return {moment.index: moment for moment in moments(steps, chunks)}
    except OTHER:
        return {}


# What fills the window of an agent at one moment: a bar, its sum, the queue.

PARTS = tuple(WHY)
_PALE = ("#B3B3B3", "#8C8C8C", "#666666", "#D9D9D9")  # what is always there
COLOURS = {
    **dict(zip(PARTS[:4], _PALE, strict=True)),
    **{part: STYLES[n]["color"] for n, part in enumerate(PARTS[4:])},
}


def moment_parts(moment: Moment) -> str:
    """What fills the window at one moment: a bar, its sum, the queue as a table."""
    terms = moment.terms
    parts = {name: moment.parts[name] for name in PARTS if name in moment.parts}
    bars = "".join(
        f'<i style="width:{tokens / terms["total"]:.3%};background:{COLOURS[part]}" '
        f'title="{part}: {tokens:,} tokens"></i>'
        for part, tokens in parts.items()
    )
    summary = (
        f'<p class="summary"><b>summary of {moment.hidden} entries</b> '
        f"{escape(moment.summary)}</p>"
        if moment.hidden
        else ""
    )
    rows = "".join(_entry(entry, moment) for entry in moment.entries)
    return (
        f'<div class="stack" role="img" aria-label="{_said(parts)}">{bars}</div>'
        f"<p class='quiet'>{terms['total']:,} window: {_said(parts)}; "
        f"{terms['free']:,} of {terms['capacity']:,} free for the queue</p>{summary}"
        f"<table><thead><tr><th>id</th><th>entry</th><th>tokens</th><th>since</th>"
        f"<th>text</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _said(parts: Mapping[str, int]) -> str:
    return ", ".join(f"{tokens:,} {part}" for part, tokens in parts.items())


def _entry(entry: QueueEntry, moment: Moment) -> str:
    new = ' class="new"' if entry.id in moment.came else ""
    mark = "+ " if entry.id in moment.came else ""
    cells = entry.id, f"{mark}{entry.kind}", f"{entry.tokens:,}", f"step {entry.since}"
    told = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr{new}>{told}<td>{escape(entry.text or WHY[entry.kind])}</td></tr>"


def window_table(window: Window) -> Table:
    """The parts of a window, a row each; above them the sum that gives a queue room."""
    terms = window.terms
    fixed = ("system", "core", "functions", "reply")
    sum_ = " - ".join(f"{terms[name]:,} {name}" for name in fixed)
    caption = (
        f"{terms['total']:,} window - {sum_} = {terms['capacity']:,} for the queue; "
        f"{terms['queue']:,} used, {terms['free']:,} free"
    )
    rows = tuple(
        (
            p.part,
            p.id,
            f"{p.tokens:,}",
            f"{p.tokens / window.total:.1%}",
            p.why,
            _brief(p),
        )
        for p in window.parts
    )
    return Table(("part", "id", "tokens", "share", "why", "text"), rows, caption)


def _brief(part: WindowPart, most: int = 160) -> str:
    """The beginning of a part's text: all of it is in `Window.to_frame`."""
    text = " ".join(part.text.split())
    return text if len(text) <= most else f"{text[: most - 3]}..."


def window_chart(told: Sequence[Moment], title: str = "What fills the window") -> Chart:
    """Tokens by part after each step, stacked; above them what was paged in and out."""
    drawn, axis = chart(title)
    drawn.figure.set_size_inches(7.2, 3.6)
    at = [moment.index for moment in told]
    base = [0.0] * len(told)
    for n, part in enumerate(PARTS):
        tokens = [float(moment.parts.get(part, 0)) for moment in told]
        if not any(tokens):
            continue
        look: dict[str, Any] = {"color": COLOURS[part], "width": 0.9}
        hatch = HATCHES[n % len(HATCHES)]
        axis.bar(at, tokens, bottom=base, label=part, hatch=hatch, **look)
        base = [a + b for a, b in zip(base, tokens, strict=True)]
    total = max((m.terms["total"] for m in told), default=0)
    axis.axhline(total, color="black", linewidth=1, label="the window")
    _marks(axis, told, "page_ins", total * 1.04, "^", "paged in")
    _marks(axis, told, "page_outs", total * 1.10, "v", "paged out")
    axis.set(xlabel="step", ylabel="tokens", ylim=(0, total * 1.16))
    return drawn.done()


def _marks(
    axis: Any, told: Sequence[Moment], name: str, height: float, mark: str, label: str
) -> None:
    at = [moment.index for moment in told if moment.paging.get(name)]
    look = {"linestyle": "", "marker": mark, "markersize": 5, "color": "black"}
    axis.plot(at, [height] * len(at), label=label, **look)


def fates_table(told: Sequence[Moment]) -> Table:
    """What people said and left the window: when, in the summary or not, when back."""
    rows = tuple(
        (
            row["text"],
            f"step {row['came']}",
            f"step {row['evicted']}",
            "yes" if row["summarised"] else "no",
            ", ".join(f"step {k}" for k in row["back"]) or "never",
        )
        for row in fates(told).to_dict("records")
        if row["role"] == "user"
    )
    heads = ("said", "came", "evicted", "in the summary", "paged in again")
    return Table(heads, rows, "Evicted, and in recall storage for ever")


def window_page(
    told: Sequence[Moment], title: str = "The window, step by step"
) -> Page:
    """Every moment of a run as one page that opens anywhere, with a slider.

    Without scripts all moments read from top to bottom.
    """
    script = asset("papers/window.js")
    last = len(told) - 1
    caption = f"{len(told)} moments" if told else "nothing was said yet"
    slider = (
        '<label for="time">Step</label> <input id="time" type="range" min="0" '
        f'max="{max(last, 0)}" value="{max(last, 0)}"> <output id="at"></output>'
    )
    moments = "".join(_moment(n, moment) for n, moment in enumerate(told))
    body = (
        f"<body><main class='gswlab sheet'><h1>{escape(title)}</h1>"
        f"<p class='caption'>{caption}; {_legend()}</p>"
        f"<div class='controls'>{slider}</div>{moments}</main>"
        f"<script>{script}</script></body></html>"
    )
    style = f"{stylesheet()}\n{asset('papers/window.css')}"
    return Page(document(title, style, body, sources((script,))), title, caption, 640)


def _legend() -> str:
    return " ".join(
        f'<span class="key"><i style="background:{COLOURS[part]}"></i>{part}</span>'
        for part in PARTS
    )


def _moment(number: int, moment: Moment) -> str:
    head = f"step {moment.index}: {_done(moment)}"
    return (
        f'<section data-step="{number}"><h2>{escape(head)}</h2>'
        f"{moment_parts(moment)}</section>"
    )


def _done(moment: Moment) -> str:
    paging = moment.paging
    done = [
        f"{paging.get('page_ins', 0)} paged in",
        f"{paging.get('page_outs', 0)} paged out",
        f"{paging.get('hits', 0)} hits",
    ]
    if moment.warned:
        done.append("warned")
    if moment.went:
        done.append(f"{len(moment.went)} entries evicted")
    if moment.stopped:
        done.append(f"stopped: {moment.stopped}")
    return ", ".join(done)


def evicted_at(told: Sequence[Moment], words: str) -> int | None:
    """The first step at which a message with these words left the window."""
    for row in fates(told).to_dict("records"):
        if words in row["text"]:
            return int(row["evicted"])
    return None

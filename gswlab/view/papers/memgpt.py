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
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import Table
from gswlab.view.run.events_as_graph import windows
from gswlab.view.run.parts import PAPERS, AtStep, PaperPart

PARTS = tuple(WHY)
_BRIEF = 160  # characters of a part that its row shows
_PAGED = {"page_ins": "paged in", "page_outs": "paged out", "hits": "hits"}
_PALE = ("#B3B3B3", "#8C8C8C", "#666666", "#D9D9D9")  # what is always there
COLOURS = dict(zip(PARTS, (*_PALE, *(s["color"] for s in STYLES)), strict=False))


def moment_parts(moment: Moment) -> str:
    """What fills the window at one moment: a bar, its sum, the queue as a table."""
    terms = moment.terms
    parts = {name: moment.parts[name] for name in PARTS if name in moment.parts}
    said = ", ".join(f"{tokens:,} {part}" for part, tokens in parts.items())
    bars = "".join(
        f'<i style="width:{tokens / terms["total"]:.3%};background:{COLOURS[part]}" '
        f'title="{part}: {tokens:,} tokens"></i>'
        for part, tokens in parts.items()
    )
    summary = ""
    if moment.hidden:
        head = f"<b>summary of {moment.hidden} entries</b>"
        summary = f'<p class="summary">{head} {escape(moment.summary)}</p>'
    rows = ""
    for entry in moment.entries:
        new = entry.id in moment.came
        kind, text = f"{'+ ' * new}{entry.kind}", entry.text or WHY[entry.kind]
        cells = entry.id, kind, f"{entry.tokens:,}", f"step {entry.since + 1}", text
        told = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows += f"<tr class='new'>{told}</tr>" if new else f"<tr>{told}</tr>"
    return (
        f'<div class="stack" role="img" aria-label="{said}">{bars}</div>'
        f"<p class='quiet'>{terms['total']:,} window: {said}; "
        f"{terms['free']:,} of {terms['capacity']:,} free for the queue</p>{summary}"
        f"<table><thead><tr><th>id</th><th>entry</th><th>tokens</th><th>since</th>"
        f"<th>text</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _moments_at(steps: Sequence[Step], chunks: Sequence[Chunk]) -> AtStep:
    told = windows(steps, chunks)

    def window(k: int) -> str:
        if k not in told:
            return ""
        inner = f"<h3>The window</h3>{moment_parts(told[k])}"
        return f'<section class="window">{inner}</section>'

    return window


PAPERS.append(PaperPart("window", _moments_at, last=True))


def window_table(window: Window) -> Table:
    """The parts of a window, a row each; above them the sum that gives a queue room."""
    terms = window.terms
    fixed = ("system", "core", "functions", "reply")
    sum_ = " - ".join(f"{terms[name]:,} {name}" for name in fixed)
    caption = (
        f"{terms['total']:,} window - {sum_} = {terms['capacity']:,} for the queue; "
        f"{terms['queue']:,} used, {terms['free']:,} free"
    )
    rows = []
    for p in window.parts:
        text = " ".join(p.text.split())  # all of it is in `Window.to_frame`
        brief = text if len(text) <= _BRIEF else f"{text[: _BRIEF - 3]}..."
        share = f"{p.tokens / window.total:.1%}"
        rows.append((p.part, p.id, f"{p.tokens:,}", share, p.why, brief))
    return Table(("part", "id", "tokens", "share", "why", "text"), (*rows,), caption)


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
    rows = []
    for row in fates(told).to_dict("records"):
        if row["role"] == "user":
            left = row["text"], f"step {row['came'] + 1}", f"step {row['evicted'] + 1}"
            back = ", ".join(f"step {k + 1}" for k in row["back"]) or "never"
            rows.append((*left, "yes" if row["summarised"] else "no", back))
    heads = ("said", "came", "evicted", "in the summary", "paged in again")
    return Table(heads, (*rows,), "Evicted, and in recall storage for ever")


def window_page(told: Sequence[Moment]) -> Page:
    """Every moment of a run as one page that opens anywhere, with a slider.

    Without scripts all moments read from top to bottom.
    """
    title = "The window, step by step"
    caption = f"{len(told)} moments" if told else "nothing was said yet"
    key = " ".join(
        f'<span class="key"><i style="background:{COLOURS[part]}"></i>{part}</span>'
        for part in PARTS
    )
    moments = ""
    for number, moment in enumerate(told):
        paging = moment.paging
        done = [f"{paging.get(name, 0)} {said}" for name, said in _PAGED.items()]
        done += ["warned"] * bool(moment.warned)
        done += [f"{len(moment.went)} entries evicted"] * bool(moment.went)
        done += [f"stopped: {moment.stopped}"] * bool(moment.stopped)
        head = escape(f"step {moment.index + 1}: {', '.join(done)}")
        moments += (
            f'<section data-step="{number}"><h2>{head}</h2>'
            f"{moment_parts(moment)}</section>"
        )
    return described(
        title,
        "papers/window.html",
        ("papers/window.css",),
        ("papers/window.js",),
        caption,
        640,
        title=title,
        key=key,
        last=max(len(told) - 1, 0),
        moments=moments,
    )


def evicted_at(told: Sequence[Moment], words: str) -> int | None:
    """The first step at which a message with these words left the window."""
    rows = fates(told).to_dict("records")
    return next((int(row["evicted"]) for row in rows if words in row["text"]), None)

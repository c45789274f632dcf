"""What fills the window of an agent at one moment: a bar, its sum, the queue."""

from __future__ import annotations

from collections.abc import Mapping

from gswlab.memgpt.window import WHY
from gswlab.memgpt.window_trace import Entry, Moment
from gswlab.view.charts.styles import STYLES
from gswlab.view.spans import escape

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


def _entry(entry: Entry, moment: Moment) -> str:
    new = ' class="new"' if entry.id in moment.came else ""
    mark = "+ " if entry.id in moment.came else ""
    cells = entry.id, f"{mark}{entry.kind}", f"{entry.tokens:,}", f"step {entry.since}"
    told = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr{new}>{told}<td>{escape(entry.text or WHY[entry.kind])}</td></tr>"

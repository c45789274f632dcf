"""Two futures side by side: what differs, in a sign and in words, as tables.

Every difference is told in two channels beside its colour: a sign with its word, and
the line at its left (solid: added, dashed: removed, double: changed, dotted: merged).
A page has no script at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from gswlab.core.diff import Diff
from gswlab.core.journal import Journal
from gswlab.core.nouns import visible
from gswlab.lab.futures.ask import Replies, said
from gswlab.lab.futures.fork import Futures
from gswlab.lab.futures.orders import Band, Orders
from gswlab.view.kit.chart import STYLES, Chart, chart
from gswlab.view.kit.page import Page, asset, document, filled, stylesheet
from gswlab.view.kit.spans import Ground, escape, isolated
from gswlab.view.kit.tables import rows_html
from gswlab.view.run.history import History
from gswlab.view.run.parts import Parts

if TYPE_CHECKING:
    import pandas as pd


What = Literal["added", "removed", "changed", "merged", "same"]
SIGNS: Mapping[What, str] = {
    "added": "+",
    "removed": "−",
    "changed": "◎",
    "merged": "⇢",
    "same": "=",
}
FUTURE_ROWS = 60  # rows of a table in a notebook or page; `.to_frame()` has all


class _Row(NamedTuple):
    """A line of a table and what it is: cells are text of any origin."""

    what: What
    cells: tuple[str, ...]


def marked_table(caption: str, heads: Sequence[str], rows: Sequence[_Row]) -> str:
    """Rows with their signs under `heads`; what is left out is said."""
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in ("what", *heads))
    body = "".join(map(_row, rows[:FUTURE_ROWS]))
    if (left := len(rows) - FUTURE_ROWS) > 0:
        more = f"and {left} more: .to_frame() has them all"
        body += f'<tr><td colspan="{len(heads) + 1}">{more}</td></tr>'
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(row: _Row) -> str:
    cells = "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in row.cells)
    sign = f'<b class="sign" aria-hidden="true">{SIGNS[row.what]}</b> {row.what}'
    return f'<tr class="{row.what}"><td class="what">{sign}</td>{cells}</tr>'


def difference(diff: Diff) -> str:
    """A difference between workspaces, a row a noun or field."""
    rows = [
        _Row(row.what, (row.kind.replace("_", " "), row.words())) for row in diff.rows
    ]
    if not rows:
        return '<p class="quiet">Both believe the same.</p>'
    return marked_table(repr(diff), ("noun", "difference"), rows)


def listed(words: Iterable[str], empty: str = "Nothing.") -> str:
    """Sentences of any origin as a list."""
    entries = "".join(f'<li dir="auto">{escape(text)}</li>' for text in words)
    return f"<ul>{entries}</ul>" if entries else f'<p class="quiet">{escape(empty)}</p>'


def both_steps(sides: Mapping[str, tuple[Journal, int]]) -> str:
    """One step of each journal beside the other: text, changes, why-cards."""
    shown = "".join(
        f"<section><h3>{escape(name)}</h3>{_step(*side)}</section>"
        for name, side in sides.items()
    )
    return f'<div class="futures">{shown}</div>'


def _step(journal: Journal, k: int) -> str:
    steps = list(journal.steps(0, k + 1))
    ground = Ground.of(steps, journal.chunks(), journal.documents())
    told = Parts(History.of(steps), ground).step(k)
    # Without a script a button would promise what it cannot do.
    told = told.replace('<button class="noun"', '<span class="noun"')
    return told.replace("</button>", "</span>")


def fragment(words: Iterable[str], sections: Mapping[str, str]) -> str:
    """Sentences and sections as a notebook shows them."""
    body = "".join(_section(name, part) for name, part in sections.items())
    return (
        f'<div class="gswlab"><style>{_style()}</style>{_paragraphs(words)}{body}</div>'
    )


def write_futures(found: Futures | Orders, path: str | Path) -> Path:
    """Write what might have been as one page: no network, no script."""
    title = "What does not depend on the order of reading"
    if isinstance(found, Futures):
        title = f"Two futures: {found.what}"
    words = found.words()
    body = filled(
        "run/futures.html",
        title=escape(title),
        words=_paragraphs(words),
        sections="".join(_section(*part) for part in future_sections(found).items()),
    )
    return Page(document(title, _style(), body), title, " ".join(words)).write(path)


def future_sections(found: Futures | Orders | Replies) -> dict[str, str]:
    """What a page and a notebook show of it, by heading."""
    told: dict[str, str] = {}
    if isinstance(found, Orders):
        if found.bands:
            told["Stability of each noun, the least stable first"] = bands(found.bands)
        if len(frame := found.answers()):
            told["Answers"] = frame.to_html(index=False, border=0, escape=True)
        return told
    replies = found if isinstance(found, Replies) else found.asked
    if isinstance(found, Futures) and (first := found.first):
        both = {
            "recorded": (found.left.journal, first.left.index),
            f"in the fork: {found.what}": (found.right.journal, first.right.index),
        }
        told[f"Where they part: {first.where}"] = listed(first.told) + both_steps(both)
    if isinstance(found, Futures) and found.folds:
        told["What the fork believes otherwise"] = difference(found.diff)
    if replies is not None:
        heads = ("question", "recorded", "in the fork", "recalled")
        rows = [
            _Row(
                "same" if reply.equal else "changed",
                (reply.question, said(reply.left), said(reply.right), reply.recalled),
            )
            for reply in replies.replies
        ]
        told["Answers of both futures"] = marked_table(repr(replies), heads, rows)
    if isinstance(found, Futures) and found.scored is not None and len(found.scored):
        told["Scores of both, on the dataset's own scorer"] = _scored(found.scored)
    return told


def _scored(frame: pd.DataFrame) -> str:
    rows = []
    for figure, was, now, gap, low, high in frame.itertuples(index=False):
        ends = "" if low != low or low is None else f" [{low:+.3f}, {high:+.3f}]"
        told = (str(figure), f"{was:.4g}", f"{now:.4g}", f"{gap:+.4g}{ends}")
        rows.append(_Row("changed" if gap else "same", told))
    heads = ("figure", "recorded", "in the fork", "difference")
    return marked_table("with the interval of the paired difference", heads, rows)


def _style() -> str:
    return f"{stylesheet()}\n{asset('run/futures.css')}"


def _paragraphs(words: Iterable[str]) -> str:
    return "".join(f'<p dir="auto">{escape(text)}</p>' for text in words)


def _section(name: str, body: str) -> str:
    return f"<section><h2>{escape(name)}</h2>{body}</section>"


_ROWS = 60  # of a page; `.to_frame()` has all


def bands(found: Sequence[Band]) -> str:
    """A row a noun: a bar from the worst order to the best, a mark at the mean."""
    unsteady = [band for band in found if band.least < 1]
    told = (unsteady or list(found))[:_ROWS]
    rows = [
        (
            isolated(band.name),
            escape(band.kind),
            str(band.facts),
            f"{_bar(band)} {band.mean:.0%}",
            f"{band.least:.0%}",
        )
        for band in told
    ]
    heads = ("noun", "kind", "facts", "survive on average", "in the worst order")
    same, more = len(found) - len(unsteady), len(unsteady) - _ROWS
    rest = f"{same} nouns are the same in every order. " if same else ""
    rest += f"And {more} less stable than all: .to_frame()" if more > 0 else ""
    return f'<div class="scroll">{rows_html(heads, rows)}</div><p>{rest}</p>'


def _bar(band: Band) -> str:
    low, high = 100 * band.least, 100 * max(band.shares)
    said = f"{band.mean:.0%} on average, {low:.0f}% to {high:.0f}%"
    return (
        f'<span class="band" role="img" aria-label="{said}">'
        f'<i style="left:{low:.0f}%;width:{high - low:.0f}%"></i>'
        f'<b style="left:calc({100 * band.mean:.0f}% - 1px)"></b></span>'
    )


def stability_chart(orders: Orders, most: int = 24) -> Chart:
    """The `most` least stable nouns: a dot at the mean, a line from worst to best."""
    found = orders.bands
    drawn, axis = chart("What survives other orders of reading")
    shown = list(found[:most])[::-1]
    look = {"color": STYLES[0]["color"], "marker": STYLES[0]["marker"]}
    for y, band in enumerate(shown):
        axis.plot([band.least, max(band.shares)], [y, y], color="#777777", linewidth=1)
        axis.plot([band.mean], [y], linestyle="", markersize=4, **look)
    axis.set_yticks(range(len(shown)), [_short(band) for band in shown])
    axis.set(xlim=(-0.02, 1.02), xlabel="share of a noun's facts that survive")
    drawn.figure.set_figheight(max(2.0, 0.22 * len(shown) + 1.0))
    drawn = drawn.done(legend=False)
    told = "; ".join(f"{_short(band)}: {band.mean:.2f}" for band in found[:most])
    drawn.alt = f"{drawn.title}, the least stable first. {told}."
    return drawn


def _short(band: Band) -> str:
    name = visible(band.name)
    return f"{name[:27]}… ({band.kind})" if len(name) > 28 else f"{name} ({band.kind})"

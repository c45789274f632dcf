"""Two futures side by side: what differs, in a sign and in words, as tables.

Every difference is told in two channels beside its colour: a sign with its word, and
the line at its left (solid: added, dashed: removed, double: changed, dotted: merged).
A page has no script at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from gswlab.core.diff import Diff
from gswlab.core.journal import Journal
from gswlab.view.ground import Ground
from gswlab.view.run.history import History
from gswlab.view.run.page import Page, stylesheet
from gswlab.view.run.parts import Parts
from gswlab.view.shell import asset, document, filled
from gswlab.view.spans import escape

What = Literal["added", "removed", "changed", "merged", "same"]
SIGNS: Mapping[What, str] = {
    "added": "+",
    "removed": "−",
    "changed": "◎",
    "merged": "⇢",
    "same": "=",
}
ROWS = 60  # rows of a table in a notebook or page; `.to_frame()` has all


class Row(NamedTuple):
    """A line of a table and what it is: cells are text of any origin."""

    what: What
    cells: tuple[str, ...]


def marked_table(caption: str, heads: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows with their signs under `heads`; what is left out is said."""
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in ("what", *heads))
    body = "".join(map(_row, rows[:ROWS]))
    if (left := len(rows) - ROWS) > 0:
        more = f"and {left} more: .to_frame() has them all"
        body += f'<tr><td colspan="{len(heads) + 1}">{more}</td></tr>'
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(row: Row) -> str:
    cells = "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in row.cells)
    sign = f'<b class="sign" aria-hidden="true">{SIGNS[row.what]}</b> {row.what}'
    return f'<tr class="{row.what}"><td class="what">{sign}</td>{cells}</tr>'


def difference(diff: Diff) -> str:
    """A difference between workspaces, a row a noun or field."""
    rows = [
        Row(row.what, (row.kind.replace("_", " "), row.words())) for row in diff.rows
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


def futures_page(title: str, words: Sequence[str], sections: Mapping[str, str]) -> Page:
    """The same as one page that asks nothing of the network and runs no script."""
    body = filled(
        "futures/futures.html",
        title=escape(title),
        words=_paragraphs(words),
        sections="".join(_section(name, part) for name, part in sections.items()),
    )
    return Page(document(title, _style(), body), title, " ".join(words))


def _style() -> str:
    return f"{stylesheet()}\n{asset('futures/futures.css')}"


def _paragraphs(words: Iterable[str]) -> str:
    return "".join(f'<p dir="auto">{escape(text)}</p>' for text in words)


def _section(name: str, body: str) -> str:
    return f"<section><h2>{escape(name)}</h2>{body}</section>"

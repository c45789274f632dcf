"""Two futures side by side: what differs, in a sign and in words, as tables.

Every difference is told in two channels beside its colour: a sign with its word, and
the line at its left (solid: added, dashed: removed, double: changed, dotted: merged).
A page has no script at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gswlab.core.diff import Diff, Difference
from gswlab.core.journal import Journal
from gswlab.lab.futures.ask import Replies, said
from gswlab.lab.futures.fork import Futures
from gswlab.lab.futures.orders import Band, Orders
from gswlab.view.kit.page import described, embedded
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
_BECAUSE = 3  # sentences beside an answer that changed
FUTURE_ROWS = 60  # rows of a table in a notebook or page; `.to_frame()` has all


_Row = tuple[What, tuple[str, ...]]  # what a line is, and cells: text of any origin


def marked_table(caption: str, heads: Sequence[str], rows: Sequence[_Row]) -> str:
    """Rows with their signs under `heads`; what is left out is said."""
    body = ""
    for what, cells in rows[:FUTURE_ROWS]:
        told = "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in cells)
        sign = f'<b class="sign" aria-hidden="true">{SIGNS[what]}</b> {what}'
        body += f'<tr class="{what}"><td class="what">{sign}</td>{told}</tr>'
    if (left := len(rows) - FUTURE_ROWS) > 0:
        more = f"and {left} more: .to_frame() has them all"
        body += f'<tr><td colspan="{len(heads) + 1}">{more}</td></tr>'
    table = rows_html(map(escape, ("what", *heads)), (), caption=caption, more=body)
    return f'<div class="scroll">{table}</div>'


_FIRST = ("episode", "relation", "actor", "question", "place", "time")


def difference(diff: Diff, known: Iterable[str] = ()) -> str:
    """What one would read otherwise, a row a noun or field; ids and votes folded.

    Args:
        diff: the difference.
        known: names whose merges are told already.
    """
    told = {*known}

    def place(row: Difference) -> int:
        return _FIRST.index(row.kind) if row.kind in _FIRST else len(_FIRST)

    def table(rows: Iterable[Difference]) -> str:
        found = sorted(rows, key=place)
        cells = [(r.what, (r.kind.replace("_", " "), r.words())) for r in found]
        return marked_table("", ("noun", "difference"), cells)

    rows = [r for r in diff.rows if r.what == "changed" or r.label not in told]
    read, alike = ([r for r in rows if r.alike is same] for same in (False, True))
    shown = table(read) if read else '<p class="quiet">Both believe the same.</p>'
    return shown + folded(
        f"{len(alike)} more in ids or votes alone", alike and table(alike)
    )


def folded(title: str, body: object) -> str:
    """HTML behind its title; nothing where there is nothing."""
    head = f"<summary>{escape(title)}</summary>"
    return f"<details>{head}{body}</details>" if body else ""


def both_steps(sides: Mapping[str, tuple[Journal, int]]) -> str:
    """One step of each journal beside the other: text, changes, why-cards."""
    shown = ""
    for name, (journal, k) in sides.items():
        steps = list(journal.steps(0, k + 1))
        ground = Ground.of(steps, journal.chunks(), journal.documents())
        told = Parts(History.of(steps), ground).step(k)
        # Without a script a button would promise what it cannot do.
        told = told.replace('<button class="noun"', '<span class="noun"')
        told = told.replace("</button>", "</span>")
        shown += f"<section><h3>{escape(name)}</h3>{told}</section>"
    return f'<div class="futures">{shown}</div>'


def fragment(words: Iterable[str], sections: Mapping[str, str]) -> str:
    """Sentences and sections as a notebook shows them."""
    return embedded(_paragraphs(words) + _headed(sections), "run/futures.css")


def write_futures(found: Futures | Orders, path: str | Path) -> Path:
    """Write what might have been as one page: no network, no script."""
    title = "What does not depend on the order of reading"
    if isinstance(found, Futures):
        title = f"Two futures: {found.what}"
    words = found.words()
    return described(
        title,
        "run/futures.html",
        ("run/futures.css",),
        caption=" ".join(words),
        words=_paragraphs(words),
        sections=_headed(future_sections(found)),
    ).write(path)


def _paragraphs(words: Iterable[str]) -> str:
    return "".join(f'<p dir="auto">{escape(text)}</p>' for text in words)


def _headed(sections: Mapping[str, str]) -> str:
    return "".join(
        f"<section><h2>{escape(name)}</h2>{body}</section>"
        for name, body in sections.items()
    )


def future_sections(found: Futures | Orders | Replies) -> dict[str, str]:
    """What a page and a notebook show of it, by heading."""
    told: dict[str, str] = {}
    if isinstance(found, Orders):
        if found.bands:
            told["Stability of each noun, the least stable first"] = bands(found.bands)
        if len(frame := found.answers()):
            told["Answers"] = frame.to_html(index=False, border=0, escape=True)
        return told
    if isinstance(found, Replies):
        return {"Answers of both futures": _answers(found, ())}
    if found.asked is not None:
        why = [(turn.name, turn.words()) for turn in found.turns]
        why += [(r.label, f"{r.words()}.") for r in found.diff.changed if not r.alike]
        told["Answers that change"] = _answers(found.asked, why)
    if found.scored is not None and len(found.scored):
        told["Scores of both, on the dataset's own scorer"] = _scored(found.scored)
    if found.turns:
        told["Merges that came out otherwise"] = _listed(t.words() for t in found.turns)
    if found.folds:
        known = (turn.name for turn in found.turns)
        told["What is read otherwise"] = difference(found.diff, known)
    if first := found.first:
        parting = {
            "recorded": (found.left.journal, first.left.index),
            f"in the fork: {found.what}": (found.right.journal, first.right.index),
        }
        both = folded("the step in both", both_steps(parting))
        told[f"Where they part: {first.where}"] = _listed(first.told) + both
    return told


def _listed(told: Iterable[str]) -> str:
    entries = "".join(f'<li dir="auto">{escape(text)}</li>' for text in told)
    return f"<ul>{entries}</ul>" if entries else '<p class="quiet">Nothing.</p>'


def _answers(replies: Replies, why: Sequence[tuple[str, str]]) -> str:
    """Answers that differ, with what of `why` names who is in them; others folded."""
    heads = ("question", "recorded", "in the fork", "because" if why else "recalled")
    rows: dict[bool, list[_Row]] = {False: [], True: []}
    for reply in replies.replies:
        both = reply.question, said(reply.left), said(reply.right)
        text = " ".join(both).casefold()
        named = [told for name, told in why if name.casefold() in text]
        because = " ".join(dict.fromkeys(named[:_BECAUSE]))
        more = "" if reply.equal else because or reply.recalled
        what: What = "same" if reply.equal else "changed"
        rows[reply.equal].append((what, (*both, more)))
    shown = marked_table("", heads, rows[False]) if rows[False] else ""
    same = rows[True] and marked_table("", heads, rows[True])
    none = "" if shown else '<p class="quiet">No answer changes.</p>'
    return shown + none + folded(f"{len(rows[True])} answers are the same", same)


def _scored(frame: pd.DataFrame) -> str:
    rows: list[_Row] = []
    for figure, was, now, gap, low, high in frame.itertuples(index=False):
        ends = "" if low != low or low is None else f" [{low:+.3f}, {high:+.3f}]"
        told = (str(figure), f"{was:.4g}", f"{now:.4g}", f"{gap:+.4g}{ends}")
        rows.append(("changed" if gap else "same", told))
    heads = ("figure", "recorded", "in the fork", "difference")
    return marked_table("with the interval of the paired difference", heads, rows)


def bands(found: Sequence[Band]) -> str:
    """A row a noun: a bar from the worst order to the best, a mark at the mean."""
    unsteady = [band for band in found if band.least < 1]
    rows = []
    for band in (unsteady or found)[:FUTURE_ROWS]:
        low, high = 100 * band.least, 100 * max(band.shares)
        said = f"{band.mean:.0%} on average, {low:.0f}% to {high:.0f}%"
        bar = (
            f'<span class="band" role="img" aria-label="{said}">'
            f'<i style="left:{low:.0f}%;width:{high - low:.0f}%"></i>'
            f'<b style="left:calc({100 * band.mean:.0f}% - 1px)"></b></span>'
        )
        name, kind, least = isolated(band.name), escape(band.kind), f"{band.least:.0%}"
        rows.append((name, kind, str(band.facts), f"{bar} {band.mean:.0%}", least))
    heads = ("noun", "kind", "facts", "survive on average", "in the worst order")
    same, more = len(found) - len(unsteady), len(unsteady) - FUTURE_ROWS
    rest = f"{same} nouns are the same in every order. " if same else ""
    rest += f"And {more} less stable than all: .to_frame()" if more > 0 else ""
    return f'<div class="scroll">{rows_html(heads, rows)}</div><p>{rest}</p>'

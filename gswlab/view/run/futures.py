"""Two futures side by side: what differs, in a sign and in words, as tables.

Every difference is told in two channels beside its colour: a sign with its word, and
the line at its left (solid: added, dashed: removed, double: changed, dotted: merged).
A page has no script at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gswlab.core.diff import Diff, Difference
from gswlab.core.journal import Journal
from gswlab.lab.futures.ask import Replies, said
from gswlab.lab.futures.fork import Futures
from gswlab.lab.futures.orders import Orders
from gswlab.view.kit.page import described, embedded, rendered
from gswlab.view.run.parts import Telling

if TYPE_CHECKING:
    import pandas as pd


What = Literal["added", "removed", "changed", "merged", "same"]
_SIGNS: Mapping[What, str] = {
    "added": "+",
    "removed": "−",
    "changed": "◎",
    "merged": "⇢",
    "same": "=",
}
_BECAUSE = 3  # sentences beside an answer that changed
_MOST = 60  # rows of a table in a notebook or page; `.to_frame()` has all
_LOOK: dict[str, Any] = {"signs": _SIGNS, "most": _MOST}


_Row = tuple[What, tuple[str, ...]]  # what a line is, and cells: text of any origin
_Sections = dict[str, dict[str, Any]]  # by heading: what `run/compared.html` draws
_FIRST = ("episode", "relation", "actor", "question", "place", "time")


def fragment(words: Iterable[str], sections: Mapping[str, Any]) -> str:
    """Sentences and sections as a notebook shows them."""
    facts = {"words": words, "sections": sections, **_LOOK}
    return embedded(rendered("run/compared.html", **facts), "run/futures.css")


def write_futures(found: Futures | Orders, path: str | Path) -> Path:
    """Write what might have been as one page: no network, no script."""
    title = "What does not depend on the order of reading"
    if isinstance(found, Futures):
        title = f"Two futures: {found.what}"
    words, sections = found.words(), future_sections(found)
    styles = ("run/futures.css",)
    facts = {"caption": " ".join(words), "words": words, "sections": sections, **_LOOK}
    return described(title, "run/futures.html", styles, **facts).write(path)


def future_sections(found: Futures | Orders | Replies) -> _Sections:
    """What a page and a notebook show of it, by heading."""
    told: _Sections = {}
    if isinstance(found, Orders):
        if found.bands:
            stable = "Stability of each noun, the least stable first"
            told[stable] = {"bands": found.bands}
        if len(frame := found.answers()):
            table = frame.to_html(index=False, border=0, escape=True)
            told["Answers"] = {"frame": table}
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
        lines = [turn.words() for turn in found.turns]
        told["Merges that came out otherwise"] = {"lines": lines}
    if found.folds:
        known = {turn.name for turn in found.turns}
        told["What is read otherwise"] = _difference(found.diff, known)
    if first := found.first:
        sides = {
            "recorded": _step(found.left.journal, first.left.index),
            f"in the fork: {found.what}": _step(found.right.journal, first.right.index),
        }
        told[f"Where they part: {first.where}"] = {"lines": first.told, "sides": sides}
    return told


def _step(journal: Journal, k: int) -> str:
    """A step: text, changes, why-cards."""
    told = Telling.of(journal, k + 1).step(k)
    # Without a script a button would promise what it cannot do.
    told = told.replace('<button class="noun"', '<span class="noun"')
    return told.replace("</button>", "</span>")


def _difference(diff: Diff, told: Iterable[str]) -> dict[str, Any]:
    """What one would read otherwise, but for merges that are told already."""

    def place(row: Difference) -> int:
        return _FIRST.index(row.kind) if row.kind in _FIRST else len(_FIRST)

    rows: dict[bool, list[_Row]] = {False: [], True: []}
    for row in sorted(diff.rows, key=place):
        if row.what == "changed" or row.label not in told:
            cells = row.kind.replace("_", " "), row.words()
            rows[row.alike].append((row.what, cells))
    return {
        "heads": ("noun", "difference"),
        "rows": rows[False],
        "none": "Both believe the same.",
        "alike": rows[True],
        "same": "more in ids or votes alone",
    }


def _answers(replies: Replies, why: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Answers that differ, with what of `why` names who is in them; others folded."""
    rows: dict[bool, list[_Row]] = {False: [], True: []}
    for reply in replies.replies:
        both = reply.question, said(reply.left), said(reply.right)
        text = " ".join(both).casefold()
        named = [told for name, told in why if name.casefold() in text]
        because = " ".join(dict.fromkeys(named[:_BECAUSE]))
        more = "" if reply.equal else because or reply.recalled
        what: What = "same" if reply.equal else "changed"
        rows[reply.equal].append((what, (*both, more)))
    last = "because" if why else "recalled"
    return {
        "heads": ("question", "recorded", "in the fork", last),
        "rows": rows[False],
        "none": "No answer changes.",
        "alike": rows[True],
        "same": "answers are the same",
    }


def _scored(frame: pd.DataFrame) -> dict[str, Any]:
    rows: list[_Row] = []
    for figure, was, now, gap, low, high in frame.itertuples(index=False):
        ends = "" if low != low or low is None else f" [{low:+.3f}, {high:+.3f}]"
        told = (str(figure), f"{was:.4g}", f"{now:.4g}", f"{gap:+.4g}{ends}")
        rows.append(("changed" if gap else "same", told))
    heads = ("figure", "recorded", "in the fork", "difference")
    said = "with the interval of the paired difference"
    return {"heads": heads, "rows": rows, "caption": said}

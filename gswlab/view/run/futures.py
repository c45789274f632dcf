"""Two futures side by side: what differs, in a sign and in words, as tables.

Every difference is told in two channels beside its colour: a sign with its word, and
the line at its left (solid: added, dashed: removed, double: changed, dotted: merged).
A page has no script at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gswlab.core.diff import Diff
from gswlab.core.journal import Journal
from gswlab.lab.futures.ask import Replies, said
from gswlab.lab.futures.fork import Futures
from gswlab.lab.futures.orders import Orders
from gswlab.view.kit.page import described, embedded, rendered
from gswlab.view.run.parts import Telling

_BECAUSE = 3  # sentences beside an answer that changed
_MOST = 60  # rows of a table in a notebook or page; `.to_frame()` has all
_FIRST = ("episode", "relation", "actor", "question", "place", "time")
_STYLE = "run/futures.css"
_Row = tuple[bool, str, tuple[str, ...]]  # alike in both, what it is, its cells
_Why = Sequence[tuple[str, str]]  # whom something names, and what it says


def fragment(found: Futures | Orders | Replies) -> str:
    """What might have been as a notebook shows it."""
    return embedded(rendered("run/compared.html", **_facts(found)), _STYLE)


def write_futures(found: Futures | Orders, path: str | Path) -> Path:
    """Write what might have been as one page: no network, no script."""
    title = "What does not depend on the order of reading"
    if isinstance(found, Futures):
        title = f"Two futures: {found.what}"
    facts = {"caption": " ".join(found.words()), **_facts(found)}
    return described(title, "run/futures.html", (_STYLE,), **facts).write(path)


def _facts(found: Futures | Orders | Replies) -> dict[str, Any]:
    facts: dict[str, Any] = {"found": found, "step": _step, "most": _MOST, "why": ()}
    if isinstance(found, Replies):
        return facts | {"words": (), "replies": [*_answers(found, ())]}
    facts["words"] = found.words()
    if isinstance(found, Futures):
        why = [(turn.name, turn.words()) for turn in found.turns]
        known = {name for name, _ in why}
        why += [(r.label, f"{r.words()}.") for r in found.diff.changed if not r.alike]
        replies = [*_answers(found.asked, why)] if found.asked is not None else None
        rows = [*_difference(found.diff, known)]
        facts |= {"replies": replies, "rows": rows, "why": why}
    return facts


def _step(journal: Journal, k: int) -> str:
    """A step: text, changes, why-cards."""
    told = Telling.of(journal, k + 1).step(k)
    # Without a script a button would promise what it cannot do.
    told = told.replace('<button class="noun"', '<span class="noun"')
    return told.replace("</button>", "</span>")


def _difference(diff: Diff, told: Iterable[str]) -> Iterator[_Row]:
    """What one would read otherwise, but for merges that are told already."""
    place = {kind: n for n, kind in enumerate(_FIRST)}
    for row in sorted(diff.rows, key=lambda row: place.get(row.kind, len(place))):
        if row.what == "changed" or row.label not in told:
            yield row.alike, row.what, (row.kind.replace("_", " "), row.words())


def _answers(replies: Replies, why: _Why) -> Iterator[_Row]:
    """Answers in both futures, with what of `why` names who is in them."""
    for reply in replies.replies:
        both = reply.question, said(reply.left), said(reply.right)
        text = " ".join(both).casefold()
        named = [told for name, told in why if name.casefold() in text]
        because = " ".join(dict.fromkeys(named[:_BECAUSE])) or reply.recalled
        more = "" if reply.equal else because
        yield reply.equal, "same" if reply.equal else "changed", (*both, more)

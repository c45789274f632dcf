"""What the sentence around a date shows without a parse: if it looks back or ahead."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from gswlab.language.dates.calendar import compiled
from gswlab.language.language import Tense, Verbs, asked_in, of

_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])|[。！？」]|\n\s*\n")
_CLAUSE = compiled(r"[,;:—–]|\b(?:where|which|who|when|while|but)\b")


@lru_cache(maxsize=8)
def _ends(text: str) -> list[int]:
    """Where its sentences end; a text is asked about once a date."""
    return [found.end() for found in _END.finditer(text)]


def sentence(text: str, start: int, end: int) -> tuple[str, str, str]:
    """What stands before some characters in their sentence, these, and what follows."""
    ends = _ends(text)
    before, last = bisect_right(ends, start), bisect_left(ends, end)
    opens, closes = [0, *ends[:before]][-1], [*ends[last : last + 1], len(text)][0]
    return text[opens:start], text[start:end], text[end:closes]


def breaks(text: str, start: int, end: int) -> int:
    """How many sentences end between two places of a text."""
    return sum(1 for _ in _END.finditer(text, start, end))


def looks_back(text: str, at: int) -> bool:
    """Whether "had" stands before a place in its sentence: another day may be meant."""
    around = sentence(text, at, at)
    return bool(_verbs("".join(around)).had.search(around[0]))


def in_quotes(text: str, at: int) -> bool:
    """Whether a place is in quotation marks, as far as its paragraph shows."""
    before = text[text.rfind("\n\n", 0, at) + 1 : at]
    open_ = any(before.rfind(a) > before.rfind(b) for a, b in ("“”", "「」", "『』"))
    return open_ or before.count('"') % 2 == 1


def tense(text: str, start: int, end: int) -> Tense | None:
    """Whether the sentence around a date tells what has been or what is to come.

    >>> text = "It closed on Monday. It will open on Friday."
    >>> tense(text, 13, 19), tense(text, 37, 43), tense("Monday!", 0, 6)
    ('past', 'future', None)
    """
    parts = sentence(text, start, end)
    around = "".join(parts)
    head, verbs = _CLAUSE.split(parts[0])[-1], _verbs(around)
    if verbs.back.search(head) and not verbs.ahead.search(head):
        return "past"  # drivers who were stranded on Tuesday will need no reminding
    if verbs.ahead.search(around):
        return "future"
    return "past" if verbs.back.search(around) else None


def planned(text: str, start: int, end: int) -> bool:
    """Whether the clause of a day has a verb that does not look back: "meets on".

    >>> planned("She meets us on Monday.", 16, 22), planned("Rain on Monday.", 8, 14)
    (True, False)
    """
    before, _, after = parts = sentence(text, start, end)
    verbs = _verbs("".join(parts))
    head = _CLAUSE.split(before)[-1]
    clause = head if len(head.split()) > 1 else _CLAUSE.split(after)[0]
    told = verbs.back.search(clause) or verbs.either.search(clause)
    return bool(verbs.now.search(clause)) and not told


def _verbs(around: str) -> Verbs:
    """The words that tell the tense of a sentence in its language."""
    return of(asked_in(around)).verbs

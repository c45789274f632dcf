"""What the sentence around a date shows without a parse: if it looks back or ahead."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache

from gswlab.language.dates.calendar import compiled
from gswlab.language.language import Tense, asked_in, of

_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])|[。！？」]|\n\s*\n")
_CLAUSE = compiled(r"[,;:—–]|\b(?:where|which|who|when|while|but)\b")


@lru_cache(maxsize=8)
def _ends(text: str) -> list[int]:
    """Where its sentences end; a text is asked about once a date."""
    return [found.end() for found in _END.finditer(text)]


def breaks(text: str, start: int, end: int) -> int:
    """How many sentences end between two places of a text."""
    ends = _ends(text)
    return max(bisect_left(ends, end) - bisect_right(ends, start), 0)


class Sentence:
    """The sentence of a date: what stands before it and after, and its verbs.

    >>> text = "It closed on Monday. It will open on Friday."
    >>> Sentence(text, 13, 19).tense, Sentence(text, 37, 43).tense
    ('past', 'future')
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        ends = [0, *_ends(text), len(text)]
        opens, closes = bisect_right(ends, start) - 1, bisect_left(ends, end, 1)
        self.before, self.after = text[ends[opens] : start], text[end : ends[closes]]
        self.text = text[ends[opens] : ends[closes]]
        self.verbs = of(asked_in(self.text)).verbs

    @property
    def looks_back(self) -> bool:
        """Whether "had" stands before the date: another day may be meant."""
        return bool(self.verbs.had.search(self.before))

    @cached_property
    def tense(self) -> Tense | None:
        """Whether it tells what has been or what is to come."""
        head, verbs = _CLAUSE.split(self.before)[-1], self.verbs
        if verbs.back.search(head) and not verbs.ahead.search(head):
            return "past"  # drivers who were stranded on Tuesday will need no reminding
        if verbs.ahead.search(self.text):
            return "future"
        return "past" if verbs.back.search(self.text) else None

    @property
    def plans(self) -> bool:
        """Whether the date's clause has a verb that does not look back: "meets on"."""
        head, verbs = _CLAUSE.split(self.before)[-1], self.verbs
        clause = head if len(head.split()) > 1 else _CLAUSE.split(self.after)[0]
        told = verbs.back.search(clause) or verbs.either.search(clause)
        return bool(verbs.now.search(clause)) and not told


def in_quotes(text: str, at: int) -> bool:
    """Whether a place is in quotation marks, as far as its paragraph shows."""
    before = text[text.rfind("\n\n", 0, at) + 1 : at]
    open_ = any(before.rfind(a) > before.rfind(b) for a, b in ("“”", "「」", "『』"))
    return open_ or before.count('"') % 2 == 1

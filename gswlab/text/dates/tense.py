"""Whether a sentence looks back or ahead, as far as its words show without a parse."""

from __future__ import annotations

import re
from typing import Literal

from gswlab.text.dates.english_words import compiled

Tense = Literal["past", "future"]
_AHEAD = compiled(
    r"\b(?:will|shall|won[’']t|going\s+to|to\s+be|is\s+to|are\s+to|due|next|tomorrow)\b"
    r"|\w[’']ll\b"
)
_IRREGULAR = (
    "was were had did came went saw said told took gave got made left found met began "
    "broke brought bought built caught chose drew drove ate fell felt fled flew forgot "
    "fought hid held kept knew led lost paid ran rang rose sang sat sent shot sold "
    "spoke stood stole struck swam taught thought threw understood woke won wore wrote"
)
_BACK = compiled(rf"\b(?:{'|'.join(_IRREGULAR.split())}|\w+[^e\W]ed)\b|n[’']t\b")
_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])|[。！？」]|\n\s*\n")
_JA_BACK = re.compile(r"(?:[たっい]た|だった|した|きた|れた)(?:[。」]|\s*$|という)")
_JA_ANY = re.compile(r"[ぁ-ん]")


def sentence(text: str, start: int, end: int) -> str:
    """The sentence that characters stand in."""
    ends = [m.end() for m in _END.finditer(text)]
    first = max((e for e in ends if e <= start), default=0)
    last = min((e for e in ends if e >= end), default=len(text))
    return text[first:last]


def breaks(text: str, start: int, end: int) -> int:
    """How many sentences end between two places of a text."""
    return sum(1 for _ in _END.finditer(text, start, end))


def tense(text: str, start: int, end: int) -> Tense | None:
    """Whether the sentence around a date tells what has been or what is to come.

    >>> text = "It closed on Monday. It will open on Friday."
    >>> tense(text, 13, 19), tense(text, 37, 43), tense("Monday!", 0, 6)
    ('past', 'future', None)
    """
    around = sentence(text, start, end)
    if _JA_ANY.search(around):
        return "past" if _JA_BACK.search(around) else "future"
    if _AHEAD.search(around):
        return "future"
    return "past" if _BACK.search(around) else None

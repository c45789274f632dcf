r"""Transcripts in plain text: lines that begin with who speaks, and perhaps when.

`Ann: It rains.`, `[17:02] <ann> it rains`, `17:02 Ann: It rains.`, `Ann (17:02): ...`,
`ann wrote on 19 May:`. A line without a head goes on with the turn before it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from gswlab.core.document import Turn
from gswlab.core.nouns import Span

_CLOCK = (  # with a day before it, as telephones write it
    r"\[?(?:\d[\d./-]{5,9},?[ \t]+)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?\]?"
    r"(?:[ \t]+[-–])?"
)
_NAME = r"[^\W\d_][^\n:：<>\[\]()\"“”!?]{0,30}?"
_ASIDE = rf"[ \t]+(?:\([^()\n]*\)|{_CLOCK}|(?:wrote|writes|said)\b[^\n]*?)"
_HEAD = re.compile(
    rf"(?:{_CLOCK}[ \t]+)?(?:<(?P<nick>[^<>\s]{{1,30}})>|\*\*(?P<bold>{_NAME})\*\*|"
    rf"(?P<name>{_NAME})(?:{_ASIDE})?[:：]|(?P<short>\S{{1,20}})(?=　))(?:\s+|$)"
)
_EVENT = re.compile(rf"{_CLOCK}[ \t　]+")  # what nobody says: somebody comes or goes
_FEW, _SHARE, _OFTEN = 4, 0.3, 1.5  # turns; of the lines; a speaker, on average
_NEAR = 3  # turns back to whom one answers


def turns(text: str, document: str) -> tuple[Turn, ...]:
    r"""The turns of a text that is a transcript, each with whom it answers; else none.

    >>> told = "Ann: Rain.\nBob: Where?\nAnn: In Kew.\nBob: I see.\n"
    >>> [(turn.speaker, turn.addressee) for turn in turns(told, "d")]
    [('Ann', 'Bob'), ('Bob', 'Ann'), ('Ann', 'Bob'), ('Bob', 'Ann')]
    """
    lines = [hit.span() for hit in re.finditer(r"[^\n]*\S[^\n]*", text)]
    heads = [head for line in lines if (head := _HEAD.match(text, *line))]
    speakers = {head[head.lastgroup or 0] for head in heads}
    enough = max(_FEW, _SHARE * len(lines), _OFTEN * len(speakers))
    if len(heads) < enough or len(speakers) < 2:
        return ()
    events = (hit for line in lines if (hit := _EVENT.match(text, *line)))
    begun = {hit.start(): hit for hit in (*events, *heads)}
    bounds = sorted({lines[0][0], *begun, len(text)})
    found = list[Turn]()
    for start, end in pairwise(bounds):
        head = begun.get(start)
        first, group = (head.end(), head.lastgroup) if head else (start, None)
        by = Span(document, *head.span(group)) if head and group else None
        words = text[first:end].rstrip()
        if words.strip():
            span = Span(document, first, first + len(words))
            found.append(Turn(span, text[by.start : by.end] if by else None, None, by))
    return answering(found)


def answering(found: list[Turn]) -> tuple[Turn, ...]:
    """Turns with whom each answers: who spoke before, or will, if nobody has."""
    answered = list[Turn]()
    for i, turn in enumerate(found):
        near = [*found[max(0, i - _NEAR) : i][::-1], *found[i + 1 : i + 1 + _NEAR]]
        others = (t for t in near if t.speaker and t.speaker != turn.speaker)
        if turn.speaker and (other := next(others, None)):
            turn = replace(turn, addressee=other.speaker, answers=other.named)
        answered.append(turn)
    return tuple(answered)

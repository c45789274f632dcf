r"""What a file gives: its text, where pages begin, and who says what in it, and when.

In plain text who says what is told from lines that begin with who speaks: `Ann: It
rains.`, `[17:02] <ann> it rains`, `17:02 Ann: It rains.`, `Ann (17:02): ...`,
`ann wrote on 19 May:`, `Q. Why?`. A line without a head goes on with the turn before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from gswlab.core.document import Turn
from gswlab.core.nouns import Span
from gswlab.language.dates.calendar import hits
from gswlab.language.dates.table import FIGURES

# where the words of a turn stand, where the name of who says them does, and when
Said: TypeAlias = tuple[tuple[int, int], tuple[int, int] | None, str | None]
_CLOCK = (  # with a day before it, as telephones write it
    r"\[?(?:\d[\d./-]{5,9},?[ \t]+)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?\]?"
    r"(?:[ \t]+[-–])?"
)
_NAME = r"[^\W\d_][^\n:：<>\[\]()\"“”!?]{0,30}?"
_ASIDE = rf"[ \t]+(?:\([^()\n]*\)|{_CLOCK}|(?:wrote|writes|said)\b[^\n]*?)"
_HEAD = re.compile(
    rf"(?:{_CLOCK}[ \t]+)?(?:<(?P<nick>[^<>\s]{{1,30}})>|\*\*(?P<bold>{_NAME})\*\*|"
    rf"(?P<name>{_NAME})(?:{_ASIDE})?[:：]|"
    r"(?P<short>\S{1,20}(?=　)|[QA](?=\.))\.?)(?:\s+|$)"
)
_EVENT = re.compile(rf"{_CLOCK}[ \t　]+")  # what nobody says: somebody comes or goes
_FEW, _SHARE, _OFTEN = 4, 0.3, 1.5  # turns; of the lines; a speaker, on average
_NEAR = 3  # turns back to whom one answers


class Source(NamedTuple):
    """A text, whether it has Markdown headings, the start of each page, its turns."""

    text: str
    markdown: bool = False
    pages: tuple[int, ...] = ()
    said: Sequence[Said] = ()


def conversation(turns: Iterable[tuple[str, str | None, str | None, str]]) -> Source:
    """Turns (when as it is shown, when in ISO, who, the words), one a paragraph."""
    text, said = "", list[Said]()
    for shown, time, speaker, words in turns:
        if not (words := words.strip()):
            continue
        before = " ".join(part for part in (shown, speaker and f"{speaker}:") if part)
        text += ("\n\n" if text else "") + (f"{before} " if before else "")
        start = len(text)
        named = (start - len(speaker) - 2, start - 2) if speaker else None
        said.append(((start, start + len(words)), named, time))
        text += words
    return Source(text, said=said)


def turns(text: str, document: str, said: Sequence[Said] = ()) -> tuple[Turn, ...]:
    r"""The turns said in a text, or those of a transcript; else none.

    Each has whom it answers: who spoke before, or will, if nobody has.
    """
    found = list[Turn]()
    for words, named, time in said or _transcript(text):
        by = Span(document, *named) if named else None
        speaker = text[by.start : by.end] if by else None
        found.append(Turn(Span(document, *words), speaker, time, by))
    for i, turn in enumerate(found):
        near = [*found[max(0, i - _NEAR) : i][::-1], *found[i + 1 : i + 1 + _NEAR]]
        others = (t for t in near if t.speaker and t.speaker != turn.speaker)
        if turn.speaker and (other := next(others, None)):
            found[i] = replace(turn, addressee=other.speaker, answers=other.named)
    return tuple(found)


def _transcript(text: str) -> Iterator[Said]:
    lines = [hit.span() for hit in re.finditer(r"[^\n]*\S[^\n]*", text)]
    heads = [head for line in lines if (head := _HEAD.match(text, *line))]
    speakers = {head[head.lastgroup or 0] for head in heads}
    enough = max(_FEW, _SHARE * len(lines), _OFTEN * len(speakers))
    if len(heads) < enough or len(speakers) < 2:
        return
    events = (hit for line in lines if (hit := _EVENT.match(text, *line)))
    begun = {hit.start(): hit for hit in (*events, *heads)}
    day = {hit.start: getattr(hit.reading, "iso", None) for hit in hits(FIGURES, text)}
    for start, end in pairwise(sorted({lines[0][0], *begun, len(text)})):
        head = begun.get(start)
        first, group = (head.end(), head.lastgroup) if head else (start, None)
        if told := text[first:end].rstrip():
            named = head.span(group) if head and group else None
            when = day.get(start) or day.get(start + 1)
            yield (first, first + len(told)), named, when

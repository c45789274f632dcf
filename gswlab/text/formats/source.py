"""What a file gives: its text, and where pages and turns lie in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gswlab.core.document import Turn
from gswlab.core.nouns import Span
from gswlab.text.formats.transcript import answering


class Source(NamedTuple):
    """A text, whether it has Markdown headings, the start of each page, its turns.

    The turns are of a document that has no name yet.
    """

    text: str
    markdown: bool = False
    pages: tuple[int, ...] = ()
    turns: tuple[Turn, ...] = ()


def conversation(turns: Iterable[tuple[str, str | None, str | None, str]]) -> Source:
    """Turns as a text, one a paragraph: what stands before the words is no words.

    Args:
        turns: when as it is shown, when (ISO), who, and the words, in order.
    """
    text, found = "", []
    for shown, time, speaker, words in turns:
        if not (words := words.strip()):
            continue
        before = " ".join(part for part in (shown, speaker and f"{speaker}:") if part)
        text += ("\n\n" if text else "") + (f"{before} " if before else "")
        start, by = len(text), None
        if speaker:
            by = Span("", start - len(speaker) - 2, start - 2)
        found.append(Turn(Span("", start, start + len(words)), speaker, time, by))
        text += words
    return Source(text, turns=answering(found))

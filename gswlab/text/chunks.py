"""Chunks: runs of n sentences of one chapter, what an operator reads at a time."""

from __future__ import annotations

import re
from typing import Any, Literal

from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.language.dates.basis import written_on
from gswlab.text.quotations import Bounds, marked
from gswlab.text.sentences import sentences as split

# How many chunks of a text a memory may read as one: a window of three, a chapter.
UNITS = {"chunk": 1, "window": 3, "chapter": 10**6}
PassageUnit = Literal["chunk", "window", "chapter"]

_TOLD = ("speaker", "named", "addressee", "answers")  # of a turn, beside its words
_COUNTS = re.compile(r"chapter\s+(?:\d+|[ivxlc]+)\.?|第\S+[章話回]", re.I)


def chunks(document: Document, sentences: int = 3) -> tuple[Chunk, ...]:
    """Cut a document: never across chapters, headings left out, counted through.

    A turn of a conversation is a chunk, with its speaker and time.
    """
    if sentences < 1:
        problem = f"{sentences} sentences make no chunk"
        command = "python -m gswlab read FILE chunk.sentences=3"
        raise GswlabError(problem, "1 or more", command)
    found: list[Chunk] = []

    def add(span: Span, of: Chapter | None = None, **told: Any) -> None:
        number, title = (of.number, of.title) if of else (None, None)
        id_ = f"{document.id}:{number or 0}:{len(found)}"
        text = document.text[span.start : span.end]
        part = document.id, number, len(found), text, span, title
        found.append(Chunk(id_, *part, **{"time": document.time} | told))

    for turn in document.turns:
        told = {name: getattr(turn, name) for name in _TOLD}
        add(turn.span, time=turn.time or document.time, **told)
    for chapter in document.chapters if not document.turns else ():
        base = chapter.span.start
        text = document.text[base : chapter.span.end]
        time = document.time or written_on(text)
        cut, said = split(text, document.language), sorted(marked(text))[::-1]
        near = list[Bounds]()  # what has begun and may go on: no chunk looks at all
        for first in range(0, len(cut), sentences):
            start, end = cut[first][0], cut[first : first + sentences][-1][1]
            while said and said[-1][0] < end:
                near.append(said.pop())
            near = [quote for quote in near if quote[1] > start]
            span = Span(document.id, base + start, base + end)
            quotes = tuple((a - start, b - start) for a, b in near)
            add(span, chapter, quotes=quotes, time=time)
    return tuple(found)


def titled(chunk: Chunk) -> str:
    r"""What a text memory keeps and hands over of a chunk: its title, then its text.

    A heading that only counts ("Chapter 3") is no title.
    """
    named = chunk.title and not _COUNTS.fullmatch(chunk.title)
    return f"{chunk.title}\n{chunk.text}" if named else chunk.text

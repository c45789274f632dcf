"""Text with its cited characters lit, as HTML and as plain text.

Spans nest and cross, so a text is cut at every border and each `Segment` knows all the
marks that cover it. Document text is untrusted: `visible` turns control characters into
visible ones, offsets stay true, and everything is escaped on its way into HTML.
"""

from __future__ import annotations

import html
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, Span, visible
from gswlab.core.step import Step
from gswlab.text.sentences import sentences


class Mark(NamedTuple):
    """Characters that noun `id` cites; `form` is the form of a mention."""

    start: int
    end: int
    id: str
    kind: str = ""
    form: str = ""


class Segment(NamedTuple):
    """A stretch of text under the same marks, the shortest mark first."""

    text: str
    marks: tuple[Mark, ...]


def escape(text: str) -> str:
    """Document text for HTML, in an element or in an attribute.

    >>> escape('<a href="javascript:x">')
    '&lt;a href=&quot;javascript:x&quot;&gt;'
    """
    return html.escape(visible(text), quote=True)


def isolated(name: str) -> str:
    """A name for HTML whose direction of writing stays its own affair."""
    return f"<bdi>{escape(name)}</bdi>"


def brief(text: str, most: int = 200) -> str:
    """Words in one line, without their middle where they are many.

    >>> brief("to be or not to be", 11)
    'to b...o be'
    """
    said, half = " ".join(text.split()), (most - 3) // 2
    return said if len(said) <= most else f"{said[:half]}...{said[-half:]}"


def segments(text: str, marks: Iterable[Mark], offset: int = 0) -> tuple[Segment, ...]:
    """`text` cut at every border of `marks`; `offset` is where it starts."""
    inside = [
        m._replace(start=max(m.start - offset, 0), end=min(m.end - offset, len(text)))
        for m in marks
        if m.start - offset < len(text) and m.end > offset
    ]
    cuts = sorted({0, len(text), *(c for m in inside for c in (m.start, m.end))})
    inside.sort(key=lambda m: (m.end - m.start, m.id))
    return tuple(
        Segment(text[a:b], tuple(m for m in inside if m.start <= a and b <= m.end))
        for a, b in pairwise(cuts)
    )


def html_text(text: str, marks: Iterable[Mark], offset: int = 0) -> str:
    """Text with its marks as `<mark>` elements, each naming the ids it belongs to."""
    parts = []
    for segment in segments(text, marks, offset):
        said = escape(segment.text)
        if segment.marks:
            # The shortest mention speaks for the stretch; other marks wait to be lit.
            first = next((m for m in segment.marks if m.kind), segment.marks[0])
            ids = " ".join(dict.fromkeys(m.id for m in segment.marks if m.id))
            quiet = "cited" if ids else "lit"
            classes = f"k-{first.kind.replace(' ', '-')}" if first.kind else quiet
            classes += f" f-{first.form}" if first.form else ""
            data = f' data-ids="{escape(ids)}"' if ids else ""
            said = f'<mark class="{classes}"{data}>{said}</mark>'
        parts.append(said)
    return "".join(parts)


def plain_text(text: str, marks: Iterable[Mark], offset: int = 0) -> str:
    """The same for a terminal: `[Ann](a1) left.`; a mark without id is `[Ann]`."""
    parts = []
    for segment in segments(text, marks, offset):
        ids = " ".join(mark.id for mark in segment.marks if mark.id)
        lit = f"[{visible(segment.text)}]" if segment.marks else visible(segment.text)
        parts.append(lit + (f"({ids})" if ids else ""))
    return "".join(parts)


# Where spans stand: which chunk was read at which step, and which sentence it is.


@dataclass(frozen=True, slots=True)
class Read:
    """A chunk as it was read: at `step`, in these sentences (offsets in the chunk)."""

    chunk: Chunk
    step: int
    sentences: tuple[tuple[int, int], ...]

    @property
    def headed(self) -> list[str]:
        """Its chapter, unless "Chapter 3. The Concert" says it, and its title."""
        number, title = self.chunk.chapter, self.chunk.title or ""
        said = f"Chapter {number}"
        if number is None or title.casefold().startswith(said.casefold()):
            said = ""
        return [one for one in (said, title) if one]

    def sentence(self, start: int) -> int:
        """The number of the sentence that holds document offset `start`."""
        starts = [a for a, _ in self.sentences]
        return max(bisect_right(starts, start - self.chunk.span.start) - 1, 0)


@dataclass(frozen=True, slots=True)
class Ground:
    """Every chunk a run has read, found by step or by a span of its document."""

    by_step: Mapping[int, Read]
    by_document: Mapping[str, tuple[Read, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        steps: Iterable[Step],
        chunks: Iterable[Chunk],
        documents: Iterable[Document],
    ) -> Ground:
        """The ground of a journal's steps."""
        known = {chunk.id: chunk for chunk in chunks}
        language = {document.id: document.language for document in documents}
        by_step: dict[int, Read] = {}
        for step in steps:
            if chunk := known.get(step.chunk or ""):
                cut = sentences(chunk.text, language.get(chunk.document, "en"))
                whole = ((0, len(chunk.text)),)
                by_step[step.index] = Read(chunk, step.index, tuple(cut) or whole)
        by_document: defaultdict[str, list[Read]] = defaultdict(list)
        for read in sorted(by_step.values(), key=lambda read: read.chunk.span.start):
            by_document[read.chunk.document].append(read)
        return cls(by_step, {k: tuple(v) for k, v in by_document.items()})

    def locate(self, span: Span) -> Read | None:
        """The chunk a span starts in, if it was read."""
        reads = self.by_document.get(span.document, ())
        spot = bisect_right(reads, span.start, key=lambda r: r.chunk.span.start) - 1
        inside = spot >= 0 and span.start < reads[spot].chunk.span.end
        return reads[spot] if inside else None

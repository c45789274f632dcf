"""What is searched: each question's own paragraphs, or one pool of all of them.

A paragraph is one chunk, its title beside it, and a chapter of its own: paragraphs
are independent of one another, whatever stands before them. Both worlds are made of
the same chunks, so a span means the same in either.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gswlab.bench.hops.nouns import HopQuestion, Paragraph
from gswlab.core.document import Chapter, Document
from gswlab.core.nouns import Chunk, Evidence, Span
from gswlab.language.language import language_of

NAME = "paragraphs"


@dataclass(frozen=True)
class World:
    """Distinct paragraphs of questions, in order, as one document and its chunks."""

    paragraphs: tuple[Paragraph, ...]

    @classmethod
    def of(cls, questions: Sequence[HopQuestion]) -> World:
        """All paragraphs, each once; those without text are left out."""
        every = (p for q in questions for p in q.paragraphs if p.text.strip())
        return cls(tuple(dict.fromkeys(every)))

    @cached_property
    def document(self) -> Document:
        """The paragraphs under their titles, an empty line between two."""
        parts = (f"{_head(p)}{p.text}" for p in self.paragraphs)
        text = "\n\n".join(parts)
        pairs = enumerate(zip(self.paragraphs, self._spans, strict=True), 1)
        chapters = tuple(Chapter(n, p.title or None, span) for n, (p, span) in pairs)
        return Document(NAME, text, chapters, None, language_of(text))

    @cached_property
    def _spans(self) -> tuple[Span, ...]:
        return tuple(self._laid())

    def _laid(self) -> Iterator[Span]:
        at = 0
        for paragraph in self.paragraphs:
            start = at + len(_head(paragraph))
            at = start + len(paragraph.text) + 2
            yield Span(NAME, start, at - 2)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """A chunk a paragraph, in order."""
        pairs = enumerate(zip(self.paragraphs, self._spans, strict=True))
        return tuple(_chunk(row, p, span) for row, (p, span) in pairs)

    @cached_property
    def _rows(self) -> dict[Paragraph, int]:
        return {paragraph: row for row, paragraph in enumerate(self.paragraphs)}

    def rows(self, question: HopQuestion) -> tuple[int, ...]:
        """A question's own paragraphs, each once, in its order."""
        known = (p for p in question.paragraphs if p in self._rows)
        return tuple(self._rows[p] for p in dict.fromkeys(known))

    def gold(self, question: HopQuestion) -> frozenset[int]:
        """The paragraphs the answer takes; -1 is one without text."""
        own = question.paragraphs
        return frozenset(self._rows.get(own[n], -1) for n in question.gold)

    def row(self, span: Span) -> int:
        """The paragraph a span lies in; a title is its paragraph's."""
        ends = self._ends
        return min(bisect_right(ends, span.start), len(ends) - 1)

    @cached_property
    def _ends(self) -> list[int]:
        return [span.end for span in self._spans]

    def ranked(self, evidence: Evidence) -> tuple[int, ...]:
        """The paragraphs that evidence cites, each once, in its order."""
        cited = (self.row(span) for item in evidence.items for span in item.spans)
        return tuple(dict.fromkeys(cited))


def _head(paragraph: Paragraph) -> str:
    return f"{paragraph.title}\n" if paragraph.title else ""


def _chunk(row: int, paragraph: Paragraph, span: Span) -> Chunk:
    name = f"{NAME}:{row + 1}:{row}"
    title = paragraph.title or None
    return Chunk(name, NAME, row + 1, row, paragraph.text, span, title)

"""The text of a run sentence by sentence: what the views of ink light and count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Span
from gswlab.core.step import Step
from gswlab.view.kit.ground import Ground, Read
from gswlab.view.kit.page import asset, stylesheet
from gswlab.view.kit.spans import Mark, escape, html_text
from gswlab.view.kit.tables import Table
from gswlab.view.provenance.span_index import SpanIndex
from gswlab.view.run.words import labels

_NEAR = 3  # sentences that an error names


class Line(NamedTuple):
    """One sentence that was read: `number` counts those of the run, from 0.

    `gap` is what stands in the text between it and the sentence before it, "" at the
    beginning of a part; `part` names the document and the chapter, `step` read it.
    """

    number: int
    span: Span
    text: str
    gap: str
    part: str
    chapter: int | None
    step: int


class Told:
    """The sentences of a journal and the steps that read them.

    >>> Told(lab).lines[0].text                                   # doctest: +SKIP
    'Ann Ray left Kobe on May 7, 2024.'

    Args:
        of: a `Journal`, or anything that has one as `.journal` (a `Lab`).
    """

    def __init__(self, of: Any) -> None:
        self.journal: Journal = getattr(of, "journal", of)
        self.steps: list[Step] = list(self.journal.steps())
        self.documents: tuple[Document, ...] = self.journal.documents()
        self.labels = labels(self.steps)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every sentence that was read, in the order of the text."""
        ground = Ground.of(self.steps, self.journal.chunks(), self.documents)
        found: list[Line] = []
        for document in self.documents:
            end, before = 0, ""
            for read in ground.by_document.get(document.id, ()):
                part = _part(document, read.chunk.chapter, read.chunk.title)
                for a, b in _cut(document, read):
                    start = read.chunk.span.start + a
                    span = Span(document.id, start, read.chunk.span.start + b)
                    gap = document.text[end:start] if part == before else ""
                    text, chapter = document.text[start : span.end], read.chunk.chapter
                    line = Line(len(found), span, text, gap, part, chapter, read.step)
                    found.append(line)
                    end, before = span.end, part
        return tuple(found)

    @cached_property
    def index(self) -> SpanIndex[Line]:
        """Sentences by their characters."""
        return SpanIndex((line.span, line) for line in self.lines)

    @property
    def title(self) -> str:
        """What the text is called."""
        names = [document.id for document in self.documents]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        return ", ".join(names[:3]) + more or "an empty run"

    def label(self, step: int) -> str:
        """What a step was: `chunk 3 of 12`."""
        return self.labels[step] if 0 <= step < len(self.labels) else f"step {step}"

    def words(self, span: Span, most: int = 160) -> str:
        """The characters of a span, shortened in the middle where they are many."""
        text = next((d.text for d in self.documents if d.id == span.document), "")
        return brief(text[span.start : span.end], most)

    def find(self, where: str | tuple[int, int] | Span) -> tuple[Span, ...]:
        """Where some words stand; every place of them. A span stands where it says.

        Raises:
            GswlabError: the text does not have them, or has no such characters.
        """
        if isinstance(where, Span):
            return (self._there(where),)
        if not isinstance(where, str):
            first = self.documents[0].id if self.documents else ""
            return (self._there(Span(first, *where)),)
        words = where.strip()
        found = [
            Span(document.id, at, at + len(words))
            for document in self.documents
            for at in _places(document.text, words)
        ]
        if not found:
            raise self._missing(words)
        return tuple(found)

    def _there(self, span: Span) -> Span:
        sizes = {document.id: len(document.text) for document in self.documents}
        size = sizes.get(span.document)
        if size is None:
            problem = f"there is no document {span.document!r} in this run"
            raise GswlabError(problem, f"one of {', '.join(sizes) or 'none'}")
        if not 0 <= span.start < span.end <= size:
            problem = (
                f"characters {span.start} to {span.end} are not in {span.document}"
            )
            raise GswlabError(problem, f"it has {size} characters, counted from 0")
        return span

    def _missing(self, words: str) -> GswlabError:
        from rapidfuzz import process

        texts: Sequence[str] = [line.text for line in self.lines]
        near = process.extract(words, texts, limit=_NEAR) if words else []
        rule = "words that stand in the text, to the character"
        best = near[0][0] if near else (texts[0] if texts else "SENTENCE")
        problem = f"{words[:80]!r} is not in {self.title}"
        return GswlabError(problem, rule, f"became(lab, {best[:120]!r})")


def brief(text: str, most: int = 200) -> str:
    """Words in one line, without their middle where they are many.

    >>> brief("to be or not to be", 11)
    'to b...o be'
    """
    said, half = " ".join(text.split()), (most - 3) // 2
    return said if len(said) <= most else f"{said[:half]}...{said[-half:]}"


def _cut(document: Document, read: Read) -> Sequence[tuple[int, int]]:
    """The sentences of a chunk; of one that is told in other words, all of it."""
    area = read.chunk.span
    if document.text[area.start : area.end] == read.chunk.text:
        return read.sentences
    return ((0, area.end - area.start),)


def _places(text: str, words: str) -> list[int]:
    found, at = [], text.find(words) if words else -1
    while at >= 0:
        found.append(at)
        at = text.find(words, at + len(words))
    return found


def _part(document: Document, chapter: int | None, title: str | None) -> str:
    number = f"chapter {chapter}" if chapter is not None else ""
    if title and title.casefold().startswith(number):
        number = ""  # "Chapter 3. The Concert" says it
    return ", ".join(part for part in (document.id, number, title) if part)


# A text shaded by what rests on it, in a notebook; the key of its levels.

NAMES = ("no trace", "1 or 2", "3 to 5", "6 or more")
SHOWN = 400  # sentences of a text in a notebook
Marks = Callable[[Line], Iterable[Mark]]


def shaded_html(lines: Sequence[Line], marks: Marks, table: Table) -> str:
    """The first `SHOWN` sentences, shaded by their marks, above the table."""
    more = len(lines) - SHOWN
    left = f"<p>and {more} sentences more: .to_frame()</p>" if more > 0 else ""
    return (
        f'<div class="gswlab ink" data-heat><style>{stylesheet()}\n'
        f"{asset('provenance/ink.css')}</style>{legend()}"
        f"{''.join(_text(lines[:SHOWN], marks))}"
        f"{left}{table._repr_html_()}</div>"
    )


def _text(lines: Sequence[Line], marks: Marks) -> Iterator[str]:
    before = None
    for line in lines:
        if line.part != before:
            yield f"{'' if before is None else '</p>'}<h3>{escape(line.part)}</h3>"
            yield '<p class="text" dir="auto">'
        before = line.part
        yield escape(line.gap) + html_text(line.text, marks(line), line.span.start)
    yield "" if before is None else "</p>"


def legend() -> str:
    """The levels in both channels, and in words."""
    keys = "".join(
        f'<span><mark class="k-h{level}">{name}</mark></span> '
        for level, name in enumerate(NAMES)
    )
    return f'<p class="key">Holdings on a character: {keys}</p>'

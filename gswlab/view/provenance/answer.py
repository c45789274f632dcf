"""An answer with its spans lit: from a claim back to the ink it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from gswlab.core.document import Document
from gswlab.core.nouns import Answer, Span, visible
from gswlab.text.sentences import sentences
from gswlab.view.kit.page import stylesheet
from gswlab.view.kit.spans import Mark, escape, html_text, isolated, plain_text
from gswlab.view.provenance.span_index import merged


class Quote(NamedTuple):
    """A cited sentence: where it is, its text from `offset` on, what is lit in it."""

    where: str
    text: str
    offset: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer and its quotes: HTML in a notebook, text anywhere."""

    answer: Answer
    quotes: tuple[Quote, ...]

    def _repr_html_(self) -> str:
        items = "".join(
            f"<li><b>{isolated(item)}</b></li>" for item in self.answer.items
        )
        quotes = "".join(map(_figure, self.quotes))
        return (
            f'<div class="gswlab"><style>{stylesheet()}</style><ul>{items}</ul>'
            f"<p>{isolated(_because(self.answer))}</p>{quotes}</div>"
        )

    def __repr__(self) -> str:
        lines = [visible(item) for item in self.answer.items]
        lines.append(visible(_because(self.answer)))
        lines += [
            f"  {q.where}: {plain_text(q.text, q.marks, q.offset)}" for q in self.quotes
        ]
        return "\n".join(line for line in lines if line)


def answer_view(answer: Answer, documents: Iterable[Document]) -> AnswerView:
    """Every sentence an answer cites, with its spans lit.

    >>> from gswlab.text import document_of
    >>> document = document_of("Rain fell. Ann Ray left Kobe.", "note")
    >>> cited = Answer(("Kobe",), False, (), (Span("note", 24, 28),), "")
    >>> answer_view(cited, [document])
    Kobe
      note: Ann Ray left [Kobe].
    """
    known = {document.id: document for document in documents}
    spans = sorted(set(answer.spans))
    quotes = [
        quote
        for name, group in groupby(spans, key=lambda span: span.document)
        if name in known
        for quote in _quotes(known[name], list(group))
    ]
    return AnswerView(answer, tuple(quotes))


def _quotes(document: Document, spans: list[Span]) -> Iterator[Quote]:
    for chapter in document.chapters:
        area = chapter.span
        inside = [s for s in spans if s.start < area.end and s.end > area.start]
        if not inside:
            continue
        number = (f"chapter {chapter.number}",) if chapter.number is not None else ()
        label = (document.id, *number)
        for a, b in sentences(document.text[area.start : area.end], document.language):
            start, end = area.start + a, area.start + b
            lit = [s for s in inside if s.start < end and s.end > start]
            if lit:
                page = document.page(lit[0])
                where = ", ".join((*label, *((f"page {page}",) if page else ())))
                marks = tuple(Mark(s.start, s.end, "") for s in merged(lit))
                yield Quote(where, document.text[start:end], start, marks)


def _figure(quote: Quote) -> str:
    lit = html_text(quote.text, quote.marks, quote.offset)
    return (
        '<figure style="margin:.7em 0"><blockquote dir="auto" style="margin:0;'
        f'padding:0 .8em;border-left:3px solid #56b4e9" class="text">{lit}</blockquote>'
        f'<figcaption style="padding:0 .8em"><small>{escape(quote.where)}</small>'
        "</figcaption></figure>"
    )


def _because(answer: Answer) -> str:
    return f"No answer: {answer.reason}" if answer.abstained else answer.reason

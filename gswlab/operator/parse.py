"""One chunk, parsed once: what every module of the operator reads.

- `Parsed` holds the chunk, spaCy's doc of its text, its quotations, dates and clauses;
  nothing in it is changed after `parse`;
- character offsets of the doc are the chunk's own: `parsed.span` turns them into spans
  of the document;
- models are loaded at first use and kept; they run in the calling thread alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from spacy.tokens import Doc, Token

from gswlab.core.nouns import Chunk, Span
from gswlab.language.dates.find import DateMention, find_dates
from gswlab.language.language import language_of
from gswlab.language.pipeline import model, parsed
from gswlab.operator.quotes import Quote, find_quotes
from gswlab.text.sentences import sentences


@dataclass(frozen=True)
class Parsed:
    """A chunk and its parse. Tokens are known by their index in `doc`."""

    chunk: Chunk
    doc: Doc
    quotes: tuple[Quote, ...] = ()
    dates: tuple[DateMention, ...] = ()
    language: str = "en"
    sentence: tuple[int, ...] = field(default=())

    def span(self, start: int, end: int) -> Span:
        """The document's span of the chunk's characters `start` to `end`."""
        base = self.chunk.span.start
        return Span(self.chunk.span.document, base + start, base + end)

    def over(self, tokens: Iterable[Token]) -> Span:
        """The span from the first to the last of `tokens`."""
        found = sorted(tokens, key=lambda token: token.i)
        last = found[-1]
        return self.span(found[0].idx, last.idx + len(last))

    def text(self, tokens: Iterable[Token]) -> str:
        """The chunk's text from the first to the last of `tokens`."""
        span, base = self.over(tokens), self.chunk.span.start
        return self.chunk.text[span.start - base : span.end - base]

    def quote(self, token: Token) -> Quote | None:
        """The quoted speech a token stands in (titles in quotation marks are none)."""
        return self._speech.get(token.i)

    @cached_property
    def _speech(self) -> dict[int, Quote]:
        speech = [quote for quote in self.quotes if not quote.title]
        return {
            token.i: quote
            for quote in speech
            for token in self.doc
            if quote.start <= token.idx < quote.end
        }


def parse(chunk: Chunk, basis: str | None = None, folder: str | None = None) -> Parsed:
    """Parse a chunk; `basis` is the ISO day told before it, or that it counts from.

    Where there is a `folder`, English parses are kept in it.
    """
    language = language_of(chunk.text)
    doc = _doc(chunk.text, language, folder)
    dates = find_dates(chunk.text, basis, language, narrated=True, said=chunk.time)
    sentence = tuple(i for i, sent in enumerate(doc.sents) for _ in sent)
    return Parsed(chunk, doc, find_quotes(doc), dates, language, sentence)


@lru_cache(maxsize=512)
def _doc(text: str, language: str, folder: str | None = None) -> Doc:
    """A text's parse: a short book's chunks are read again for most questions."""
    return parsed(folder, _sentenced(text, language), model(language))


def _sentenced(text: str, language: str) -> Doc:
    """The text's tokens, its sentences fixed as chunks count them."""
    doc = model(language).make_doc(text)
    starts = {start for start, _ in sentences(text, language)}
    for token in doc if language == "en" else ():
        token.is_sent_start = token.i == 0 or token.idx in starts
    return doc

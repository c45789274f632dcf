"""A chunk and its parse: tokens, sentences, dates, and what is said in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from threading import Lock

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.gsw.operator.speech import Quotation, quotations
from gswlab.language.dates.find import DateMention, find_dates
from gswlab.language.language import DEFAULT, language_of, of
from gswlab.language.pipeline import Doc, Token, model, parsed
from gswlab.text.sentences import sentences

_MOST_BYTES = 48_000  # the tokenizer of Japanese takes no more
_PARSER = Lock()  # no parser is made for two threads
_NEXT = dict[str, Doc]()  # parses of what was announced and is not yet read, by text


@dataclass(frozen=True)
class Parsed:
    """A chunk and its parse. Tokens are known by their index in `doc`."""

    chunk: Chunk
    doc: Doc
    quotes: tuple[Quotation, ...] = ()
    dates: tuple[DateMention, ...] = ()
    language: str = DEFAULT

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

    def within(self, start: int, end: int) -> list[Token]:
        """The tokens that begin in the chunk's characters `start` to `end`."""
        begins = attrgetter("idx")
        first, last = (bisect_left(self.doc, at, key=begins) for at in (start, end))
        return [*self.doc[first:last]]

    def quote(self, token: Token) -> Quotation | None:
        """The quoted speech a token stands in (titles in quotation marks are none)."""
        at, latest = token.idx, reversed(self.quotes)
        return next((q for q in latest if q.said and q.start <= at < q.end), None)

    def calls(self, quote: Quotation, span: Span) -> bool:
        """Whether a quotation calls out what `span` names: set off in it, or alone."""
        base, text = self.chunk.span.start, self.chunk.text
        start, end = span.start - base, span.end - base
        if not quote.start <= start < end <= quote.end:
            return False
        before = text[quote.start : start].strip("\"'“‘”— ")
        after = text[end : quote.end].strip("\"'”’“— ")
        return before[-1:] in ",.!?;—" and after[:1] in ",.!?;—"

    def marked(self, token: Token) -> bool:
        """Whether a token stands in quotation marks, said or not (titles aside)."""
        return any(q.start <= token.idx < q.end for q in self.quotes if not q.title)


def parse(chunk: Chunk, basis: str | None = None, folder: str | None = None) -> Parsed:
    """Parse a chunk; days count from `basis` (ISO), `folder` keeps English parses."""
    if (size := len(chunk.text.encode())) > _MOST_BYTES:
        problem = f"chunk {chunk.id} has {size:,} bytes"
        rule = f"a chunk that is parsed has at most {_MOST_BYTES:,}"
        raise GswlabError(problem, rule, "chunk.sentences=1")
    language = language_of(chunk.text)
    doc = _doc(chunk.text, language, folder)
    dates = find_dates(chunk.text, basis, language, narrated=True, said=chunk.time)
    return Parsed(chunk, doc, quotations(doc, language, chunk.quotes), dates, language)


def parse_together(chunks: Iterable[Chunk], folder: str | None) -> None:
    """Parse English chunks that are next: a batch costs half of one by one."""
    texts = dict.fromkeys(c.text for c in chunks if language_of(c.text) == DEFAULT)
    short = [text for text in texts if len(text.encode()) <= _MOST_BYTES]
    with _PARSER:
        tokens = [_tokenised(text, DEFAULT) for text in short]
        docs = parsed(folder, tokens, model(DEFAULT))
        _NEXT.clear()
        _NEXT.update(zip(short, docs, strict=True))


@lru_cache(maxsize=512)
def _doc(text: str, language: str, folder: str | None = None) -> Doc:
    """A text's parse: a short book's chunks are read again for most questions."""
    with _PARSER:
        if text in _NEXT:
            return _NEXT.pop(text)
        return parsed(folder, [_tokenised(text, language)], model(language))[0]


def _tokenised(text: str, language: str) -> Doc:
    doc = model(language).make_doc(text)
    if of(language).plain:
        starts = {start for start, _ in sentences(text, language)}
        for token in doc:
            token.is_sent_start = token.i == 0 or token.idx in starts
    return doc

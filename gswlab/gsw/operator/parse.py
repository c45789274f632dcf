"""Quotations of a chunk: who speaks, or whether it is only a title in marks.

A chunk may start or end inside a quotation: a lone mark closes from 0, or opens to the
end. A speaker is the subject of a verb of speaking next to the quotation, outside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.language.dates.find import DateMention, find_dates
from gswlab.language.language import DEFAULT, language_of, of
from gswlab.language.lexicon import first_name_gender, words
from gswlab.language.pipeline import Doc, Token, model, parsed
from gswlab.text.sentences import sentences

_CURLY = re.compile(r"[“「『](?P<body>[^”」』]*)[”」』]?")
_SINGLE = re.compile(r"(?<![\w’])‘(?P<body>.+?)’(?!\w)", re.DOTALL)
_REACH = 12
_MOST_BYTES = 48_000  # the tokenizer of Japanese takes no more


@dataclass(frozen=True, slots=True)
class Quotation:
    """Characters `start` to `end` of a chunk between quotation marks.

    `speaker` is the token index of who says it, where the text tells; `title` marks
    the name of a work in quotation marks, which nobody says.
    """

    start: int
    end: int
    speaker: int | None = None
    title: bool = False


def _is_title(doc: Doc, start: int, end: int) -> bool:
    inside = [t for t in doc if start < t.idx < end - 1 and not t.is_space]
    if doc.text[end - 1] not in '"”’」』':
        return False  # speech that goes on in the next chunk
    content = [t for t in inside if t.is_alpha and len(t) > 3]
    if doc.text[start] == "『" or not content:
        return doc.text[start] == "『"
    first, last = inside[0].text, inside[-1].text
    told = any(t.pos_ == "PRON" or t.tag_ in ("VBD", "VBP", "MD") for t in inside)
    parted = any(t.text in (".", "!", "?", ";", ",", "\n") for t in inside)
    if told or parted or len(inside) > 8 or last in ",.!?…" or first_name_gender(first):
        return False  # said, or somebody's name
    return first[:1].isupper() and all(t.text[0].isupper() for t in content)


def _speaker(start: int, end: int, outside: list[Token]) -> Token | None:
    """The subject of the nearest verb of speaking, after a quotation or before it."""
    after = [t for t in outside if t.idx >= end][:_REACH]
    before = [t for t in outside if t.idx < start][-_REACH:][::-1]
    stops = (".", "!", "?", "。")
    for tokens in (after, before):  # what still belongs to the quotation's sentence
        ends = (i for i, t in enumerate(tokens) if i and t.text in stops)
        del tokens[next(ends, len(tokens)) :]
    for verb in (*after, *reversed(before)):
        says = verb.lemma_.lower() in words("speech")
        if not says or verb.pos_ not in ("VERB", "AUX"):
            continue
        own = [verb, *([verb.head] if verb.dep_ == "conj" else [])]
        told = [c for t in own for c in t.children if c.dep_ in ("nsubj", "nsubjpass")]
        if not told and verb.i > 0 and verb.nbor(-1).text in ("”", '"', "’"):
            told = [c for c in verb.children if c.dep_ == "dobj"]  # “No,” said Ann
        if told and told[0] in outside:
            return told[0]
    return None


@dataclass(frozen=True)
class Parsed:
    """A chunk and its parse. Tokens are known by their index in `doc`."""

    chunk: Chunk
    doc: Doc
    quotes: tuple[Quotation, ...] = ()
    dates: tuple[DateMention, ...] = ()
    language: str = DEFAULT
    sentence: tuple[int, ...] = ()

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
        return [token for token in self.doc if start <= token.idx < end]

    def quote(self, token: Token) -> Quotation | None:
        """The quoted speech a token stands in (titles in quotation marks are none)."""
        return self._speech.get(token.i)

    @cached_property
    def _speech(self) -> dict[int, Quotation]:
        speech = [quote for quote in self.quotes if not quote.title]
        return {t.i: q for q in speech for t in self.within(q.start, q.end)}


def parse(chunk: Chunk, basis: str | None = None, folder: str | None = None) -> Parsed:
    """Parse a chunk; days count from `basis` (ISO), `folder` keeps English parses."""
    if (size := len(chunk.text.encode())) > _MOST_BYTES:
        problem = f"chunk {chunk.id} has {size:,} bytes"
        rule = f"a chunk that is parsed has at most {_MOST_BYTES:,}"
        raise GswlabError(problem, rule, "chunk.sentences=1")
    language = language_of(chunk.text)
    doc = _doc(chunk.text, language, folder)
    dates = find_dates(chunk.text, basis, language, narrated=True, said=chunk.time)
    sentence = tuple(i for i, sent in enumerate(doc.sents) for _ in sent)
    # The quotations of a doc in order, each with its speaker where known.
    text, found = doc.text, []
    ranges = {m.span() for marks in (_CURLY, _SINGLE) for m in marks.finditer(text)}
    if lone := re.match(r"[^“”「」『』\"]*”", text):
        ranges.add((0, lone.end()))
    marks = [i for i, char in enumerate(text) if char == '"']
    # A first mark after text, before space or the end, can only close.
    before, mark, after = text.partition('"')
    if mark and before and not before[-1].isspace() and not after[:1].isalnum():
        marks.insert(0, 0)
    if len(marks) % 2:
        marks.append(len(text) - 1)
    ranges |= {(a, b + 1) for a, b in zip(marks[::2], marks[1::2], strict=True)}
    outside = [t for t in doc if not any(a <= t.idx < b for a, b in ranges)]
    for start, end in sorted(ranges):
        title = _is_title(doc, start, end)
        speaker = None if title else _speaker(start, end, outside)
        found.append(Quotation(start, end, speaker.i if speaker else None, title))
    return Parsed(chunk, doc, tuple(found), dates, language, sentence)


@lru_cache(maxsize=512)
def _doc(text: str, language: str, folder: str | None = None) -> Doc:
    """A text's parse: a short book's chunks are read again for most questions."""
    doc = model(language).make_doc(text)
    if of(language).sentenced:
        starts = {start for start, _ in sentences(text, language)}
        for token in doc:
            token.is_sent_start = token.i == 0 or token.idx in starts
    return parsed(folder, doc, model(language))

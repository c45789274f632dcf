"""The sentences of evidence, weighed by the words of a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gswlab.core.nouns import Answer, Evidence, Item, Span
from gswlab.language.keys import kind_stems
from gswlab.language.language import language_of
from gswlab.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an item, under the item's first line as its title."""

    text: str
    title: str
    item: int
    at: int
    spans: tuple[Span, ...]
    chapter: int | None
    stems: frozenset[str]


def told_sentences(evidence: Evidence) -> tuple[Sentence, ...]:
    """Every sentence of the evidence, in order; a title line is no sentence."""
    return tuple(s for n, item in enumerate(evidence.items) for s in _of(n, item))


def _of(number: int, item: Item) -> Iterable[Sentence]:
    title, line, body = item.text.partition("\n")
    head = len(title) + 1 if line else 0
    text, title = (body, title) if line else (item.text, "")
    for start, end in sentences(text, language_of(text)):
        said = text[start:end]
        spans = _cited(item, head + start, head + end)
        stems = frozenset(kind_stems(said) | kind_stems(title))
        yield Sentence(said, title, number, start, spans, item.chapter, stems)


def _cited(item: Item, start: int, end: int) -> tuple[Span, ...]:
    """The sentence's own characters, where an item's text ends as its span does."""
    if len(item.spans) == 1:
        (span,) = item.spans
        head = len(item.text) - (span.end - span.start)
        if 0 <= head <= start:
            base = span.start - head
            return (Span(span.document, base + start, base + end),)
    return item.spans


def weights(sentences: Sequence[Sentence]) -> dict[str, float]:
    """What a shared word is worth: the rarer in the evidence, the more."""
    counts = Counter(stem for sentence in sentences for stem in sentence.stems)
    return {stem: math.log(1 + len(sentences) / n) for stem, n in counts.items()}


def said_in(question: str, name: str) -> bool:
    """Whether a text holds a name, word for word."""
    return f" {plain(name)} " in f" {plain(question)} "


def plain(text: str) -> str:
    """The words of a text alone, in lower case."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def spoken(text: str, cited: Sequence[Sentence], reason: str) -> Answer:
    """An answer of one item that rests on sentences."""
    spans = tuple(dict.fromkeys(span for s in cited for span in s.spans))
    chapters = (sentence.chapter for sentence in cited)
    numbers = tuple(dict.fromkeys(n for n in chapters if n is not None))
    return Answer((text,), False, numbers, spans, reason)

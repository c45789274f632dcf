"""The sentences of evidence, weighed by the words of a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gswlab.core.nouns import Answer, Evidence, Item, Span
from gswlab.language.keys import kind_stems
from gswlab.language.language import language_of
from gswlab.language.pipeline import model, parsed
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


# Spans of a sentence that can be answers: names, dates, numbers, quoted titles.

_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")
_EDGES = ' \t\n,.;:()"“”'
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.I)
_NEEDED = ("tok2vec", "transformer", "ner")
# The recogniser's labels by the kinds a question wants.
_LABELS = {
    "DATE": ("DATE", "YEAR"),
    "COUNT": ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL"),
    "PLACE": ("GPE", "LOC", "FAC"),
    "ORG": ("ORG",),
    "WORK_OF_ART": ("WORK_OF_ART", "QUOTED"),
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span, where it begins, what it is, and whether that is of a kind wanted."""

    text: str
    at: int
    kind: str
    fits: bool


def candidates(
    text: str, title: str, kinds: tuple[str, ...], parses: str | None = None
) -> Iterator[Candidate]:
    """What a sentence and its title offer; without `kinds` any name fits.

    A title is of the kind that the sentence's recogniser gives its name. `parses` is a
    folder that keeps what the recogniser found.
    """
    labels = {label for kind in kinds for label in _LABELS.get(kind, (kind,))}
    found = _found(text, parses)
    for said, at, label in found:
        fits = label in labels if labels else label not in ("CARDINAL", "ORDINAL")
        yield Candidate(said, at, label, fits)
    if bare := re.sub(r"\s*\([^)]*\)$", "", title):
        own = {label for said, _, label in found if said in bare or bare in said}
        open_to = own or {"ORG", "WORK_OF_ART"}
        yield Candidate(bare, 0, "title", not labels or bool(labels & open_to))


@lru_cache(maxsize=20_000)
def _found(text: str, parses: str | None) -> tuple[tuple[str, int, str], ...]:
    """Spans with their labels, by the recogniser and by form."""
    parser = model(language_of(text))
    without = [name for name in parser.pipe_names if name not in _NEEDED]
    doc = parsed(parses, parser.make_doc(text), parser, without)
    named = [(_bare(e.text), e.start_char, e.label_) for e in doc.ents]
    years = [(hit.group(), hit.start(), "YEAR") for hit in _YEAR.finditer(text)]
    quoted = [(_bare(h.group(1)), h.start(), "QUOTED") for h in _QUOTED.finditer(text)]
    return tuple(found for found in (*named, *years, *quoted) if found[0])


def _bare(text: str) -> str:
    return _ARTICLE.sub("", text.strip(_EDGES)).strip(_EDGES)

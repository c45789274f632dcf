"""The extractive reader: a span of the evidence, by the type of the question.

No model is asked. Sentences are weighed by the rare words they share with the question
and its title; a name or date of the wanted kind in a good sentence is the answer. A
choice between two names is settled by their years, or by what is said of them, a yes or
no by whether both named paragraphs say the same. It knows no memory.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from gswlab.core.nouns import Answer, Evidence, Item, Span
from gswlab.language.dates.calendar import compiled
from gswlab.language.keys import kind_stems
from gswlab.language.language import language_of
from gswlab.language.lexicon import table
from gswlab.language.pipeline import model, parsed
from gswlab.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of an item, under the item's first line as its title."""

    text: str
    title: str
    item: int
    spans: tuple[Span, ...]
    chapter: int | None
    stems: frozenset[str]


def _of(number: int, item: Item) -> Iterator[_Sentence]:
    # a sentence's own characters are cited where an item's text ends as its span does
    whole = item.spans[0] if len(item.spans) == 1 else None
    before = len(item.text) - (whole.end - whole.start) if whole else -1
    title, line, body = item.text.partition("\n")
    head = len(title) + 1 if line else 0
    text, title = (body, title) if line else (item.text, "")
    for start, end in sentences(text, language_of(text)):
        said = text[start:end]
        spans = item.spans
        if whole and 0 <= before <= head + start:
            base = whole.start - before + head
            spans = (Span(whole.document, base + start, base + end),)
        stems = kind_stems(said) | kind_stems(title)
        yield _Sentence(said, title, number, spans, item.chapter, stems)


def _said_in(question: str, name: str) -> bool:
    """Whether a text holds a name, word for word."""
    return f" {_plain(name)} " in f" {_plain(question)} "


def _plain(text: str) -> str:
    """The words of a text alone, in lower case."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _spoken(text: str, cited: Sequence[_Sentence], reason: str) -> Answer:
    """An answer of one item that rests on sentences."""
    spans = tuple(dict.fromkeys(span for s in cited for span in s.spans))
    chapters = (sentence.chapter for sentence in cited)
    numbers = tuple(dict.fromkeys(n for n in chapters if n is not None))
    return Answer((text,), False, numbers, spans, reason)


_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")
_EDGES = ' \t\n,.;:()"“”'
_THE = compiled(r"^(?:the|a|an)\s+")
_ASIDE = re.compile(r"\s*\([^)]*\)$")
_NEEDED = ("tok2vec", "transformer", "ner")
# The recogniser's labels by the kinds a question wants.
_LABELS = {
    "DATE": ("DATE", "YEAR"), "PLACE": ("GPE", "LOC", "FAC"), "ORG": ("ORG",),
    "COUNT": ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL"),
    "WORK_OF_ART": ("WORK_OF_ART", "QUOTED"),
}  # fmt: skip


class _Candidate(NamedTuple):
    """A span, what it is, and whether that is of a kind wanted."""

    text: str
    kind: str
    fits: bool


def _candidates(
    text: str, title: str, kinds: tuple[str, ...], parses: str | None = None
) -> Iterator[_Candidate]:
    """What a sentence and its title offer; without `kinds` any name fits.

    A title is of the kind that the sentence's recogniser gives its name. `parses` is a
    folder that keeps what the recogniser found.
    """
    labels = {label for kind in kinds for label in _LABELS.get(kind, (kind,))}
    found = _found(text, parses)
    for said, label in found:
        fits = label in labels if labels else label not in ("CARDINAL", "ORDINAL")
        yield _Candidate(said, label, fits)
    if bare := _ASIDE.sub("", title):
        own = {label for said, label in found if said in bare or bare in said}
        open_to = own or {"ORG", "WORK_OF_ART"}
        yield _Candidate(bare, "title", not labels or bool(labels & open_to))


@lru_cache(maxsize=20_000)
def _found(text: str, parses: str | None) -> tuple[tuple[str, str], ...]:
    """Spans with their labels, by the recogniser and by form."""
    parser = model(language_of(text))
    without = [name for name in parser.pipe_names if name not in _NEEDED]
    doc = parsed(parses, parser.make_doc(text), parser, without)
    named = [(_bare(entity.text), entity.label_) for entity in doc.ents]
    years = [(hit.group(), "YEAR") for hit in _YEAR.finditer(text)]
    quoted = [(_bare(hit[1]), "QUOTED") for hit in _QUOTED.finditer(text)]
    return tuple(found for found in (*named, *years, *quoted) if found[0])


def _bare(text: str) -> str:
    return _THE.sub("", text.strip(_EDGES)).strip(_EDGES)


_Form = Literal["verdict", "choice", "span"]
_VERDICT = compiled(r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b")
_ARTICLE = compiled(r"^(?:the|a|an|is|was|were|are|did|does)\s+")
_OR = re.compile(r"([^,?:]+?),?\s+or\s+([^,?]+?)\s*\?*$")
# What is asked after: the words that follow "what" or "which", else the word itself.
_AFTER = compiled(r"\b(?:what|which)\b((?:\s+[\w'’-]+){0,4})")
_WHO = compiled(r"\b(?:who|whom|whose)\b")
_WHEN = compiled(r"\bwhen\b(?!\s+\w+\s+(?:was|were|is|had)\b)")
_WHERE = compiled(r"\bwhere\b")
_MANY = compiled(r"\bhow (?:many|much|old|long|far|tall|large|often|big)\b")
_NAME_OF = compiled(r"\b(?:is|was|were|are|the|a|an|of|name|names|title)\b")
# The kinds of span by the nouns asked after; the first noun that is known says it.
_NOUNS = {
    noun: tuple(kinds.split())
    for kinds, nouns in table("en/asked_nouns.tsv")
    for noun in nouns.split()
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form of an answer; the kinds of span wanted, or what is to be chosen from."""

    form: _Form
    kinds: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def wanted(question: str) -> Wanted:
    """What an answer to `question` looks like.

    >>> wanted("Who was born first, Ann Ray or Bo Lind?").options
    ('Ann Ray', 'Bo Lind')
    >>> wanted("Are both mills in the north?").form
    'verdict'
    >>> wanted("In what year did the pier burn?").kinds
    ('YEAR',)
    """
    if two := _OR.search(question):  # common words are no names
        names = _name(two.group(1), last=True), _name(two.group(2), last=False)
        if all(names):
            return Wanted("choice", (), names)
    if _VERDICT.match(question):
        return Wanted("verdict")
    # By the noun that is asked after, else by the word that asks.
    for after in _AFTER.findall(question):
        words = _NAME_OF.sub(" ", after.lower()).split()
        if known := [_NOUNS[word] for word in words if word in _NOUNS]:
            return Wanted("span", known[0])
    asking = ((_MANY, "COUNT"), (_WHO, "PERSON"), (_WHERE, "PLACE"), (_WHEN, "DATE"))
    kinds = [kind for pattern, kind in asking if pattern.search(question)]
    return Wanted("span", tuple(kinds[:1]))


def _name(text: str, *, last: bool) -> str:
    """The run of capitalised words that ends, or begins, a phrase."""
    pattern = r"(?:(?:[A-Z0-9\"'][\w.'’\"!-]*|of|the|and|de|in|&)\s*)+"
    runs = [m.group().strip() for m in re.finditer(pattern, text)]
    runs = [run for run in runs if any(c.isupper() for c in run)]
    if not runs:
        return ""
    return _ARTICLE.sub("", runs[-1 if last else 0]).strip()


_ORDER = compiled(
    r"\b(?P<late>later|last|latest|younger|youngest|newer|more recent(?:ly)?)\b"
    r"|\b(?:first|earlier|earliest|older|oldest|before)\b"
)


def _chosen(question: str, asked: Wanted, told: Sequence[_Sentence]) -> Answer:
    """The option of the earlier or later year, else of which more is said."""
    order, stems = _ORDER.search(question), kind_stems(question)
    cited: list[_Sentence] = []
    worth: dict[str, int] = {}
    for option in asked.options:
        name = kind_stems(option)
        about = [s for s in told if name and name <= s.stems]
        about.sort(key=lambda s: not name <= kind_stems(s.title))
        cited += about[:1]
        said = frozenset[str]().union(*(s.stems for s in about))
        worth[option] = len(said & stems - name)
        if order:
            hits = filter(None, (_YEAR.search(s.text) for s in about))
            year = next((int(hit.group()) for hit in hits), None)
            never = 0 if order["late"] else 9999
            worth[option] = (year or never) * (1 if order["late"] else -1)
    best = max(asked.options, key=lambda option: worth[option])
    return _spoken(best, cited, ", ".join(f"{o}: {n}" for o, n in worth.items()))


def _verdict(
    question: str, told: Sequence[_Sentence], parses: str | None = None
) -> Answer:
    """Yes, but where paragraphs that the question names should be of the same place."""
    stems = kind_stems(question)
    titles = {s.title: kind_stems(_ASIDE.sub("", s.title)) for s in told if s.title}
    named = [title for title, words in titles.items() if words and words <= stems]
    first = [next(s for s in told if s.title == title) for title in named]
    agreed = True
    if re.search(r"\bsame \w", question):
        kinds = []
        for sentence in first:
            spans = _candidates(sentence.text, "", ("NORP", "PLACE"), parses)
            texts = [c.text for c in spans if c.fits]
            names = [_plain(t) for t in texts if not _said_in(sentence.title, t)]
            kinds.append({*names[:1]})
        agreed = bool(kinds) and bool(set.intersection(*kinds))
    reason = f"of {', '.join(named) or 'nothing named'}"
    return _spoken("yes" if agreed else "no", first or told[:1], reason)


def shared_worth(asked: frozenset[str], told: Sequence[frozenset[str]]) -> list[float]:
    """What each sentence says of what is asked: the rarer a word in all, the more.

    >>> shared_worth(frozenset("ab"), [frozenset("a"), frozenset("c")])
    [1.0986122886681098, 0]
    """
    counts = Counter(stem for stems in told for stem in stems & asked)
    worth = {stem: math.log(1 + len(told) / n) for stem, n in counts.items()}
    return [sum(worth[stem] for stem in stems & asked) for stems in told]


_NOTHING = "No sentence of the evidence speaks of this."


@dataclass
class ExtractiveReader:
    """Answers a question of one fact by a span of the `sentences` best sentences.

    Args:
        parses: the folder that keeps what is recognised in a sentence.

    >>> ExtractiveReader().answer("Who left?", Evidence((), 0)).abstained
    True
    """

    sentences: int = 8
    parses: str | None = field(default=None, repr=False, metadata={"path": True})

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The best span and the sentences it rests on, or why there is none."""
        told = tuple(s for n, item in enumerate(evidence.items) for s in _of(n, item))
        if not told:
            return Answer((), True, (), (), _NOTHING)
        asked = wanted(question)
        if asked.form == "choice":
            return _chosen(question, asked, told)
        if asked.form == "verdict":
            return _verdict(question, told, self.parses)
        # 1. sentences by what they say of the question, and what a sentence elsewhere
        # does that names this one's title: the second hop
        own = shared_worth(kind_stems(question), [sentence.stems for sentence in told])
        hops = _hops(question, told, own)
        whole = [n + hops.get(s.item, 0.0) for n, s in zip(own, told, strict=True)]
        order = sorted(range(len(told)), key=lambda n: (-whole[n], n))
        top, nearest = whole[order[0]] or 1.0, told[order[0]]
        # 2. the best span of the best sentences, by its kind
        best: tuple[float, _Candidate, _Sentence] | None = None
        for n in order[: self.sentences]:
            sentence = told[n]
            title, kinds = sentence.title, asked.kinds
            for span in _candidates(sentence.text, title, kinds, self.parses):
                total = whole[n] + top * span.fits
                new = not _said_in(question, span.text)
                if new and (best is None or total > best[0]):
                    best = (total, span, sentence)
        if best is None:
            return _spoken(nearest.text, [nearest], "the nearest sentence")
        _, span, sentence = best
        return _spoken(span.text, [sentence, nearest], f"a {span.kind}")


def _hops(
    question: str, told: Sequence[_Sentence], own: Sequence[float]
) -> dict[int, float]:
    """By item: the best score of a sentence elsewhere that names the item's title."""
    titles = {s.item: _plain(_ASIDE.sub("", s.title)) for s in told}
    open_to = {n: t for n, t in titles.items() if t and not _said_in(question, t)}
    found: dict[int, float] = {}
    for score, sentence in zip(own, told, strict=True):
        text = f" {_plain(sentence.text)} "
        for item, title in open_to.items():
            if item != sentence.item and f" {title} " in text:
                found[item] = max(found.get(item, 0.0), score)
    return found

"""The extractive reader: a span of the evidence, by the type of the question.

No model is asked. Sentences are weighed by the rare words they share with the question
and its title; a name or date of the wanted kind in a good sentence is the answer. A
choice between two names is settled by their dates or numbers, a yes or no by whether
both named paragraphs say the same. It knows no memory.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

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
_NEEDED = ("tok2vec", "transformer", "ner")
# The recogniser's labels by the kinds a question wants.
_LABELS = {
    "DATE": ("DATE", "YEAR"), "PLACE": ("GPE", "LOC", "FAC"), "ORG": ("ORG",),
    "COUNT": ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL"),
    "WORK_OF_ART": ("WORK_OF_ART", "QUOTED"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A span, where it begins, what it is, and whether that is of a kind wanted."""

    text: str
    at: int
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
    for said, at, label in found:
        fits = label in labels if labels else label not in ("CARDINAL", "ORDINAL")
        yield _Candidate(said, at, label, fits)
    if bare := re.sub(r"\s*\([^)]*\)$", "", title):
        own = {label for said, _, label in found if said in bare or bare in said}
        open_to = own or {"ORG", "WORK_OF_ART"}
        yield _Candidate(bare, 0, "title", not labels or bool(labels & open_to))


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


_LATER = compiled(
    r"\b(?:later|last|latest|younger|youngest|newer|more recent(?:ly)?)\b"
)
_SOONER = compiled(r"\b(?:first|earlier|earliest|older|oldest|before)\b")
_MORE = compiled(r"\b(?:more|most|larger|largest|taller|higher|bigger)\b")
_NUMBER = re.compile(r"\b\d[\d,]*(?:\.\d+)?")

_SAME = compiled(r"\bsame (\w+)")
_SMALL = compiled(r"city|state|county|province|town|region|district")


def _chosen(question: str, asked: Wanted, told: Sequence[_Sentence]) -> Answer:
    """The option whose sentences have the earlier or later year, or greater number."""
    about = {option: list(_about(option, told)) for option in asked.options}
    cited = [sentence for found in about.values() for sentence in found[:1]]
    pattern, best = _YEAR, min
    if _LATER.search(question):
        best = max
    elif _MORE.search(question) and not _SOONER.search(question):
        pattern, best = _NUMBER, max
    elif not _SOONER.search(question):
        stems = kind_stems(question)
        shared: dict[str, int] = {}
        for option, found in about.items():
            said = frozenset[str]().union(*(s.stems for s in found))
            shared[option] = len(said & (stems - kind_stems(option)))
        name = max(asked.options, key=lambda option: shared[option])
        return _spoken(name, cited, "what is said of it is what is asked")
    values: dict[str, float | None] = {}
    for option, found in about.items():
        hits = filter(None, (pattern.search(s.text) for s in found))
        numbers = (float(hit.group().replace(",", "")) for hit in hits)
        values[option] = next(numbers, None)
    known = {option: value for option, value in values.items() if value is not None}
    name = best(known, key=lambda o: known[o]) if known else asked.options[0]
    return _spoken(name, cited, ", ".join(f"{o}: {v}" for o, v in values.items()))


def _about(name: str, told: Sequence[_Sentence]) -> Iterator[_Sentence]:
    """Sentences under a name's title, then those that say it."""
    stems = kind_stems(name)
    titled = [s for s in told if stems and stems <= kind_stems(s.title)]
    yield from titled
    yield from (s for s in told if stems and stems <= s.stems and s not in titled)


def _verdict(
    question: str, told: Sequence[_Sentence], parses: str | None = None
) -> Answer:
    """Yes where every paragraph the question names says what it asks of them."""
    stems = kind_stems(question)
    titles = {s.title: kind_stems(_ASIDE.sub("", s.title)) for s in told if s.title}
    named = [title for title, words in titles.items() if words and words <= stems]
    first = [next(s for s in told if s.title == title) for title in named]
    if same := _SAME.search(question):
        kinds = []
        for sentence in first:
            spans = _candidates(sentence.text, "", ("NORP", "PLACE"), parses)
            texts = [c.text for c in spans if c.fits]
            names = [_plain(t) for t in texts if not _said_in(sentence.title, t)]
            # A place is told from the small to the large ("in Leeds, England"): the
            # last is the country, unless it stands alone.
            inside = _SMALL.match(same.group(1)) and len(names) > 1
            kinds.append(set(names[:-1] if inside else names))
        agreed = bool(kinds) and bool(set.intersection(*kinds))
    else:
        said = stems.difference(*(titles[title] for title in named))
        agreed = True
        for title in named:
            own = (s.stems for s in told if s.title == title)
            shared = len(said & frozenset[str]().union(*own))
            agreed = agreed and (not said or shared > len(said) / 2)
    reason = f"of {', '.join(named) or 'nothing named'}"
    return _spoken("yes" if agreed else "no", first or told[:1], reason)


_NOTHING = "No sentence of the evidence speaks of this."
_ASIDE = re.compile(r"\s*\([^)]*\)$")
_WORD = re.compile(r"\w+")


@dataclass
class ExtractiveReader:
    """Answers a question of one fact by a span of the `sentences` best sentences.

    Args:
        kind: what a span of the kind asked for is worth, in best sentences.
        near: weight of the question's words close to a span.
        hop: weight of what a sentence elsewhere shares that names this paragraph.
        parses: the folder that keeps what is recognised in a sentence.

    >>> ExtractiveReader().answer("Who left?", Evidence((), 0)).abstained
    True
    """

    sentences: int = 8
    kind: float = 1.0
    near: float = 1.0
    hop: float = 1.0
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
        # 1. what a word is worth: the rarer in the evidence, the more
        counts = Counter(stem for sentence in told for stem in sentence.stems)
        worth = {stem: math.log(1 + len(told) / n) for stem, n in counts.items()}
        # 2. sentences by the worth of the words they share with the question, and of
        # those of a sentence elsewhere that names this one's title: the second hop
        stems = kind_stems(question)
        own = [sum(worth[stem] for stem in s.stems & stems) for s in told]
        hops = _hops(question, told, own)
        pairs = zip(own, told, strict=True)
        whole = [score + self.hop * hops.get(s.item, 0.0) for score, s in pairs]
        order = sorted(range(len(told)), key=lambda n: (-whole[n], n))
        top, nearest = whole[order[0]] or 1.0, told[order[0]]
        # 3. the best span of the best sentences, by its kind and the words near it
        best: tuple[float, _Candidate, _Sentence] | None = None
        for n in order[: self.sentences]:
            sentence, text = told[n], told[n].text
            hits = [(kind_stems(m.group()), m.start()) for m in _WORD.finditer(text)]
            places = [(stem, at) for found, at in hits for stem in found & stems]
            for span in _candidates(text, sentence.title, asked.kinds, self.parses):
                if _said_in(question, span.text):
                    continue
                near = sum(
                    worth.get(stem, 0.0) / (1 + abs(at - span.at) / 20)
                    for stem, at in places
                )
                total = whole[n] + self.near * near + self.kind * top * span.fits
                if best is None or total > best[0]:
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

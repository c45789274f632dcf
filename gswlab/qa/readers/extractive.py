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
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter
from typing import Literal, NamedTuple

from gswlab.core.nouns import Answer, Evidence, Item, Span
from gswlab.language.dates.calendar import compiled
from gswlab.language.keys import kind_stems
from gswlab.language.language import language_of
from gswlab.language.lexicon import table
from gswlab.language.pipeline import model, parsed
from gswlab.qa.question.stopwords import like
from gswlab.qa.readers.cue import resting_on
from gswlab.text.sentences import sentences


class _Sentence(NamedTuple):
    """A sentence as evidence of its own, and which item it is of: its first line."""

    told: Item
    item: int
    title: str
    stems: frozenset[str]


def _of(number: int, item: Item) -> Iterator[_Sentence]:
    head = item.text.find("\n") + 1
    title, text = item.text[: max(head - 1, 0)], item.text[head:]
    for start, end in sentences(text, language_of(text)):
        said, spans = text[start:end], item.spans
        if len(spans) == 1:  # its own characters, where the text ends as the span does
            (whole,) = spans
            base = whole.end - len(text)
            if base - head <= whole.start <= base + start:
                spans = (Span(whole.document, base + start, base + end),)
        own = replace(item, text=said, spans=spans)
        yield _Sentence(own, number, title, kind_stems(said) | kind_stems(title))


def _plain(text: str) -> str:
    """The words of a text alone, each between spaces: what holds another says it."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


_WORD = re.compile(r"\w+")
_ASIDE = re.compile(r"\s*\([^)]*\)$")
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_EDGES = ' \t\n,.;:()"“”'
_THE = compiled(r"^(?:the|a|an)\s+")
_NO_NAMES = ("CARDINAL", "ORDINAL")
_NEEDED = ("tok2vec", "transformer", "ner")
# The recogniser's labels by the kinds a question wants.
_LABELS = {
    "DATE": ("DATE", "YEAR"), "PLACE": ("GPE", "LOC", "FAC"), "ORG": ("ORG",),
    "COUNT": ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL"),
}  # fmt: skip


@lru_cache(maxsize=20_000)
def _found(text: str, parses: str | None) -> tuple[tuple[str, int, str], ...]:
    """Spans with their labels, by the recogniser and by form.

    `parses` is a folder that keeps what the recogniser found.
    """
    parser = model(language_of(text))
    without = [name for name in parser.pipe_names if name not in _NEEDED]
    doc = parsed(parses, [parser.make_doc(text)], parser, without)[0]
    bare = ((_THE.sub("", e.text.strip(_EDGES)), e) for e in doc.ents)
    named = [(name, e.start_char, e.label_) for name, e in bare if name]
    years = [(hit.group(), hit.start(), "YEAR") for hit in _YEAR.finditer(text)]
    return (*named, *years)


_OR = re.compile(r"([^,?:]+?),?\s+or\s+([^,?]+?)\s*\?*$")
# The kinds of span by the nouns asked after; the first noun that is known says it.
_NOUNS = {
    noun: tuple(kinds.split())
    for kinds, nouns in table("en/asked_nouns.tsv")
    for noun in nouns.split()
}


class Wanted(NamedTuple):
    """The form of an answer; the kinds of span wanted, or what is to be chosen from."""

    form: Literal["verdict", "choice", "span"]
    kinds: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def wanted(question: str) -> Wanted:
    """What an answer to `question` looks like."""
    if two := _OR.search(question):  # common words are no names
        names = _name(two.group(1), last=True), _name(two.group(2), last=False)
        if all(names):
            return Wanted("choice", (), names)
    if like("verdict").match(question):
        return Wanted("verdict")
    # By the noun that is asked after, else by the word that asks.
    for after in like("asked_after").findall(question):
        words = like("name_of").sub(" ", after.lower()).split()
        if known := [_NOUNS[word] for word in words if word in _NOUNS]:
            return Wanted("span", known[0])
    kinds = ("COUNT", "PERSON", "PLACE", "DATE")
    return Wanted("span", tuple(k for k in kinds if like(k).search(question))[:1])


def _name(text: str, *, last: bool) -> str:
    """The run of capitalised words that ends, or begins, a phrase."""
    pattern = r"(?:(?:[A-Z0-9\"'][\w.'’\"!-]*|of|the|and|de|in|&)\s*)+"
    runs = [m.group().strip() for m in re.finditer(pattern, text)]
    runs = [run for run in runs if any(c.isupper() for c in run)]
    return (runs or [""])[-1 if last else 0]


def _chosen(question: str, asked: Wanted, told: Sequence[_Sentence]) -> Answer:
    """The option whose sentences have the earlier or later year.

    Where neither is asked, the one of which more of what is asked is said.
    """
    about = {option: _about(option, told) for option in asked.options}
    cited = [sentence.told for found in about.values() for sentence in found[:1]]
    later, sooner = (like(w).search(question) for w in ("later", "sooner"))
    values: dict[str, int] = {}
    for option, found in about.items():
        if later or sooner:
            hits = (_YEAR.search(s.told.text) for s in found)
            if first := next(filter(None, hits), None):
                values[option] = int(first[0])
        else:
            said = frozenset[str]().union(*(s.stems for s in found))
            values[option] = len(said & kind_stems(question) - kind_stems(option))
    best = max if later or not sooner else min
    name = best(values, key=lambda o: values[o]) if values else asked.options[0]
    return resting_on(cited, [name], ", ".join(f"{o}: {v}" for o, v in values.items()))


def _about(name: str, told: Sequence[_Sentence]) -> list[_Sentence]:
    """Sentences under a name's title, then those that say it."""
    stems = kind_stems(name)
    said = (s for s in told if stems and stems <= s.stems)
    return sorted(said, key=lambda s: not stems <= kind_stems(s.title))


def _verdict(question: str, told: Sequence[_Sentence]) -> Answer:
    """Yes where every paragraph the question names says what it asks of them."""
    stems = kind_stems(question)
    titles = {s.title: kind_stems(_ASIDE.sub("", s.title)) for s in told if s.title}
    named = [title for title, words in titles.items() if words and words <= stems]
    first = [next(s.told for s in told if s.title == title) for title in named]
    said = stems.difference(*(titles[title] for title in named))
    stemmed = ([s.stems for s in told if s.title == title] for title in named)
    own = (said & frozenset[str]().union(*stems) for stems in stemmed)
    agreed = not said or all(len(words) > len(said) / 2 for words in own)
    reason = f"of {', '.join(named) or 'nothing named'}"
    return resting_on(first or [told[0].told], ["yes" if agreed else "no"], reason)


@dataclass
class ExtractiveReader:
    """Answers a question of one fact by a span of the `sentences` best sentences.

    `parses` is the folder that keeps what is recognised in a sentence.
    """

    sentences: int = 8
    parses: str | None = field(default=None, repr=False, metadata={"path": True})

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The best span and the sentences it rests on, or why there is none."""
        told = tuple(s for n, item in enumerate(evidence.items) for s in _of(n, item))
        if not told:
            return resting_on((), (), "No sentence of the evidence speaks of this.")
        asked = wanted(question)
        if asked.form == "choice":
            return _chosen(question, asked, told)
        if asked.form == "verdict":
            return _verdict(question, told)
        # 1. what a word is worth: the rarer in the evidence, the more
        counts = Counter(stem for sentence in told for stem in sentence.stems)
        worth = {stem: math.log(1 + len(told) / n) for stem, n in counts.items()}
        # 2. sentences by the worth of the words they share with the question, and of
        # those of a sentence elsewhere that names this one's title: the second hop
        stems = kind_stems(question)
        own = [sum(worth[stem] for stem in s.stems & stems) for s in told]
        hops = _hops(question, told, own)
        whole = [o + hops.get(s.item, 0.0) for o, s in zip(own, told, strict=True)]
        order = sorted(range(len(told)), key=lambda n: (-whole[n], n))
        top, nearest = whole[order[0]] or 1.0, told[order[0]].told
        # 3. the best span of the best sentences, by its kind and the words near it
        labels = {name for kind in asked.kinds for name in _LABELS.get(kind, (kind,))}
        said = _plain(question)
        found: list[tuple[float, str, str, Item]] = []
        for n in order[: self.sentences]:
            text = told[n].told.text
            places = [
                (worth.get(stem, 0.0), hit.start())
                for hit in _WORD.finditer(text)
                for stem in kind_stems(hit.group()) & stems
            ]
            for span, start, label in _found(text, self.parses):
                near = sum(rare / (1 + abs(at - start) / 20) for rare, at in places)
                # any name, where no kind is wanted
                fits = label in labels if labels else label not in _NO_NAMES
                total = whole[n] + near + top * fits
                if _plain(span) not in said:
                    found.append((total, span, label, told[n].told))
        if not found:
            return resting_on([nearest], [nearest.text], "the nearest sentence")
        _, span, label, sentence = max(found, key=itemgetter(0))
        return resting_on([sentence, nearest], [span], f"a {label}")


def _hops(
    question: str, told: Sequence[_Sentence], own: Sequence[float]
) -> dict[int, float]:
    """By item: the best score of a sentence elsewhere that names the item's title."""
    titles = {s.item: _plain(_ASIDE.sub("", s.title)) for s in told}
    asked = _plain(question)
    open_to = {n: t for n, t in titles.items() if t.strip() and t not in asked}
    found: dict[int, float] = {}
    for score, sentence in zip(own, told, strict=True):
        text = _plain(sentence.told.text)
        for item, title in open_to.items():
            if item != sentence.item and title in text:
                found[item] = max(found.get(item, 0.0), score)
    return found

"""The extractive reader: a span of the evidence, by the type of the question.

No model is asked. Sentences are weighed by the rare words they share with the question
and its title; a name or date of the wanted kind in a good sentence is the answer. A
choice between two names is settled by their dates or numbers, a yes or no by whether
both named paragraphs say the same. It knows no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gswlab.core.nouns import Answer, Evidence
from gswlab.language.keys import kind_stems
from gswlab.qa.readers.passages import (
    Candidate,
    Sentence,
    candidates,
    plain,
    said_in,
    spoken,
    told_sentences,
    weights,
)

# What kind of answer a question of one fact wants, by its words alone.

Form = Literal["verdict", "choice", "span"]
_VERDICT = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b", re.I
)
_ARTICLE = re.compile(r"^(?:the|a|an|is|was|were|are|did|does)\s+", re.I)
_OR = re.compile(r"([^,?:]+?),?\s+or\s+([^,?]+?)\s*\?*$")
# What is asked after: the words that follow "what" or "which", else the word itself.
_AFTER = re.compile(r"\b(?:what|which)\b((?:\s+[\w'’-]+){0,4})", re.I)
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.I)
_WHEN = re.compile(r"\bwhen\b(?!\s+\w+\s+(?:was|were|is|had)\b)", re.I)
_WHERE = re.compile(r"\bwhere\b", re.I)
_MANY = re.compile(r"\bhow (?:many|much|old|long|far|tall|large|often|big)\b", re.I)
_NAME_OF = re.compile(r"\b(?:is|was|were|are|the|a|an|of|name|names|title)\b", re.I)
# The kinds of span by the nouns asked after; the first noun that is known says it.
_NOUNS: dict[str, tuple[str, ...]] = {
    noun: tuple(kinds.split())
    for kinds, nouns in {
        "YEAR": "year years decade",
        "DATE": "date day month century",
        "COUNT": "number population percentage age height amount times",
        "NORP LANGUAGE": "nationality language religion ethnicity tribe tribes",
        "PLACE": "city country state county town island river borough village region"
        " province district location place area continent mountain lake street"
        " neighborhood suburb capital municipality",
        "PERSON": "actor actress author director singer player writer musician"
        " politician president king queen artist man woman person composer rapper"
        " philosopher scientist producer character son daughter wife husband father"
        " mother brother sister drummer guitarist poet architect wrestler boxer"
        " comedian coach founder painter novelist",
        "ORG": "band company team university magazine party school group club"
        " organization network label station newspaper college league studio airline"
        " publisher brand franchise agency",
        "WORK_OF_ART": "film movie song album book novel show series play game opera"
        " sitcom musical single poem documentary soundtrack",
    }.items()
    for noun in nouns.split()
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form of an answer; the kinds of span wanted, or what is to be chosen from."""

    form: Form
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
    chosen = _OR.search(question)
    if chosen and (options := _options(chosen)):
        return Wanted("choice", (), options)
    if _VERDICT.match(question):
        return Wanted("verdict")
    return Wanted("span", _kinds(question))


def _kinds(question: str) -> tuple[str, ...]:
    """By the noun that is asked after, else by the word that asks."""
    for after in _AFTER.findall(question):
        words = _NAME_OF.sub(" ", after.lower()).split()
        if known := [_NOUNS[word] for word in words if word in _NOUNS]:
            return known[0]
    asking = ((_MANY, "COUNT"), (_WHO, "PERSON"), (_WHERE, "PLACE"), (_WHEN, "DATE"))
    return next(((kind,) for pattern, kind in asking if pattern.search(question)), ())


def _options(found: re.Match[str]) -> tuple[str, ...]:
    """The two names before and after "or"; common words are no names."""
    names = [_name(found.group(1), last=True), _name(found.group(2), last=False)]
    return tuple(names) if all(names) else ()


def _name(text: str, *, last: bool) -> str:
    """The run of capitalised words that ends, or begins, a phrase."""
    pattern = r"(?:(?:[A-Z0-9\"'][\w.'’\"!-]*|of|the|and|de|in|&)\s*)+"
    runs = [m.group().strip() for m in re.finditer(pattern, text)]
    runs = [run for run in runs if any(c.isupper() for c in run)]
    if not runs:
        return ""
    return _ARTICLE.sub("", runs[-1 if last else 0]).strip()


# Questions that compare: which of two, and whether both are or do the same.

_LATER = re.compile(
    r"\b(?:later|last|latest|younger|youngest|newer|more recent(?:ly)?)\b", re.I
)
_SOONER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|before)\b", re.I)
_MORE = re.compile(r"\b(?:more|most|larger|largest|taller|higher|bigger)\b", re.I)
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_NUMBER = re.compile(r"\b\d[\d,]*(?:\.\d+)?")

_SAME = re.compile(r"\bsame (\w+)", re.I)
_SMALL = re.compile(r"city|state|county|province|town|region|district", re.I)


def chosen(question: str, asked: Wanted, told: Sequence[Sentence]) -> Answer:
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
        shared = {
            o: _shared(found, stems - kind_stems(o)) for o, found in about.items()
        }
        name = max(asked.options, key=lambda option: shared[option])
        return spoken(name, cited, "what is said of it is what is asked")
    values = {o: _first_value(pattern, found) for o, found in about.items()}
    known = {option: value for option, value in values.items() if value is not None}
    name = best(known, key=lambda o: known[o]) if known else asked.options[0]
    return spoken(name, cited, ", ".join(f"{o}: {v}" for o, v in values.items()))


def _about(name: str, told: Sequence[Sentence]) -> Iterator[Sentence]:
    """Sentences under a name's title, then those that say it."""
    stems = kind_stems(name)
    titled = [s for s in told if stems and stems <= kind_stems(s.title)]
    yield from titled
    yield from (s for s in told if stems and stems <= s.stems and s not in titled)


def _shared(found: Sequence[Sentence], stems: frozenset[str]) -> int:
    return len(frozenset().union(*(s.stems for s in found)) & stems)


def _first_value(pattern: re.Pattern[str], found: Sequence[Sentence]) -> float | None:
    hits = (pattern.search(s.text) for s in found)
    values = (hit.group().replace(",", "") for hit in hits if hit)
    return next((float(value) for value in values), None)


def verdict(
    question: str, told: Sequence[Sentence], parses: str | None = None
) -> Answer:
    """Yes where every paragraph the question names says what it asks of them."""
    stems = kind_stems(question)
    titles = {s.title: kind_stems(_ASIDE.sub("", s.title)) for s in told if s.title}
    named = [title for title, words in titles.items() if words and words <= stems]
    first = [next(s for s in told if s.title == title) for title in named]
    if same := _SAME.search(question):
        kinds = [_sorts(sentence, same.group(1), parses) for sentence in first]
        agreed = bool(kinds) and bool(frozenset.intersection(*kinds))
    else:
        said = stems.difference(*(titles[title] for title in named))
        shares = [len(said & _all(title, told)) for title in named]
        agreed = all(share > len(said) / 2 for share in shares) if said else True
    reason = f"of {', '.join(named) or 'nothing named'}"
    return spoken("yes" if agreed else "no", first or told[:1], reason)


def _all(title: str, told: Sequence[Sentence]) -> frozenset[str]:
    return frozenset().union(*(s.stems for s in told if s.title == title))


def _sorts(sentence: Sentence, what: str, parses: str | None) -> frozenset[str]:
    """The nationalities and places a first sentence names.

    A place is told from the small to the large ("in Leeds, England"): the last is the
    country, unless it stands alone.
    """
    kinds = ("NORP", "PLACE")
    found = [c for c in candidates(sentence.text, "", kinds, parses) if c.fits]
    names = [plain(c.text) for c in found if not said_in(sentence.title, c.text)]
    inside = names[:-1] if _SMALL.match(what) and len(names) > 1 else names
    return frozenset(inside)


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
        told = told_sentences(evidence)
        if not told:
            return Answer((), True, (), (), _NOTHING)
        asked = wanted(question)
        if asked.form == "choice":
            return chosen(question, asked, told)
        if asked.form == "verdict":
            return verdict(question, told, self.parses)
        return self._span(question, asked, told)

    def _span(self, question: str, asked: Wanted, told: Sequence[Sentence]) -> Answer:
        worth, stems = weights(told), kind_stems(question)
        ranked = self._ranked(question, told, worth)
        top = ranked[0][0] or 1.0
        best: tuple[float, Candidate, Sentence] | None = None
        for score, sentence in ranked[: self.sentences]:
            places = _places(sentence.text, stems)
            for found in candidates(
                sentence.text, sentence.title, asked.kinds, self.parses
            ):
                if said_in(question, found.text):
                    continue
                near = sum(
                    worth.get(stem, 0.0) / (1 + abs(at - found.at) / 20)
                    for stem, at in places
                )
                total = score + self.near * near + self.kind * top * found.fits
                if best is None or total > best[0]:
                    best = (total, found, sentence)
        if best is None:
            return spoken(ranked[0][1].text, [ranked[0][1]], "the nearest sentence")
        _, found, sentence = best
        return spoken(found.text, [sentence, ranked[0][1]], f"a {found.kind}")

    def _ranked(
        self, question: str, told: Sequence[Sentence], worth: Mapping[str, float]
    ) -> list[tuple[float, Sentence]]:
        """Sentences by the worth of the words they share with the question.

        What a sentence of another paragraph shares that names this one's title counts
        too: the second hop.
        """
        asked = kind_stems(question)
        own = [sum(worth[stem] for stem in s.stems & asked) for s in told]
        hops = _hops(question, told, own)
        pairs = zip(own, told, strict=True)
        whole = [score + self.hop * hops.get(s.item, 0.0) for score, s in pairs]
        order = sorted(range(len(told)), key=lambda n: (-whole[n], n))
        return [(whole[n], told[n]) for n in order]


def _places(text: str, stems: frozenset[str]) -> list[tuple[str, int]]:
    """Where words of the question stand in a sentence."""
    hits = ((kind_stems(hit.group()), hit.start()) for hit in _WORD.finditer(text))
    return [(stem, at) for found, at in hits for stem in found & stems]


def _hops(
    question: str, told: Sequence[Sentence], own: Sequence[float]
) -> dict[int, float]:
    """By item: the best score of a sentence elsewhere that names the item's title."""
    titles = {s.item: plain(_ASIDE.sub("", s.title)) for s in told}
    open_to = {n: t for n, t in titles.items() if t and not said_in(question, t)}
    found: dict[int, float] = {}
    for score, sentence in zip(own, told, strict=True):
        text = f" {plain(sentence.text)} "
        for item, title in open_to.items():
            if item != sentence.item and f" {title} " in text:
                found[item] = max(found.get(item, 0.0), score)
    return found

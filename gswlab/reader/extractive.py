"""The extractive reader: a span of the evidence, by the type of the question.

No model is asked. Sentences are weighed by the rare words they share with the question
and its title; a name or date of the wanted kind in a good sentence is the answer. A
choice between two names is settled by their dates or numbers, a yes or no by whether
both named paragraphs say the same. It knows no memory.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gswlab.reader.asking import Wanted, wanted
from gswlab.reader.passages import Sentence, told_sentences, weights
from gswlab.reader.spans import Candidate, candidates
from gswlab.workspace.cues import kind_stems
from gswlab.workspace.nouns import Answer, Evidence

_NOTHING = "No sentence of the evidence speaks of this."
_LATER = re.compile(
    r"\b(?:later|last|latest|younger|youngest|newer|more recent(?:ly)?)\b", re.I
)
_SOONER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|before)\b", re.I)
_MORE = re.compile(r"\b(?:more|most|larger|largest|taller|higher|bigger)\b", re.I)
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_NUMBER = re.compile(r"\b\d[\d,]*(?:\.\d+)?")


@dataclass
class ExtractiveReader:
    """Answers a question of one fact by a span of the `sentences` best sentences.

    >>> ExtractiveReader().answer("Who left?", Evidence((), 0)).abstained
    True
    """

    sentences: int = 8
    kind: float = 1.0
    elsewhere: float = 0.5

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The best span and the sentences it rests on, or why there is none."""
        told = told_sentences(evidence)
        if not told:
            return Answer((), True, (), (), _NOTHING)
        asked = wanted(question)
        if asked.form == "choice":
            return _chosen(question, asked, told)
        if asked.form == "verdict":
            return _verdict(question, told)
        return self._span(question, asked, told)

    def _span(self, question: str, asked: Wanted, told: Sequence[Sentence]) -> Answer:
        ranked = self._ranked(question, told)
        scores: dict[str, float] = defaultdict(float)
        best: dict[str, tuple[float, Candidate, Sentence]] = {}
        for score, sentence in ranked[: self.sentences]:
            for found in candidates(sentence.text, sentence.title, asked.kinds):
                if _said_in(question, found.text):
                    continue
                worth = score + (self.kind * ranked[0][0] if found.fits else 0.0)
                key = found.text.casefold()
                # A name told twice is the likelier link between two paragraphs.
                scores[key] = max(scores[key], worth) + 0.01 * worth
                if key not in best or worth > best[key][0]:
                    best[key] = (worth, found, sentence)
        if not best:
            return _answer(ranked[0][1].text, [ranked[0][1]], "the nearest sentence")
        key = max(scores, key=lambda name: scores[name])
        _, found, sentence = best[key]
        return _answer(found.text, [sentence, ranked[0][1]], f"a {found.kind}")

    def _ranked(
        self, question: str, told: Sequence[Sentence]
    ) -> list[tuple[float, Sentence]]:
        """Sentences by the worth of the words they share with the question.

        What a sentence's paragraph shares counts too, less: the answer is often said
        beside the sentence that says most of the question.
        """
        worth, asked = weights(told), kind_stems(question)
        own = [sum(worth[stem] for stem in s.stems & asked) for s in told]
        most: dict[int, float] = defaultdict(float)
        for score, sentence in zip(own, told, strict=True):
            most[sentence.item] = max(most[sentence.item], score)
        whole = [
            score + self.elsewhere * most[s.item]
            for score, s in zip(own, told, strict=True)
        ]
        order = sorted(range(len(told)), key=lambda n: (-whole[n], n))
        return [(whole[n], told[n]) for n in order]


def _chosen(question: str, asked: Wanted, told: Sequence[Sentence]) -> Answer:
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
        return _answer(name, cited, "what is said of it is what is asked")
    values = {o: _first_value(pattern, found) for o, found in about.items()}
    known = {option: value for option, value in values.items() if value is not None}
    name = best(known, key=lambda o: known[o]) if known else asked.options[0]
    return _answer(name, cited, ", ".join(f"{o}: {v}" for o, v in values.items()))


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


def _verdict(question: str, told: Sequence[Sentence]) -> Answer:
    """Yes where every paragraph the question names says what it asks of them."""
    stems = kind_stems(question)
    titles = {s.title: kind_stems(s.title) for s in told if s.title}
    named = [title for title, words in titles.items() if words and words <= stems]
    first = [next(s for s in told if s.title == title) for title in named]
    said = stems - {stem for title in named for stem in titles[title]}
    if re.search(r"\bsame\b", question):
        kinds = [_sorts(sentence) for sentence in first]
        agreed = bool(kinds) and bool(frozenset.intersection(*kinds))
    else:
        about = [_all(title, told) for title in named]
        agreed = all(bool(said & words) for words in about) if said else True
    reason = f"of {', '.join(named) or 'nothing named'}"
    return _answer("yes" if agreed else "no", first or told[:1], reason)


def _all(title: str, told: Sequence[Sentence]) -> frozenset[str]:
    return frozenset().union(*(s.stems for s in told if s.title == title))


def _sorts(sentence: Sentence) -> frozenset[str]:
    """The nationalities and places a first sentence names."""
    found = candidates(sentence.text, sentence.title, ("NORP", "PLACE"))
    return frozenset(c.text.casefold() for c in found if c.fits)


def _said_in(question: str, name: str) -> bool:
    return f" {_plain(name)} " in f" {_plain(question)} "


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _answer(text: str, cited: Sequence[Sentence], reason: str) -> Answer:
    spans = tuple(dict.fromkeys(span for s in cited for span in s.spans))
    chapters = (sentence.chapter for sentence in cited)
    numbers = tuple(dict.fromkeys(n for n in chapters if n is not None))
    return Answer((text,), False, numbers, spans, reason)

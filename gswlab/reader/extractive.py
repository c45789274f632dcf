"""The extractive reader: a span of the evidence, by the type of the question.

No model is asked. Sentences are weighed by the rare words they share with the question
and its title; a name or date of the wanted kind in a good sentence is the answer. A
choice between two names is settled by their dates or numbers, a yes or no by whether
both named paragraphs say the same; what is told of a plot is worked out in `plot/`. It
knows no memory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gswlab.core.nouns import Answer, Evidence
from gswlab.language.keys import kind_stems
from gswlab.reader.asking import Wanted, wanted
from gswlab.reader.comparing import chosen, verdict
from gswlab.reader.passages import (
    Sentence,
    plain,
    said_in,
    spoken,
    told_sentences,
    weights,
)
from gswlab.reader.plot.answers import plot_answer
from gswlab.reader.spans import Candidate, candidates

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
        if (answer := plot_answer(question, evidence)) is not None:
            return answer
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

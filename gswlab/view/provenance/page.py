"""Answers, the text, and what a sentence became: from an answer to the ink and back.

What left no trace is what nothing that a run holds or recalled rests on, in letters and
digits. What holds them is counted too: a text is drawn from bare to dense. Everything
is in the page as text; its script only lights and hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

import pandas as pd

from gswlab.core.nouns import Span, visible
from gswlab.language.dates.format import shown
from gswlab.view.kit.page import Page, described, rendered
from gswlab.view.kit.spans import Mark, segments
from gswlab.view.provenance.answer import SavedAnswer, answers_of, saved_answers_of
from gswlab.view.provenance.holdings import Holdings, Line
from gswlab.view.provenance.text import Holding, SpanIndex, bare, clipped

LEVELS = (1, 3, 6)  # holdings from which a character is drawn one level denser
LINES, ANSWERS, LINKS = 1000, 300, 40  # drawn at most; LINKS for each answer
_HEAT = ["part", "number", "characters", "bare", "holdings", "recalled", "text"]
# `step` made what an answer rests on, `because` is the decision that made it its
# noun's, `handed` its place in the evidence, `span` and `words` are the characters
_RESTS = ["question", "item", "kind", "name", "field", "text", "noun", "step", "label",
          "because", "handed", "span", "words"]  # fmt: skip
Rest = Mapping[str, Any]


@dataclass(frozen=True)
class Heat:
    """A text by what it left: what nothing rests on is counted, the rest is shaded.

    Recalled is what the run's answers cite, and what it handed over for questions.
    """

    held: Holdings
    recalled: tuple[SavedAnswer, ...]

    @cached_property
    def rows(self) -> pd.DataFrame:
        """A row a sentence: its letters, those without a trace, what rests on it."""
        rows = []
        for line in self.held.lines:
            lost = sum(_letters(line, span) for span in self.bare(line))
            used = {id(one) for one in self._used.over(line.span)}
            told = _letters(line, line.span), lost, len(self.held.over(line.span))
            rows.append((line.part, line.number, *told, len(used), line.text))
        frame = pd.DataFrame(rows, columns=_HEAT)
        return frame.assign(share=(frame["bare"] / frame["characters"]).fillna(0.0))

    @cached_property
    def _used(self) -> SpanIndex[SavedAnswer]:
        recalled = []
        for asked in self.recalled:
            items = asked.evidence.items if asked.evidence else ()
            for spans in (asked.answer.spans, *(item.spans for item in items)):
                recalled += [(span, asked) for span in spans]
        return SpanIndex(recalled)

    @cached_property
    def _cited(self) -> SpanIndex[Span]:
        return SpanIndex((span, span) for span in self.held.cited)

    def bare(self, line: Line) -> tuple[Span, ...]:
        """The stretches with a letter in them that nothing rests on."""
        there = [*self._cited.over(line.span)]
        there += [span for span, _ in self._used.placed(line.span)]
        return tuple(span for span in bare(line.span, there) if _letters(line, span))

    def marks(self, line: Line) -> Iterator[Mark]:
        """The stretches of a sentence by level, as marks `h0` to `h3`."""
        kept = [span for span, _ in self.held.spans.placed(line.span)]
        kept += [span for span, _ in self._used.placed(line.span)]
        marks = [Mark(span.start, span.end, "kept") for span in kept]
        marks += [Mark(span.start, span.end, "lost") for span in self.bare(line)]
        at = line.span.start
        for part in segments(line.text, marks, at):
            told = [mark.id for mark in part.marks]
            level = sum(told.count("kept") >= least for least in LEVELS)
            level = 0 if "lost" in told else max(1, level)
            yield Mark(at, at + len(part.text), "", f"h{level}")
            at += len(part.text)

    def chapters(self) -> pd.DataFrame:
        """A row a chapter (or document): sentences and characters without a trace."""
        lost = self.rows["bare"] == self.rows["characters"]
        parts = self.rows.assign(untouched=lost).groupby("part", sort=False)
        sums = parts[["untouched", "characters", "bare"]].sum()
        sums.insert(0, "sentences", parts.size())
        return sums.assign(share=sums["bare"] / sums["characters"]).reset_index()

    @property
    def share(self) -> float:
        """The share of all characters that left no trace."""
        every = self.rows["characters"].sum()
        return float(self.rows["bare"].sum() / every) if every else 0.0


def _letters(line: Line, span: Span) -> int:
    """The letters and digits of a stretch of a sentence."""
    base = line.span.start
    return sum(map(str.isalnum, line.text[span.start - base : span.end - base]))


def _chain(held: Holdings, asked: SavedAnswer) -> Iterator[Rest]:
    """What an answer rests on: its items in order, then what supports them."""
    spans = asked.answer.spans
    # of the characters of a holding those that share some with the answer's
    known = {
        h: tuple(own for own in h.spans if clipped(spans, own))
        for h in held.over(*spans)
    }
    found = [(i, h) for i in asked.answer.items for h in _saying(held, i, known)]
    said = {holding for _, holding in found}
    found += [("", holding) for holding in known if holding not in said]
    handed = asked.evidence.items if asked.evidence else ()
    for item, holding in found:
        told = {
            **holding._asdict(),
            "item": item,
            "label": held.labels[holding.step],
            "because": held.because(holding),
        }
        for span in known[holding]:
            places = [n for n, one in enumerate(handed, 1) if clipped(one.spans, span)]
            place = f"item {places[0]} of {len(handed)}" if places else ""
            yield told | {"handed": place, "span": span, "words": held.words(span)}


def _saying(
    held: Holdings, item: str, known: Mapping[Holding, tuple[Span, ...]]
) -> list[Holding]:
    """What says an item in so many words; else what rests on characters that do."""
    wanted = item.casefold()

    def says(holding: Holding) -> bool:
        texts = holding.text, holding.name
        forms = (form for t in texts for form in (t, shown(t), shown(t, "ja")))
        return any(wanted == form.casefold() for form in forms)

    return [h for h in known if says(h)] or [
        h
        for h, spans in known.items()
        if any(wanted in held.words(span, 10**6).casefold() for span in spans)
    ]


@dataclass(frozen=True)
class Ink:
    """Answers and the ink they rest on: a page in a notebook, a line elsewhere."""

    heat: Heat
    asked: tuple[SavedAnswer, ...]

    @cached_property
    def rests(self) -> tuple[tuple[Rest, ...], ...]:
        """What each answer rests on: its items first, then what supports them."""
        return tuple(tuple(_chain(self.heat.held, one)) for one in self.asked)

    def to_frame(self) -> pd.DataFrame:
        """A row a link: question, item, what was held, its step, a span."""
        pairs = zip(self.asked, self.rests, strict=True)
        rows = [{"question": one.question, **r} for one, rests in pairs for r in rests]
        return pd.DataFrame(rows, columns=_RESTS)

    @cached_property
    def drawn(self) -> tuple[Line, ...]:
        """`LINES` sentences: from the first on, or around what one answer cites."""
        held, first = self.heat.held, 0
        if len(self.asked) == 1:
            spans = self.asked[0].answer.spans
            cited = {line.number for span in spans for line in held.index.over(span)}
            if max(cited, default=0) >= LINES:
                first = max(min(cited) - LINES // 4, 0)
        return held.lines[first : first + LINES]

    def page(self) -> Page:
        """The page of `LINES` sentences and `ANSWERS` answers at most, in one file."""
        heat, asked, held = self.heat, self.asked[:ANSWERS], self.heat.held
        cites = SpanIndex(
            (span, n) for n, one in enumerate(asked) for span in one.answer.spans
        )

        def marks(line: Line) -> list[Mark]:
            cited = cites.placed(line.span)
            lit = (Mark(span.start, span.end, f"x{n}") for span, n in cited)
            return [*heat.marks(line), *lit]

        many = f"{len(self.asked)} answer{'s' * (len(self.asked) != 1)}"
        return described(
            f"{held.title}, answers and ink",
            "provenance/ink.html",
            ("provenance/ink.css",),
            ("provenance/ink.js",),
            f"{len(held.lines)} sentences, {many}, "
            f"{heat.share:.1%} of the characters left no trace",
            860,
            ink=self,
            heat=heat,
            held=held,
            warm=[*heat.rows.itertuples()],
            lines=self.drawn,
            marks=marks,
            cites=cites,
            answers=[
                (one, groupby(rests[:LINKS], itemgetter("item")), len(rests) - LINKS)
                for one, rests in zip(asked, self.rests, strict=False)
            ],
        )

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        one = self.asked[0] if len(self.asked) == 1 else None
        items = ", ".join(one.answer.items) or "no answer" if one else ""
        told = visible(items) if one else f"{len(self.asked)} answers"
        what = itemgetter("noun", "kind", "name", "field", "text", "step")
        many = {what(rest) for rests in self.rests for rest in rests}
        steps = len({step for *_, step in many})
        return f"Ink({told}: rests on {len(many)} holdings, made by {steps} steps)"


def ink(of: Any, *what: Any) -> Ink:
    """The ink of questions, asked now, or of answers; without any, of the run's own.

    It is of a lab, or of a journal, which answers no questions.
    """
    given, asked = answers_of(of), saved_answers_of(of, what)
    return Ink(Heat(Holdings(of), (*given, *asked)), asked if what else given)


@dataclass(frozen=True)
class Became:
    """What a run made of some characters: a table in a notebook, a line elsewhere.

    `holdings` are what rests on them, `answers` those of the run that cite them.
    """

    words: str
    spans: tuple[Span, ...]
    holdings: tuple[Holding, ...]
    answers: tuple[SavedAnswer, ...]
    held: Holdings

    def to_frame(self) -> pd.DataFrame:
        """A row a holding, by the step that made it."""
        rows = [(*one, self.held.because(one)) for one in self.holdings]
        return pd.DataFrame(rows, columns=[*Holding._fields, "because"])

    @property
    def nouns(self) -> tuple[str, ...]:
        """The ids of the nouns that say something of it, each once."""
        return tuple(dict.fromkeys(h.noun for h in self.holdings if h.noun))

    def _repr_html_(self) -> str:
        return rendered("provenance/became.html", it=self, clipped=clipped)

    def __repr__(self) -> str:
        many = len(self.holdings)
        left = f"{many} holding{'s' * (many != 1)}" if many else "no trace"
        nouns = f" of {len(self.nouns)} nouns" if self.nouns else ""
        places = f" in {len(self.spans)} places" if len(self.spans) > 1 else ""
        one = len(self.answers) == 1
        cite = f"{len(self.answers)} answer{' cites' if one else 's cite'} it"
        return f"Became({visible(self.words)!r}{places}: {left}{nouns}, {cite})"


def became(of: Any, words: str) -> Became:
    """What a sentence became: `became(lab, "She arrested him at once.")`.

    Of a journal alone the answers that cite it are not known.

    Raises:
        GswlabError: the text does not have them; sentences that are near are named.
    """
    held = Holdings(of)
    spans = held.find(words)
    known = answers_of(of)
    cited = [a for a in known if any(clipped(a.answer.spans, s) for s in spans)]
    words = held.words(spans[0])
    return Became(words, spans, held.over(*spans), tuple(cited), held)

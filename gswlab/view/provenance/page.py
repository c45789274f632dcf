"""Answers, the text, and what a sentence became: from an answer to the ink and back.

Everything is in the page as text; its script only lights and hides. Without it all
answers, the text and what every sentence became read from top to bottom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import pandas as pd

from gswlab.core.nouns import Span, visible
from gswlab.language.dates.format import shown
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.spans import Mark
from gswlab.view.kit.tables import Table
from gswlab.view.provenance.answer import SavedAnswer, answers_of, saved_answers_of
from gswlab.view.provenance.coverage import Heat
from gswlab.view.provenance.holdings import Holdings, Line
from gswlab.view.provenance.text import Holding, SpanIndex, clipped


class Rests(NamedTuple):
    """One thing that an answer rests on.

    `item` is the item of the answer that it says, "" where it only supports it; `step`
    made it, `because` is the decision that made it its noun's, `handed` the place in
    the evidence, `span` and `words` are the characters.
    """

    item: str
    kind: str
    name: str
    field: str
    text: str
    noun: str
    step: int
    label: str
    because: str
    handed: str
    span: Span
    words: str


def _chain(held: Holdings, asked: SavedAnswer) -> tuple[Rests, ...]:
    """What an answer rests on: its items in order, then what supports them."""
    spans = asked.answer.spans
    # of the characters of a holding those that share some with the answer's
    known = {
        h: tuple(own for own in h.spans if clipped(spans, own))
        for h in held.over(*spans)
    }
    left = dict.fromkeys(known)
    found: list[tuple[str, Holding]] = []
    for item in asked.answer.items:
        for holding in _saying(held, item, known):
            left.pop(holding, None)
            found.append((item, holding))
    found += [("", holding) for holding in left]
    handed = asked.evidence.items if asked.evidence else ()
    rests = []
    for item, h in found:
        because = held.because(h)
        for span in known[h]:
            places = [n for n, one in enumerate(handed, 1) if clipped(one.spans, span)]
            place = f"item {places[0]} of {len(handed)}" if places else ""
            noun = h.kind, h.name, h.field, h.text, h.noun, h.step, held.label(h.step)
            rests.append(Rests(item, *noun, because, place, span, held.words(span)))
    return tuple(rests)


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


_item = attrgetter("item")
LINES, ANSWERS, LINKS = 1000, 300, 40  # drawn at most; LINKS for each answer


@dataclass(frozen=True)
class Ink:
    """Answers and the ink they rest on: a page in a notebook, a line elsewhere."""

    heat: Heat
    asked: tuple[SavedAnswer, ...]

    @cached_property
    def rests(self) -> tuple[tuple[Rests, ...], ...]:
        """What each answer rests on: its items first, then what supports them."""
        return tuple(_chain(self.heat.held, one) for one in self.asked)

    def to_frame(self) -> pd.DataFrame:
        """A row a link: question, item, what was held, its step, a span."""
        rows = [
            (one.question, *rest)
            for one, rests in zip(self.asked, self.rests, strict=True)
            for rest in rests
        ]
        return pd.DataFrame(rows, columns=["question", *Rests._fields])

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
        lines, limits = self.drawn, []
        if len(held.lines) > LINES:
            shown = f"sentences {lines[0].number + 1} to {lines[-1].number + 1}"
            limits.append(f"{shown} of {len(held.lines)}")
        if len(self.asked) > ANSWERS:
            limits.append(f"the first {ANSWERS} of {len(self.asked)} answers")
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
            limit=f"This page shows {' and '.join(limits)}." if limits else "",
            heat=heat,
            warm=[*heat.rows.itertuples()],
            held=held,
            lines=lines,
            marks=marks,
            cites=cites,
            asked_of=asked,
            answers=[
                (one, groupby(rests[:LINKS], _item), len(rests) - LINKS)
                for one, rests in zip(asked, self.rests, strict=False)
            ],
        )

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        one = self.asked[0] if len(self.asked) == 1 else None
        items = ", ".join(one.answer.items) or "no answer" if one else ""
        told = visible(items) if one else f"{len(self.asked)} answers"
        found = [rest for each in self.rests for rest in each]
        many = len({(r.noun, r.kind, r.name, r.field, r.text, r.step) for r in found})
        steps = len({rest.step for rest in found})
        return f"Ink({told}: rests on {many} holdings, made by {steps} steps)"


def ink(of: Any, *what: Any) -> Ink:
    """The ink of questions, asked now, or of answers; without any, of the run's own.

    It is of a lab, or of a journal, which answers no questions.
    """
    asked = saved_answers_of(of, what) if what else answers_of(of)
    recalled = (*answers_of(of), *(one for one in asked if what))
    return Ink(Heat(Holdings(of), recalled), asked)


_HEADS = ("made at", "kind", "what", "says", "because", "what became of it", "words")


@dataclass(frozen=True)
class Became:
    """What a run made of some characters: a table in a notebook, a line elsewhere.

    `holdings` are what rests on them, `because` why that was said of its noun,
    `answers` the answers of the run that cite them.
    """

    words: str
    spans: tuple[Span, ...]
    holdings: tuple[Holding, ...]
    because: tuple[str, ...]
    answers: tuple[SavedAnswer, ...]
    held: Holdings

    def to_frame(self) -> pd.DataFrame:
        """A row a holding, by the step that made it."""
        told = zip(self.holdings, self.because, strict=True)
        rows = [(*holding, because) for holding, because in told]
        return pd.DataFrame(rows, columns=[*Holding._fields, "because"])

    @property
    def nouns(self) -> tuple[str, ...]:
        """The ids of the nouns that say something of it, each once."""
        return tuple(dict.fromkeys(h.noun for h in self.holdings if h.noun))

    def _repr_html_(self) -> str:
        rows = []
        for h, because in zip(self.holdings, self.because, strict=True):
            end = f"{self.held.label(h.until)}: {h.fate}" if h.until is not None else ""
            own = [s for s in h.spans if clipped(self.spans, s)]
            words = " / ".join(self.held.words(span, 80) for span in own)
            what = f"{h.name} ({h.noun})" if h.noun else h.name
            made = self.held.label(h.step), h.kind, what, f"{h.field} {h.text}"
            rows.append((*made, because, end or "held", words))
        table = Table(_HEADS, tuple(rows), self.words)._repr_html_()
        told = [(a.question, "; ".join(a.answer.items) or "none") for a in self.answers]
        cited = Table(("question", "answer"), tuple(told), "answers that cite it")
        return table + (cited._repr_html_() if told else "")

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
    found = held.over(*spans)
    because = tuple(held.because(holding) for holding in found)
    known = answers_of(of)
    cited = [a for a in known if any(clipped(a.answer.spans, s) for s in spans)]
    return Became(held.words(spans[0]), spans, found, because, tuple(cited), held)

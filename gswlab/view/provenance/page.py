"""Answers, the text, and what a sentence became: from an answer to the ink and back.

Everything is in the page as text; its script only lights and hides. Without it all
answers, the text and what every sentence became read from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd

from gswlab.core.nouns import Span, visible
from gswlab.language.dates.format import shown
from gswlab.view.kit.looks import badge
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.spans import Mark, escape, html_text, isolated
from gswlab.view.kit.tables import Table
from gswlab.view.provenance.answer import SavedAnswer, answers_of, saved_answers_of
from gswlab.view.provenance.coverage import Heat
from gswlab.view.provenance.holdings import Holdings
from gswlab.view.provenance.text import (
    Holding,
    Line,
    SpanIndex,
    brief,
    clipped,
    ink_legend,
    paragraphs,
)


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
        because = _because(held, h)
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


def _because(held: Holdings, holding: Holding) -> str:
    said = (f"{d.status}: {d.reason}" for d in held.alignments(holding))
    return "; ".join(dict.fromkeys(said))


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
            first = (
                max(min(cited) - LINES // 4, 0) if max(cited, default=0) >= LINES else 0
            )
        return tuple(held.lines[first : first + LINES])

    def page(self) -> Page:
        """The page of `LINES` sentences and `ANSWERS` answers at most, in one file."""
        heat, asked, held = self.heat, self.asked, self.heat.held
        lines = self.drawn
        many = f"{len(asked)} answer{'s' * (len(asked) != 1)}"
        caption = f"{len(held.lines)} sentences, {many}, "
        caption += f"{heat.share:.1%} of the characters left no trace"
        limits = []
        if len(held.lines) > LINES:
            shown = f"sentences {lines[0].number + 1} to {lines[-1].number + 1}"
            limits.append(f"{shown} of {len(held.lines)}")
        if len(asked) > ANSWERS:
            limits.append(f"the first {ANSWERS} of {len(asked)} answers")
        limit = f"This page shows {' and '.join(limits)}." if limits else ""
        cites = SpanIndex(
            (span, n)
            for n, one in enumerate(asked[:ANSWERS])
            for span in one.answer.spans
        )
        became = ""
        for line in lines:
            cited = sorted(set(cites.over(line.span)))
            became += sentence_html(heat, line, {n: asked[n] for n in cited})
        title = f"{held.title}, answers and ink"
        return described(
            title,
            "provenance/ink.html",
            ("provenance/ink.css",),
            ("provenance/ink.js",),
            caption,
            860,
            title=escape(title),
            told=escape(f"{caption}. {limit}"),
            legend=ink_legend(),
            answers="".join(self._answers()) or _nothing("Nothing was asked."),
            text=self._text(lines, cites) or _nothing("Nothing was read yet."),
            became=became,
            table=heat.table()._repr_html_(),
        )

    def _answers(self) -> Iterator[str]:
        """Each answer with what it rests on, item by item."""
        asked = zip(self.asked[:ANSWERS], self.rests, strict=False)
        for n, (one, rests) in enumerate(asked):
            items = ", ".join(map(isolated, one.answer.items)) or "<i>no answer</i>"
            links = f'<p class="quiet">{isolated(one.answer.reason)}</p>'
            for item in dict.fromkeys(rest.item for rest in rests[:LINKS]):
                head = f"<b>{isolated(item)}</b> rests on" if item else "supported by"
                rows = "".join(self._rest(r) for r in rests[:LINKS] if r.item == item)
                links += f"<h4>{head}</h4><ul>{rows}</ul>"
            if (more := len(rests) - LINKS) > 0:
                links += _nothing(f"and {more} more")
            yield (
                f'<section class="answer" id="a{n}"><button type="button" '
                f'class="ask" data-answer="{n}" aria-pressed="false">'
                f'<span dir="auto">{escape(one.question)}</span>'
                f'<b>{items}</b></button><div class="chain">{links}</div></section>'
            )

    def _rest(self, rest: Rests) -> str:
        line = next(self.heat.held.index.over(rest.span), None)
        cite = f"“{escape(rest.words)}”"
        if line and 0 <= line.number - self.drawn[0].number < LINES:
            cite = f'<a href="#s{line.number}">{cite}</a>'
        how = f" <small>{escape(brief(rest.because, 300))}</small>"
        handed = f", handed over as {rest.handed}" if rest.handed else ""
        return (
            f"<li>{badge(rest.kind)}{isolated(brief(rest.name))} "
            f"<i>{escape(rest.kind)}</i>: {escape(rest.field)} "
            f"{isolated(brief(rest.text))}, made at {escape(rest.label)}{handed}"
            f"{how if rest.because else ''}<br>{cite}</li>"
        )

    def _text(self, lines: Sequence[Line], cites: SpanIndex[int]) -> str:
        """All sentences, each a button; what answers cite is marked."""

        def button(line: Line) -> str:
            row = self.heat.rows[line.number]
            lost = " data-bare" if row.bare == row.characters else ""
            cited = cites.placed(line.span)
            marks = [*self.heat.marks(line)]
            marks += [Mark(span.start, span.end, f"x{n}") for span, n in cited]
            lit = html_text(line.text, marks, line.span.start)
            return (
                f'<span class="s" id="s{line.number}" role="button" '
                f'tabindex="{0 if line is lines[0] else -1}"{lost}>{lit}</span>'
            )

        return paragraphs(lines, button)

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

    Args:
        of: a lab, or a journal (which answers no questions).
        what: questions, and answers that it gave.
    """
    asked = saved_answers_of(of, what) if what else answers_of(of)
    recalled = (*answers_of(of), *(one for one in asked if what))
    return Ink(Heat(Holdings(of), recalled), asked)


_HEADS = ("made at", "kind", "what", "says", "because", "what became of it", "words")
SECOND = "second reading"  # a field of an episode that lost the vote


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


def became(of: Any, where: str | tuple[int, int] | Span) -> Became:
    """What a sentence became: `became(lab, "She arrested him at once.")`.

    Args:
        of: a lab, or a journal (whose answers are then not known).
        where: words that stand in the text, or characters of it.

    Raises:
        GswlabError: the text does not have them; sentences that are near are named.
    """
    held = Holdings(of)
    spans = held.find(where)
    found = held.over(*spans)
    because = tuple(_because(held, holding) for holding in found)
    known = answers_of(of)
    cited = [a for a in known if any(clipped(a.answer.spans, s) for s in spans)]
    return Became(held.words(spans[0]), spans, found, because, tuple(cited), held)


def sentence_html(heat: Heat, line: Line, asked: Mapping[int, SavedAnswer]) -> str:
    """What a sentence became, questions last and folded.

    `asked` are the answers that cite it, by their number on the page.
    """
    held, row = heat.held, heat.rows[line.number]
    by: dict[tuple[str, str], list[Holding]] = {}
    for holding in held.over(line.span):
        key = holding.kind, holding.noun or holding.name
        by.setdefault(key, []).append(holding)
    nouns: dict[bool, str] = {False: "", True: ""}
    for (kind, _), each in by.items():
        nouns[kind == "question"] += _noun(held, line, each)
    empty = '<p class="none"><b>∅</b> It left no trace: nothing rests on it.</p>'
    told = "" if by else empty
    told += f"<ul>{nouns[False]}</ul>" if nouns[False] else ""
    if nouns[True]:
        many = sum(kind == "question" for kind, _ in by)
        told += _folded(f"{many} question{'s' * (many > 1)}", nouns[True])
    cited = "".join(
        f'<li><button type="button" class="ask" data-answer="{n}">'
        f"{escape(one.question)} <b>"
        f"{escape(', '.join(one.answer.items) or 'no answer')}</b></button></li>"
        for n, one in asked.items()
    )
    cited = f"<h4>Cited by</h4><ul>{cited}</ul>" if cited else ""
    cited = cited or _nothing("No answer cites it.")
    return (
        f'<section class="became" id="b{line.number}">'
        f'<h3>Sentence {line.number + 1}</h3><p class="quiet">'
        f"{escape(line.part)}, read at {escape(held.label(line.step))}; "
        f"{row.share:.0%} of it left no trace</p>"
        f'<blockquote dir="auto">{escape(line.text)}</blockquote>'
        f"{told}{cited}</section>"
    )


def _noun(held: Holdings, line: Line, each: Sequence[Holding]) -> str:
    first = each[0]
    noun = f" <small>{escape(first.noun)}</small>" if first.noun else ""
    facts: dict[bool, list[str]] = {False: [], True: []}
    for h in each:
        own = clipped(h.spans, line.span)
        words = " … ".join(held.words(span, 60) for span in own)
        said, gone = isolated(brief(h.text)), ""
        if h.until is not None:
            said, at = f"<del>{said}</del>", escape(held.label(h.until))
            gone = f" <small>− {at}: {escape(brief(h.fate))}</small>"
        facts[h.field.endswith(SECOND)].append(
            f"<li>{escape(h.field)} {said} <small>“{escape(words)}”, "
            f"{escape(held.label(h.step))}</small>{gone}</li>"
        )
    rows, second = "".join(facts[False]), facts[True]
    if second:
        folded = _folded(f"{len(second)} second readings", "".join(second))
        rows += f"<li>{folded}</li>"
    made = [d for holding in each for d in held.alignments(holding)]
    whys = dict.fromkeys(brief(f"{d.name} {d.status}: {d.reason}", 300) for d in made)
    rows += "".join(f"<li><small>{escape(said)}</small></li>" for said in whys)
    return (
        f"<li>{badge(first.kind)}<b>{isolated(brief(first.name))}</b> "
        f"<i>{escape(first.kind)}</i>{noun}<ul>{rows}</ul></li>"
    )


def _folded(head: str, rows: str) -> str:
    return f"<details><summary>{head}</summary><ul>{rows}</ul></details>"


def _nothing(said: str) -> str:
    return f'<p class="quiet">{said}</p>'

"""The page of ink: answers, the text, and what a sentence became, side by side.

Everything is in the page as text; its script only lights and hides. Without it all
answers, the text and what every sentence became read from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from gswlab.core.nouns import Span, visible
from gswlab.language.dates.format import shown
from gswlab.view.kit.page import Page, asset, document, filled, sources, stylesheet
from gswlab.view.kit.spans import Mark, escape, html_text, isolated
from gswlab.view.provenance.coverage import Heat
from gswlab.view.provenance.holdings import Holdings
from gswlab.view.provenance.saved_answers import Asked, answers_of, asked_of
from gswlab.view.provenance.sentence_to_facts import badge, sentence_html
from gswlab.view.provenance.span_index import Holding, SpanIndex, clipped
from gswlab.view.provenance.text import Line, brief, legend

if TYPE_CHECKING:
    import pandas as pd


# From an answer to the ink: item, what the run held, the step that made it, a span.


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


def chain(held: Holdings, asked: Asked) -> tuple[Rests, ...]:
    """What an answer rests on: its items in order, then what supports them."""
    answer = asked.answer
    known = {h: _cited(h, answer.spans) for h in held.over(*answer.spans)}
    left = dict(known)
    found: list[Rests] = []
    for item in answer.items:
        for holding in _saying(held, item, known):
            spans = left.pop(holding, known[holding])
            found += _rows(held, asked, item, holding, spans)
    for holding, spans in left.items():
        found += _rows(held, asked, "", holding, spans)
    return tuple(found)


def _cited(holding: Holding, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Of the characters of a holding those that share some with an answer's."""
    return tuple(own for own in holding.spans if clipped(spans, own))


def _saying(
    held: Holdings, item: str, known: dict[Holding, tuple[Span, ...]]
) -> list[Holding]:
    """What says an item in so many words; else what rests on characters that do."""
    wanted = item.casefold()
    exact = [h for h in known if wanted in {t.casefold() for t in _forms(h)}]
    return exact or [
        h
        for h, spans in known.items()
        if any(wanted in held.words(span, 10**6).casefold() for span in spans)
    ]


def _forms(holding: Holding) -> Iterator[str]:
    for text in (holding.text, holding.name):
        yield from (text, shown(text), shown(text, "ja"))


def _rows(
    held: Holdings, asked: Asked, item: str, holding: Holding, spans: tuple[Span, ...]
) -> Iterator[Rests]:
    because = "; ".join(
        dict.fromkeys(f"{d.status}: {d.reason}" for d in held.alignments(holding))
    )
    for span in spans:
        yield Rests(
            item,
            holding.kind,
            holding.name,
            holding.field,
            holding.text,
            holding.noun,
            holding.step,
            held.label(holding.step),
            because,
            _handed(asked, span),
            span,
            held.words(span),
        )


def _handed(asked: Asked, span: Span) -> str:
    items = asked.evidence.items if asked.evidence else ()
    places = [n for n, item in enumerate(items, 1) if clipped(item.spans, span)]
    return f"item {places[0]} of {len(items)}" if places else ""


LINES, ANSWERS, LINKS = 1000, 300, 40  # drawn at most; LINKS for each answer
Chains = Sequence[Sequence[Rests]]


def ink_page(heat: Heat, asked: Sequence[Asked], rests: Chains) -> Page:
    """The page of a run's first `LINES` sentences and `ANSWERS` answers."""
    drawn = _Drawn(heat, asked[:ANSWERS], rests[:ANSWERS])
    script = asset("provenance/ink.js")
    title = f"{heat.held.title}, answers and ink"
    many = f"{len(asked)} answer{'s' * (len(asked) != 1)}"
    caption = f"{len(heat.held.lines)} sentences, {many}, "
    caption += f"{heat.share:.1%} of the characters left no trace"
    body = filled(
        "provenance/ink.html",
        title=escape(title),
        caption=escape(f"{caption}. {_limit(heat, asked)}"),
        legend=legend(),
        answers="".join(drawn.answers()) or '<p class="quiet">Nothing was asked.</p>',
        text="".join(drawn.text()) or '<p class="quiet">Nothing was read yet.</p>',
        became="".join(drawn.became()),
        table=heat.table()._repr_html_(),
        script=script,
    )
    style = f"{stylesheet()}\n{asset('provenance/ink.css')}"
    return Page(document(title, style, body, sources((script,))), title, caption, 860)


def _limit(heat: Heat, asked: Sequence[Asked]) -> str:
    parts = []
    if (many := len(heat.held.lines)) > LINES:
        parts.append(f"the first {LINES} of {many} sentences")
    if len(asked) > ANSWERS:
        parts.append(f"the first {ANSWERS} of {len(asked)} answers")
    return f"This page shows {' and '.join(parts)}." if parts else ""


class _Drawn:
    """The parts of one page."""

    def __init__(self, heat: Heat, asked: Sequence[Asked], rests: Chains) -> None:
        self.heat, self.held, self.asked, self.rests = heat, heat.held, asked, rests
        self.lines = self.held.lines[:LINES]
        self._cites = SpanIndex(
            (span, n) for n, one in enumerate(asked) for span in one.answer.spans
        )

    def answers(self) -> Iterator[str]:
        """Each answer with what it rests on, item by item."""
        for n, (one, rests) in enumerate(zip(self.asked, self.rests, strict=True)):
            items = ", ".join(map(isolated, one.answer.items)) or "<i>no answer</i>"
            question = f'<span dir="auto">{escape(one.question)}</span>'
            because = f'<p class="quiet">{isolated(one.answer.reason)}</p>'
            yield (
                f'<section class="answer" id="a{n}"><button type="button" '
                f'class="ask" data-answer="{n}" aria-pressed="false">{question}'
                f'<b>{items}</b></button><div class="chain">{because}'
                f"{''.join(self._chain(rests))}</div></section>"
            )

    def _chain(self, rests: Sequence[Rests]) -> Iterator[str]:
        for item in dict.fromkeys(rest.item for rest in rests[:LINKS]):
            head = f"<b>{isolated(item)}</b> rests on" if item else "supported by"
            rows = "".join(self._rest(r) for r in rests[:LINKS] if r.item == item)
            yield f"<h4>{head}</h4><ul>{rows}</ul>"
        if (more := len(rests) - LINKS) > 0:
            yield f'<p class="quiet">and {more} more</p>'

    def _rest(self, rest: Rests) -> str:
        line = next(self.held.index.over(rest.span), None)
        there = line is not None and line.number < len(self.lines)
        words = f"“{escape(rest.words)}”"
        cite = f'<a href="#s{line.number}">{words}</a>' if line and there else words
        how = (
            f" <small>{escape(brief(rest.because, 300))}</small>"
            if rest.because
            else ""
        )
        handed = f", handed over as {rest.handed}" if rest.handed else ""
        return (
            f"<li>{badge(rest.kind)}{isolated(brief(rest.name))} "
            f"<i>{escape(rest.kind)}</i>: {escape(rest.field)} "
            f"{isolated(brief(rest.text))}, made at "
            f"{escape(rest.label)}{handed}{how}<br>{cite}</li>"
        )

    def text(self) -> Iterator[str]:
        """All sentences, each a button; what answers cite is marked."""
        before = None
        for line in self.lines:
            if line.part != before:
                yield "" if before is None else "</p>"
                yield f'<h3>{escape(line.part)}</h3><p class="text" dir="auto">'
            before = line.part
            row = self.heat.rows[line.number]
            lost = " data-bare" if row.bare == row.characters else ""
            marks = [*self.heat.marks(line), *self._marks(line)]
            lit = html_text(line.text, marks, line.span.start)
            yield (
                f'{escape(line.gap)}<span class="s" id="s{line.number}" role="button" '
                f'tabindex="{-1 if line.number else 0}"{lost}>{lit}</span>'
            )
        yield "" if before is None else "</p>"

    def _marks(self, line: Line) -> Iterator[Mark]:
        for span, n in self._cites.placed(line.span):
            yield Mark(span.start, span.end, f"x{n}")

    def became(self) -> Iterator[str]:
        """What each sentence became."""
        for line in self.lines:
            cited = sorted(set(self._cites.over(line.span)))
            asked = {n: self.asked[n] for n in cited}
            yield sentence_html(self.held, line, self.heat.rows[line.number], asked)


# An answer in the text it rests on, and any sentence with what it became.


@dataclass(frozen=True)
class Ink:
    """Answers and the ink they rest on: a page in a notebook, a line elsewhere."""

    heat: Heat
    asked: tuple[Asked, ...]

    @cached_property
    def rests(self) -> tuple[tuple[Rests, ...], ...]:
        """What each answer rests on: its items first, then what supports them."""
        return tuple(chain(self.heat.held, one) for one in self.asked)

    def to_frame(self) -> pd.DataFrame:
        """A row a link: question, item, what was held, its step, a span."""
        import pandas as pd

        rows = [
            (one.question, *rest)
            for one, rests in zip(self.asked, self.rests, strict=True)
            for rest in rests
        ]
        return pd.DataFrame(rows, columns=["question", *Rests._fields])

    def page(self) -> Page:
        """The page, whole in one file."""
        return ink_page(self.heat, self.asked, self.rests)

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        one = self.asked[0] if len(self.asked) == 1 else None
        items = ", ".join(one.answer.items) or "no answer" if one else ""
        told = visible(items) if one else f"{len(self.asked)} answers"
        many, steps = _many(self.rests)
        return f"Ink({told}: rests on {many} holdings, made by {steps} steps)"


def ink(of: Any, *what: Any) -> Ink:
    """The ink of questions, asked now, or of answers; without any, of the run's own.

    Args:
        of: a lab, or a journal (which answers no questions).
        what: questions, and answers that it gave.
    """
    asked = asked_of(of, what) if what else answers_of(of)
    recalled = (*answers_of(of), *(one for one in asked if what))
    return Ink(Heat(Holdings(of), recalled), asked)


def _many(rests: tuple[tuple[Rests, ...], ...]) -> tuple[int, int]:
    found = [rest for each in rests for rest in each]
    held = {(r.noun, r.kind, r.name, r.field, r.text, r.step) for r in found}
    return len(held), len({rest.step for rest in found})

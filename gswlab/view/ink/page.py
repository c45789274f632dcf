"""The page of ink: answers, the text, and what a sentence became, side by side.

Everything is in the page as text; its script only lights and hides. Without it all
answers, the text and what every sentence became read from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gswlab.view.ink.chain import Rests
from gswlab.view.ink.given import Asked
from gswlab.view.ink.heat import Heat
from gswlab.view.ink.sentence import badge, sentence_html
from gswlab.view.ink.shade import legend
from gswlab.view.ink.text import Line, brief
from gswlab.view.run.page import Page, stylesheet
from gswlab.view.shell import asset, document, filled, sources
from gswlab.view.spans import Mark, escape, html_text, isolated
from gswlab.workspace.ink import SpanIndex

LINES, ANSWERS, LINKS = 1000, 300, 40  # drawn at most; LINKS for each answer
Chains = Sequence[Sequence[Rests]]


def ink_page(heat: Heat, asked: Sequence[Asked], rests: Chains) -> Page:
    """The page of a run's first `LINES` sentences and `ANSWERS` answers."""
    drawn = _Drawn(heat, asked[:ANSWERS], rests[:ANSWERS])
    script = asset("ink/ink.js")
    title = f"{heat.held.title}, answers and ink"
    many = f"{len(asked)} answer{'s' * (len(asked) != 1)}"
    caption = f"{len(heat.held.lines)} sentences, {many}, "
    caption += f"{heat.share:.1%} of the characters left no trace"
    body = filled(
        "ink/ink.html",
        title=escape(title),
        caption=escape(f"{caption}. {_limit(heat, asked)}"),
        legend=legend(),
        answers="".join(drawn.answers()) or '<p class="quiet">Nothing was asked.</p>',
        text="".join(drawn.text()) or '<p class="quiet">Nothing was read yet.</p>',
        became="".join(drawn.became()),
        table=heat.table()._repr_html_(),
        script=script,
    )
    style = f"{stylesheet()}\n{asset('ink/ink.css')}"
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

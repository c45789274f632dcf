"""The page of ink: answers, the text, and what a sentence became, side by side.

Everything is in the page as text; its script only lights and hides. Without it all
answers, the text and what every sentence became read from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Template

from gswlab.view.ink_answers import Asked
from gswlab.view.ink_chain import Rests
from gswlab.view.ink_heat import Heat, legend
from gswlab.view.ink_text import Line, brief
from gswlab.view.kinds import LOOKS
from gswlab.view.page import Page, stylesheet
from gswlab.view.shell import asset, policy
from gswlab.view.spans import Mark, escape, html_text, isolated
from gswlab.workspace.ink import Holding, SpanIndex, clipped

LINES, ANSWERS, LINKS = 1000, 300, 40  # drawn at most; LINKS for each answer
SECOND = "second reading"  # a field of an episode that lost the vote
Chains = Sequence[Sequence[Rests]]


def ink_page(heat: Heat, asked: Sequence[Asked], rests: Chains) -> Page:
    """The page of a run's first `LINES` sentences and `ANSWERS` answers."""
    drawn = _Drawn(heat, asked[:ANSWERS], rests[:ANSWERS])
    script = asset("ink.js")
    title = f"{heat.held.title}, answers and ink"
    caption = f"{len(heat.held.lines)} sentences, {len(asked)} answers, "
    caption += f"{heat.share:.1%} of the characters left no trace"
    filled = Template(asset("ink.html")).substitute(
        policy=policy((script,)),
        title=escape(title),
        style=f"{stylesheet()}\n{asset('ink.css')}",
        caption=escape(f"{caption}. {_limit(heat, asked)}"),
        legend=legend(),
        answers="".join(drawn.answers()) or '<p class="quiet">Nothing was asked.</p>',
        text="".join(drawn.text()) or '<p class="quiet">Nothing was read yet.</p>',
        became="".join(drawn.became()),
        table=heat.table()._repr_html_(),
        script=script,
    )
    return Page(filled, title, caption, 860)


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
        """What each sentence became, noun by noun; questions last, folded."""
        for line in self.lines:
            row = self.heat.rows[line.number]
            found = self.held.over(line.span)
            cited = sorted(set(self._cites.over(line.span)))
            yield (
                f'<section class="became" id="b{line.number}">'
                f'<h3>Sentence {line.number + 1}</h3><p class="quiet">'
                f"{escape(line.part)}, read at {escape(self.held.label(line.step))}; "
                f"{row.share:.0%} of it left no trace</p>"
                f'<blockquote dir="auto">{escape(line.text)}</blockquote>'
                f"{''.join(self._nouns(line, found))}{self._citing(cited)}"
                "</section>"
            )

    def _nouns(self, line: Line, found: Sequence[Holding]) -> Iterator[str]:
        by: dict[tuple[str, str], list[Holding]] = {}
        for holding in found:
            key = holding.kind, holding.noun or holding.name
            by.setdefault(key, []).append(holding)
        if not by:
            yield '<p class="none"><b>∅</b> It left no trace: nothing rests on it.</p>'
        told = {key: self._noun(line, each) for key, each in by.items()}
        plain = [text for (kind, _), text in told.items() if kind != "question"]
        asked = [text for (kind, _), text in told.items() if kind == "question"]
        yield f"<ul>{''.join(plain)}</ul>" if plain else ""
        if asked:
            head = f"{len(asked)} question{'s' * (len(asked) > 1)}"
            body = f"<ul>{''.join(asked)}</ul>"
            yield f"<details><summary>{head}</summary>{body}</details>"

    def _noun(self, line: Line, each: Sequence[Holding]) -> str:
        first = each[0]
        noun = f" <small>{escape(first.noun)}</small>" if first.noun else ""
        plain = [h for h in each if not h.field.endswith(SECOND)]
        rows = "".join(self._fact(line, holding) for holding in plain)
        if other := "".join(self._fact(line, h) for h in each if h not in plain):
            head = f"{len(each) - len(plain)} second readings"
            rows += (
                f"<li><details><summary>{head}</summary><ul>{other}</ul></details></li>"
            )
        made = [d for holding in each for d in self.held.alignments(holding)]
        whys = dict.fromkeys(
            brief(f"{d.name} {d.status}: {d.reason}", 300) for d in made
        )
        why = "".join(f"<li><small>{escape(said)}</small></li>" for said in whys)
        return (
            f"<li>{badge(first.kind)}<b>{isolated(brief(first.name))}</b> "
            f"<i>{escape(first.kind)}</i>{noun}<ul>{rows}{why}</ul></li>"
        )

    def _fact(self, line: Line, holding: Holding) -> str:
        own = clipped(holding.spans, line.span)
        words = " … ".join(self.held.words(span, 60) for span in own)
        said, gone = isolated(brief(holding.text)), ""
        if holding.until is not None:
            said = f"<del>{said}</del>"
            at = escape(self.held.label(holding.until))
            gone = f" <small>− {at}: {escape(brief(holding.fate))}</small>"
        return (
            f"<li>{escape(holding.field)} {said} <small>“{escape(words)}”, "
            f"{escape(self.held.label(holding.step))}</small>{gone}</li>"
        )

    def _citing(self, cited: Sequence[int]) -> str:
        if not cited:
            return '<p class="quiet">No answer cites it.</p>'
        rows = "".join(
            f'<li><button type="button" class="ask" data-answer="{n}">'
            f"{escape(self.asked[n].question)} <b>"
            f"{escape(', '.join(self.asked[n].answer.items) or 'no answer')}</b>"
            "</button></li>"
            for n in cited
        )
        return f"<h4>Cited by</h4><ul>{rows}</ul>"


def badge(kind: str) -> str:
    """The letter of a kind of noun on its colour, "" for what is no noun."""
    look = LOOKS.get(kind)
    if look is None:
        return ""
    name = kind.replace(" ", "-")
    return f'<span class="badge b-{name}" aria-hidden="true">{look.letter}</span>'

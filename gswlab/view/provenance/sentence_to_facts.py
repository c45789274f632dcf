"""One sentence of a page of ink: what it became, noun by noun, and who cites it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import Span, visible
from gswlab.view.kit.looks import LOOKS
from gswlab.view.kit.spans import escape, isolated
from gswlab.view.kit.tables import Table
from gswlab.view.provenance.coverage import Warm
from gswlab.view.provenance.holdings import Holdings
from gswlab.view.provenance.saved_answers import Asked, answers_of
from gswlab.view.provenance.span_index import Holding, clipped
from gswlab.view.provenance.text import Line, brief

if TYPE_CHECKING:
    import pandas as pd


# From ink to answer: what a sentence became, and who cites it.

HEADS = ("made at", "kind", "what", "says", "because", "what became of it", "words")


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
    answers: tuple[Asked, ...]
    held: Holdings

    def to_frame(self) -> pd.DataFrame:
        """A row a holding, by the step that made it."""
        import pandas as pd

        rows = [
            (*holding, because)
            for holding, because in zip(self.holdings, self.because, strict=True)
        ]
        return pd.DataFrame(rows, columns=[*Holding._fields, "because"])

    @property
    def nouns(self) -> tuple[str, ...]:
        """The ids of the nouns that say something of it, each once."""
        return tuple(dict.fromkeys(h.noun for h in self.holdings if h.noun))

    def _repr_html_(self) -> str:
        table = Table(HEADS, tuple(self._rows()), self.words)._repr_html_()
        asked = [
            (a.question, "; ".join(a.answer.items) or "none") for a in self.answers
        ]
        heads, caption = ("question", "answer"), "answers that cite it"
        cited = Table(heads, tuple(asked), caption)._repr_html_() if asked else ""
        return table + cited

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for holding, because in zip(self.holdings, self.because, strict=True):
            end = holding.until
            fate = "" if end is None else f"{self.held.label(end)}: {holding.fate}"
            said = f"{holding.field} {holding.text}"
            own = [s for s in holding.spans if clipped(self.spans, s)]
            words = " / ".join(self.held.words(span, 80) for span in own)
            what = f"{holding.name} ({holding.noun})" if holding.noun else holding.name
            step = self.held.label(holding.step)
            yield step, holding.kind, what, said, because, fate or "held", words

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
    cited = [
        a for a in answers_of(of) if any(clipped(a.answer.spans, s) for s in spans)
    ]
    return Became(held.words(spans[0]), spans, found, because, tuple(cited), held)


def _because(held: Holdings, holding: Holding) -> str:
    said = (f"{d.status}: {d.reason}" for d in held.alignments(holding))
    return "; ".join(dict.fromkeys(said))


SECOND = "second reading"  # a field of an episode that lost the vote


def sentence_html(
    held: Holdings, line: Line, row: Warm, asked: Mapping[int, Asked]
) -> str:
    """What a sentence became; questions last, folded.

    Args:
        held: the run.
        line: the sentence.
        row: how much of it left a trace.
        asked: the answers that cite it, by their number on the page.
    """
    return (
        f'<section class="became" id="b{line.number}">'
        f'<h3>Sentence {line.number + 1}</h3><p class="quiet">'
        f"{escape(line.part)}, read at {escape(held.label(line.step))}; "
        f"{row.share:.0%} of it left no trace</p>"
        f'<blockquote dir="auto">{escape(line.text)}</blockquote>'
        f"{''.join(_nouns(held, line))}{_citing(asked)}</section>"
    )


def _nouns(held: Holdings, line: Line) -> Iterator[str]:
    by: dict[tuple[str, str], list[Holding]] = {}
    for holding in held.over(line.span):
        key = holding.kind, holding.noun or holding.name
        by.setdefault(key, []).append(holding)
    if not by:
        yield '<p class="none"><b>∅</b> It left no trace: nothing rests on it.</p>'
    told = {key: _noun(held, line, each) for key, each in by.items()}
    plain = [text for (kind, _), text in told.items() if kind != "question"]
    asked = [text for (kind, _), text in told.items() if kind == "question"]
    yield f"<ul>{''.join(plain)}</ul>" if plain else ""
    if asked:
        head = f"{len(asked)} question{'s' * (len(asked) > 1)}"
        yield _folded(head, "".join(asked))


def _noun(held: Holdings, line: Line, each: Sequence[Holding]) -> str:
    first = each[0]
    noun = f" <small>{escape(first.noun)}</small>" if first.noun else ""
    plain = [h for h in each if not h.field.endswith(SECOND)]
    rows = "".join(_fact(held, line, holding) for holding in plain)
    if other := "".join(_fact(held, line, h) for h in each if h not in plain):
        folded = _folded(f"{len(each) - len(plain)} second readings", other)
        rows += f"<li>{folded}</li>"
    made = [d for holding in each for d in held.alignments(holding)]
    whys = dict.fromkeys(brief(f"{d.name} {d.status}: {d.reason}", 300) for d in made)
    why = "".join(f"<li><small>{escape(said)}</small></li>" for said in whys)
    return (
        f"<li>{badge(first.kind)}<b>{isolated(brief(first.name))}</b> "
        f"<i>{escape(first.kind)}</i>{noun}<ul>{rows}{why}</ul></li>"
    )


def _folded(head: str, rows: str) -> str:
    return f"<details><summary>{head}</summary><ul>{rows}</ul></details>"


def _fact(held: Holdings, line: Line, holding: Holding) -> str:
    own = clipped(holding.spans, line.span)
    words = " … ".join(held.words(span, 60) for span in own)
    said, gone = isolated(brief(holding.text)), ""
    if holding.until is not None:
        said = f"<del>{said}</del>"
        at, fate = escape(held.label(holding.until)), escape(brief(holding.fate))
        gone = f" <small>− {at}: {fate}</small>"
    return (
        f"<li>{escape(holding.field)} {said} <small>“{escape(words)}”, "
        f"{escape(held.label(holding.step))}</small>{gone}</li>"
    )


def _citing(asked: Mapping[int, Asked]) -> str:
    if not asked:
        return '<p class="quiet">No answer cites it.</p>'
    rows = "".join(
        f'<li><button type="button" class="ask" data-answer="{n}">'
        f"{escape(one.question)} <b>"
        f"{escape(', '.join(one.answer.items) or 'no answer')}</b></button></li>"
        for n, one in asked.items()
    )
    return f"<h4>Cited by</h4><ul>{rows}</ul>"


def badge(kind: str) -> str:
    """The letter of a kind of noun on its colour, "" for what is no noun."""
    look = LOOKS.get(kind)
    if look is None:
        return ""
    name = kind.replace(" ", "-")
    return f'<span class="badge b-{name}" aria-hidden="true">{look.letter}</span>'

"""One sentence of a page of ink: what it became, noun by noun, and who cites it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gswlab.view.ink.given import Asked
from gswlab.view.ink.heat import Warm
from gswlab.view.ink.held import Holdings
from gswlab.view.ink.text import Line, brief
from gswlab.view.kinds import LOOKS
from gswlab.view.spans import escape, isolated
from gswlab.workspace.ink import Holding, clipped

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

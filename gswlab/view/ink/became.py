"""From ink to answer: what a sentence became, and who cites it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import Span, visible
from gswlab.view.ink.given import Asked, answers_of
from gswlab.view.ink.held import Holdings
from gswlab.view.tables import Table
from gswlab.workspace.ink import Holding, clipped

if TYPE_CHECKING:
    import pandas as pd

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

"""What left no trace: the characters that nothing a run holds or recalled rests on.

Counted are letters and digits. What holds them is counted too, so that a
text can be drawn from bare to dense: in shade and in the stroke under the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd

from gswlab.core.nouns import Span
from gswlab.view.kit.page import rendered, stylesheet
from gswlab.view.kit.spans import Mark
from gswlab.view.kit.tables import Table
from gswlab.view.provenance.answer import SavedAnswer, answers_of, saved_answers_of
from gswlab.view.provenance.holdings import Holdings, Line
from gswlab.view.provenance.text import SpanIndex, bare, clipped

SHOWN = 400  # sentences of a text in a notebook
LEVELS = (1, 3, 6)  # holdings from which a character is drawn one level denser


class Warm(NamedTuple):
    """A sentence: its characters, those without a trace, and what rests on it."""

    part: str
    number: int
    characters: int
    bare: int
    holdings: int
    recalled: int
    text: str

    @property
    def share(self) -> float:
        """The share of characters that left no trace."""
        return self.bare / self.characters if self.characters else 0.0


@dataclass(frozen=True)
class Heat:
    """A text by what it left: drawn with its table in a notebook, a line elsewhere."""

    held: Holdings
    recalled: tuple[SavedAnswer, ...]

    @cached_property
    def rows(self) -> tuple[Warm, ...]:
        """A row a sentence, in the order of the text."""
        return tuple(
            Warm(
                line.part,
                line.number,
                sum(map(str.isalnum, line.text)),
                sum(_solid(line, span) for span in self.bare(line)),
                len(self.held.over(line.span)),
                len({id(asked) for asked in self._used.over(line.span)}),
                line.text,
            )
            for line in self.held.lines
        )

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
        return tuple(span for span in bare(line.span, there) if _solid(line, span))

    def marks(self, line: Line) -> Iterator[Mark]:
        """The stretches of a sentence by level, as marks `h0` to `h3`."""
        spans = [span for span, _ in self.held.spans.placed(line.span)]
        spans += [span for span, _ in self._used.placed(line.span)]
        inside = clipped(spans, line.span)
        empty = self.bare(line)
        ends = {line.span.start, line.span.end}
        for span in (*inside, *empty):
            ends |= {span.start, span.end}
        for a, b in pairwise(sorted(ends)):
            many = sum(s.start <= a and b <= s.end for s in inside)
            lost = any(s.start <= a and b <= s.end for s in empty)
            level = 0 if lost else max(1, sum(many >= least for least in LEVELS))
            yield Mark(a, b, "", f"h{level}")

    def to_frame(self) -> pd.DataFrame:
        """A row a sentence."""
        rows = [(*row, row.share) for row in self.rows]
        return pd.DataFrame(rows, columns=[*Warm._fields, "share"])

    def untouched(self) -> pd.DataFrame:
        """A row a stretch of characters that left no trace, those with a letter."""
        rows = [
            (line.part, line.number, span.start, span.end, self.held.words(span))
            for line in self.held.lines
            for span in self.bare(line)
        ]
        names = ["part", "number", "start", "end", "words"]
        return pd.DataFrame(rows, columns=names)

    def chapters(self) -> pd.DataFrame:
        """A row a chapter (or document): sentences and characters without a trace."""
        frame = self.to_frame()
        frame["untouched"] = frame["bare"] == frame["characters"]
        parts = frame.groupby("part", sort=False)
        found = parts.agg(
            sentences=("number", "size"),
            untouched=("untouched", "sum"),
            characters=("characters", "sum"),
            bare=("bare", "sum"),
        ).reset_index()
        found["share"] = found["bare"] / found["characters"]
        return found

    @property
    def share(self) -> float:
        """The share of all characters that left no trace."""
        all_ = sum(row.characters for row in self.rows)
        return sum(row.bare for row in self.rows) / all_ if all_ else 0.0

    def table(self) -> Table:
        """The share of each chapter, in words."""
        rows = tuple(
            (*map(str, row[:-1]), f"{row[-1]:.1%}")
            for row in self.chapters().itertuples(index=False, name=None)
        )
        heads = "part", "sentences", "without a trace", "characters", "without", "share"
        return Table(heads, rows, f"{self.share:.1%} of the characters left no trace")

    def _repr_html_(self) -> str:
        style = stylesheet("provenance/ink.css")
        return rendered("provenance/heat.html", heat=self, most=SHOWN, style=style)

    def __repr__(self) -> str:
        lost = sum(row.bare == row.characters for row in self.rows)
        return (
            f"Heat({self.held.title}: {self.share:.1%} of the characters and {lost} of "
            f"{len(self.rows)} sentences left no trace)"
        )


def heat(of: Any, questions: Iterable[str] = ()) -> Heat:
    """What of a run's text left no trace in what it holds and recalled.

    Recalled is what its answers cite, and what it hands over for `questions`.
    """
    return Heat(Holdings(of), (*answers_of(of), *saved_answers_of(of, questions)))


def _solid(line: Line, span: Span) -> int:
    """The letters and digits of a stretch of a sentence."""
    base = line.span.start
    return sum(map(str.isalnum, line.text[span.start - base : span.end - base]))

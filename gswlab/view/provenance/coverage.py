"""What left no trace: the characters that nothing a run holds or recalled rests on.

Counted are letters and digits. What holds them is counted too, so that a
text can be drawn from bare to dense: in shade and in the stroke under the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from gswlab.core.nouns import Span
from gswlab.view.kit.page import rendered, stylesheet
from gswlab.view.kit.spans import Mark, segments
from gswlab.view.kit.tables import Table
from gswlab.view.provenance.answer import SavedAnswer, answers_of, saved_answers_of
from gswlab.view.provenance.holdings import Holdings, Line
from gswlab.view.provenance.text import SpanIndex, bare

SHOWN = 400  # sentences of a text in a notebook
LEVELS = (1, 3, 6)  # holdings from which a character is drawn one level denser
_COLUMNS = ["part", "number", "characters", "bare", "holdings", "recalled", "text"]


@dataclass(frozen=True)
class Heat:
    """A text by what it left: drawn with its table in a notebook, a line elsewhere."""

    held: Holdings
    recalled: tuple[SavedAnswer, ...]

    @cached_property
    def rows(self) -> pd.DataFrame:
        """A row a sentence: its letters, those without a trace, what rests on it."""
        frame = pd.DataFrame(
            (
                {
                    "part": line.part,
                    "number": line.number,
                    "characters": sum(map(str.isalnum, line.text)),
                    "bare": sum(_solid(line, span) for span in self.bare(line)),
                    "holdings": len(self.held.over(line.span)),
                    "recalled": len({id(one) for one in self._used.over(line.span)}),
                    "text": line.text,
                }
                for line in self.held.lines
            ),
            columns=_COLUMNS,
        )
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
        return tuple(span for span in bare(line.span, there) if _solid(line, span))

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

    def to_frame(self) -> pd.DataFrame:
        """A row a sentence."""
        return self.rows.copy()

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
        lost = (self.rows["bare"] == self.rows["characters"]).sum()
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

"""The two ends of every comparison: nothing recalled, and everything that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gswlab.memory.passages import Passages, Ranking


@dataclass
class ClosedBook(Passages):
    """Hands over nothing: what a reader knows without the text."""

    def index(self, texts: Sequence[str]) -> None:
        """Nothing is looked up, so nothing is prepared."""

    def rank(self, question: str) -> Ranking:
        """No chunk, whatever is asked."""
        return ()


@dataclass
class LongContext(ClosedBook):
    """Hands over the text from its beginning, as far as the budget goes.

    With `end` "tail" it is the end of the text, the last chunk first.
    """

    end: Literal["head", "tail"] = "head"

    def rank(self, question: str) -> Ranking:
        """Every chunk in the order of reading, or backwards, whatever is asked."""
        rows = [(row, 0.0) for row in range(len(self.chunks))]
        return rows if self.end == "head" else rows[::-1]

"""What a judge says of an answer, and what a judge is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gswlab.bench.epbench import EpQuestion
from gswlab.core.nouns import Answer


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge saw: unique gold, unique items, and which gold each item is.

    `scores` has what each item is worth where that is not simply whether it matches.
    """

    gold: tuple[str, ...]
    items: tuple[str, ...]
    matches: tuple[int | None, ...]
    scores: tuple[float, ...] | None = None
    judge: str = "offline"
    reason: str = ""

    @property
    def found(self) -> float:
        """How many of the gold are found; one that is merely touched on is half."""
        if self.scores is not None:
            return sum(self.scores)
        return sum(match is not None for match in self.matches)

    def to_dict(self) -> dict[str, object]:
        """A row of `verdicts.jsonl`: who judged what, and how."""
        scores = self.scores or [float(match is not None) for match in self.matches]
        gold, items = list(self.gold), list(self.items)
        row = {"judge": self.judge, "gold": gold, "items": items}
        return {
            **row,
            "matches": list(self.matches),
            "scores": list(scores),
            "reason": self.reason,
        }


class Judging(Protocol):
    """Who says which answers are right."""

    @property
    def name(self) -> str:
        """Who judges, as `scores.json` says it."""

    def verdicts(self, pairs: Sequence[tuple[EpQuestion, Answer]]) -> Sequence[Verdict]:
        """A verdict for each question and its answer, in their order."""

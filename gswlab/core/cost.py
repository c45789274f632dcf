"""One call and what calls cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

# What is no part of what an experiment is: a run goes on under a larger budget.
HOW = {"path": True}


@dataclass(frozen=True)
class Entry:
    """One call: a failed one was made and may have cost its tokens unseen.

    Of its input, `cached_tokens` were in the server's own cache of prompts.
    """

    stage: str
    chunk: str | None
    model: str
    outcome: Literal["fresh", "cached", "failed"]
    input_tokens: int
    output_tokens: int
    seconds: float
    cached_tokens: int = 0


class Cost(NamedTuple):
    """A sum of calls; `money` is None where a price is unknown, tokens are paid."""

    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    money: float | None
    seconds: float

    def plus(self, other: Cost) -> Cost:
        """Both; what is unknown in one is unknown in the sum."""
        both: Any = zip(self, other, strict=True)
        return Cost._make(None if None in pair else sum(pair) for pair in both)

    def words(self) -> str:
        """The sum for people to read.

        >>> Cost(1, 2, 10, 3, None, 0.5).words()
        '1 calls, 2 replayed, 10 + 3 tokens, money unknown, 0.5 s'
        """
        money = "money unknown" if self.money is None else f"{self.money:.4f} money"
        tokens = f"{self.input_tokens} + {self.output_tokens} tokens"
        calls = f"{self.calls} calls, {self.cached} replayed"
        return f"{calls}, {tokens}, {money}, {self.seconds:.1f} s"

    def to_dict(self, parts: int = 1) -> dict[str, float | None]:
        """The sum, or one of so many equal parts of it, to the sixth digit.

        >>> Cost(3, 0, 10, 2, None, 0.5).to_dict(2)["calls"]
        1.5
        """
        found = self._asdict()
        if parts != 1:
            found = {n: None if v is None else v / parts for n, v in found.items()}
        return {n: round(v, 6) if isinstance(v, float) else v for n, v in found.items()}


NOTHING = Cost(0, 0, 0, 0, 0.0, 0.0)

"""What fills the window and why, at one moment: a table, a text, and terms of a sum."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import pandas as pd

PartName = Literal[
    "system", "core", "functions", "reply", "summary", "message", "call", "result",
    "alert",
]  # fmt: skip
FIXED = ("system", "core", "functions", "reply")
WHY = {
    "system": "instructions and counts of what is outside; never evicted",
    "core": "a block the model edits; never evicted",
    "functions": "definitions of the functions; reserved",
    "reply": "kept free for the model's reply; reserved",
    "summary": "stands for what was evicted",
    "message": "said lately, or in this turn",
    "call": "a function the model called",
    "result": "what a call returned, or was prefetched",
    "alert": "told to the model by the queue manager",
}


class Part(NamedTuple):
    """One piece of the window: its name, its id, its tokens and its text."""

    part: PartName
    id: str
    tokens: int
    text: str

    @property
    def why(self) -> str:
        """Why it is in the window."""
        return WHY[self.part]


@dataclass(frozen=True)
class Window:
    """A window of `total` tokens: every part of it, in order, and what is left.

    Tokens are of cl100k_base, of each part's text as a model is sent it.
    """

    total: int
    parts: tuple[Part, ...]

    def tokens(self, names: Iterable[str]) -> int:
        """Tokens of the parts of these names."""
        wanted = set(names)
        return sum(part.tokens for part in self.parts if part.part in wanted)

    @property
    def terms(self) -> dict[str, int]:
        """The capacity of the queue term by term, and how much of it is used.

        `capacity` = `total` - `system` - `core` - `functions` - `reply`; the last two
        are what is reserved.
        """
        fixed = {name: self.tokens([name]) for name in FIXED}
        capacity = self.total - sum(fixed.values())
        queue = sum(p.tokens for p in self.parts if p.part not in FIXED)
        used = {"queue": queue, "free": capacity - queue}
        return {"total": self.total, **fixed, "capacity": capacity, **used}

    @property
    def prompt(self) -> int:
        """Tokens that a model is sent: everything but the room for its reply."""
        return sum(part.tokens for part in self.parts if part.part != "reply")

    @property
    def sums(self) -> dict[str, int]:
        """Tokens by the name of a part, in order; what is not there is left out."""
        names = dict.fromkeys(part.part for part in self.parts)
        return {name: self.tokens([name]) for name in names}

    def to_frame(self) -> pd.DataFrame:
        """A row a part: part, id, tokens, share of the window, why, text."""
        import pandas as pd

        rows = [
            (p.part, p.id, p.tokens, p.tokens / self.total, p.why, p.text)
            for p in self.parts
        ]
        columns = ["part", "id", "tokens", "share", "why", "text"]
        return pd.DataFrame(rows, columns=columns)

    def text(self) -> str:
        """The sum in one line, then a line a part with the beginning of its text."""
        terms = self.terms
        minus = " - ".join(f"{terms[name]:,} {name}" for name in FIXED)
        sum_ = (
            f"{terms['total']:,} window - {minus} = {terms['capacity']:,} for the queue"
        )
        used = f"{terms['queue']:,} used, {terms['free']:,} free"
        lines = [
            f"{part.tokens:>6,}  {part.part:<9}  {part.id:<8}  {_begin(part.text)}"
            for part in self.parts
        ]
        return "\n".join([sum_, used, *lines])

    def __repr__(self) -> str:
        return self.text()


def _begin(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."

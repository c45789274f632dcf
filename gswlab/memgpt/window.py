"""What fills the window and why, at one moment: a table, a text, and terms of a sum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from gswlab.core.nouns import TraceEvent
from gswlab.memgpt.nouns import Hit

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


# Virtual memory's own terms for what a search does to a window.


@dataclass
class Paging:
    """The counts of one turn.

    >>> paging = Paging()
    >>> paging.refer(["p1", "p2"], resident={"p2"})
    ['p1']
    >>> paging.to_dict()["hit_rate"], paging.faults
    (0.5, 1)
    """

    faults: int = 0
    hits: int = 0
    page_ins: int = 0
    page_outs: int = 0
    prefetched: int = 0

    def refer(self, keys: Iterable[str], resident: Iterable[str]) -> list[str]:
        """Count references; the rows that are paged in by them."""
        asked, held = list(dict.fromkeys(keys)), set(resident)
        new = [key for key in asked if key not in held]
        self.hits += len(asked) - len(new)
        self.page_ins += len(new)
        self.faults += bool(new)
        return new

    @property
    def hit_rate(self) -> float | None:
        """Hits of all references; None where there was none."""
        total = self.hits + self.page_ins
        return self.hits / total if total else None

    def to_dict(self) -> Mapping[str, int | float | None]:
        """All counts and the hit rate, rounded to four digits."""
        rate = self.hit_rate
        counts = {name: getattr(self, name) for name in self.__annotations__}
        return {**counts, "hit_rate": None if rate is None else round(rate, 4)}


# What came of one message.

Outcome = Literal[
    "replied", "heard", "silent", "paused", "call_limit", "repeated_call", "failures"
]


@dataclass(frozen=True)
class Turn:
    """What came of one message: what was said, how it ended and why, what happened.

    `hits` are the rows that searches found, in the order they were found, each once.
    """

    said: tuple[str, ...]
    outcome: Outcome
    reason: str = ""
    calls: int = 0
    hits: tuple[Hit, ...] = ()
    events: tuple[TraceEvent, ...] = ()
    paging: Paging = field(default_factory=Paging)

    def __str__(self) -> str:
        return "\n".join(self.said) if self.said else f"({self.outcome}: {self.reason})"

    def told(self, window: Window) -> str:
        """One line on what the turn did to a window."""
        used, paging = window.prompt / window.total, self.paging
        moved = f"{paging.page_ins} in, {paging.page_outs} out, {paging.hits} hits"
        return f"{self.calls} calls, pages: {moved}; window {used:.0%} full"

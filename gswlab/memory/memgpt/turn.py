"""What came of one message."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gswlab.core.nouns import TraceEvent
from gswlab.memory.memgpt.nouns import Hit
from gswlab.memory.memgpt.paging import Paging
from gswlab.memory.memgpt.window import Window

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

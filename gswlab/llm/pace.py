"""One rate for all who ask: a call waits for its turn, or until it is cancelled."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from gswlab.llm.ask import StoppedError


@dataclass
class Pace:
    """At most `per_minute` calls, evenly spread; None is no limit."""

    per_minute: float | None
    cancelled: Event
    _next: float = field(default=0.0, init=False, repr=False)
    _lock: Any = field(default_factory=Lock, init=False, repr=False)

    def wait(self) -> None:
        """Return when the next call may be made.

        Raises:
            StoppedError: it was cancelled meanwhile.
        """
        if self.cancelled.wait(self._turn()):
            raise StoppedError("the calls were cancelled", "replies so far are kept")

    def _turn(self) -> float:
        """Seconds until the turn that is taken by asking for it."""
        if self.per_minute is None:
            return 0.0
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + 60 / self.per_minute
        return turn - now

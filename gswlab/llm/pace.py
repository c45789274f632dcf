"""One rate for all who ask: a call waits for its turn, or until it is cancelled.

Jobs in several processes share a cassette and so one rate: the next turn stands in a
small file beside it, taken by one of them at a time.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.llm.ask import StoppedError

_TABLE = "CREATE TABLE IF NOT EXISTS turn (id INTEGER PRIMARY KEY, at REAL NOT NULL)"
_PUT = "INSERT INTO turn VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
_FAR = 3600.0  # seconds; a turn beyond was written by a clock that has been set back


@dataclass
class Pace:
    """At most `per_minute` calls, evenly spread; None is no limit.

    With a `file` the rate is that of all processes that name it.
    """

    per_minute: float | None
    cancelled: Event
    file: str | None = None
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
        apart = 60 / self.per_minute
        with self._lock:
            if self.file:
                return self._shared(self.file, apart)
            now = time.time()
            turn = max(now, self._next)
            self._next = turn + apart
        return turn - now

    def _shared(self, file: str, apart: float) -> float:
        try:
            Path(file).absolute().parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(file, 60, isolation_level=None)) as db:
                db.execute("BEGIN IMMEDIATE")
                db.execute(_TABLE)
                row = db.execute("SELECT at FROM turn").fetchone()
                now = time.time()
                after = row[0] if row and row[0] < now + _FAR else now
                turn = max(now, after)
                db.execute(_PUT, (turn + apart,))
                db.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            rule = "the rate of all jobs is kept beside the cassette"
            problem = f"{file} cannot be used: {error}"
            raise GswlabError(problem, rule, "llm.cassette=FILE") from error
        return float(turn - now)

"""What models said before, by what they were asked: no question is paid for twice.

Notes:
- one SQLite file, shared by threads, processes and runs; a reply is there whole or not
  at all, and of two for one request the first stays, so a repeated run reads the same;
- a write-ahead log, as a journal has: a thousand replies are recorded in a second, and
  the last ones may be lost when the power fails, never when the process is killed;
- keys are never part of a request, so none can be in the file.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from threading import Event, Lock
from time import monotonic, sleep
from typing import Any

from gswlab.core.errors import GswlabError

_TABLE = """CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID"""
_NEAREST = "SELECT request FROM replies ORDER BY abs(length(request) - ?), key LIMIT 50"
_SHOWN = 400
_WAIT = 60  # seconds for another process to be done


class Cassette:
    """Recorded replies; the file is made with the first.

    >>> Cassette("no/such.sqlite").get({"model": "m"})
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._db: sqlite3.Connection | None = None
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Cassette({self.file!r})"

    def get(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """The reply recorded for exactly this request, None when there is none."""
        rows = self._rows("SELECT reply FROM replies WHERE key = ?", _key(request))
        return dict(json.loads(rows[0][0])) if rows else None

    def put(
        self, request: Mapping[str, Any], reply: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Record a reply; returns the one that is kept, the first recorded."""
        row = _key(request), _text(request), _text(reply)
        with self._open() as db:
            db.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?)", row)
            sql = "SELECT reply FROM replies WHERE key = ?"
            (kept,) = db.execute(sql, row[:1]).fetchone()
        return dict(json.loads(kept))

    @contextmanager
    def asking(self, request: Mapping[str, Any], cancelled: Event) -> Iterator[None]:
        """The right to ask this of a server: one at a time, of all processes.

        Held by a lock on a file beside the cassette, which the system lets go of
        however the process ends. Who had to wait looks into the cassette once more.
        """
        file = Path(f"{self.file}.ask-{_key(request)[:24]}")
        db = None
        try:
            with suppress(OSError, sqlite3.Error):  # a disk that records nothing
                file.parent.mkdir(parents=True, exist_ok=True)
                db = sqlite3.connect(file, timeout=0.2, isolation_level=None)
                while not _locked(db) and not cancelled.is_set():
                    pass
            yield
        finally:
            if db is not None:
                file.unlink(missing_ok=True)  # its reply is there, or was none
                db.close()

    def about(self, text: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """The requests that hold `text` word for word, each with its reply."""
        sql = "SELECT request, reply FROM replies WHERE instr(request, ?) ORDER BY key"
        rows = self._rows(sql, json.dumps(text)[1:-1])  # as a request's JSON writes it
        return [(json.loads(request), json.loads(reply)) for request, reply in rows]

    def missing(self, request: Mapping[str, Any]) -> GswlabError:
        """The error of a request that is not recorded, with the nearest that is."""
        wanted = _text(request)
        rows = self._rows(_NEAREST, len(wanted))
        near = get_close_matches(wanted, [row[0] for row in rows], 1, 0.0)
        nearest = f"the nearest recorded is {_short(near[0])}" if near else ""
        rule = f"with replay_only no model is called; {nearest or 'it is empty'}"
        problem = f"{self.file} has no reply to {_short(wanted)}"
        return GswlabError(problem, rule, "llm.base_url=URL llm.replay_only=false")

    def _rows(self, sql: str, value: str | int) -> list[Any]:
        """What a file has to say; of one that is not there yet, nothing."""
        if not Path(self.file).exists():
            return []
        with self._open() as db:
            return db.execute(sql, (value,)).fetchall()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                self._db = self._db or self._connected()
                yield self._db
        except (OSError, sqlite3.Error) as error:
            problem = f"the cassette {self.file} cannot be used: {error}"
            rule = "a cassette is a readable SQLite file"
            raise GswlabError(problem, rule, "llm.cassette=FILE") from error

    def _connected(self) -> sqlite3.Connection:
        path = Path(self.file).absolute()
        path.parent.mkdir(parents=True, exist_ok=True)
        # one that came with a read-only folder cannot have a log beside it
        still = path.exists() and not os.access(path.parent, os.W_OK)
        uri = f"{path.as_uri()}?{'immutable=1' if still else 'mode=rwc'}"
        db = sqlite3.connect(
            uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, db.close)
        if not still:
            _log(db)
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute(_TABLE)
        return db


def _log(db: sqlite3.Connection) -> None:
    """Keep a log beside a file; unlike all else, this waits for no other by itself."""
    until = monotonic() + _WAIT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return


def _locked(db: sqlite3.Connection) -> bool:
    """Whether the lock was free within the connection's time."""
    try:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        return False
    return True


def _key(request: Mapping[str, Any]) -> str:
    return hashlib.sha256(_text(request).encode()).hexdigest()


def _text(data: Mapping[str, Any]) -> str:
    # ASCII: a lone surrogate in a reply cannot be written any other way
    return json.dumps(data, sort_keys=True)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."

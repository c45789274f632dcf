"""The SQLite file under an agent: recall, archival, core blocks and its state.

- write-ahead log and `synchronous=FULL`: what a transaction wrote is on the disk when
  it ends, and a killed process leaves whole transactions only;
- a turn is one transaction, its reply is given after it: a message whose reply was
  seen is in the file, and a turn that broke left nothing behind;
- `secure_delete` overwrites what is deleted; `purge` also clears it out of the text
  indexes and the log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError

APPLICATION = 0x6D656D67  # "memg"
VERSION = 1
TEXTS = ("messages", "passages")
_ROW = "time TEXT, chunk TEXT, document TEXT, start INTEGER, stop INTEGER, dates TEXT"
SCHEMA = f"""
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, role TEXT, kind TEXT, text TEXT,
    tokens INTEGER, turn INTEGER, speaker TEXT, items TEXT, most INTEGER,
    {_ROW});
CREATE INDEX messages_time ON messages (time, id) WHERE time IS NOT NULL;
CREATE INDEX messages_document ON messages (document) WHERE document IS NOT NULL;
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, tokens INTEGER, tags TEXT,
    vector BLOB, {_ROW});
CREATE INDEX passages_tags ON passages (tags) WHERE tags != '[]';
CREATE INDEX passages_document ON passages (document) WHERE document IS NOT NULL;
CREATE TABLE blocks (
    label TEXT PRIMARY KEY, description TEXT, value TEXT, most INTEGER,
    read_only INTEGER);
CREATE TABLE state (key TEXT PRIMARY KEY, json TEXT);
CREATE TABLE turns (chunk TEXT PRIMARY KEY, step TEXT);
CREATE TABLE counts (name TEXT PRIMARY KEY, texts INTEGER, words INTEGER);
""" + "".join(
    f"""
CREATE VIRTUAL TABLE {name}_words USING fts5(
    text, content='', tokenize='unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE {name}_grams USING fts5(
    text, content='', detail=none, tokenize='trigram');
INSERT INTO counts VALUES ('{name}', 0, 0);
"""
    for name in TEXTS
)


class Database:
    """One connection to one file; without a path it lives in the process's memory.

    Raises:
        GswlabError: the file is something else, or cannot be written.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path else None
        self._depth = 0
        try:
            if self.path:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path or ":memory:", isolation_level=None, timeout=60
            )
            self._settle()
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def _settle(self) -> None:
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application not in (0, APPLICATION) or (tables and not application):
            rule = "an agent's memory is the file that an agent wrote"
            raise GswlabError(f"{self.path} is no agent's memory", rule, "memory.file=")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.execute("PRAGMA cache_size = -65536")  # KiB: the tops of all indexes
        if not application:
            marks = f"PRAGMA application_id={APPLICATION};PRAGMA user_version={VERSION}"
            self._db.executescript(f"BEGIN;{SCHEMA};{marks};COMMIT")

    def rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of a question, read as they are taken."""
        yield from self._db.execute(sql, values)

    def one(self, sql: str, *values: Any) -> Any:
        """The first value of the first row, None where there is no row."""
        row = self._db.execute(sql, values).fetchone()
        return row[0] if row else None

    def write(self, sql: str, *values: Any) -> int:
        """One statement inside a transaction, its own where none is open; the rowid."""
        with self.transaction():
            return self._db.execute(sql, values).lastrowid or 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of a block's writes or none of them; one inside another is part of it."""
        if not self._depth:
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                raise self._unusable(error) from error
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if not self._depth and self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._depth -= 1
        if not self._depth:
            self._db.execute("COMMIT")

    def purge(self) -> None:
        """Clear what was deleted out of the full-text indexes and out of the log.

        An index of a million messages is rewritten whole: seconds, paid when deleting.
        """
        for name in TEXTS:
            for table in (f"{name}_words", f"{name}_grams"):
                self._db.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of the file; closing twice is no error."""
        self._db.close()

    def _unusable(self, error: Exception) -> GswlabError:
        rule = "a file that may be written, by one agent at a time"
        problem = f"{self.path or 'a memory'} cannot be used: {error}"
        return GswlabError(problem, rule, "memory.file=FILE")

"""The SQLite file under a journal: opening, its schema, its one writer.

Notes:
- write-ahead log, so readers see whole steps while a writer writes;
- `synchronous=FULL`: a commit is on the disk, not only with the operating system, when
  it returns, so that "on disk" also holds when the power fails;
- the writer's lock is an exclusive transaction on an empty file beside the journal.
  It is portable, and the system lets go of it however the process ends. The file stays:
  removing a lock file is how two processes come to hold two locks.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gswlab.core.codec import SCHEMA_VERSION
from gswlab.core.errors import GswlabError

_APPLICATION = 0x67737731  # "gsw1": how a journal is told from any other SQLite file
_SCHEMA = f"""
BEGIN;
CREATE TABLE meta (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
CREATE TABLE chunks (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
CREATE TABLE steps (
    position INTEGER PRIMARY KEY, chunk TEXT, undoes INTEGER UNIQUE,
    json TEXT NOT NULL);
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


def lock(path: Path) -> sqlite3.Connection:
    """The right to write the journal at `path`, held until closed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".lock")
        held = sqlite3.connect(beside, timeout=0, isolation_level=None)
        held.execute("PRAGMA journal_mode = OFF")  # no second file: nothing is written
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise _unusable(path, error) from error
        problem = f"{path} is being written by another process"
        rule = "one process writes a journal, any number read it"
        command = f"python -m gswlab step {path.parent} -1"
        raise GswlabError(problem, rule, command) from None
    except OSError as error:
        raise _unusable(path, error) from error
    return held


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """The journal's database, made when new, refused when it is something else."""
    if mode == "r" and not path.is_file():
        rule = "a run folder holds journal.sqlite once its run has begun"
        command = "python -m gswlab read FILE"
        raise GswlabError(f"there is no journal at {path}", rule, command)
    if mode == "x" and path.exists():
        raise GswlabError(
            f"{path} exists already", "a new journal needs a new path", "another path"
        )
    # a journal on a read-only disk cannot have the side files of a write-ahead log
    still = mode == "r" and not os.access(path.parent, os.W_OK)
    query = "immutable=1" if still else "mode=" + ("rw" if mode == "r" else "rwc")
    uri = f"{path.absolute().as_uri()}?{query}"
    try:
        db = sqlite3.connect(uri, uri=True, isolation_level=None)
    except sqlite3.DatabaseError as error:
        raise _unusable(path, error) from error
    try:
        _check(db, path, mode)
        if mode == "r":
            db.execute("PRAGMA query_only = ON")
        else:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
    except BaseException as error:
        db.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise _unusable(path, error) from error
        raise
    return db


def begun(path: Path) -> sqlite3.Connection | None:
    """The journal at `path` to be read, None where there is none yet."""
    try:
        return connect(path, "r")
    except GswlabError:
        return None  # who opens it to write makes it, or says what is wrong with it


def _check(db: sqlite3.Connection, path: Path, mode: str) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mode != "r" and (application, tables) == (0, 0):
        # nothing in it yet: new, or its maker was killed before the schema was written
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(_SCHEMA)
    elif application != _APPLICATION:
        rule = "a journal is the file that a run writes"
        command = "python -m gswlab read FILE --run DIR"
        raise GswlabError(f"{path} is no journal", rule, command)
    elif version != SCHEMA_VERSION:
        raise GswlabError(
            f"{path} is a journal of schema version {version}",
            f"this gswlab reads version {SCHEMA_VERSION}",
            "pip install the gswlab that wrote it, or run again in another run.dir=DIR",
        )


def database_rows(db: sqlite3.Connection, path: Path, sql: str, *at: int) -> list[Any]:
    """All rows of a question to the file; that it is damaged is one sentence."""
    try:
        return db.execute(sql, at).fetchall()
    except sqlite3.DatabaseError as error:
        raise _unusable(path, error) from error


@contextmanager
def transaction(db: sqlite3.Connection, path: Path) -> Iterator[sqlite3.Connection]:
    """All of a block's writes or none of them, on disk when the block ends."""
    try:
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: Exception) -> GswlabError:
    rule = "a journal is a readable SQLite file in a folder that may be written"
    command = "the same command with another run.dir=DIR"
    return GswlabError(f"{path} cannot be used: {error}", rule, command)

"""The SQLite file under a journal: opening, its schema, its one writer.

Notes:
- write-ahead log, so readers see whole steps while a writer writes;
- `synchronous=FULL`: a commit is on the disk, not only with the operating system, when
  it returns, so that "on disk" also holds when the power fails;
- every row carries a digest of itself and of the row before it, and the file counts its
  rows: an accident to a journal is found where it is read. No forgery is: who can write
  the file can write its digests;
- the writer's lock is an exclusive transaction on an empty file beside the journal.
  It is portable, and the system lets go of it however the process ends. The file stays:
  removing a lock file is how two processes come to hold two locks.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError, shell_word
from gswlab.core.files import own

VERSION = 2  # of the file: since 2 every row has its digest
_APPLICATION = 0x67737731  # "gsw1": how a journal is told from any other SQLite file
_ROW = "position INTEGER PRIMARY KEY, {}, json TEXT NOT NULL"
_TABLES = {
    "meta": ("key",),
    "documents": ("id",),
    "chunks": ("id",),
    "steps": ("chunk", "undoes"),
}
_SCHEMA = f"""
BEGIN;
CREATE TABLE meta (
    {_ROW.format("key TEXT NOT NULL UNIQUE")}, digest TEXT NOT NULL);
CREATE TABLE documents (
    {_ROW.format("id TEXT NOT NULL UNIQUE")}, digest TEXT NOT NULL);
CREATE TABLE chunks (
    {_ROW.format("id TEXT NOT NULL UNIQUE")}, digest TEXT NOT NULL);
CREATE TABLE steps (
    {_ROW.format("chunk TEXT, undoes INTEGER UNIQUE")}, digest TEXT NOT NULL);
CREATE TABLE counts (name TEXT PRIMARY KEY, rows INTEGER NOT NULL);
INSERT INTO counts VALUES ('meta', 0), ('documents', 0), ('chunks', 0), ('steps', 0);
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""
# What reading a damaged file raises; its words may be no text either.
BROKEN = sqlite3.Error, UnicodeDecodeError, OverflowError
_DAMAGE = ("not a database", "malformed", "corrupt", "decode")
Row = tuple[Any, ...]  # what a table's row says after its position


class DamagedError(GswlabError):
    """A row is not what was written; `table` and `position` say which."""

    def __init__(self, path: Path, table: str, position: int, why: str) -> None:
        number = f"{table[:-1]} {position + 1} of"
        what = "the record of settings of" if table == "meta" else number
        command = f"python -m gswlab check {shell_word(path.parent)}"
        super().__init__(f"{what} {path} is not what was written", why, command)
        self.table, self.position, self.path = table, position, path

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.table, self.position, self.rule)


def lock(path: Path) -> sqlite3.Connection:
    """The right to write the journal at `path`, held until closed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = own(path.with_name(path.name + ".lock"))
        held = sqlite3.connect(beside, timeout=0, isolation_level=None)
        held.execute("PRAGMA journal_mode = OFF")  # no second file: nothing is written
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise _unusable(path, error) from error
        problem = f"{path} is being written by another process"
        rule = "one process writes a journal, any number read it"
        command = f"python -m gswlab step {shell_word(path.parent)} -1"
        raise GswlabError(problem, rule, command) from None
    except (OSError, sqlite3.DatabaseError) as error:
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
    for ending in ("", "-wal", "-shm"):
        own(path.with_name(path.name + ending))
    if path.with_name(path.name + "-journal").exists():
        rule = "a journal has a log beside it, never a file to roll back"
        command = f"rm {shell_word(path)}-journal"
        raise GswlabError(f"{path}-journal is none of its files", rule, command)
    # a journal on a read-only disk cannot have the side files of a write-ahead log
    still = mode == "r" and not os.access(path.parent, os.W_OK)
    query = "immutable=1" if still else "mode=" + ("rw" if mode == "r" else "rwc")
    uri = f"{path.absolute().as_uri()}?{query}"
    try:
        db = sqlite3.connect(uri, uri=True, isolation_level=None)
    except BROKEN as error:
        raise _unusable(path, error) from error
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        _check(db, path, mode)
        if mode == "r":
            db.execute("PRAGMA query_only = ON")
        else:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
    except BaseException as error:
        db.close()
        if isinstance(error, BROKEN):
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
    elif application != _APPLICATION and _tables(db) == _expected():
        raise DamagedError(path, "steps", 0, "the head of the file is damaged")
    elif application != _APPLICATION:
        rule = "a journal is the file that a run writes"
        command = "python -m gswlab read FILE --run DIR"
        raise GswlabError(f"{path} is no journal", rule, command)
    elif version != VERSION:
        older = version < VERSION
        raise GswlabError(
            f"{path} is a journal of schema version {version}",
            f"this gswlab reads version {VERSION}"
            + (", in which every step has a digest" if older else ""),
            f"python -m gswlab check {shell_word(path.parent)} --upgrade"
            if older
            else "pip install the gswlab that wrote it, or another run.dir=DIR",
        )
    elif _tables(db) != _expected():
        why = "its tables are others than a journal has"
        raise DamagedError(path, "steps", 0, why)


def _tables(db: sqlite3.Connection) -> list[Row]:
    return db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 2").fetchall()


@cache
def _expected() -> list[Row]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(_SCHEMA)
        return _tables(db)


def database_rows(db: sqlite3.Connection, path: Path, sql: str, *at: Any) -> list[Row]:
    """All rows of a question to the file; that it is damaged is one sentence."""
    try:
        return db.execute(sql, at).fetchall()
    except BROKEN as error:
        closed = isinstance(error, sqlite3.ProgrammingError)
        found = None if closed else first_damage(db, path)
        raise found or _unusable(path, error) from None


def length(db: sqlite3.Connection, path: Path, table: str) -> int:
    """How many rows a table has; the file counts them as well."""
    most = f"SELECT coalesce(max(position) + 1, 0) FROM {table}"
    sql = f"SELECT ({most}), (SELECT rows FROM counts WHERE name = ?)"
    ((found, counted),) = database_rows(db, path, sql, table)
    if found != counted or not isinstance(found, int):
        least = min((n for n in (found, counted) if isinstance(n, int)), default=0)
        why = f"{counted} were written, and {found} are there"
        raise first_damage(db, path) or DamagedError(path, table, least, why)
    return found


def complete(db: sqlite3.Connection, path: Path, table: str) -> None:
    """Fail where a row in the middle of a table is missing: nothing goes after it."""
    ((there,),) = database_rows(db, path, f"SELECT count(*) FROM {table}")
    if there != (end := length(db, path, table)):
        raise first_damage(db, path) or DamagedError(path, table, end, "rows are lost")


def verified(
    db: sqlite3.Connection,
    path: Path,
    table: str,
    start: int = 0,
    stop: int | None = None,
) -> list[Row]:
    """The rows from `start` to `stop`, each as it was written: its digest says so."""
    end = length(db, path, table) if stop is None else stop
    names = ", ".join(_TABLES[table])
    sql = f"SELECT position, digest, {names}, json FROM {table}"
    sql += " WHERE position >= ? AND position < ? ORDER BY position"
    rows = iter(database_rows(db, path, sql, start - 1, end))
    before = next(rows, (0, ""))[1] if start else ""
    found: list[Row] = []
    for number, (position, digest, *row) in enumerate(rows, start):
        if position != number or digest != chained(before, row):
            why = "its digest is another" if position == number else "it is missing"
            raise first_damage(db, path) or DamagedError(path, table, number, why)
        before = digest
        found.append(tuple(row))
    if len(found) != end - start:
        why = "it is missing"
        raise DamagedError(path, table, start + len(found), why)
    return found


def chained(before: object, row: Sequence[object]) -> str:
    """The digest of a row and, by the one before it, of all rows so far."""
    names, text = row[:-1], row[-1]
    whole = hashlib.sha256(f"{before}\n{json.dumps(names)}\n".encode())
    whole.update(text.encode() if isinstance(text, str) else repr(text).encode())
    return whole.hexdigest()[:32]


def insert(db: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Write the next rows of a table, inside a transaction."""
    sql = f"SELECT position, digest FROM {table} ORDER BY position DESC LIMIT 1"
    position, digest = db.execute(sql).fetchone() or (-1, "")
    names = ("position", "digest", *_TABLES[table], "json")
    marks = ", ".join("?" * len(names))
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"
    for position, row in enumerate(rows, position + 1):  # noqa: B020 - goes on
        digest = chained(digest, row)
        db.execute(sql, (position, digest, *row))
    counted = "UPDATE counts SET rows = ? WHERE name = ?"
    db.execute(counted, (position + 1, table))


def shorten(db: sqlite3.Connection, table: str, rows: int) -> None:
    """Keep the first rows of a table alone, inside a transaction."""
    db.execute(f"DELETE FROM {table} WHERE position >= ?", (rows,))
    db.execute("UPDATE counts SET rows = ? WHERE name = ?", (rows, table))


def first_damage(db: sqlite3.Connection, path: Path) -> DamagedError | None:
    """The first row that is not what was written, steps before all others."""
    return next(damages(db, path), None)


def damages(db: sqlite3.Connection, path: Path) -> Iterator[DamagedError]:
    """Every row that is not what was written, steps before all others."""
    for table in ("steps", "meta", "documents", "chunks"):
        names = ", ".join(_TABLES[table])
        sql = f"SELECT digest, {names}, json FROM {table} WHERE position = ?"
        counted, before = _counted(db, table), ""
        for number in range(counted):
            why = "it is missing"
            try:
                if found := db.execute(sql, (number,)).fetchone():
                    digest, *row = found
                    whole = digest == chained(before, row)
                    before, why = digest, "" if whole else "its digest is another"
            except BROKEN:
                why = "the file is damaged there"
            if why:
                yield DamagedError(path, table, number, why)
        try:
            more = f"SELECT count(*) FROM {table} WHERE position >= ?"
            ((beyond,),) = db.execute(more, (counted,)).fetchall()
        except BROKEN:
            yield DamagedError(path, table, counted, "the file is damaged there")
        else:
            if beyond:
                why = f"{counted} were written, and more are there"
                yield DamagedError(path, table, counted, why)


def _counted(db: sqlite3.Connection, table: str) -> int:
    """How many rows the file says a table has; at most as many as it could hold."""
    try:
        ((rows, pages),) = db.execute(
            "SELECT (SELECT rows FROM counts WHERE name = ?), page_count * page_size"
            " FROM pragma_page_count, pragma_page_size",
            (table,),
        ).fetchall()
    except BROKEN:
        return 0
    return min(rows, pages) if isinstance(rows, int) and rows > 0 else 0


def older(path: Path) -> dict[str, list[Row]]:
    """The rows of a journal of version 1, which had no digests."""
    if not path.is_file():
        raise GswlabError(f"there is no journal at {path}", "a run folder holds one")
    try:
        uri = f"{own(path).absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
            db.execute("PRAGMA trusted_schema = OFF")
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != 1:
                rule = "a journal of version 1 gets digests, once"
                command = f"python -m gswlab check {shell_word(path.parent)}"
                raise GswlabError(f"{path} has version {version}", rule, command)
            order = {"meta": "key"}
            return {
                table: db.execute(
                    f"SELECT {', '.join(names)}, json FROM {table}"
                    f" ORDER BY {order.get(table, 'position')}"
                ).fetchall()
                for table, names in _TABLES.items()
            }
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def write_whole(path: Path, tables: Mapping[str, Iterable[Row]]) -> None:
    """Make a journal of these rows, whole or not at all.

    It is built beside and renamed, under the right to write what is at `path`.
    """
    with closing(lock(path)):
        aside = path.with_name(f".{path.name}.new")
        try:
            for ending in ("", "-wal", "-shm"):
                aside.with_name(aside.name + ending).unlink(missing_ok=True)
            with closing(connect(aside, "x")) as db, transaction(db, aside):
                for table, rows in tables.items():
                    insert(db, table, rows)
            aside.replace(path)
        except OSError as error:
            raise _unusable(path, error) from error
        finally:
            aside.unlink(missing_ok=True)


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
    """What the system or SQLite says of a file: it is damaged, or out of reach."""
    if any(word in str(error) for word in _DAMAGE):
        return DamagedError(path, "steps", 0, f"the file is damaged: {error}")
    rule = "a journal is a readable SQLite file in a folder that may be written"
    command = "the same command with another run.dir=DIR"
    return GswlabError(f"{path} cannot be used: {error}", rule, command)

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
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError, shell_word
from gswlab.core.files import own

VERSION = 2  # of the file: since 2 every row has its digest
_APPLICATION = 0x67737731  # "gsw1": how a journal is told from any other SQLite file
# What a table has between its position and its JSON.
_OWN = {
    "steps": "chunk TEXT, undoes INTEGER UNIQUE",
    "meta": "key TEXT NOT NULL UNIQUE",
    "documents": "id TEXT NOT NULL UNIQUE",
    "chunks": "id TEXT NOT NULL UNIQUE",
}
_NAMES = {
    "steps": "chunk, undoes, json",
    "meta": "key, json",
    "documents": "id, json",
    "chunks": "id, json",
}
_TABLE = """CREATE TABLE {0} (
    position INTEGER PRIMARY KEY, {1}, json TEXT NOT NULL, digest TEXT NOT NULL);
INSERT INTO counts VALUES ('{0}', 0);"""
_SCHEMA = f"""
BEGIN;
CREATE TABLE counts (name TEXT PRIMARY KEY, rows INTEGER NOT NULL);
{"".join(_TABLE.format(*item) for item in _OWN.items())}
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""
# What reading a damaged file raises; its words may be no text either.
BROKEN = sqlite3.Error, UnicodeDecodeError, OverflowError
_DAMAGE = ("not a database", "malformed", "corrupt", "decode")
# What may have become of a row.
_GONE, _OTHER = "it is missing", "its digest is another"
_THERE = "the file is damaged there"
_ALL = "SELECT type, name, sql FROM sqlite_master ORDER BY 2"
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
    with _usable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = own(path.with_name(path.name + ".lock"))
        held = sqlite3.connect(beside, timeout=0, isolation_level=None)
        try:
            held.execute("PRAGMA journal_mode = OFF")  # no second file: none is written
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            problem = f"{path} is being written by another process"
            rule = "one process writes a journal, any number read it"
            command = f"python -m gswlab step {shell_word(path.parent)} -1"
            raise GswlabError(problem, rule, command) from None
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
    with _usable(path), ExitStack() as failed:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?{query}", uri=True, isolation_level=None
        )
        failed.callback(db.close)
        db.execute("PRAGMA trusted_schema = OFF")
        _check(db, path, mode)
        if mode == "r":
            db.execute("PRAGMA query_only = ON")
        else:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        failed.pop_all()
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
    tables = db.execute(_ALL).fetchall()
    if mode != "r" and not application and not tables:
        # nothing in it yet: new, or its maker was killed before the schema was written
        db.execute("PRAGMA journal_mode = OFF")  # a kill leaves nothing to roll back
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(_SCHEMA)
        return
    marked, known = application == _APPLICATION, tables == _expected()
    if not marked and not known:
        rule = "a journal is the file that a run writes"
        command = "python -m gswlab read FILE --run DIR"
        raise GswlabError(f"{path} is no journal", rule, command)
    if marked and version != VERSION:
        rule = f"this gswlab reads version {VERSION}"
        command = "pip install the gswlab that wrote it, or another run.dir=DIR"
        if version < VERSION:
            rule += ", in which every step has a digest"
            command = f"python -m gswlab check {shell_word(path.parent)} --upgrade"
        problem = f"{path} is a journal of schema version {version}"
        raise GswlabError(problem, rule, command)
    if not marked or not known:
        why = "the head of the file is damaged"
        why = why if known else "its tables are others than a journal has"
        raise DamagedError(path, "steps", 0, why)


@cache
def _expected() -> list[Row]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript(_SCHEMA)
        return db.execute(_ALL).fetchall()


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
    sql = f"SELECT position, digest, {_NAMES[table]} FROM {table}"
    sql += " WHERE position >= ? AND position < ? ORDER BY position"
    rows = iter(database_rows(db, path, sql, start - 1, end))
    before = next(rows, (0, ""))[1] if start else ""
    found: list[Row] = []
    for number, (position, digest, *row) in enumerate(rows, start):
        if position != number or digest != chained(before, row):
            break
        before = digest
        found.append(tuple(row))
    if len(found) != end - start:
        lost = DamagedError(path, table, start + len(found), _GONE)
        raise first_damage(db, path) or lost
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
    names = f"{table} (position, digest, {_NAMES[table]})"
    for position, row in enumerate(rows, position + 1):  # noqa: B020 - goes on
        digest, marks = chained(digest, row), ", ?" * len(row)
        db.execute(
            f"INSERT INTO {names} VALUES (?, ?{marks})", (position, digest, *row)
        )
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
    for table, names in _NAMES.items():
        sql = f"SELECT digest, {names} FROM {table} WHERE position = ?"
        counted, before = _counted(db, table), ""
        for number in range(counted):
            why = _GONE
            try:
                if found := db.execute(sql, (number,)).fetchone():
                    digest, *row = found
                    why = "" if digest == chained(before, row) else _OTHER
                    before = digest
            except BROKEN:
                why = _THERE
            if why:
                yield DamagedError(path, table, number, why)
        why = f"{counted} were written, and more are there"
        try:
            more = f"SELECT count(*) FROM {table} WHERE position >= ?"
            ((beyond,),) = db.execute(more, (counted,)).fetchall()
        except BROKEN:
            beyond, why = True, _THERE
        if beyond:
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
    uri = f"{own(path).absolute().as_uri()}?mode=rw"
    with _usable(path), closing(sqlite3.connect(uri, uri=True)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version != 1:
            rule = "a journal of version 1 gets digests, once"
            command = f"python -m gswlab check {shell_word(path.parent)}"
            raise GswlabError(f"{path} has version {version}", rule, command)
        found = {}
        for table, names in _NAMES.items():
            order = "key" if table == "meta" else "position"
            sql = f"SELECT {names} FROM {table} ORDER BY {order}"
            found[table] = db.execute(sql).fetchall()
        return found


def write_whole(path: Path, tables: Mapping[str, Iterable[Row]]) -> None:
    """Make a journal of these rows, whole or not at all.

    It is built beside and renamed, under the right to write what is at `path`.
    """
    aside = path.with_name(f".{path.name}.new")
    with closing(lock(path)), _usable(path), ExitStack() as after:
        after.callback(aside.unlink, missing_ok=True)
        for ending in ("", "-wal", "-shm", "-journal"):
            aside.with_name(aside.name + ending).unlink(missing_ok=True)
        with closing(connect(aside, "x")) as db, transaction(db, aside):
            for table, rows in tables.items():
                insert(db, table, rows)
        aside.replace(path)


@contextmanager
def transaction(db: sqlite3.Connection, path: Path) -> Iterator[sqlite3.Connection]:
    """All of a block's writes or none of them, on disk when the block ends."""
    with _usable(path):
        db.execute("BEGIN IMMEDIATE")
        with db:
            yield db


@contextmanager
def _usable(path: Path) -> Iterator[None]:
    """What the system or SQLite says of a file in one sentence."""
    try:
        yield
    except (OSError, *BROKEN) as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: Exception) -> GswlabError:
    """It is damaged, or out of reach."""
    if any(word in str(error) for word in _DAMAGE):
        return DamagedError(path, "steps", 0, f"the file is damaged: {error}")
    rule = "a journal is a readable SQLite file in a folder that may be written"
    command = "the same command with another run.dir=DIR"
    return GswlabError(f"{path} cannot be used: {error}", rule, command)

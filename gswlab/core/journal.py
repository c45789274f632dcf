"""The journal: the ordered steps of a run, in one SQLite file.

- A step is on disk when `append` returns (write-ahead log, synchronous=FULL), so a run
  killed at any moment goes on at the next chunk: nothing lost, nothing done twice.
- It holds the documents and chunks as well: a run is read without its source files.
- One process writes, any number read meanwhile (`mode="r"`, or `shared`).
- Steps are never changed or erased: undoing appends, forking copies a prefix.
- No clock, path or cost is in it: equal runs export equal bytes.
"""

from __future__ import annotations

import gc
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, Self

from gswlab.core import database
from gswlab.core.codec import (
    SCHEMA_VERSION,
    canonical,
    decode,
    decode_step,
    encode_step,
)
from gswlab.core.display import DataFrame, Displayed, framed
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, shell_word
from gswlab.core.nouns import JSON, Chunk
from gswlab.core.step import Change, Drop, Extend, Put, Set, Step
from gswlab.core.workspace import KIND, Workspace

_EVERY = 16  # steps from one version that is kept to the next
_LONG = 500  # steps of a fold that is more than a look at a version


class Versions:
    """Versions of a run; `load(start, stop)` reads its steps."""

    def __init__(self) -> None:
        self._checkpoints = [Workspace()]
        # where the last question and the end of the run are: walking on is one step
        self._shown = self._head = self._checkpoints[0]

    def at(self, k: int, load: Callable[[int, int], Iterable[Step]]) -> Workspace:
        """The workspace after `k` steps, replayed from the nearest version kept."""
        nearest = self._checkpoints[min(k // _EVERY, len(self._checkpoints) - 1)]
        known = (nearest, self._shown, self._head)
        workspace = max((w for w in known if w.version <= k), key=lambda w: w.version)
        with _uncollected(frozen=k - workspace.version > _LONG):
            for step in load(workspace.version, k):
                workspace = workspace.apply(step)
                self.push(workspace)
        self._shown = workspace
        return workspace

    def push(self, workspace: Workspace) -> None:
        """Remember a version that the next step led to."""
        if workspace.version > self._head.version:
            self._head = workspace
        if workspace.version == _EVERY * len(self._checkpoints):
            self._checkpoints.append(workspace)


@contextmanager
def _uncollected(*, frozen: bool) -> Iterator[None]:
    """No search for cycles meanwhile: a fold makes none, and it would walk all nouns.

    Folding 10,000 steps takes 4 s instead of 18 s. After a long fold its nouns are
    `frozen` out of later searches (they still go when nobody holds them): a search that
    walks them all is a pause of seconds in the middle of whatever comes next.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if frozen:
            gc.freeze()
        if enabled:
            gc.enable()


def invert(step: Step, before: Workspace) -> tuple[Change, ...]:
    """Changes that lead from `before.apply(step)` back to the nouns of `before`."""
    inverse: list[Change] = []
    for change in step.changes:
        match change:
            case Put(kind=kind, item=item) if item.id in before:
                inverse.append(Put(kind, before.nouns[item.id]))
            case Put(kind=kind, item=item):
                into = before.resolve(item.id)
                inverse.append(Drop(kind, item.id, into if into in before else None))
            case Extend(id=noun_id, field=name) | Set(id=noun_id, field=name):
                noun = before.get(noun_id)
                inverse.append(Set(change.kind, noun.id, name, getattr(noun, name)))
            case Drop(id=noun_id):
                inverse.append(Put(KIND[noun_id[:1]], before.get(noun_id)))
        before = before.change(change)
    return tuple(reversed(inverse))


class Journal(Displayed):
    """A run on disk: append steps, see any version, fork, undo, export.

    Modes, as for `open`: `"a"` goes on with a run or starts one, `"x"` starts one and
    fails where a file is, `"r"` reads, also while another process writes.

    >>> import tempfile
    >>> with Journal(tempfile.mkdtemp() + "/journal.sqlite") as journal:
    ...     journal.append(Step(0, "book:1:0"))
    ...     journal.at(1), len(journal)
    (Workspace(version 1, 0 actors, 0 verb phrases, 0 episodes, 0 notes), 1)

    `config` is the hash of the settings that made the run: going on under another is
    refused, because the steps would no longer be one experiment. A `shared` journal
    that is there already keeps nobody out until it is first written (`claim`).
    """

    def __init__(
        self,
        path: str | Path,
        mode: Literal["a", "r", "x"] = "a",
        *,
        config: str | None = None,
        settings: Mapping[str, JSON] | None = None,
        shared: bool = False,
    ) -> None:
        self.path = Path(path)
        self.mode = mode
        self._lock: sqlite3.Connection | None = None
        self.closed = False
        self._versions = Versions()
        self._counted: int | None = None  # its steps, while nobody else may write any
        with ExitStack() as failed:
            failed.callback(self._unlock)
            looked = database.begun(self.path) if shared and mode == "a" else None
            if mode != "r" and looked is None:
                self._lock = database.lock(self.path)
            self._db = looked or database.connect(self.path, mode)
            failed.callback(lambda: self._db.close())
            known = self.meta
            if config is not None and known.get("config", config) != config:
                raise GswlabError(
                    f"{self.path} is a run of config {known['config']}, not {config}",
                    "a run keeps its settings from its first step to its last",
                    "the same command with another run.dir=DIR, or lab.fork(K, ...)",
                )
            told = {"config": config, "settings": settings}
            new = [k for k, value in told.items() if value is not None]
            rows = [(k, canonical(told[k])) for k in new if k not in known]
            if rows and mode != "r":
                with self._write() as db:
                    database.insert(db, "meta", rows)
            failed.pop_all()

    def claim(self) -> None:
        """Take the right to write, now and until `release`, if it is not held yet.

        Raises:
            GswlabError: another process has it.
        """
        if self.mode != "r" and self._lock is None:
            self._read("SELECT 1")  # a journal that was closed stays so
            self._lock = database.lock(self.path)
            self._db.close()
            self._db = database.connect(self.path, "a")

    def release(self) -> None:
        """Let go of the right to write; the next write takes it again."""
        if self.held and not self.closed:  # one file is then all there is to copy
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = self._counted = None

    @property
    def held(self) -> bool:
        """Whether this process has the right to write it."""
        return self._lock is not None

    @property
    def meta(self) -> dict[str, Any]:
        """What is known of the run: `config`, `settings`, `forked` ({of, at})."""
        rows = sorted(database.verified(self._db, self.path, "meta"))
        try:
            return {str(key): json.loads(text) for key, text in rows}
        except (ValueError, RecursionError):
            problem = f"the settings of {self.path} are no JSON"
            command = f"python -m gswlab check {shell_word(self.path.parent)}"
            raise GswlabError(problem, "as a run writes them", command) from None

    def add(self, document: Document, chunks: Iterable[Chunk] = ()) -> None:
        """Keep a document and its chunks; a second time changes nothing."""
        items: Sequence[Document | Chunk]
        for table, items in (("documents", [document]), ("chunks", [*chunks])):
            rows = [(item.id, canonical(item)) for item in items]
            sql = f"SELECT id, json FROM {table} WHERE id = ?"
            known = dict(found for row in rows for found in self._read(sql, row[0]))
            for item_id, text in rows:
                if known.get(item_id, text) != text:
                    raise GswlabError(
                        f"{table[:-1]} {item_id!r} is in {self.path} with another text",
                        "a run reads one text from its first step to its last",
                        "another run.dir=DIR",
                    )
            if new := [row for row in rows if row[0] not in known]:
                database.complete(self._db, self.path, table)
                with self._write() as db:
                    database.insert(db, table, new)

    def documents(self) -> tuple[Document, ...]:
        """The texts of the run, in the order they were given."""
        rows = database.verified(self._db, self.path, "documents")
        return tuple(decode(Document, text) for _, text in rows)

    def chunks(self, start: int = 0) -> tuple[Chunk, ...]:
        """The chunks of the run from `start`, read or not, in order."""
        rows = database.verified(self._db, self.path, "chunks", start)
        return tuple(decode(Chunk, text) for _, text in rows)

    def append(self, step: Step) -> None:
        """Write the next step; it is on disk when this returns.

        A step that does not fold, or would not read back, is refused before it is
        written: whatever is in a journal can be shown.
        """
        text = encode_step(step)
        read = decode_step(text)
        after = self.workspace().apply(step if read == step else read)
        with self._write() as db:
            database.insert(db, "steps", [(step.chunk, step.undoes, text)])
        self._versions.push(after)
        self._counted = after.version

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        if self.mode == "r":
            rule = "only a journal opened to append is written"
            command = f"Journal({str(self.path)!r}, 'a')"
            raise GswlabError(f"{self.path} is open for reading", rule, command)
        self.claim()
        with database.transaction(self._db, self.path) as db:
            yield db

    def __len__(self) -> int:
        if self._counted is not None:
            return self._counted
        counted = database.length(self._db, self.path, "steps")
        self._counted = counted if self.held else None
        return counted

    def steps(self, start: int = 0, stop: int | None = None) -> Iterator[Step]:
        """The steps from `start` up to `stop`, in order."""
        end = len(self) if stop is None else min(stop, len(self))
        if end <= start:  # nothing: the file is not asked
            return
        rows = database.verified(self._db, self.path, "steps", start, end)
        for position, (*_, text) in enumerate(rows, start):
            try:
                step = decode_step(text)
            except GswlabError as error:
                at = f"step {position + 1} of {self.path}"
                raise GswlabError(
                    f"{at} cannot be read: {error.problem}",
                    error.rule,
                    f"Journal({str(self.path)!r}, 'r').fork(NEW, at={position})",
                ) from error
            yield step

    def _read(self, sql: str, *values: object) -> list[Any]:
        return database.database_rows(self._db, self.path, sql, *values)

    def __iter__(self) -> Iterator[Step]:
        return self.steps()

    def __getitem__(self, index: int) -> Step:
        """One step: `journal[0]` is the first, `journal[-1]` the last."""
        length = len(self)
        at = index + length if index < 0 else index
        if not 0 <= at < length:
            raise self._beyond(f"index {index}", "indices", 0, length - 1)
        return next(self.steps(at, at + 1))

    def index_of(self, number: int) -> int:
        """The index of a step by its number, which counts from 1; -1 is the last.

        Numbers are what people read and type, indices what is on disk.
        """
        length = len(self)
        if 1 <= number <= length or -length <= number <= -1:
            return number - 1 if number > 0 else number + length
        raise self._beyond(f"step {number}", "steps", 1, length)

    def at(self, k: int) -> Workspace:
        """The workspace after the first `k` steps: 0 is empty, `len(journal)` now."""
        return self._versions.at(self._within(k), self.steps)

    def _within(self, k: int) -> int:
        if not 0 <= k <= len(self):
            raise self._beyond(f"version {k}", "versions", 0, len(self))
        return k

    def _beyond(self, asked: str, known: str, first: int, last: int) -> GswlabError:
        if not len(self):
            rule = "the command that began a run goes on with it"
            return GswlabError(f"{self.path} has no step yet", rule, "that command")
        command = f"python -m gswlab step {shell_word(self.path.parent)} {len(self)}"
        rule = f"{known} of {self.path}: {first} to {last}"
        return GswlabError(f"{asked} is out of range", rule, command)

    def workspace(self) -> Workspace:
        """What the memory believes now."""
        return self._versions.at(len(self), self.steps)

    def fork(
        self,
        path: str | Path,
        at: int | None = None,
        *,
        config: str | None = None,
        settings: Mapping[str, JSON] | None = None,
    ) -> Journal:
        """A new journal with the first `at` steps of this one, open to go on.

        Its `meta["forked"]` says from where: the steps before it are a replay of what
        was recorded here, those after it are its own.
        """
        at = self._within(len(self) if at is None else at)
        if Path(path).exists():
            rule = "a fork needs a new path"
            raise GswlabError(f"{path} exists already", rule, "another path")
        of = {"of": str(self.path), "config": self.meta.get("config"), "at": at}
        told = {"config": config, "settings": settings, "forked": of}
        meta = [(k, canonical(v)) for k, v in told.items() if v is not None]
        own, names = (self._db, self.path), ("documents", "chunks")
        same = {table: database.verified(*own, table) for table in names}
        steps = database.verified(*own, "steps", 0, at)
        database.write_whole(Path(path), {"meta": meta, **same, "steps": steps})
        return Journal(path)

    def undo(self) -> Step:
        """Take back the last step that still holds, by an ordinary step; returns it.

        Called again it takes back the one before. The chunk of an undone step may be
        read again.
        """
        ((last,),) = self._read(
            "SELECT max(position) FROM steps WHERE undoes IS NULL AND position NOT IN"
            " (SELECT undoes FROM steps WHERE undoes IS NOT NULL)"
        )
        if last is None:
            rule = "a step can be undone once"
            command = f"len(Journal({str(self.path)!r}, 'r'))"
            raise GswlabError(f"nothing to undo in {self.path}", rule, command)
        changes = invert(self[last], self.at(last))
        note = f"undo of step {last + 1}"
        step = Step(len(self), None, changes, note=note, undoes=last)
        self.append(step)
        return step

    def shorten(self, k: int) -> None:
        """Keep the first `k` steps alone: the rest rests on what never came.

        What somebody changed his mind about is taken back by `undo`.
        """
        with self._write() as db:
            database.shorten(db, "steps", k)
        self._versions, self._counted = Versions(), None

    def damages(self) -> Iterator[GswlabError]:
        """Every row that is not what was written, steps first."""
        return database.damages(self._db, self.path)

    def export(self) -> Iterator[str]:
        """Canonical JSON lines: a header, then a line a step; equal for equal runs."""
        header = {"journal": "gswlab", "schema": SCHEMA_VERSION}
        # all are what was written, or none is shown
        rows = database.verified(self._db, self.path, "steps")
        yield canonical({**header, "config": self.meta.get("config")})
        yield from (row[-1] for row in rows)

    def to_frame(self) -> DataFrame:
        """One row a step: its chunk, its note, and how much is in it."""
        rows = []
        for s in self.steps():
            many = len(s.changes), len(s.decisions), len(s.events)
            rows.append((s.index, s.chunk, s.note, s.undoes, *many))
        heads = ("step", "chunk", "note", "undoes", "changes", "decisions", "events")
        return framed(heads, rows).set_index("step")

    def close(self) -> None:
        """Let go of the file; closing twice is no error."""
        self._db.close()
        self._unlock()
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # a connection is a cycle of its own; `frozen`, its side files would stay
        with suppress(AttributeError, sqlite3.ProgrammingError):  # none, another thread
            self.close()

    def __repr__(self) -> str:
        chunks = database.length(self._db, self.path, "chunks")
        return f"Journal({str(self.path)!r}, {len(self)} steps of {chunks} chunks)"

"""What can be done to a run folder: by malice, by accident, by a signal.

Used by the tests and, in greater numbers, by `experiments/recipes/attacks.py`.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import gswlab
from gswlab.__main__ import main
from gswlab.core.database import chained, first_damage
from gswlab.core.journal import Journal
from gswlab.lab.chat import Chat
from gswlab.lab.futures.edit import edit

CLASS_NAME = re.compile(r"\b\w+(Error|Exception|Warning)\b|Traceback|object at 0x")
STORY = """Chapter 1

On May 7, 2024, Ann Ray opened a book fair in Tall Mill. She sold forty books.

Chapter 2

On June 2, 2024, Bo Lind held a chess tournament at Old Pier. He lost every game.

Chapter 3

On July 9, 2024, Ann Ray met Bo Lind in Tall Mill. They played chess at the fair.
"""
_NAMES = {"meta": ["key"], "steps": ["chunk", "undoes"]}


@contextmanager
def listener() -> Iterator[tuple[str, list[str]]]:
    """An address on loopback, and whoever came to it."""
    heard: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        over = threading.Event()

        def listen() -> None:
            while not over.is_set():
                try:
                    came, _ = server.accept()
                except OSError:
                    continue
                with came:
                    came.settimeout(0.2)
                    try:
                        heard.append(came.recv(4096).decode("latin-1"))
                    except OSError:
                        heard.append("")

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}", heard
        over.set()
        thread.join()


def forged(folder: Path, change: Callable[[dict[str, Any]], None], *typed: str) -> Path:
    """A folder whose settings somebody rewrote, digests and all."""
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        rows = db.execute("SELECT key, json FROM meta ORDER BY position").fetchall()
        known = {key: json.loads(text) for key, text in rows}
        change(known["settings"])
        before = ""
        for at, (key, value) in enumerate(known.items()):
            text = json.dumps(value, ensure_ascii=False)
            before = chained(before, (key, text))
            sql = "UPDATE meta SET json = ?, digest = ? WHERE position = ?"
            db.execute(sql, (text, before, at))
        db.commit()
    if typed:
        (folder / "overrides.yaml").write_text(json.dumps(typed), "utf-8")
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, except the log of a journal that is open."""
    found = (p for p in sorted(folder.rglob("*")) if p.is_file())
    found = (p for p in found if not p.name.endswith(("-shm", "-wal")))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


# Accidents: each changes something in a journal, and says what.

Accident = Callable[[Path, random.Random], str]


def _bytes(path: Path, chance: random.Random) -> str:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 8, 64))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    return "bits flipped"


def _page(path: Path, chance: random.Random) -> str:
    data = bytearray(path.read_bytes())
    at = 4096 * chance.randrange(len(data) // 4096)
    data[at : at + 4096] = bytes(4096) if chance.random() < 0.5 else b"\xa5" * 4096
    path.write_bytes(data)
    return f"page {at // 4096} lost"


def _short(path: Path, chance: random.Random) -> str:
    size = path.stat().st_size
    os.truncate(path, chance.randrange(1, size))
    return "cut off"


def _text(path: Path, chance: random.Random) -> str:
    with closing(sqlite3.connect(path)) as db:
        table = chance.choice(
            ("steps", "steps", "steps", "chunks", "documents", "meta")
        )
        sql = f"SELECT position, json FROM {table}"
        position, text = chance.choice(db.execute(sql).fetchall())
        at = chance.randrange(len(text))
        new = text[:at] + chance.choice('x0é"}{ ') + text[at + 1 :]
        if new == text:
            new = text + " "
        db.execute(f"UPDATE {table} SET json = ? WHERE position = ?", (new, position))
        db.commit()
    return f"another character in {table}"


def _rows(path: Path, chance: random.Random) -> str:
    with closing(sqlite3.connect(path)) as db:
        ((many,),) = db.execute("SELECT count(*) FROM steps").fetchall()
        one = chance.randrange(many)
        how = chance.choice(("gone", "last gone", "swapped", "twice", "number", "null"))
        if how == "gone":
            db.execute("DELETE FROM steps WHERE position = ?", (one,))
        elif how == "last gone":
            db.execute("DELETE FROM steps WHERE position >= ?", (one,))
        elif how == "swapped":
            for old, new in ((0, -9), (many - 1, 0), (-9, many - 1)):
                sql = "UPDATE steps SET position = ? WHERE position = ?"
                db.execute(sql, (new, old))
        elif how == "twice":
            sql = "INSERT INTO steps SELECT ?, NULL, NULL, json, digest FROM steps"
            db.execute(f"{sql} WHERE position = ?", (many, one))
        elif how == "number":
            db.execute("UPDATE steps SET json = 7 WHERE position = ?", (one,))
        else:
            db.execute("UPDATE steps SET chunk = 'no' WHERE position = ?", (one,))
        db.commit()
    return f"a step {how}"


ACCIDENTS: tuple[Accident, ...] = (_bytes, _page, _short, _text, _text, _rows)


def corrupted(folder: Path, into: Path, number: int) -> str:
    """A copy of a run with accident `number`: what it was."""
    if into.exists():
        shutil.rmtree(into)
    shutil.copytree(folder, into)
    chance = random.Random(number)
    return ACCIDENTS[number % len(ACCIDENTS)](into / "journal.sqlite", chance)


def bad_step(folder: Path) -> int | None:
    """The first step that is not what was written, as the rows have it."""
    path = folder / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        try:
            found = first_damage(db, path)
        except sqlite3.Error:
            return 0
    return found.position if found and found.table == "steps" else None


def left_behind(folder: Path) -> list[str]:
    """Files that only a killed process leaves."""
    names = (path.name for path in folder.rglob("*"))
    ours = (".new", ".part", "-wal", "-shm", "-journal")
    return sorted(n for n in names if n.startswith(".") or n.endswith(ours))


def misled(folder: Path, whole: dict[tuple[str, ...], str], what: str) -> list[str]:
    """What commands say of a damaged run that they must not; nothing where all hold.

    `whole` has what each command says of the run as it was written.
    """
    first, found = bad_step(folder), []
    for words, true in whole.items():
        status, out, err = spoken(*(word.format(folder) for word in words))
        tale = f"{what}: {' '.join(words)}: {status} {out[-300:]!r} {err[-300:]!r}"
        named = "is not what was written" in err or "schema version" in err
        if status == 0 and out != true:
            found.append(f"shows what was not written: {tale}")
        if CLASS_NAME.search(out + err) or status not in (0, 2):
            found.append(f"class name: {tale}")
        if status and (out or not named or len(err.splitlines()) != 1):
            found.append(f"not named: {tale}")
        if status and first is not None and f"step {first + 1} of" not in err:
            found.append(f"not the first bad step, {first + 1}: {tale}")
    return found


def spoken(*words: str) -> tuple[int, str, str]:
    """Status, output and errors of a command, run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    return status, out.getvalue(), err.getvalue()


# Kills: a command ends at any moment, the same command goes on.

SAID = ("I live in Lima.", "My boat is red.", "Where do I live?", "I moved to Oslo.")


def read_it(home: Path) -> Path:
    spoken("read", str(home / "story.txt"), "--run", str(home / "it"), "embedder=none")
    return home / "it"


def run_it(home: Path) -> Path:
    words = "experiment=generated", "dataset.chapters=3", "memory=bm25"
    spoken("run", *words, f"run.dir={home / 'it'}")
    return home / "it"


def ask_it(home: Path) -> Path:
    spoken("ask", str(home / "run"), "Who opened a book fair?")
    return home / "run"


def fork_it(home: Path) -> Path:
    os.chdir(home)
    spoken("fork", str(home / "run"), "1", "reconciler.threshold=0.9")
    return next((home / "runs").rglob("journal.sqlite")).parent


def edit_it(home: Path) -> Path:
    os.chdir(home)
    lab = gswlab.reopen(home / "run")
    step = next(s for s in lab.journal if any(d.type == "alignment" for d in merged(s)))
    who = merged(step)[0]
    return home / edit(lab, step.index + 1, who, "new", "by test").right.folder.path


def merged(step: Any) -> list[Any]:
    return [d for d in step.decisions if getattr(d, "status", "") == "merged"]


def chat_it(home: Path) -> Path:
    chat = Chat.open(run=str(home / "it"))
    for text in SAID[len(chat.lab.journal.chunks()) :]:
        chat.send(text)
    return home / "it"


DEEDS: tuple[Callable[[Path], Path], ...] = (
    *(read_it, run_it, ask_it, fork_it, edit_it, chat_it),
)


def done(deed: Callable[[Path], Path], home: Path, after: float = 0.0) -> float:
    """A deed in a process of its own, killed after some seconds; how long it took."""
    began = time.perf_counter()
    child = os.fork()
    if not child:
        if after:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends it, wherever it is
            signal.setitimer(signal.ITIMER_REAL, after)
        status = 1
        try:
            at = deed(home)
            (home / "at").write_text(str(at))
            for held in gc.get_objects():
                if isinstance(held, sqlite3.Connection):
                    held.close()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert after or status == 0, deed.__name__
    return time.perf_counter() - began


def survived(
    deed: Callable[[Path], Path], made: Path, home: Path, kills: int, seed: int
) -> int:
    """A deed killed again and again, then done; how many kills came in time.

    Raises:
        AssertionError: it ended otherwise than one that was never killed.
    """
    true, victim = home / "true", home / "victim"
    for place in (true, victim):
        shutil.copytree(made, place)
    took, chance = done(deed, true), random.Random(seed)
    early = 0
    for _ in range(kills):
        done(deed, victim, chance.uniform(0.001, took))
        early += not (victim / "at").exists()
        if (victim / "at").exists():  # it was done in time: once more from nothing
            shutil.rmtree(victim)
            shutil.copytree(made, victim)
    done(deed, victim)
    ends = [Path((place / "at").read_text()) for place in (true, victim)]
    one, other = (exported(end) for end in ends)
    assert one == other, deed.__name__
    assert not left_behind(victim), left_behind(victim)
    return early


def exported(folder: Path) -> list[str]:
    with Journal(folder / "journal.sqlite", "r") as journal:
        return [*journal.export()]

"""What can be done to a run folder: by malice, by accident, by a signal.

Used by the tests and, in greater numbers, by `experiments/recipes/attacks.py`.
"""

from __future__ import annotations

import contextlib
import gc
import gzip
import io
import json
import os
import random
import re
import shutil
import signal
import socket
import socketserver
import sqlite3
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import gswlab
from gswlab.__main__ import main
from gswlab.core.database import BROKEN, chained, first_damage
from gswlab.core.journal import Journal
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
        except BROKEN:
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
    words = "experiment=generated", "dataset.chapters=2", "dataset.cap=1"
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
    chat = gswlab.chat(run=str(home / "it"))
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
        gc.freeze()  # what the parent holds is not looked through, nor copied for that
        if after:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends it, wherever it is
            signal.setitimer(signal.ITIMER_REAL, after)
        status = 1
        try:
            at = deed(home)
            (home / "at").write_text(str(at))
            gc.collect()  # as an interpreter that ends does
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
            took *= 0.6  # the machine was busier when it was timed
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


# Servers at their worst: what goes over the wire after a request was read.

_JSON = json.dumps({"choices": [{"message": {"content": "ok"}}]}).encode()
_ZIPPED = gzip.compress(_JSON * 40)
_DAMAGED = _ZIPPED[:30] + b"\0\0\0" + _ZIPPED[33:]


def head(status: str = "200 OK", **named: object) -> bytes:
    rows = [f"HTTP/1.1 {status}", "Content-Type: application/json", "Connection: close"]
    rows += [f"{name.replace('_', '-')}: {value}" for name, value in named.items()]
    return ("\r\n".join(rows) + "\r\n\r\n").encode()


def whole_of(body: bytes, status: str = "200 OK", **named: object) -> bytes:
    return head(status, Content_Length=len(body), **named) + body


FAULTS: dict[str, bytes | None] = {
    "closed at once": b"",
    "reset at once": None,
    "half a status line": b"HTTP/1.1 2",
    "no status line": b"hello there\r\n\r\n",
    "a status of words": b"HTTP/1.1 fine OK\r\n\r\n",
    "status 999": whole_of(_JSON, "999 What"),
    "half a header": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "a header of binary": b"HTTP/1.1 200 OK\r\nA\x00B: \xff\r\n\r\n",
    "a header without a colon": b"HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
    "an endless header": b"HTTP/1.1 200 OK\r\nA: " + b"a" * 300_000 + b"\r\n\r\n",
    "no body": head(Content_Length=len(_JSON)),
    "an empty body": whole_of(b""),
    "a truncated body": head(Content_Length=len(_JSON)) + _JSON[:20],
    "a body cut in a character": whole_of('{"choices": "é'.encode()[:-1]),
    "a negative length": head(Content_Length=-5) + _JSON,
    "a length of words": head(Content_Length="many") + _JSON,
    "two lengths": head(Content_Length=5, content_length=9) + _JSON,
    "a truncated chunk": head(Transfer_Encoding="chunked") + b"ff\r\nabc",
    "a chunk of words": head(Transfer_Encoding="chunked") + b"lots\r\nabc\r\n0\r\n\r\n",
    "chunks without an end": head(Transfer_Encoding="chunked") + b"3\r\nabc\r\n",
    "bad gzip": whole_of(b"no gzip at all", Content_Encoding="gzip"),
    "truncated gzip": whole_of(_ZIPPED[:-20], Content_Encoding="gzip"),
    "damaged gzip": whole_of(
        _ZIPPED[:30] + b"\0\0\0" + _ZIPPED[33:], Content_Encoding="gzip"
    ),
    "bad deflate": whole_of(b"\xff\xff\xff", Content_Encoding="deflate"),
    "bad brotli": whole_of(b"\xff\xff\xff", Content_Encoding="br"),
    "bad zstd": whole_of(b"\xff\xff\xff", Content_Encoding="zstd"),
    "no JSON": whole_of(b"<html>Busy</html>"),
    "another JSON": whole_of(b'[1, 2, {"choices": null}]'),
    "nested JSON": whole_of(b"[" * 100_000),
    "UTF-16": whole_of(_JSON.decode().encode("utf-16")),
    "no content": head("204 No Content"),
    "not modified": head("304 Not Modified"),
    "a bomb": whole_of(gzip.compress(b" " * 60_000_000), Content_Encoding="gzip"),
}


@contextmanager
def faulty(turns: list[str]) -> Iterator[tuple[str, list[str]]]:
    """A server that answers each request by the next fault; the address, what it did.

    A fault ends with the connection: "reset in the middle" of a name has it reset.
    """
    did: list[str] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            length = 0
            while (line := self.rfile.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            self.rfile.read(length)
            kind, _, how = turns[len(did) % len(turns)].partition("; ")
            did.append(kind)
            with contextlib.suppress(OSError):
                self.wfile.write(FAULTS[kind] or b"")
                self.wfile.flush()
            if FAULTS[kind] is None or how:
                gone = struct.pack("ii", 1, 0)  # closed so, a connection is reset
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, gone)
                self.connection.close()

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", did
        server.shutdown()
        thread.join()


TURNS = [*FAULTS, *(f"{kind}; reset in the middle" for kind in FAULTS)]

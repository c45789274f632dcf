"""Chapters of one book at once: 200 of them, of a server that takes 1 s a reply.

It says what the tests' stand-in says, to 32 at a time. A run lasts, its own CPU and its
waiting for one taken off, at most 1.3 times the longer of the longest chain of asks
that wait for one another (three of a passage, then the
reconcilings of its chapter one by one) and of all asks in 32 lanes. It exits with 1
where it lasts longer, and is to be trusted where nothing else runs (`load`).

    PYTHONPATH=.:tests python experiments/recipes/at_once.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from obliging import obliging
from standin import StandIn, serving

import gswlab

CHAPTERS, AT_ONCE, SECONDS, ALLOWED = 200, 32, 1.0, 1.3
LENGTHS = 1, 2, 3, 4, 5  # chunks of a chapter, in turn


def serve() -> None:
    """Serve until the process ends, so many at once; the first line is the address."""
    lanes = threading.BoundedSemaphore(AT_ONCE)

    def script(body: dict[str, Any], number: int) -> Any:
        with lanes:
            time.sleep(SECONDS)
            return obliging(body, number)

    stand_in = StandIn()
    stand_in.script = script
    with serving(stand_in):
        print(stand_in.url, flush=True)
        sys.stdin.read()


def book(chapters: int) -> str:
    """A book whose chunks are sentences that name two people each."""
    told = []
    for n in range(chapters):
        lines = (f"Ann Ray met Bo Lind {n + k} times." for k in range(LENGTHS[n % 5]))
        told.append(f"Chapter {n + 1}\n\n{' '.join(lines)}")
    return "\n\n".join(told)


def busy() -> float:
    """Seconds of this CPU so far, and those that the main thread waited for one."""
    waited = int(Path("/proc/self/schedstat").read_text().split()[1])
    return time.process_time() + waited / 1e9


def measured(url: str, folder: Path) -> dict[str, float]:
    """Asks, the longest chain of them, and seconds without those of this CPU."""
    (folder / "book.txt").write_text(book(CHAPTERS))
    lab = gswlab.open(
        *(f"dataset.file={folder / 'book.txt'}", f"run.dir={folder / 'run'}"),
        *("chunk.sentences=1", "embedder=none", "llm=openai", f"llm.base_url={url}"),
        *(f"llm.cassette={folder / 'replies'}", f"llm.concurrency={AT_ONCE}"),
        *("operator=llm", "reconciler=llm", "reconciler.scope=chapter"),
    )
    sizes = Counter(chunk.chapter for chunk in lab.chunks)
    began, used = time.perf_counter(), busy()
    lab.run()
    seconds = time.perf_counter() - began - (busy() - used)
    asks = lab.llm.ledger.total().calls if lab.llm else 0
    chain = 3 + max(sizes.values())
    floor = SECONDS * max(chain, asks / AT_ONCE)
    load = os.getloadavg()[0]
    figures = {
        "load": load,
        "asks": asks,
        "chain": chain,
        "floor": floor,
        "seconds": seconds,
    }
    return {**figures, "times": seconds / floor}


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
        sys.exit()
    with (
        tempfile.TemporaryDirectory() as name,
        subprocess.Popen(
            [sys.executable, __file__, "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as server,
    ):
        assert server.stdout
        found = measured(server.stdout.readline().strip(), Path(name))
        server.terminate()
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))
    sys.exit(found["times"] > ALLOWED)

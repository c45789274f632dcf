"""How many calls at once: 1,000 asks, 32 at a time, of a server that takes 200 ms.

It measures the client alone (cassette and ledger on disk), so the server is a loop in a
process of its own that says "ok". The floor is 1,000 / 32 * 0.2 = 6.4 s.

    python experiments/recipes/calls.py
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gswlab.models.ask import Ask, Reply
from gswlab.models.model import Model

CALLS, AT_ONCE, SECONDS = 1000, 32, 0.2
SAID = {
    "choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3},
}


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say the same to every request of a connection."""
    body = json.dumps(SAID).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    while request := await reader.readuntil(b"\r\n\r\n"):
        length = request.lower().partition(b"content-length:")[2].split()[0]
        await reader.readexactly(int(length))
        await asyncio.sleep(SECONDS)
        writer.write(head + body)


async def serve() -> None:
    """Serve on loopback until the process ends; the first line is the port."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def measured(port: int, folder: Path) -> dict[str, float]:
    """Seconds by the wall and of the CPU, imports and first connections included."""
    model = Model(
        f"http://127.0.0.1:{port}/v1",
        "any",
        concurrency=AT_ONCE,
        cassette=str(folder / "replies.sqlite"),
    )
    model.ledger.keep(folder / "ledger.jsonl")
    asks = (
        Ask(({"role": "user", "content": f"Who sat down {n}?"},), "reader")
        for n in range(CALLS)
    )
    began, used = time.perf_counter(), time.process_time()
    good = sum(isinstance(outcome, Reply) for outcome in model.ask_all(asks))
    wall, cpu = time.perf_counter() - began, time.process_time() - used
    return {"calls": good, "wall": round(wall, 1), "cpu": round(cpu, 1)}


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        asyncio.run(serve())
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True
        ) as server,
    ):
        assert server.stdout
        figures = measured(int(server.stdout.readline()), Path(folder))
        server.terminate()
    print(json.dumps({**figures, "load": round(os.getloadavg()[0], 1)}))

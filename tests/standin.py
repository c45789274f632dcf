"""A stand-in model: an OpenAI-compatible server on loopback that says what it is told.

Tests alone may use it; no reported number does.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from gswlab.models.model import Model


class StandIn:
    """What the server says: `script(body, number)` gives status, headers, content.

    Content that is a string becomes the message of a chat completion; bytes are sent
    as they are.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.script: Any = lambda body, number: "ok"
        self.url = ""
        self._lock = threading.Lock()

    def answer(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            number = len(self.requests)
        said = self.script(body, number)
        status, extra, content = said if isinstance(said, tuple) else (200, {}, said)
        if status != 200:
            content = json.dumps({"error": {"message": content}}).encode()
        elif path.endswith("/embeddings") and isinstance(content, str):
            content = json.dumps(embedded(body["input"])).encode()
        elif isinstance(content, str):
            most = body.get("max_tokens") or body["max_completion_tokens"]
            content = json.dumps(completion(content, most)).encode()
        return status, extra, content


def completion(text: str, most: int) -> dict[str, Any]:
    words = len(text.split())
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "stand-in",
        "choices": [
            {
                "index": 0,
                "finish_reason": "length" if words >= most else "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }


def embedded(texts: list[str]) -> dict[str, Any]:
    rows = [
        {"object": "embedding", "index": i, "embedding": [float(len(text)), 1.0]}
        for i, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return {"object": "list", "data": rows[::-1], "model": "stand-in", "usage": usage}


@contextmanager
def serving(stand_in: StandIn) -> Iterator[StandIn]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a body waits for nobody to own to its headers

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told = stand_in.answer(
                self.path, body, {k.lower(): v for k, v in self.headers.items()}
            )
            status, extra, content = told
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **extra}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            try:
                self.wfile.write(content)
            except OSError:
                self.close_connection = True  # the client did not wait

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

        def handle_error(self, *_: Any) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    stand_in.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield stand_in
    server.shutdown()
    server.server_close()


def model(server: StandIn, **settings: Any) -> Model:
    return Model(server.url, "stand-in", **{"max_tokens": 50, **settings})

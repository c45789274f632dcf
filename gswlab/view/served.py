"""The pages of runs at an address of this machine: read-only, for nobody else.

A page is made when it is first asked for; no request names a file. Only who calls the
server by its loopback address is answered: no page of another site can read a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

from gswlab.bench.folder import RunFolder
from gswlab.core.errors import GswlabError
from gswlab.view.kit.page import Page
from gswlab.view.papers.gedig_page import gauge_page
from gswlab.view.papers.gedig_trace import of_steps
from gswlab.view.provenance.page import ink
from gswlab.view.run.browse import browse
from gswlab.view.run.page import page

LOOPBACK = "127.0.0.1"
INKED = 400  # steps of a run whose whole text is drawn as one page
_Make = Callable[[], str]
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def pages(folder: Path) -> dict[str, _Make]:
    """What makes the pages of the runs below a folder, by their path: `/` is of all."""
    runs = browse(folder)
    found: dict[str, _Make] = {}
    linked = []
    for number, run in enumerate(runs.runs):
        own = _of_run(run.folder) if run.folder.journal.exists() else {}
        linked.append([f"/{number + 1}/{name}" for name in own])
        found |= zip(linked[-1], own.values(), strict=True)
        for at in range(len(run.said)) if own else ():
            made = partial(lambda *which: runs.ink(*which).html, number, at)
            found[f"/{number + 1}/ink/{at + 1}"] = made
    return {"/": lambda: runs.page(linked, ink=True).html, **found}


def _of_run(folder: RunFolder) -> dict[str, _Make]:
    """What makes the pages of one run, by their names."""

    def made(draw: Callable[[Any], Page]) -> str:
        with folder.reading() as journal:
            return draw(SimpleNamespace(journal=journal, folder=folder)).html

    with folder.reading() as journal:
        many = len(journal)
        trace = of_steps(journal.steps(), folder.path.name)
    shown: dict[str, Callable[[Any], Page]] = {}
    if many:
        shown["steps"] = lambda run: page(run.journal)
    if trace.prices:
        shown["gauge"] = lambda run: gauge_page(trace)
    if 0 < many <= INKED:
        shown["ink"] = lambda run: ink(run).page()
    return {name: partial(made, draw) for name, draw in shown.items()}


def served(shown: Mapping[str, _Make], port: int = 0) -> ThreadingHTTPServer:
    """A server of these pages, not yet running: `served(pages(RUN)).serve_forever()`.

    Port 0 takes any that is free; `server_port` says which.
    """
    making = Lock()

    @cache
    def made(path: str) -> bytes:
        return shown[path]().encode()

    class Handler(BaseHTTPRequestHandler):
        server_version, sys_version = "gswlab", ""

        def do_GET(self) -> None:
            assert isinstance(self.server, ThreadingHTTPServer)
            at = self.server.server_port
            if self.headers.get("Host") not in (f"{LOOPBACK}:{at}", f"localhost:{at}"):
                return self.send_error(HTTPStatus.FORBIDDEN)
            if self.path not in shown:
                return self.send_error(HTTPStatus.NOT_FOUND)
            with making:
                body = made(self.path)
            self.send_response(HTTPStatus.OK)
            for name, value in {**_HEADERS, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
            return None

        do_HEAD = do_GET  # noqa: N815 - the name that the base class looks for

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing: nobody but the user is there."""

    try:
        return ThreadingHTTPServer((LOOPBACK, port), Handler)
    except (OSError, OverflowError) as error:
        problem = f"port {port} of {LOOPBACK} cannot be listened on: {error}"
        command = "python -m gswlab open RUN --port 0"
        rule = "one that is free; 0 takes any"
        raise GswlabError(problem, rule, command) from error

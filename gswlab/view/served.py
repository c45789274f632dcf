"""A run's pages at an address of this machine: read-only, for nobody else.

Pages are made before the first request; no request names a file. The server listens on
the loopback address, and answers only who calls it by that address, so that no page of
another site can read a run through the browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from gswlab.bench.folder import ANSWERS, RunFolder
from gswlab.bench.report import flat
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.view.kit.page import described
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import Table
from gswlab.view.papers.gedig_page import gauge_page
from gswlab.view.papers.gedig_trace import of_steps
from gswlab.view.provenance.page import ink
from gswlab.view.run.page import page

LOOPBACK = "127.0.0.1"
INKED = 400  # steps of a run whose whole text is drawn before the first request
_STYLE = (
    "body{font:16px/1.5 system-ui,'gswlab ja',sans-serif;max-width:60em;"
    "margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
    "td,th{border:1px solid #767676;"
    "padding:.2em .6em;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#8cf}}"
)
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def pages(journal: Journal, folder: Path) -> dict[str, str]:
    """The pages of a run by their path: `/` lists the others.

    Args:
        journal: the run's steps.
        folder: the run folder, for its figures and answers where it has any.
    """
    found = {"/steps": ("Step by step", page(journal).html)}
    trace = of_steps(journal.steps(), folder.name)
    if trace.prices:
        found["/gauge"] = ("The gauge over time", gauge_page(trace).html)
    kept = RunFolder(folder)
    if rows := kept.read_lines(ANSWERS, mend=False):
        told = []
        for row in rows:
            items = "; ".join(map(str, row["items"])) or "no answer"
            rest = str(row.get("reason", "")), str(row.get("evidence_tokens", ""))
            told.append((str(row["question"]), items, *rest))
        table = Table(("question", "answer", "because", "tokens"), tuple(told))
        name = "Questions and answers"
        found["/answers"] = (name, _page(name, table._repr_html_()))
    if 0 < len(journal) <= INKED:
        run = SimpleNamespace(journal=journal, folder=kept)
        name = "Answers in the text, and what it became"
        found["/ink"] = (name, ink(run).page().html)
    listed = "".join(
        f'<li><a href="{path}">{escape(name)}</a></li>'
        for path, (name, _) in found.items()
    )
    index = f"<ul>{listed}</ul>"
    scores = kept.read_json("scores.json")
    if figures := {name: told for name, told in scores.items() if name != "data"}:
        table = Table(("figure", "value"), tuple(flat(figures)), "scores.json")
        index += table._repr_html_()
    shown = {path: html for path, (_, html) in found.items()}
    return {"/": _page(folder.name, index), **shown}


def served(shown: Mapping[str, str], port: int = 0) -> ThreadingHTTPServer:
    """A server of these pages, not yet running: `served(pages(...)).serve_forever()`.

    Args:
        shown: pages by path.
        port: 0 takes any that is free; `server_port` says which.
    """
    ready = {path: text.encode() for path, text in shown.items()}

    class Handler(BaseHTTPRequestHandler):
        server_version, sys_version = "gswlab", ""

        def do_GET(self) -> None:
            assert isinstance(self.server, ThreadingHTTPServer)
            at = self.server.server_port
            if self.headers.get("Host") not in (f"{LOOPBACK}:{at}", f"localhost:{at}"):
                return self.send_error(HTTPStatus.FORBIDDEN)
            body = ready.get(self.path)
            if body is None:
                return self.send_error(HTTPStatus.NOT_FOUND)
            self.send_response(HTTPStatus.OK)
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
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


def _page(title: str, body: str) -> str:
    return described(title, "listing.html", (_STYLE,), inner=body).html

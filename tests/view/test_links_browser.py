"""`make lab` as it is typed: the tour is open, and every notebook's link leads on."""

# ruff: noqa: F811 - fixtures are handed on by their names

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath
from typing import Any

import nbformat
import pytest
from test_browser import (
    CHROMIUM,
    TOKEN,
    _await_server,
    browser,  # noqa: F401
    own_folders,
    shoot,
    stop,
    tab,  # noqa: F401
)
from test_panel_browser import at_peace

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(ROOT.glob("notebooks/*/*.ipynb"))
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")

pytestmark = [pytest.mark.slow]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The command of `make lab`, without its browser, on a port of its own."""
    said = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "lab"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    typed = said.stdout.replace("\\\n", " ").splitlines()[-1]
    _, *words = shlex.split(typed)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    more = ["--no-browser", "--allow-root", f"--port={port}", "--ip=127.0.0.1"]
    more += [f"--IdentityProvider.token={TOKEN}", "--expose-app-in-browser"]
    folder = tmp_path_factory.mktemp("lab")
    log = (folder / "server.log").open("w")
    server = subprocess.Popen(
        [sys.executable, *words, *more],
        cwd=ROOT,
        env={**os.environ, **own_folders(folder)},
        stdout=log,
        stderr=log,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _await_server(f"{address}/api/status?token={TOKEN}")
        yield address
    finally:
        stop(server)
        log.close()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_what_a_notebook_links_to_is_served_beside_it(path: Path, served: str) -> None:
    cells = nbformat.read(path, as_version=4).cells
    told = "".join(cell.source for cell in cells if cell.cell_type == "markdown")
    here = path.parent.relative_to(ROOT).as_posix()
    for link in LINK.findall(told):
        target = normpath(f"{here}/{link}")
        url = f"{served}/api/contents/{target}?content=0&token={TOKEN}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            assert json.load(answer)["path"] == target


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM}")
def test_make_lab_opens_the_tour_whose_closing_link_opens_a_lab(
    served: str, tab: Any
) -> None:
    tab.goto(f"{served}/?token={TOKEN}", timeout=60_000)
    tab.wait_for_selector("h1:has-text('a tour in 15 minutes')", timeout=60_000)
    assert not tab.get_by_text("official Jupyter news").is_visible()
    link = tab.locator("a:has-text('step through a run')").last
    link.scroll_into_view_if_needed()
    link.click()
    tab.wait_for_selector("h1:has-text('Step through a run')", timeout=60_000)
    shoot(tab, "lab-after-the-tour")
    at_peace(tab)

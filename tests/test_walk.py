"""The walk of a newcomer, in a browser: each page looked at, readable, and at home.

Demo, tour, a file of one's own, a fork, an error, an export; screenshots at both widths
are left in `screenshots/`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]
ROOT = Path(__file__).resolve().parents[1]
OWN = """Chapter 1

On May 4, 2031, Mara Lind met Jonas Reyes at the Harbour Library. She gave him a map.

Chapter 2

On May 6, 2031, Jonas Reyes hid the map in the Old Mill. Mara Lind followed him.
"""
WIDTHS = {1280: 900, 390: 844}


def typed(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command as a newcomer types it, in a folder of their own."""
    return subprocess.run(
        [sys.executable, "-m", "gswlab", *words],
        cwd=folder,
        capture_output=True,
        text=True,
    )


def seen(tab: Any, file: Path, name: str) -> None:  # noqa: F811
    """Open a page at both widths: nothing cut off or asked for, axe content."""
    for width, height in WIDTHS.items():
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto(file.as_uri())
        wide = "() => document.documentElement.scrollWidth - window.innerWidth"
        assert tab.evaluate(wide) <= 0, (name, width)
        found = Axe().run(tab).response["violations"]
        serious = [v for v in found if v["impact"] in ("serious", "critical")]
        assert not [(v["id"], v["nodes"][0]["html"][:200]) for v in serious]
        shoot(tab, f"walk-{name}-{width}")
    assert {url for url in tab.asked if not url.startswith(("data:", "blob:"))} <= {
        file.as_uri(),
        "about:srcdoc",
    }
    assert tab.wrong == []
    tab.asked.clear()


def test_the_demo_opens_on_the_arrest_and_its_answers_light_the_text(
    tab: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    assert typed(tmp_path, "demo", "--out", "demo.html").returncode == 0
    seen(tab, tmp_path / "demo.html", "demo")
    tab.set_viewport_size({"width": 1280, "height": 900})
    assert "arrested Edgar Voss" in tab.inner_text(".step[data-now] .text")
    tab.click(".ask >> nth=0")
    assert tab.locator(".s[data-lit]").count() > 0
    tab.click("#cast button >> nth=0")
    assert tab.inner_text('#cast [aria-pressed="true"] bdi') in tab.inner_text(
        "#details"
    )
    assert tab.wrong == []


def test_the_tour_is_one_page(tab: Any, tmp_path: Path) -> None:  # noqa: F811
    assert typed(tmp_path, "demo", "--tour", "tour.html").returncode == 0
    seen(tab, tmp_path / "tour.html", "tour")


def test_a_file_of_ones_own_is_read_seen_forked_and_exported(
    tab: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    (tmp_path / "own.txt").write_text(OWN, encoding="utf-8")
    assert typed(tmp_path, "read", "own.txt", "--run", "run").returncode == 0
    where = "Where was Jonas Reyes on May 6, 2031?"
    assert "Old Mill" in typed(tmp_path, "ask", "run", where).stdout

    assert typed(tmp_path, "step", "run", "1", "--out", "one.html").returncode == 0
    seen(tab, tmp_path / "one.html", "step")
    names = tab.evaluate("() => JSON.parse(document.getElementById('run').textContent)")
    assert "Mara Lind" in {node["names"][-1][1] for node in names["nodes"].values()}

    fork = ("fork", "run", "1", "reconciler.scope=chapter", "--out", "two.html")
    assert typed(tmp_path, *fork).returncode == 0
    seen(tab, tmp_path / "two.html", "fork")

    graph = ("export", "run", "--layout", "graphml", "--out", "run.graphml")
    assert typed(tmp_path, *graph).returncode == 0
    assert "Mara Lind" in (tmp_path / "run.graphml").read_text("utf-8")


def test_an_error_is_a_sentence_with_the_next_command(tmp_path: Path) -> None:
    said = typed(tmp_path, "read", "nowhere.txt")
    assert said.returncode != 0
    assert "nowhere.txt" in said.stderr
    assert "Traceback" not in said.stderr

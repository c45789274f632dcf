"""How fast a page is in a browser: opened, and its slider moved to and fro.

A browser off the network, its window of a laptop's size. Opening ends when the first
step is painted; a move ends when what it changed is painted. Beside the seconds of the
clock stand those that the page's own thread was busy: what else a machine does is not
among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gswlab.core.errors import GswlabError

CHROMIUM = Path("/usr/bin/chromium")
SIZE: Any = {"width": 1440, "height": 900}
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
_PAINTED = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
_OPENED = f"async () => {{ await {_PAINTED}; return performance.now(); }}"
_MOVED = f"""async ([id, to]) => {{
  const slider = document.getElementById(id), started = performance.now();
  slider.value = to;
  slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
  await {_PAINTED};
  return performance.now() - started;
}}"""


@dataclass(frozen=True)
class Took:
    """Milliseconds: by the clock, and those the page's thread was busy."""

    clock: float
    busy: float


@dataclass(frozen=True)
class Pace:
    """Of one page: its size, the median opening, and each move of the slider."""

    megabytes: float
    opened: Took
    moves: tuple[Took, ...]

    def moved(self, share: float) -> Took:
        """As fast as this share of the moves: 0.95 for nineteen of twenty."""
        return _quantile(self.moves, share)


def pace(
    page: str | Path, moves: int = 40, slider: str = "time", opens: int = 3
) -> Pace:
    """Open a page in headless Chromium and move its slider.

    Args:
        page: the file.
        moves: how many, spread over the slider, far and near ones in turn.
        slider: the id of the slider's element.
        opens: openings, of which the median counts.

    Raises:
        GswlabError: playwright, or Chromium, is not installed.
    """
    file = Path(page).resolve()
    with tabbed() as tab:
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def opening() -> Took:
            tab.goto("about:blank")
            tab.goto(file.as_uri(), wait_until="load")
            clock = float(tab.evaluate(_OPENED))
            return Took(clock, _busy(session))  # counted anew in each document

        def moving(to: int) -> Took:
            before = _busy(session)
            clock = float(tab.evaluate(_MOVED, [slider, to]))
            return Took(clock, _busy(session) - before)

        opened = [opening() for _ in range(opens)]
        last = int(tab.get_attribute(f"#{slider}", "max") or 0)
        took = [moving(to) for to in _stops(last, moves)]
    size = file.stat().st_size / 1e6
    return Pace(size, _quantile(opened, 0.5), tuple(took))


@contextmanager
def tabbed() -> Iterator[Any]:
    """A tab of headless Chromium.

    Raises:
        GswlabError: playwright, or Chromium, is not installed.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        command = 'pip install "gswlab[dev]"'
        problem = "pages are timed by playwright, which is not installed"
        raise GswlabError(problem, "the extra `dev`", command) from error
    if not CHROMIUM.exists():
        rule = "a page is timed in the Chromium that Debian packages"
        raise GswlabError(f"there is no {CHROMIUM}", rule, "apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            args=list(QUIET), executable_path=str(CHROMIUM)
        )
        yield browser.new_page(viewport=SIZE, reduced_motion="reduce")
        browser.close()


def _busy(session: Any) -> float:
    told = session.send("Performance.getMetrics")["metrics"]
    seconds = {one["name"]: one["value"] for one in told}["TaskDuration"]
    return 1000 * float(seconds)


def _quantile(took: Sequence[Took], share: float) -> Took:
    clock, busy = ([getattr(t, name) for t in took] for name in ("clock", "busy"))
    return Took(float(np.quantile(clock, share)), float(np.quantile(busy, share)))


def _stops(last: int, moves: int) -> list[int]:
    """Where a slider is moved: far away, then one on, over and over."""
    rng = np.random.default_rng(0)
    far = rng.integers(0, last + 1, size=-(-moves // 2))
    stops = [stop for at in far for stop in (int(at), min(int(at) + 1, last))]
    return stops[:moves]

"""The film and the picture at the top of the README.

python experiments/recipes/opening.py

The film is the page that `make demo` writes, under a hand: the story is stepped through
to the arrest, an answer chosen, a life followed in the storyline. Writes
experiments/figures/opening.webp. The picture is an answer and the ink it rests on:

The bundled story is read, asked, and its page opened in headless Chromium; the first
answer is chosen, and the sentence it rests on. Writes experiments/figures/opening.png.
Pixels depend on the fonts of the machine; what the picture says does not.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pace import CHROMIUM, QUIET
from PIL import Image
from playwright.sync_api import sync_playwright

import gswlab
from gswlab.view.run.page import write_page

ROOT = Path(__file__).resolve().parents[2]
FIGURE = ROOT / "experiments" / "figures" / "opening.png"
FILM, MOST = FIGURE.with_suffix(".webp"), 1_000_000  # bytes
STEPS = (2, 4, 5, 7, 8, 9)  # chunks that the film stops at
QUESTIONS = (
    "Who was arrested?",
    "Where was Clara Novak on March 3, 2025?",
    "Where was Clara Novak on March 4, 2025?",
)
WINDOW: Any = {"width": 1180, "height": 560}
SCREEN: Any = {"width": 1120, "height": 780}


def frames(tab: Any) -> Iterator[tuple[bytes, int]]:
    """Pictures of a page under a hand, and the milliseconds that each stands."""

    def shot(stands: int) -> tuple[bytes, int]:
        tab.wait_for_timeout(250)
        return tab.screenshot(), stands

    for chunk in STEPS:
        tab.evaluate(
            "(to) => { const time = document.getElementById('time'); time.value = to;"
            "time.dispatchEvent(new Event('input')); }",
            chunk - 1,
        )
        yield shot(2600 if chunk == STEPS[-1] else 1500)
    tab.click(".ask >> nth=0")
    yield shot(2600)
    tab.locator("#book").evaluate("one => scrollTo(0, one.offsetTop - 260)")
    yield shot(2000)
    for name in ("Edgar Voss", "Clara Novak"):
        tab.click(f'#cast button:has-text("{name}")')
        yield shot(2200)


def film(tab: Any, page: Path) -> None:
    """Write the frames of a page as one moving picture."""
    tab.goto(page.as_uri())
    shots = [*frames(tab)]
    first, *rest = [Image.open(io.BytesIO(shot)).convert("RGB") for shot, _ in shots]
    stands = [stand for _, stand in shots]
    first.save(
        FILM, save_all=True, append_images=rest, duration=stands, loop=0, quality=60
    )
    assert FILM.stat().st_size < MOST, FILM.stat().st_size


def main() -> None:
    """Read, ask, open, choose, and take the film and the picture."""
    story = ROOT / "gswlab" / "data" / "story.txt"
    folder = ROOT / "runs" / "opening"
    lab = gswlab.open(f"dataset.file={story}", f"run.dir={folder}")
    lab.run()
    page = gswlab.view.ink(lab, *QUESTIONS).page().write(folder / "ink.html")
    asked = [(question, lab.ask(question)) for question in QUESTIONS]
    steps = write_page(lab.journal, folder / "demo.html", asked)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        tab = browser.new_page(viewport=WINDOW)
        tab.goto(page.as_uri())
        tab.locator(".s", has_text="arrested Edgar Voss").click()
        tab.locator(".ask").first.click()
        tab.mouse.move(0, 0)
        tab.screenshot(path=FIGURE)
        screen = browser.new_page(viewport=SCREEN, reduced_motion="reduce")
        film(screen, steps)
        browser.close()


if __name__ == "__main__":
    main()

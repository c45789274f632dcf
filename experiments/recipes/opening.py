"""The picture at the top of the README: an answer, and the ink it rests on.

python experiments/recipes/opening.py

The bundled story is read, asked, and its page opened in headless Chromium; the first
answer is chosen, and the sentence it rests on. Writes experiments/figures/opening.png.
Pixels depend on the fonts of the machine; what the picture says does not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pace import CHROMIUM, QUIET
from playwright.sync_api import sync_playwright

import gswlab

ROOT = Path(__file__).resolve().parents[2]
FIGURE = ROOT / "experiments" / "figures" / "opening.png"
QUESTIONS = (
    "Who was arrested?",
    "Where was Clara Novak on March 3, 2025?",
    "Where was Clara Novak on March 4, 2025?",
)
WINDOW: Any = {"width": 1180, "height": 560}


def main() -> None:
    """Read, ask, open, choose, and take the picture."""
    story = ROOT / "gswlab" / "data" / "story.txt"
    folder = ROOT / "runs" / "opening"
    lab = gswlab.open(f"dataset.file={story}", f"run.dir={folder}")
    lab.run()
    page = gswlab.view.ink(lab, *QUESTIONS).page().write(folder / "ink.html")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        tab = browser.new_page(viewport=WINDOW)
        tab.goto(page.as_uri())
        tab.locator(".s", has_text="arrested Edgar Voss").click()
        tab.locator(".ask").first.click()
        tab.mouse.move(0, 0)
        tab.screenshot(path=FIGURE)
        browser.close()


if __name__ == "__main__":
    main()

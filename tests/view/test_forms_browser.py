"""A notebook's forms in a real JupyterLab: settings, a talk, a file that is dropped."""

# ruff: noqa: F811 - fixtures are handed on by their names

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from test_browser import CHROMIUM, TOKEN, browser, jupyter, shoot, tab  # noqa: F401
from test_panel_browser import at_peace, notebook, run_all

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]
ROOT = Path(__file__).resolve().parents[2]
DIARY = """Ann Ray went to Oslo on May 7, 2024. She met Bo Lind at the harbour.

<b>Bo Lind</b> left Oslo for Bergen on May 9, 2024.
"""
DROP = """([label, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  label.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""


@pytest.fixture
def opened(tab: Any, jupyter: str, tmp_path: Path) -> Any:
    """Runs a notebook of these cells and leaves its tab open."""

    def run(*cells: str) -> Any:
        (tmp_path / "forms.ipynb").write_text(notebook(*cells), encoding="utf-8")
        tab.goto(f"{jupyter}/lab/tree/forms.ipynb?token={TOKEN}", timeout=60_000)
        run_all(tab)
        return tab

    return run


def enter(tab: Any, hint: str, text: str) -> None:
    """Type into the line that has this hint, and press Enter."""
    tab.get_by_placeholder(hint).fill(text)
    tab.get_by_placeholder(hint).press("Enter")


def serious(tab: Any) -> list[str]:
    """What a screen reader would stumble over in the outputs."""
    found = Axe().run(tab, context=".jp-OutputArea-output").response["violations"]
    bad = [v for v in found if v["impact"] in ("serious", "critical")]
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in bad]


def test_a_file_that_is_dropped_is_read_shown_and_asked(opened: Any, tab: Any) -> None:
    opened("import gswlab", "gswlab.view.start()")
    enter(tab, "a question, in its language", "Who is here?")
    tab.wait_for_selector("[role=status]:has-text('no file was read yet')")
    enter(tab, "or name a file: path/to/it", "no/such.txt")
    tab.wait_for_selector("[role=status]:has-text('there is no file no/such.txt')")
    label = tab.locator("label:has-text('Drop a file here')").element_handle()
    tab.evaluate(f"given => ({DROP})(given)", [label, "../diary.txt", DIARY])
    tab.wait_for_selector("caption:has-text('diary: ')", timeout=60_000)
    held = tab.locator("table:has(caption:has-text('diary: '))").inner_text()
    assert "Bo Lind" in held
    assert "Oslo" in held
    assert "May 07, 2024, May 09, 2024" in held
    enter(tab, "a question, in its language", "Where was Ann Ray on May 7, 2024?")
    tab.wait_for_selector(".jp-OutputArea-output li:has-text('Oslo')")
    shoot(tab, "start-answer")
    enter(tab, "a question, in its language", "Where was Ann Ray on June 1, 2024?")
    tab.wait_for_selector("text=No answer: No episode of the text has")
    tab.wait_for_selector("text=It knows May 07, 2024, Oslo, Ann Ray")
    shoot(tab, "start-abstains")
    enter(tab, "or name a file: path/to/it", "gswlab/data/story_ja.txt")
    tab.wait_for_selector("caption:has-text('story_ja: ')", timeout=60_000)
    assert serious(tab) == []
    at_peace(tab)


def test_what_is_changed_in_the_form_becomes_an_override(opened: Any, tab: Any) -> None:
    opened("import gswlab", "gswlab.open('dataset.file=gswlab/data/story.txt').config")
    shoot(tab, "config-form")
    tab.get_by_label("memory").select_option("bm25")
    tab.wait_for_selector("pre:has-text('memory=bm25')")
    tab.get_by_label("settings of").select_option("memory")
    tab.get_by_label("k1").fill("2")
    tab.get_by_label("k1").press("Enter")
    tab.wait_for_selector("pre:has-text('memory.k1=2')")
    tab.get_by_label("k1").fill("much")
    tab.get_by_label("k1").press("Enter")
    tab.wait_for_selector("[role=status]:has-text(\"memory.k1 cannot be 'much'\")")
    tab.get_by_label("settings of").select_option("chunk")
    tab.get_by_label("sentences").fill("2")
    tab.get_by_label("sentences").press("Enter")
    tab.wait_for_selector("pre:has-text('chunk.sentences=2')")
    cell, shell = tab.locator("pre:has-text('chunk.sentences=2')").all_inner_texts()
    assert cell.startswith("lab = gswlab.open(")
    typed = "dataset.file=gswlab/data/story.txt memory=bm25 memory.k1=2"
    assert shell == f"python -m gswlab run {typed} chunk.sentences=2"
    shoot(tab, "config-changed")
    assert serious(tab) == []
    at_peace(tab)


def test_a_grid_is_worked_from_its_cell(opened: Any, tab: Any) -> None:
    grid = "'experiment=generated', 'dataset.chapters=3', 'memory=gsw,bm25'"
    opened("import gswlab", f"gswlab.grid({grid})")
    tab.wait_for_selector("caption:has-text('Grid(2 runs, 0 failed)')", timeout=120_000)
    tab.locator("[aria-label^='strict F1, run by run']").scroll_into_view_if_needed()
    shoot(tab, "grid-cell")
    assert serious(tab) == []
    at_peace(tab)

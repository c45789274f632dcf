"""The panel in a real JupyterLab: what is pressed, what comes back, what stays."""

# ruff: noqa: F811 - fixtures are handed on by their names

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from test_browser import CHROMIUM, LOOPBACK, TOKEN, browser, jupyter, shoot, tab  # noqa: F401

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]
OPENED = """import gswlab
from gswlab.view import Stepper
lab = gswlab.open("experiment=read", "dataset.file=STORY", "run.dir=r")
while lab.step(): pass
stepper = Stepper(lab)
stepper"""
ASKED = "print(stepper.position, *stepper.chosen, len(lab.journal))"
PANEL = "iframe[title^='Panel: ']"
CELL = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell"


def notebook(*sources: str) -> str:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    return str(nbformat.writes(made))


def run_all(tab: Any) -> None:
    tab.wait_for_selector(CELL, timeout=60_000)
    tab.wait_for_function(
        "() => window.jupyterapp?.commands.hasCommand('notebook:run-all-cells')",
        timeout=60_000,
    )
    tab.wait_for_selector("#jp-main-statusbar :text('| Idle')", timeout=60_000)
    run = "window.jupyterapp.commands.execute('notebook:run-all-cells')"
    tab.evaluate(f"() => {{ void {run}; }}")
    counted(tab, 1, 0, 120_000)


def counted(tab: Any, cell: int, before: int, timeout: int = 60_000) -> None:
    """Wait until a cell has run once more than it had."""
    tab.wait_for_function(
        """([cells, cell, before]) => {
          const prompt = document.querySelectorAll(cells)[cell]
            ?.querySelector(".jp-InputPrompt");
          return Number(/\\[(\\d+)\\]/.exec(prompt?.textContent)?.[1] || 0) > before;
        }""",
        arg=[CELL, cell, before],
        timeout=timeout,
    )


def ask(tab: Any) -> list[str]:
    """What the second cell prints when it is run now: step, selection, steps."""
    cell = tab.locator(CELL).nth(1)
    prompt = cell.locator(".jp-InputPrompt").inner_text()
    before = int("".join(c for c in prompt if c.isdigit()) or 0)
    cell.locator(".jp-InputPrompt").click()
    run = "window.jupyterapp.commands.execute('notebook:run-cell')"
    tab.evaluate(f"() => {{ void {run}; }}")
    counted(tab, 1, before)
    return str(cell.locator(".jp-OutputArea-output").first.inner_text()).split()


def asked_until(tab: Any, wanted: list[str]) -> list[str]:
    """What the kernel says, once what was pressed has reached it."""
    for _ in range(20):
        if (said := ask(tab)) == wanted:
            return said
        tab.wait_for_timeout(250)
    return said


@pytest.fixture
def panel(tab: Any, jupyter: str, tmp_path: Path) -> Any:
    """Opens a notebook whose first cell shows a panel and whose second one asks."""

    def opened(story: str) -> Any:
        cells = OPENED.replace("STORY", story), ASKED
        (tmp_path / "panel.ipynb").write_text(notebook(*cells), encoding="utf-8")
        tab.goto(f"{jupyter}/lab/tree/panel.ipynb?token={TOKEN}", timeout=60_000)
        run_all(tab)
        page = tab.frame_locator(PANEL)
        page.locator("body.framed").wait_for(timeout=60_000)
        return page

    return opened


def inner(tab: Any) -> Any:
    """The frame of the page itself, where scripts of a test may run."""
    return tab.locator(PANEL).element_handle().content_frame()


def clicked(tab: Any) -> str:
    """Click on some noun where it is drawn in full view; its id."""
    frame = inner(tab)
    frame.locator("#mynetwork").scroll_into_view_if_needed()
    tab.wait_for_timeout(1000)  # a search moves the view, for half a second
    noun, x, y = frame.evaluate(
        """() => {
          const box = document.getElementById("mynetwork").getBoundingClientRect();
          for (const { id } of nodes.get().filter((n) => !n.hidden)) {
            const { x, y } = network.canvasToDOM(network.getPositions([id])[id]);
            const inside = x > 40 && y > 40 && x < box.width - 40 && y < 220;
            const free = network.getNodeAt({ x, y }) === id;  // nothing drawn over it
            if (inside && free && id[0] === "a") return [id, x, y];
          }
        }"""
    )
    box = frame.locator("#mynetwork").bounding_box()
    tab.mouse.click(box["x"] + x, box["y"] + y)
    return str(noun)


def at_peace(tab: Any) -> None:
    outside = [url for url in tab.asked if not url.startswith(LOOPBACK)]
    assert outside == []
    assert tab.wrong == []


def test_the_panel_is_worked_by_hand_and_python_knows(panel: Any, tab: Any) -> None:
    page = panel("gswlab/data/story.txt")
    line = page.locator("#line")
    # the slider inside the page
    page.locator("#time").focus()
    tab.keyboard.press("ArrowRight")
    assert line.inner_text().startswith("step 2, chunk 2 of 12")
    assert asked_until(tab, ["1", "13"]) == ["1", "13"]
    # the buttons around it
    tab.get_by_role("button", name="next ▶").click()
    page.locator("#line:has-text('chunk 3 of 12')").wait_for()
    tab.get_by_role("button", name="◀ back").click()
    page.locator("#line:has-text('chunk 2 of 12')").wait_for()
    tab.get_by_role("button", name="play", exact=True).click()
    page.locator("#line:has-text('chunk 3 of 12')").wait_for(timeout=20_000)
    tab.get_by_role("button", name="pause", exact=True).click()
    # until
    tab.get_by_label("Until").fill("thin man")
    tab.get_by_role("button", name="until ▶▶").click()
    page.locator("#line:has-text('chunk 5 of 12')").wait_for()
    shoot(tab, "panel-1440")
    found = Axe().run(tab, context=".gswlab-panel").response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
    # search, then a node, both known to Python
    page.locator("#search").fill("Lark")
    page.locator("#search").press("Enter")
    found = asked_until(tab, ["4", "a23", "13"])
    assert (found[0], found[-1]) == ("4", "13")
    noun = clicked(tab)
    assert asked_until(tab, ["4", noun, "13"]) == ["4", noun, "13"]
    # the legend filters
    shown = "() => nodes.get().filter(n => !n.hidden).length"
    before = inner(tab).evaluate(shown)
    page.locator(".kind[data-kind='person']").click()
    assert inner(tab).evaluate(shown) < before
    # undo, and what cannot be done is said
    tab.get_by_role("button", name="undo last").click()
    tab.wait_for_selector("[role=status]:has-text('nothing is erased')")
    assert asked_until(tab, ["13", noun, "14"])[-1] == "14"
    at_peace(tab)
    tab.set_viewport_size({"width": 800, "height": 1400})
    tab.wait_for_timeout(1000)
    tab.locator(PANEL).scroll_into_view_if_needed()
    shoot(tab, "panel-800")


def test_a_fork_is_shown_below_the_page(panel: Any, tab: Any) -> None:
    page = panel("gswlab/data/story.txt")
    tab.get_by_role("spinbutton", name="Step").fill("7")
    tab.get_by_role("spinbutton", name="Step").press("Enter")
    page.locator("#line:has-text('chunk 7 of 12')").wait_for()
    tab.get_by_label("Fork with").fill("reconciler.scope=chapter")
    tab.get_by_role("button", name="fork here").click()
    tab.wait_for_selector("[role=status]:has-text('0 calls')", timeout=120_000)
    shoot(tab, "panel-fork")
    tab.get_by_label("Fork with").fill("reconciler=none_such")
    tab.get_by_role("button", name="fork here").click()
    tab.wait_for_selector("[role=status]:has-text('none_such')", timeout=60_000)
    tab.get_by_label("Decide").select_option(index=0)
    tab.get_by_label("becomes").fill("new")
    tab.get_by_role("button", name="edit by hand").click()
    tab.wait_for_selector("[role=status]:has-text('by hand')", timeout=120_000)
    tab.get_by_text("edited by hand").first.wait_for()
    shoot(tab, "panel-edit")
    at_peace(tab)


HOSTILE = (
    "Mara Voss came to Harbour Lane. <script>alert(1)</script></iframe>"
    "<img src=x onerror=alert(2)> [a](javascript:alert(3)) \u202egnp.exe was there.\n"
)


def test_hostile_text_is_text_and_other_windows_are_not_heard(
    panel: Any,
    tab: Any,
    tmp_path: Path,
) -> None:
    tab.on("dialog", lambda dialog: tab.wrong.append(dialog.message))
    (tmp_path / "bad.txt").write_text(HOSTILE * 12, encoding="utf-8")
    page = panel("bad.txt")
    text = page.locator(".step[data-now] .text").inner_text()
    assert "<script>alert(1)</script></iframe><img src=x onerror=alert(2)>" in text
    assert "\u202e" not in text
    good = {"gswlab": "page", "step": 2, "nouns": [], "lines": [], "still": True}
    wrong = [
        {**good, "step": "2"},
        {**good, "step": 1.5},
        {**good, "step": -1},
        {**good, "nouns": "a1"},
        {**good, "nouns": [1]},
        {**good, "nouns": ["x" * 4000]},
        {**good, "lines": {"0": "l0"}},
        {**good, "still": "yes"},
        {**good, "gswlab": "other"},
        None,
        "step",
        [good],
    ]
    for said in wrong:
        inner(tab).evaluate("said => parent.postMessage(said, '*')", said)
    # the notebook's own window, and a frame that is not the panel's
    tab.evaluate("said => window.postMessage(said, '*')", good)
    tab.evaluate(
        """said => { const other = document.createElement("iframe");
          other.srcdoc = `<script>parent.postMessage(${JSON.stringify(said)}, "*")
          <` + `/script>`; document.body.append(other); }""",
        good,
    )
    # and to the page: from itself, or of other types
    told = {"gswlab": "panel", "step": 2, "nouns": [], "lines": []}
    inner(tab).evaluate("said => window.postMessage(said, '*')", told)
    reach = "([frame, said]) => document.querySelector(frame).contentWindow"
    for bad in ({**told, "step": "2"}, {**told, "nouns": [1]}, {**told, "lines": 1}):
        tab.evaluate(f"{reach}.postMessage(said, '*')", [PANEL, bad])
    tab.wait_for_timeout(1500)
    assert ask(tab)[0] == "0"
    assert page.locator("#line").inner_text().startswith("step 1, chunk 1 of ")
    inner(tab).evaluate("said => parent.postMessage(said, '*')", good)
    assert asked_until(tab, ["2"])[0] == "2"
    at_peace(tab)

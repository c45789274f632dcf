"""The panel in a real JupyterLab: what is pressed, what comes back, what stays inside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from test_browser import (  # noqa: F401 - fixtures
    CHROMIUM,
    LOOPBACK,
    TOKEN,
    browser,
    jupyter,
    shoot,
    tab,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]
OPENED = """import gswlab
from gswlab.view import Stepper
lab = gswlab.open("experiment=read", "dataset.file=gswlab/data/story.txt", "run.dir=r")
_ = lab.run()
stepper = Stepper(lab)
stepper"""
PANEL = "iframe[title='Panel: story, step by step']"


def notebook(*sources: str) -> str:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    return str(nbformat.writes(made))


def run_all(tab: Any, cells: int) -> None:
    tab.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    tab.wait_for_function(
        "() => window.jupyterapp?.commands.hasCommand('notebook:run-all-cells')",
        timeout=60_000,
    )
    tab.wait_for_selector("#jp-main-statusbar :text('| Idle')", timeout=60_000)
    run = "window.jupyterapp.commands.execute('notebook:run-all-cells')"
    tab.evaluate(f"() => {{ void {run}; }}")
    done = (
        "many => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]"
        ".filter(p => /\\[\\d+\\]/.test(p.textContent)).length >= many"
    )
    tab.wait_for_function(done, arg=cells, timeout=200_000)


def said(tab: Any, cell: int) -> str:
    """Run one more cell and read what it printed."""
    return ""


@pytest.fixture
def opened(tab: Any, jupyter: str, tmp_path: Path) -> Any:  # noqa: F811
    """A notebook whose first cell shows a panel; the second one asks the stepper."""
    path = tmp_path / "panel.ipynb"
    path.write_text(notebook(OPENED), encoding="utf-8")
    tab.goto(f"{jupyter}/lab/tree/panel.ipynb?token={TOKEN}", timeout=60_000)
    run_all(tab, 1)
    tab.wait_for_selector(PANEL, timeout=60_000)
    return tab


@pytest.mark.timeout(300)
def test_the_panel_opens(opened: Any) -> None:
    page = opened.frame_locator(PANEL)
    page.locator("body.framed").wait_for(timeout=30_000)
    shoot(opened, "panel-1440")
    outside = [url for url in opened.asked if not url.startswith(LOOPBACK)]
    assert outside == []

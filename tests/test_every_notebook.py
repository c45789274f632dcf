"""Every notebook, run top to bottom in JupyterLab: `pytest -m jupyterlab`, minutes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_browser import CHROMIUM, browser, jupyterlab, run_all, shoot, tab  # noqa: F401 - fixtures
from test_notebook_html import exported
from test_notebooks import IDS, NOTEBOOKS, ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.jupyterlab,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with jupyterlab(tmp_path_factory.mktemp("jupyterlab")) as address:
        yield address


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_runs_top_to_bottom_in_jupyterlab(
    tab: Any,  # noqa: F811
    lab: str,
    path: Path,
) -> None:
    run_all(tab, lab, str(path.relative_to(ROOT / "notebooks")))
    shoot(tab, f"notebook-{path.stem}")
    stop = "window.jupyterapp.commands.execute('kernelmenu:shutdown')"
    tab.evaluate(f"() => {{ void {stop}; }}")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_an_exported_notebook_works_from_the_file_system(
    tab: Any,  # noqa: F811
    path: Path,
    tmp_path: Path,
) -> None:
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    file = exported(copy)
    assert file.stat().st_size < 3_000_000
    tab.goto(file.as_uri())
    tab.wait_for_load_state("networkidle")
    for frame in tab.frames[1:]:
        if (slider := frame.locator("#time")).count():
            slider.focus()
            slider.press("Home")  # a window's page opens at its last step
            first = int(slider.input_value())
            slider.press("ArrowRight")
            assert slider.input_value() == str(first + 1)
    shoot(tab, f"exported-{path.stem}")
    local = ("file://", "about:", "data:", "blob:")
    assert [url for url in tab.asked if not url.startswith(local)] == []
    assert tab.wrong == []

"""Every notebook, run top to bottom in JupyterLab: `pytest -m jupyterlab`, minutes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_browser import (  # noqa: F401 - fixtures
    CHROMIUM,
    browser,
    jupyterlab,
    run_all,
    shoot,
    tab,
)
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


@pytest.mark.timeout(400)
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

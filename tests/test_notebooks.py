"""Every notebook runs top to bottom, offline, and says what it said when committed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(
    path
    for path in (ROOT / "notebooks").glob("*/*.ipynb")
    if ".ipynb_checkpoints" not in path.parts
)
IDS = [path.stem for path in NOTEBOOKS]


def cells(path: Path) -> list[nbformat.NotebookNode]:
    return list(nbformat.read(path, as_version=4).cells)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """The notebooks in a folder of their own, beside the package's data."""
    shutil.copytree(
        ROOT / "notebooks",
        tmp_path / "notebooks",
        ignore=shutil.ignore_patterns("runs"),
    )
    (tmp_path / "gswlab").symlink_to(ROOT / "gswlab")
    return tmp_path


@pytest.mark.timeout(300)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_runs_and_keeps_its_word(path: Path, copies: Path) -> None:
    copy = copies / path.relative_to(ROOT)
    quiet = {**os.environ, "TQDM_DISABLE": "1", "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "-q", "-c", os.devnull]
    run = subprocess.run(
        [*command, "--rootdir", str(copies), "-p", "no:cacheprovider", str(copy)],
        cwd=copies,
        env=quiet,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_cell_is_short_and_decides_nothing(path: Path) -> None:
    for cell in cells(path):
        if cell.cell_type != "code":
            continue
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= 6, cell.source
        assert not any(line.lstrip().startswith(("if ", "def ")) for line in lines)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_is_committed_without_traces_of_its_session(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # nbval takes a cell with outputs and no count for one that never ran.
    counts = [n if cell.outputs else None for n, cell in enumerate(code, 1)]
    assert [cell.execution_count for cell in code] == counts
    assert not any("execution" in cell.metadata for cell in code)


def test_a_teaching_notebook_is_committed_with_its_outputs_and_checked_ones() -> None:
    for path in NOTEBOOKS:
        code = [cell for cell in cells(path) if cell.cell_type == "code"]
        shown = any(cell.outputs for cell in code)
        checked = any("NBVAL_CHECK_OUTPUT" in cell.source for cell in code)
        assert (shown, checked) == ((path.parent.name == "teach"),) * 2

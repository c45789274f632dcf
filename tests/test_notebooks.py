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
REPORTS = ["02_is_it_right"]  # lab notebooks kept with what they showed
OWN = "10_your_own_memory"  # where the reader writes a class


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
    for data in ("gswlab", "experiments"):
        (tmp_path / data).symlink_to(ROOT / data)
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


def test_a_memory_of_your_own_takes_under_forty_lines() -> None:
    (path,) = (path for path in NOTEBOOKS if path.stem == OWN)
    code = [cell.source for cell in cells(path) if cell.cell_type == "code"]
    lines = [line for source in code for line in source.splitlines() if line.strip()]
    assert len(lines) < 40


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_cell_is_short_and_decides_nothing(path: Path) -> None:
    if path.stem == OWN:
        return
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


def test_a_notebook_to_be_read_is_committed_with_its_outputs_and_checked_ones() -> None:
    for path in NOTEBOOKS:
        code = [cell for cell in cells(path) if cell.cell_type == "code"]
        shown = any(cell.outputs for cell in code)
        checked = any("NBVAL_CHECK_OUTPUT" in cell.source for cell in code)
        read = path.parent.name == "teach" or path.stem in REPORTS
        assert (shown, checked) == (read, read)


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_shows_no_error_and_no_path_of_a_machine(name: str) -> None:
    (path,) = (path for path in NOTEBOOKS if path.stem == name)
    for cell in cells(path):
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text
            assert "/home/" not in str(output)
            assert str(ROOT) not in str(output)

"""Notebooks run from nothing, kept with what they showed: `python notebook.py FILE...`.

Progress bars and whatever else is of the session alone are left out.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def main(path: Path) -> None:
    """Run `path` in its folder, without the runs left there, and write it."""
    shutil.rmtree(path.parent / "runs", ignore_errors=True)
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, resources=where, record_timing=False).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in code:
        cell.outputs = [o for o in cell.outputs if _lasts(o.get("data", {}))]
        # a cell that shows nothing counts as one that never ran: nbval reads it so
        cell.execution_count = cell.execution_count if cell.outputs else None
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    nbformat.write(notebook, path)


def _lasts(data: dict[str, object]) -> bool:
    """Whether an output outlives its kernel: a bar does not, a panel does as HTML."""
    return data.pop(WIDGET, None) is None or "text/html" in data


if __name__ == "__main__":
    for name in sys.argv[1:]:
        main(Path(name))

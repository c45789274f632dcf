"""A notebook as one HTML file: no address, no kernel, each script of its pages once.

The cells are nbconvert's, the rest is ours: pages stand in frames without scripts, read
from top to bottom, and get them back from one place where scripts may run.

>>> export_notebook("notebooks/lab/01_step_through.ipynb", run=True)  # doctest: +SKIP
PosixPath('notebooks/lab/01_step_through.html')
"""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path
from typing import Any

from gswlab.bench.folder import RunFolder
from gswlab.core.errors import GswlabError
from gswlab.view.kit.page import attribute, described

MOST = 3_000_000  # bytes of a file that is sent around
_FRAME = re.compile(r"""srcdoc=(["'])(.*?)\1""", re.DOTALL)
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALLOWED = re.compile(r"script-src ([^;]*);")
_LATER = '<script type="text/plain" data-later>'
_LONG = 2000  # characters from which a script is worth sharing
_WIDGET = "application/vnd.jupyter.widget-view+json"
_SHOWN = ("text/html", "image/svg+xml", "image/png", "text/markdown", "text/plain")


def export_notebook(
    path: str | Path, out: str | Path | None = None, run: bool = False
) -> Path:
    """Write a notebook as HTML beside it, or to `out`.

    It is `run` first, in its folder, or taken with the outputs it has.

    Raises:
        GswlabError: it is no notebook, has no outputs, fails, or nbconvert is missing.
    """
    source = Path(path)
    target = Path(out) if out else source.with_suffix(".html")
    return RunFolder(target.parent).write(target.name, notebook_html(source, run))


def notebook_html(path: str | Path, run: bool = False) -> str:
    """The text of such a file."""
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

    source = Path(path)
    notebook = _read(source, run)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if code and not any(cell.outputs for cell in code):
        command = f"export_notebook({str(path)!r}, run=True)"
        raise GswlabError(f"{source.name} has no outputs", "run it first", command)
    body = _cells(notebook)
    pages = [html.unescape(text) for _, text in _FRAME.findall(body)]
    found = Counter(s for page in pages for s in _SCRIPT.findall(page))
    shared = sorted(s for s, many in found.items() if many > 1 or len(s) > _LONG)
    at = {script: n for n, script in enumerate(shared)}
    allowed = {s for page in pages for told in _ALLOWED.findall(page)
               for s in told.split()}  # fmt: skip
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.DOTALL)
    title = html.unescape(re.sub(r"<[^>]+>", "", heading[1])) if heading else ""
    light, dark = (  # the colours of code, by day and by night
        HtmlFormatter(style=name).get_style_defs(".highlight")
        for name in ("default", "github-dark")
    )
    dark = f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}"
    return described(
        title or source.stem,
        "notebook.html",
        ("notebook.css", light, dark),
        ("notebook.js",),
        allowed=sorted(allowed),
        data=shared,
        cells=_FRAME.sub(lambda frame: _quiet(html.unescape(frame[2]), at), body),
    ).html


def _read(path: Path, run: bool) -> Any:
    """A notebook, with the outputs of a `run` where that is asked for."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    try:
        notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        rule = "a file of JupyterLab, version 4"
        raise GswlabError(f"{path} is no notebook", rule) from error
    if not run:
        return notebook
    where = {"metadata": {"path": str(path.parent)}}
    try:
        return NotebookClient(notebook, resources=where).execute()
    except CellExecutionError as error:
        problem = f"{path.name} fails: {error.ename}: {error.evalue}"
        raise GswlabError(problem, "a notebook that runs top to bottom") from error


def _cells(notebook: Any) -> str:
    """The cells as HTML; of each output the richest form that needs no kernel."""
    try:
        from nbconvert import HTMLExporter
    except ImportError as error:
        command = 'pip install "gswlab[notebook]"'
        problem = "notebooks are exported by nbconvert, which is not installed"
        raise GswlabError(problem, "the extra `notebook`", command) from error
    exporter = HTMLExporter(template_name="basic")  # type: ignore[no-untyped-call]
    exporter.exclude_anchor_links = True
    exporter.config.NbConvertBase.display_data_priority = list(_SHOWN)
    exporter.config.HTMLExporter.exclude_input_prompt = True
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [kept for one in cell.outputs if (kept := _kept(one))]
    body, _ = exporter.from_notebook_node(notebook)
    return str(body)


def _kept(output: Any) -> Any:
    """An output without its widget; a widget alone, a progress bar, is left out."""
    data = output.get("data", {})
    if _WIDGET in data and "text/html" not in data:
        return None
    for mime in set(data) - set(_SHOWN):
        del data[mime]
    return output


def _quiet(page: str, at: dict[str, int]) -> str:
    """A page whose scripts wait: shared ones by their number, others as they are."""

    def waiting(script: re.Match[str]) -> str:
        if script[1] not in at:
            return f"{_LATER}{script[1]}</script>"
        return f'<script type="text/plain" data-shared="{at[script[1]]}"></script>'

    return f"srcdoc='{attribute(_SCRIPT.sub(waiting, page))}'"

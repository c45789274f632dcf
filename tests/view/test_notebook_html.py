"""A notebook as one file: what is in it once, what never is, and that its pages run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from elements import Elements
from test_browser import CHROMIUM, browser, tab  # noqa: F401 - fixtures
from told import told

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.view.notebooks import MOST, export_notebook, notebook_html
from gswlab.view.run.page import page
from gswlab.view.run.stage import drawing

ROOT = Path(__file__).resolve().parents[2]
BAR = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


def written(path: Path, *outputs: dict[str, Any]) -> Path:
    """A notebook whose only code cell has these outputs."""
    cell = nbformat.v4.new_code_cell("show()", execution_count=1)
    cell.outputs = [nbformat.v4.new_output("display_data", data=o) for o in outputs]
    title = nbformat.v4.new_markdown_cell("# A <b>title</b>\n\nProse.")
    nbformat.write(nbformat.v4.new_notebook(cells=[title, cell]), path)
    return path


@pytest.fixture
def paged(journal: Journal, tmp_path: Path) -> Path:
    """A notebook with the same page twice."""
    shown = page(journal)._repr_html_()
    return written(tmp_path / "paged.ipynb", {"text/html": shown}, {"text/html": shown})


def test_the_graph_library_stands_once_however_many_pages_there_are(
    paged: Path,
) -> None:
    text = notebook_html(paged)
    size = len(drawing({"nodes": {}, "edges": {}}, {})[0])
    assert size < len(text) < 1.7 * size
    assert len(Elements(text).named("iframe")) == 2


def test_an_exported_notebook_names_no_address(paged: Path) -> None:
    elements = Elements(notebook_html(paged))
    assert not elements.loading
    assert elements.policy.startswith("default-src 'none'; script-src 'sha256-")


def test_without_scripts_a_page_reads_from_top_to_bottom(paged: Path) -> None:
    frames = [a["srcdoc"] for a in Elements(notebook_html(paged)).named("iframe")]
    assert frames[0] is not None
    assert "<script>" not in frames[0]
    assert ">An old man</mark> waited there." in frames[0]
    assert frames[0].count('<article class="step"') == 3


def test_a_progress_bar_is_left_out_and_a_widget_shows_its_text(tmp_path: Path) -> None:
    bar = {BAR: {"model_id": "x"}, "text/plain": "reading:   0%"}
    shown = {BAR: {"model_id": "y"}, "text/html": "<p>the step</p>"}
    text = notebook_html(written(tmp_path / "bars.ipynb", bar, shown))
    assert "reading:" not in text
    assert "<p>the step</p>" in text
    assert "model_id" not in text


def test_a_notebook_that_was_not_run_says_how(tmp_path: Path) -> None:
    with pytest.raises(GswlabError, match=r"has no outputs.*run=True"):
        notebook_html(written(tmp_path / "none.ipynb"))
    (tmp_path / "bad.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(GswlabError, match="is no notebook"):
        notebook_html(tmp_path / "bad.ipynb")


def test_the_same_notebook_gives_the_same_bytes(paged: Path) -> None:
    assert notebook_html(paged) == notebook_html(paged)


def test_every_notebook_with_outputs_is_small_enough_to_send() -> None:
    kept = [*(ROOT / "notebooks").glob("teach/*.ipynb")]
    kept += (ROOT / "notebooks" / "lab").glob("02_*.ipynb")
    shown = [path for path in kept if '"output_type"' in path.read_text("utf-8")]
    assert shown
    for path in shown:
        assert len(notebook_html(path).encode()) < MOST, path.name


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="no chromium")
def test_both_pages_of_an_exported_notebook_run_from_the_file_system(
    tab: Any,  # noqa: F811
    paged: Path,
) -> None:
    file = export_notebook(paged)
    assert file.name == "paged.html"
    tab.goto(file.as_uri())
    for n in range(2):
        frame = tab.frame_locator("iframe").nth(n)
        frame.locator("#next").click()
        assert frame.locator("#line").inner_text().startswith("step 2, chunk 2 of 3")
    assert {url.split(":")[0] for url in tab.asked} <= {"file", "about"}
    assert tab.wrong == []


# How VS Code shows an output of HTML: in a frame of this sandbox and policy, set as
# markup, its scripts made anew.
SANDBOX = "allow-same-origin allow-scripts allow-forms allow-pointer-lock"
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src https: http: data:; font-src https:; "
    "connect-src https:; child-src https: data:"
)
RENDERER = """async ([sandbox, policy, shown]) => {
  const frame = document.createElement("iframe");
  frame.sandbox = sandbox;
  frame.style = "width:100%;height:900px";
  frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  await new Promise((done) => { frame.onload = done; document.body.append(frame); });
  const inner = frame.contentDocument, output = inner.createElement("div");
  output.innerHTML = shown;
  for (const dead of output.querySelectorAll("script")) {
    const live = inner.createElement("script");
    live.text = dead.text;
    dead.replaceWith(live);
  }
  inner.body.append(output);
}"""


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM}")
def test_a_page_is_whole_in_the_sandbox_of_another_editor_of_notebooks(
    journal: Journal,
    tab: Any,  # noqa: F811
) -> None:
    tab.goto("about:blank")
    tab.evaluate(RENDERER, [SANDBOX, POLICY, page(journal)._repr_html_()])
    shown = tab.frame_locator("iframe").frame_locator("iframe")
    shown.locator("#next").click()
    shown.locator("#line:has-text('step 2')").wait_for()
    assert "She arrested him" in shown.locator(".step[data-now] .text").inner_text()
    (drawn,) = (f for f in tab.frames if f.evaluate("() => !!window.network"))
    assert drawn.evaluate("() => Object.keys(network.getPositions()).length") >= 4
    assert not [url for url in tab.asked if url.startswith("http")]
    # letters fall back to the editor's own: its policy takes no typeface from a page
    assert all("font" in wrong for wrong in tab.wrong)

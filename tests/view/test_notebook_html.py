"""A notebook as nbconvert writes it: no address, no kernel, and its pages run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from elements import Elements
from nbconvert import HTMLExporter
from test_browser import CHROMIUM, browser, tab  # noqa: F401 - fixtures
from told import told

from gswlab.core.journal import Journal
from gswlab.view.run.page import page

# of what nbconvert would fetch; no page of ours needs it
ADDRESSES = ("mathjax_url", "require_js_url")


def exported(path: Path) -> Path:
    """What the command of `docs/figures.md` makes of a notebook."""
    exporter: Any = HTMLExporter(**dict.fromkeys(ADDRESSES, ""))
    body, _ = exporter.from_filename(str(path))
    target = path.with_suffix(".html")
    target.write_text(body, encoding="utf-8")
    return target


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


def test_an_exported_notebook_has_its_pages_and_no_address(paged: Path) -> None:
    elements = Elements(exported(paged).read_text("utf-8"))
    named = (a.get("src") or a.get("href") or "" for a in elements.loading)
    assert {address for address in named if address[:1] != "#"} == {""}
    assert len(elements.named("iframe")) == 2


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="no chromium")
def test_both_pages_of_an_exported_notebook_run_from_the_file_system(
    tab: Any,  # noqa: F811
    paged: Path,
) -> None:
    tab.goto(exported(paged).as_uri())
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

"""What a person meets: the page and the notebook in a real browser, off the network."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from told import told

from gswlab.view.run.page import write_page

CHROMIUM = Path("/usr/bin/chromium")
ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "screenshots"
TOKEN = "only-for-this-test"
LOOPBACK = ("http://127.0.0.1", "ws://127.0.0.1", "file://", "data:", "blob:", "about:")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=arguments
        )
        yield browser
        browser.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A tab that remembers what it asked for and what went wrong."""
    size = {"width": 1440, "height": 1000}
    tab = browser.new_page(viewport=size, reduced_motion="reduce")
    tab.asked, tab.wrong = [], []
    tab.on("request", lambda request: tab.asked.append(request.url))
    tab.on("pageerror", lambda error: tab.wrong.append(str(error)))
    tab.on("console", lambda said: tab.wrong.extend(_complaint(said)))
    yield tab
    tab.close()


def _complaint(said: Any) -> list[str]:
    """An error of the console and the address it is about, which it seldom names."""
    where = said.location.get("url", "")
    return [f"{said.text} ({where})"] if said.type == "error" else []


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    with told(tmp_path / "journal.sqlite") as journal:
        return write_page(journal, tmp_path / "page.html")


def shoot(tab: Any, name: str) -> None:
    SHOTS.mkdir(exist_ok=True)
    tab.screenshot(path=str(SHOTS / f"{name}.png"))


def shown_nodes(tab: Any) -> set[str]:
    shown = "nodes.get().filter(n => !n.hidden).map(n => n.id)"
    return set(tab.evaluate(f"() => {shown}"))


def places(tab: Any) -> dict[str, Any]:
    """Where each drawn noun is; vis leaves hidden ones out."""
    return dict(tab.evaluate("() => network.getPositions()"))


def test_the_slider_moves_text_and_graph_and_no_noun(tab: Any, page_file: Path) -> None:
    tab.goto(page_file.as_uri())
    before = places(tab)
    assert "Inspector Mara Voss" in tab.inner_text(".step[data-now] .text")
    assert shown_nodes(tab) == {"a1", "a2"}
    tab.focus("#time")
    tab.keyboard.press("ArrowRight")
    assert tab.inner_text("#line").startswith("step 2, chunk 2 of 3: 2 actors added")
    assert "She arrested him" in tab.inner_text(".step[data-now] .text")
    assert shown_nodes(tab) == {"a1", "a2", "a3", "a4"}
    assert {i: places(tab)[i] for i in ("a1", "a2")} == {
        i: before[i] for i in ("a1", "a2")
    }
    shoot(tab, "page-step-2")
    assert tab.asked == [page_file.as_uri()]
    assert tab.wrong == []


def test_a_clicked_node_tells_what_it_says_and_lights_its_words(
    tab: Any, page_file: Path
) -> None:
    tab.goto(page_file.as_uri())
    tab.click("#next")
    tab.click("#next")
    spot = tab.evaluate("() => network.canvasToDOM(network.getPositions(['a2']).a2)")
    box = tab.locator("#mynetwork").bounding_box()
    tab.mouse.click(box["x"] + spot["x"], box["y"] + spot["y"])
    details = tab.inner_text("#details")
    assert "Tomas Reed" in details
    assert "arrested (effect)" in details
    assert "An old man waited there." in details
    assert "merged" in details
    assert tab.inner_text(".step[data-now] mark[data-lit]") == "Tomas Reed"
    shoot(tab, "page-node")
    assert tab.wrong == []


def test_a_retired_noun_is_dashed_for_one_step_and_hostile_text_does_nothing(
    tab: Any, page_file: Path
) -> None:
    tab.on("dialog", lambda dialog: tab.wrong.append(dialog.message))
    tab.goto(page_file.as_uri())
    tab.click("#next")
    tab.click("#next")
    assert "a4" in shown_nodes(tab)
    ties = tab.evaluate("() => edges.get().filter(e => !e.hidden)")
    assert ("a4", "a2") in [(tie["from"], tie["to"]) for tie in ties if tie["dashes"]]
    assert "<script>alert(1)</script>" in tab.inner_text(".step[data-now] .text")
    assert tab.wrong == []


def test_search_legend_and_tables_work_from_the_keyboard(
    tab: Any, page_file: Path
) -> None:
    tab.goto(page_file.as_uri())
    tab.fill("#search", "吉野")
    assert "No such name" in tab.inner_text("#found")
    tab.fill("#search", "𠮷野")
    tab.press("#search", "Enter")
    assert tab.inner_text("#line").startswith("step 2, chunk 2 of 3")
    assert "𠮷野さん said nothing." in tab.inner_text("#details")
    tab.focus('.kind[data-kind="person"]')
    tab.keyboard.press("Enter")
    assert shown_nodes(tab) == set()
    tab.click("#all")
    assert shown_nodes(tab) == {"v1"}
    tab.focus(".tables summary >> nth=0")
    tab.keyboard.press("Enter")
    assert "Mara Voss" in tab.inner_text(".tables table >> nth=0")
    assert tab.wrong == []


def test_a_page_is_whole_in_the_dark_and_on_a_narrow_screen(
    browser: Any, page_file: Path
) -> None:
    context = browser.new_context(
        viewport={"width": 400, "height": 900},
        color_scheme="dark",
        reduced_motion="reduce",
    )
    tab = context.new_page()
    tab.goto(page_file.as_uri())
    wide = tab.evaluate("() => document.documentElement.scrollWidth")
    shoot(tab, "page-narrow-dark")
    assert wide <= 400
    context.close()


@pytest.fixture
def jupyter(tmp_path: Path) -> Iterator[str]:
    """A JupyterLab on loopback, serving copies of the notebooks."""
    with jupyterlab(tmp_path) as address:
        yield address


@contextmanager
def jupyterlab(tmp_path: Path) -> Iterator[str]:
    """A JupyterLab on loopback that serves the notebooks' copies in a folder."""
    shutil.copytree(
        ROOT / "notebooks",
        tmp_path / "notebooks",
        ignore=shutil.ignore_patterns("runs"),
    )
    for data in ("gswlab", "experiments"):
        (tmp_path / data).symlink_to(ROOT / data)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = own_folders(tmp_path)
    own["JUPYTERLAB_SETTINGS_DIR"] = str(_quiet_settings(tmp_path / "settings"))
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--port={port}", f"--notebook-dir={tmp_path}"]
    command += [f"--IdentityProvider.token={TOKEN}", "--expose-app-in-browser"]
    server = subprocess.Popen(
        command,
        env={**os.environ, **own, "TQDM_DISABLE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _await_server(f"{address}/api/status?token={TOKEN}")
        yield address
    finally:
        stop(server)


def stop(server: subprocess.Popen[bytes]) -> None:
    """End a server; one that a busy machine keeps waiting for kernels is killed."""
    server.terminate()
    try:
        server.wait(30)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def own_folders(folder: Path) -> dict[str, str]:
    """The variables that keep a server's databases out of every other server's."""
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    return {f"JUPYTER_{name}": str(folder / name.lower()) for name in names}


def _quiet_settings(folder: Path) -> Path:
    """Settings under which JupyterLab asks nobody for news or updates."""
    target = folder / "@jupyterlab" / "apputils-extension"
    target.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (target / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    return folder


def _await_server(url: str) -> None:
    for _ in range(240):
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                assert "started" in json.load(answer)
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.25)
    raise AssertionError(f"no JupyterLab at {url}")


def run_all(tab: Any, address: str, path: str) -> None:
    """Open a notebook in JupyterLab and run its cells; nothing may have failed."""
    # A workspace of its own: else the tabs of notebooks run before come back with it.
    home = f"{address}/lab/workspaces/{Path(path).stem}/tree/notebooks"
    tab.goto(f"{home}/{path}?token={TOKEN}", timeout=60_000)
    tab.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    tab.wait_for_function(
        "() => window.jupyterapp?.commands.hasCommand('notebook:run-all-cells')",
        timeout=60_000,
    )
    tab.wait_for_selector("#jp-main-statusbar :text('| Idle')", timeout=60_000)
    run = "window.jupyterapp.commands.execute('notebook:run-all-cells')"
    tab.evaluate(f"() => {{ void {run}; }}")
    prompts = ".jp-CodeCell .jp-InputPrompt"
    done = (
        "() => [...document.querySelectorAll('" + prompts + "')]"
        ".every(p => /\\[\\d+\\]/.test(p.textContent))"
    )
    tab.wait_for_function(done, timeout=200_000)
    assert tab.locator(".jp-OutputArea-output[data-mime-type*='stderr']").count() == 0
    assert tab.locator(".jp-RenderedText[data-mime-type*='error']").count() == 0
    assert [url for url in tab.asked if not url.startswith(LOOPBACK)] == []


def test_the_step_through_notebook_runs_in_jupyterlab(tab: Any, jupyter: str) -> None:
    run_all(tab, jupyter, "lab/01_step_through.ipynb")
    panels = "iframe[title='Panel: story, step by step']"
    assert tab.locator(panels).count() == 2
    frame = tab.frame_locator("iframe[title='story, step by step']")
    tab.locator("iframe[title='story, step by step']").scroll_into_view_if_needed()
    frame.locator("#next").click()
    assert frame.locator("#line").inner_text().startswith("step 2, chunk 2 of ")
    shoot(tab, "jupyterlab-page")
    tab.locator(panels).first.scroll_into_view_if_needed()
    tab.get_by_role("button", name="next ▶").first.click()
    tab.frame_locator(panels).first.locator("#line:has-text('chunk')").wait_for()
    shoot(tab, "jupyterlab-stepper")
    assert [url for url in tab.asked if not url.startswith(LOOPBACK)] == []

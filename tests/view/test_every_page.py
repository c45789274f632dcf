"""What holds of every page: offline, hostile text is text, readable by anybody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from axe_playwright_python.sync_playwright import Axe
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures
from test_gauge_trace import HOSTILE
from test_plots_memory import PLOT, serial
from told import told

import gswlab
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Chunk, Span, TraceEvent
from gswlab.core.step import Step
from gswlab.core.workspace import Draft
from gswlab.gedig.edit import Edit
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.record import priced
from gswlab.gedig.thresholds import Fixed
from gswlab.lab.futures.fork import fork
from gswlab.lab.futures.orders import orders
from gswlab.memgpt.memory import MemGPT
from gswlab.memgpt.window import moments
from gswlab.view import ink, moment, page
from gswlab.view.papers.gedig_page import gauge_page
from gswlab.view.papers.gedig_trace import of_events
from gswlab.view.papers.hybridrag import hops_page
from gswlab.view.papers.memgpt import window_page
from gswlab.view.run.futures import write_futures
from gswlab.view.served import pages

LONG = f"{HOSTILE} " + "w" * 1_000_000
LINK = "javascript:alert(3)"
STORY = f"""Chapter 1

Clara Novak came to Alder Street on March 3, 2025. {HOSTILE} She met Tomas Reed.

Chapter 2

On March 4, 2025 Clara arrested Tomas Reed at the [mill]({LINK}). He said nothing.
"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]


def hostile(folder: Path) -> Journal:
    """A run told by hand, one of whose actors has a name of a megabyte."""
    journal = told(folder / "journal.sqlite")
    draft = Draft(journal.workspace())
    draft.put("actor", Actor("a9", "person", LONG))
    journal.append(Step(len(journal), None, tuple(draft.changes)))
    return journal


def read_story(folder: Path) -> gswlab.Lab:
    file = folder / "story.md"
    file.write_text(STORY, encoding="utf-8")
    lab = gswlab.open(f"dataset.file={file}", f"run.dir={folder / 'run'}")
    lab.run()
    return lab


def gauge(folder: Path) -> str:
    event = priced(Gauge()(nx.Graph(), Edit(), 0.5), Gauge(), Fixed(), LONG)
    data = {**event.data, "nodes": (LONG,), "labels": (LONG,), "reason": LONG}
    return gauge_page(of_events([TraceEvent("priced", data)], LINK)).html


def hops(folder: Path) -> str:
    text = LONG.replace("&", "&amp;").replace("<", "&lt;").replace("\u202e", "")
    memory = serial(PLOT.replace("Ann Ray", text[:2000]))
    return hops_page(memory, f"Who is {HOSTILE} to Bo?", most=2).html


def window(folder: Path) -> str:
    memory = MemGPT(window=2400, reply=256, replies=True)
    texts = [f"{HOSTILE} {LINK}", LONG[:20_000], "The boat is red."]
    chunks = [
        Chunk(f"talk:{n}", "talk", None, n, text, Span("talk", n, n), None, HOSTILE)
        for n, text in enumerate(texts)
    ]
    return window_page(moments([*map(memory.partial_fit, chunks)], chunks)).html


def forked(folder: Path) -> str:
    lab = read_story(folder)
    two = fork(lab, 1, "reconciler.scope=chapter")
    return write_futures(two, folder / "two.html").read_text("utf-8")


def reordered(folder: Path) -> str:
    found = orders(read_story(folder), shuffles=2)
    return write_futures(found, folder / "orders.html").read_text("utf-8")


def served(path: str, folder: Path) -> str:
    lab = read_story(folder)
    row = {"row": 0, "question": LONG, "items": [HOSTILE], "reason": LINK}
    lab.folder.append_line("answers.jsonl", row)
    lab.folder.append_line(
        "graded.jsonl", {"gold": [HOSTILE], "worth": 0, "asked": LONG}
    )
    return pages(lab.folder.path)[path]()


PAGES: dict[str, Callable[[Path], str]] = {
    "steps": lambda folder: page(hostile(folder)).html,
    "moment": lambda folder: moment(hostile(folder), 3).html,
    "ink": lambda folder: ink(hostile(folder)).page().html,
    "ink of a question": lambda f: ink(read_story(f), "Who came?").page().html,
    "two futures": forked,
    "other orders": reordered,
    "gauge": gauge,
    "hops": hops,
    "window": window,
    "runs": partial(served, "/"),
    "ink of an answer": partial(served, "/1/ink/1"),
}


@pytest.fixture(params=PAGES, ids=str)
def file(request: Any, tmp_path: Path) -> Path:
    made = tmp_path / f"{request.param.replace(' ', '_')}.html"
    made.write_text(PAGES[request.param](tmp_path), encoding="utf-8")
    return made


def test_a_page_is_offline_readable_by_anybody_and_keeps_text_text(
    tab: Any,  # noqa: F811
    file: Path,
) -> None:
    tab.on("dialog", lambda dialog: tab.wrong.append(dialog.message))
    tab.goto(file.as_uri())
    found = Axe().run(tab).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert not [(v["id"], v["nodes"][0]["html"][:200]) for v in serious]
    loaded = "() => document.querySelectorAll('img, [href^=javascript]').length"
    assert tab.evaluate(loaded) == 0
    assert "\u202e" not in tab.inner_text("body")
    shoot(tab, f"every-{file.stem}")
    tab.set_viewport_size({"width": 390, "height": 844})
    wide = "() => document.documentElement.scrollWidth - window.innerWidth"
    assert tab.evaluate(wide) <= 0
    shoot(tab, f"every-{file.stem}-390")
    assert tab.asked == [file.as_uri()]
    assert tab.wrong == []

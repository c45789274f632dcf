"""A whole run as one page: offline, keyboard-operable, the time slider inside.

- One file, no address in it is ever fetched: scripts run by the hash of their bytes
  under a content security policy that allows nothing else, so document text can be
  hostile and stays text.
- All nouns are in the graph from the start and keep their positions; a step only hides
  and shows. The step's difference is drawn in two channels and told in words.
- Without scripts, as on a sanitising host, the caption, every step's text, and the
  tables of nodes and edges still read from top to bottom.
- The same journal gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gswlab.bench.folder import RunFolder
from gswlab.core.journal import Journal
from gswlab.view.gauge.strip import gauge_strip
from gswlab.view.run import known
from gswlab.view.run.film import film
from gswlab.view.run.legend import legend
from gswlab.view.run.net import drawing
from gswlab.view.run.parts import Parts
from gswlab.view.run.payload import NODES, STEPS, Payload, payload
from gswlab.view.run.telling import Telling
from gswlab.view.run.words import summary
from gswlab.view.shell import asset, attribute, document, filled, json_text, sources
from gswlab.view.spans import escape
from gswlab.view.tables import edge_table, node_table


@dataclass(frozen=True, slots=True)
class Page:
    """A self-contained HTML page; in a notebook it shows itself in a frame.

    >>> page(journal).write("run.html")  # doctest: +SKIP
    """

    html: str
    title: str
    caption: str
    height: int = 900

    def to_html(self) -> str:
        """The page's bytes as text."""
        return self.html

    def write(self, path: str | Path) -> Path:
        """Write the page to `path` and return it."""
        target = Path(path)
        return RunFolder(target.parent).write(target.name, self.html)

    def _repr_html_(self) -> str:
        # The frame may run scripts and nothing else: no cookies, no parent page.
        return (
            f'<figure style="margin:0"><iframe title="{escape(self.title)}" '
            f"sandbox=\"allow-scripts\" srcdoc='{attribute(self.html)}' "
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
            f"<figcaption>{escape(self.caption)}</figcaption></figure>"
        )

    def __repr__(self) -> str:
        return f"Page({self.title!r}, {self.caption})"


def page(journal: Journal, nodes: int = NODES, steps: int = STEPS) -> Page:
    """The page of a run, its newest `steps` steps and best connected `nodes` nouns."""
    return told_page(Telling.of(journal), nodes, steps)


def told_page(telling: Telling, nodes: int = NODES, steps: int = STEPS) -> Page:
    """The page of a journal that was read already."""
    names = telling.labels
    data = payload(telling.history, telling.ground, nodes, steps, names)
    return assembled(telling.title, telling.parts, data, names)


def write_page(journal: Journal, path: str | Path) -> Path:
    """Write the page of a run to `path`: `write_page(journal, "run.html")`."""
    return page(journal).write(path)


def assembled(
    title: str,
    parts: Parts,
    data: Payload,
    names: Sequence[str],
    more: Callable[[int], str] = lambda k: "",
) -> Page:
    """A page of some steps; `names` are the labels of all, `more` is HTML below one."""
    graph, history = drawing(data.nodes, data.edges), parts.history
    scripts = (graph.library, graph.draw, asset("run/page.js"))
    first, caption = data.run["first"], summary(history)
    body = filled(
        "run/page.html",
        title=escape(title),
        caption=escape(caption),
        limit=escape(data.run["limit"]),
        last=max(len(history.scenes) - first - 1, 0),
        film=film(history, first, names),
        gauge=gauge_strip(known.gauge([s.step for s in history.scenes], title), first),
        legend=legend(history),
        steps=_sections(parts, first, names, more),
        node_table=node_table(data.run, first),
        edge_table=edge_table(data.run, first),
        data=json_text(data.run),
        scripts="".join(f"<script>{script}</script>\n" for script in scripts),
    )
    style, name = f"{stylesheet()}\n{asset('run/page.css')}", f"{title}, step by step"
    return Page(document(name, style, body, sources(scripts)), name, caption)


def _sections(
    parts: Parts, first: int, names: Sequence[str], more: Callable[[int], str]
) -> str:
    return "".join(
        f'<article class="step" data-step="{k}" aria-label="{escape(names[k])}">'
        f"<h2>{escape(names[k])}</h2>{parts.step(k)}{more(k)}</article>\n"
        for k in range(first, len(parts.history.scenes))
    )


def stylesheet() -> str:
    """The style of a step's parts, everything inside `.gswlab`."""
    return asset("run/parts.css")

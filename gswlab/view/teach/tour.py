"""The tour as one page: stops with their views inside, for a class with a browser only.

- The words of a tour are a file (`tour_en.html`, `tour_ja.html`), in which `$name`
  stands for a view; which views it wants is read off the file.
- One file, offline, by the keyboard. Without scripts all stops stand below each other,
  and what a question hides opens as it always does.
- A page within the page runs under the same policy: by the hash of its scripts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any

from gswlab.bench.plots import read_into
from gswlab.core.errors import GswlabError
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.lab import chat as talks
from gswlab.lab import config
from gswlab.lab.futures.fork import fork
from gswlab.memgpt.window import moments
from gswlab.view.kit.page import Page, asset, described, sources
from gswlab.view.kit.tables import column_of
from gswlab.view.panel.stepper import Stepper
from gswlab.view.papers.gedig_maze import film
from gswlab.view.papers.gedig_page import gauge_page
from gswlab.view.papers.gsw import sentences_table
from gswlab.view.papers.hybridrag import hops_page
from gswlab.view.papers.memgpt import window_page
from gswlab.view.provenance.answer import answer_view
from gswlab.view.run.page import page
from gswlab.view.teach.glossary import glossary

LANGUAGES = ("en", "ja")
_DATA = Path(__file__).resolve().parents[2] / "data"
_TITLE = re.compile(r'<section class="stop">\s*<h2>(.*?)</h2>', re.DOTALL)
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def wanted_steps(language: str = "en") -> list[str]:
    """The names of the views that a tour has places for, in its order.

    Raises:
        GswlabError: there is no tour in this language.
    """
    if language not in LANGUAGES:
        rule = f"there are {' and '.join(LANGUAGES)}"
        command = "python -m gswlab demo --tour FILE --language en"
        raise GswlabError(f"no tour in {language!r}", rule, command)
    words = Template(asset(f"teach/tour_{language}.html"))
    return list(dict.fromkeys(words.get_identifiers()))


def tour_page(views: Mapping[str, Any], language: str = "en") -> Page:
    """The page of a tour; `views` has what `wanted_steps` names, as a notebook has it.

    Raises:
        GswlabError: a view is missing.
    """
    if missing := [name for name in wanted_steps(language) if name not in views]:
        raise GswlabError(f"the tour lacks {missing[0]}", "each view has its place")
    shown = {name: view._repr_html_() for name, view in views.items()}
    stops = Template(asset(f"teach/tour_{language}.html")).substitute(shown)
    # A frame's own page is under this page's policy, too: its scripts are named here.
    pages = [view.html for view in views.values() if isinstance(view, Page)]
    inner = (script for html in pages for script in _SCRIPT.findall(html))
    words, titles = column_of("teach/tour.tsv", language), _TITLE.findall(stops)
    return described(
        words["title"],
        "teach/tour.html",
        ("teach/tour.css",),
        ("teach/tour.js",),
        words["caption"].format(len(titles)),
        language=language,
        allowed=sources(dict.fromkeys(inner)),
        stops=stops,
        titles=titles,
        words=words,
    )


def write_tour(path: str | Path, language: str = "en") -> Path:
    """Write the tour in `language` to `path`; it takes under a minute.

    Raises:
        GswlabError: there is no tour in this language, or what a view needs is not
            installed.
    """
    wanted_steps(language)  # that a language is not there is said at once
    with TemporaryDirectory() as folder:
        views = _views(column_of("teach/tour.tsv", language), Path(folder))
        return tour_page(views, language).write(path)


def _views(way: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """What the stops show, as `tour.tsv` has it.

    `card` is the step whose cards are shown; `asked` has an answer, `unanswered` none,
    `counted` is what a bag of `budget` tokens gets wrong, `parted` what the fork at a
    step answers otherwise.
    """
    kept = f"run.parent={config.quoted(str(folder))}"
    story = f"dataset.file={config.quoted(str(_DATA / way['story']))}", kept
    lab = config.open(*story)
    bag = config.open(*story, "memory=bm25", f"budget={way['budget']}")
    _ = lab.run(), bag.run()
    two = fork(lab, int(way["fork"]), f"reconciler.threshold={way['threshold']}")
    asked = {
        "answer": lab.ask(way["asked"]),
        "silence": lab.ask(way["unanswered"]),
        "bag": bag.ask(way["counted"]),
        "both": lab.ask(way["counted"]),
    }
    course: Any = config.opened("experiment=maze", "agent=gedig", kept)
    plots: Any = config.open("experiment=plot", "memory=serial", kept)
    (world,) = (one for one in plots.dataset.worlds if one.name == way["plot"])
    read: Any = read_into(plots.blank(), world)
    return {
        "sentences": sentences_table(SpacyOperator(), way["sentence"]),
        "glossary": glossary(),
        "run": page(lab.journal),
        "card": Stepper(lab).jump(int(way["card"])),
        "futures": two,
        "asked": two.ask(way["parted"]),
        **{name: answer_view(one, [lab.document]) for name, one in asked.items()},
        "maze": gauge_page(film(course.mazes, 5, course.config.build("agent"))),
        "hops": hops_page(read, way["questioned"]),
        **({"window": _window(way["talk"], folder)} if way["talk"] else {}),
    }


def _window(talk: str, folder: Path) -> Page:
    """The window of an agent in a talk that is longer than it."""
    small = "memory.window=2700", "memory.reply=256"
    chat = talks.chat(*small, run=str(folder / "chat"), human="Ann, a baker.")
    chat.send("My sister Bea lives in Oslo with her two sons.", "2024-05-01", "Ann")
    chat.send("Where does my sister live?", "2024-05-01", "Ann")
    for line in (_DATA / talk).read_text(encoding="utf-8").splitlines():
        chat.send(line[11:], line[:10], "Ann")
    journal = chat.lab.journal
    return window_page(moments(journal.steps(), journal.chunks()))

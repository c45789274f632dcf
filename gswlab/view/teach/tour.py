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
from dataclasses import dataclass
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any

from gswlab.bench.plots import read_into
from gswlab.core.errors import GswlabError
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.hybridrag.serial import Serial
from gswlab.lab import config
from gswlab.lab.chat import Chat
from gswlab.lab.futures.fork import fork
from gswlab.lab.lab import Lab
from gswlab.lab.maze_run import MazeRun
from gswlab.memgpt.window import moments
from gswlab.view.kit.page import Page, asset, document, filled, sources
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
_TITLES = {
    "en": "A memory you can open: a tour",
    "ja": "開いて見られる記憶: ひとめぐり",
}
_CAPTIONS = {
    "en": "{} stops, no kernel, no network",
    "ja": "{}か所、カーネルもネットワークも使わない",
}
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def wanted(language: str = "en") -> list[str]:
    """The names of the views that a tour has places for, in its order.

    >>> wanted()[0]
    'sentences'

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
    """The page of a tour; `views` has what `wanted` names, as a notebook shows it.

    Raises:
        GswlabError: a view is missing.
    """
    if missing := [name for name in wanted(language) if name not in views]:
        raise GswlabError(f"the tour lacks {missing[0]}", "each view has its place")
    shown = {name: _shown(views[name]) for name in wanted(language)}
    stops = filled(f"teach/tour_{language}.html", **shown)
    # A frame's own page is under this page's policy, too: its scripts are named here.
    pages = [view.html for view in views.values() if isinstance(view, Page)]
    inner = (script for html in pages for script in _SCRIPT.findall(html))
    scripts = (asset("teach/tour.js"), *dict.fromkeys(inner))
    caption = _CAPTIONS[language].format(stops.count('<section class="stop"'))
    title = _TITLES[language]
    style = "\n".join(map(asset, ("run/parts.css", "teach/tour.css")))
    body = filled(
        "teach/tour.html",
        title=title,
        caption=caption,
        stops=stops,
        script=scripts[0],
    )
    html = document(title, style, body, sources(scripts), language)
    return Page(html, title, caption)


def _shown(view: Any) -> str:
    """What an exported notebook shows of a view: a stepper is without its panel."""
    html: str = view._repr_html_() if hasattr(view, "_repr_html_") else view.to_html()
    return html


# The tour, computed and written as one page: `write_tour("tour.html")`.

DATA = Path(__file__).resolve().parents[2] / "data"


@dataclass(frozen=True)
class Itinerary:
    """What a tour reads, and what it asks."""

    story: str
    sentences: tuple[str, ...]
    card: int  # the step whose cards are shown
    asked: tuple[str, str]  # with an answer, and without
    counted: str  # what a bag of `budget` tokens gets wrong
    budget: int
    fork: int
    threshold: float
    parted: str  # what the fork answers otherwise
    plot: str
    questioned: str
    talk: str | None = None


ITINERARIES = {
    "en": Itinerary(
        "story.txt",
        (
            "Inspector Mara Voss arrested Tomas Reed, a retired locksmith, "
            "at Kelmouth Harbour on 7 May 2024.",
        ),
        4,
        (
            "Where was Clara Novak on March 3, 2025?",
            "Where was Ruth Adeyemi on June 1, 2025?",
        ),
        "On which days was Clara Novak at the Alder Street Museum?",
        120,
        6,
        0.8,
        "On which days was Clara Novak at the Alder Street Museum?",
        "orchard_en",
        "In which event does Marit make peace with Colonel Ashby?",
        "talk.txt",
    ),
    "ja": Itinerary(
        "story_ja.txt",
        ("2024年5月7日、田中刑事は神戸港で時計職人の佐藤太郎を逮捕した。",),
        13,
        (
            "山田太郎は2024年8月15日にどこにいましたか。",
            "山田太郎はいつ京都にいましたか。",
        ),
        "山田花子が最後に訪れた場所はどこですか。",
        250,
        6,
        0.7,
        "山田花子はいつ横浜駅にいましたか。",
        "lighthouse_ja",
        "ナギと氷狼は、友人になる前はどんな関係でしたか。",
    ),
}


def write_tour(path: str | Path, language: str = "en") -> Path:
    """Write the tour in `language` to `path`; it takes under a minute.

    Raises:
        GswlabError: there is no tour in this language, or what a view needs is not
            installed.
    """
    wanted(language)  # a language that is not there is said before anything is read
    with TemporaryDirectory() as folder:
        views = _views(ITINERARIES[language], Path(folder))
        return tour_page(views, language).write(path)


def _views(way: Itinerary, folder: Path) -> Mapping[str, Any]:
    return {
        "sentences": sentences_table(SpacyOperator(), *way.sentences),
        "glossary": glossary(),
        **_read(way, folder),
        **_others(way, folder),
    }


def _read(way: Itinerary, folder: Path) -> dict[str, Any]:
    """What the stops on the story show."""
    story = f"dataset.file={config.quoted(str(DATA / way.story))}"
    lab = _lab(folder, story)
    bag = _lab(folder, story, "memory=bm25", f"budget={way.budget}")
    _ = lab.run(), bag.run()
    document = [lab.document]
    two = fork(lab, way.fork, f"reconciler.threshold={way.threshold}")
    first, second = way.asked
    return {
        "run": page(lab.journal),
        "card": Stepper(lab).jump(way.card),
        "answer": answer_view(lab.ask(first), document),
        "silence": answer_view(lab.ask(second), document),
        "bag": answer_view(bag.ask(way.counted), document),
        "both": answer_view(lab.ask(way.counted), document),
        "futures": two,
        "asked": two.ask(way.parted),
    }


def _others(way: Itinerary, folder: Path) -> dict[str, Any]:
    """What the stops on other memories show."""
    course = config.opened("experiment=maze", "agent=gedig", _in(folder))
    plots = _lab(folder, "experiment=plot", "memory=serial")
    (world,) = (one for one in plots.dataset.worlds if one.name == way.plot)
    told = read_into(plots.blank(), world)
    assert isinstance(course, MazeRun)
    assert isinstance(told, Serial)
    window = {"window": _window(folder, way.talk)} if way.talk else {}
    return {
        "maze": gauge_page(film(course.mazes, 5, course.config.build("agent"))),
        "hops": hops_page(told, way.questioned),
        **window,
    }


def _window(folder: Path, talk: str) -> Page:
    """A talk that is longer than its window."""
    small = "memory.window=2700", "memory.reply=256"
    chat = Chat.open(*small, run=str(folder / "chat"), human="Ann, a baker.")
    chat.send("My sister Bea lives in Oslo with her two sons.", "2024-05-01", "Ann")
    chat.send("Where does my sister live?", "2024-05-01", "Ann")
    for line in (DATA / talk).read_text(encoding="utf-8").splitlines():
        chat.send(line[11:], line[:10], "Ann")
    journal = chat.lab.journal
    return window_page(moments(journal.steps(), journal.chunks()))


def _lab(folder: Path, *overrides: str) -> Lab:
    return config.open(*overrides, _in(folder))


def _in(folder: Path) -> str:
    return f"run.parent={config.quoted(str(folder))}"

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
from string import Template
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.view.run.page import Page
from gswlab.view.shell import asset, document, filled, sources

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

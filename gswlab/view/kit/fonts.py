"""The Japanese of a page: the glyphs it needs, cut out of IPAexGothic, inside it.

Its style sheets name that face last, after the fonts of a reader's own. Where the font
is not installed the page is as it was: a reader's own fonts draw it.
"""

from __future__ import annotations

import base64
from functools import cache, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from string import Template

from gswlab.core.errors import GswlabError

# Of figures: the first that has a character draws it.
FAMILIES = ("DejaVu Sans", "IPAexGothic")
FACE = "gswlab ja"
_FROM = 0x2E80  # the first block of East Asian writing
# Chromium keeps the boxes that it drew for a word before the face was ready, wherever
# the word comes again; letters in a style not drawn before have none of them.
_STYLE = Template(
    "@font-face{font-family:'$face';src:$source format('woff')}"
    "@keyframes drawn-anew{from,to{--anew:'kern'}}"
    "body{--anew:normal;animation:drawn-anew .1s .2s forwards}"
    "body *{font-feature-settings:var(--anew)!important}"
)


def path() -> Path:
    """The file of the Japanese font.

    Raises:
        GswlabError: matplotlib-fontja is not installed.
    """
    # Found and not imported: importing it changes every font of matplotlib.
    found = find_spec("matplotlib_fontja")
    if found is None or not found.submodule_search_locations:
        problem = "figures have no font for Japanese"
        command = 'pip install "gswlab[notebook]"'
        raise GswlabError(problem, "it ships in matplotlib-fontja", command)
    return Path(found.submodule_search_locations[0], "fonts", "ipaexg.ttf")


def use() -> None:
    """Let every figure drawn from here on write Latin and Japanese text."""
    from matplotlib import font_manager, rcParams

    if FAMILIES[1] not in font_manager.fontManager.get_font_names():
        font_manager.fontManager.addfont(path())
    rcParams["font.family"] = list(FAMILIES)


def drawable(text: str) -> str:
    r"""Text with what neither font has as U+FFFD: seen to be missing, never a warning.

    >>> drawable("吉野 𠮷野") == "吉野 \ufffd野"
    True
    """
    return "".join(one if ord(one) in _covered() else "\ufffd" for one in text)


@cache
def _covered() -> frozenset[int]:
    from matplotlib import font_manager, ft2font

    files = (font_manager.findfont(FAMILIES[0]), path())
    return frozenset().union(*(ft2font.FT2Font(file).get_charmap() for file in files))


def with_typeface(html: str) -> str:
    """A page with a font face of the East Asian characters in it, if it has any."""
    needed = "".join(sorted(char for char in set(html) if ord(char) >= _FROM))
    data = _subset(needed) if needed else b""
    if not data:
        return html
    source = f"url(data:font/woff;base64,{base64.b64encode(data).decode()})"
    style = _STYLE.substitute(face=FACE, source=source)
    return html.replace("</head>", f"<style>{style}</style>\n</head>", 1)


@lru_cache(maxsize=8)
def _subset(characters: str) -> bytes:
    """Those glyphs of the font that draw these characters, as WOFF; else nothing."""
    try:
        file = path()
        from fontTools.subset import Options, Subsetter
        from fontTools.ttLib import TTFont
    except (GswlabError, ImportError):
        return b""
    options = Options(layout_features=["*"], hinting=False, recalc_timestamp=False)
    with TTFont(file, recalcTimestamp=False) as font:
        if not any(ord(char) in font.getBestCmap() for char in characters):
            return b""
        cut = Subsetter(options)
        cut.populate(text=characters)
        cut.subset(font)
        font.flavor = "woff"
        written = BytesIO()
        font.save(written, reorderTables=True)
    return written.getvalue()

"""The Japanese of a page: the glyphs it needs, inside it.

A page is read on machines without a Japanese font of their own, and fetches nothing.
So the characters it has are cut out of IPAexGothic (`gswlab.view.fonts`) and put into
it; its style sheets name that face last, after the fonts of a reader's own. Where the
font is not installed the page is as it was: a reader's own fonts draw it.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from io import BytesIO
from string import Template

from gswlab.core.errors import GswlabError
from gswlab.view import fonts

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


def with_typeface(html: str) -> str:
    """A page with a font face of the East Asian characters in it, if it has any."""
    needed = "".join(sorted({char for char in set(html) if ord(char) >= _FROM}))
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
        file = fonts.path()
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

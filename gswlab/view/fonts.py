"""The font of figures: Latin letters in DejaVu Sans, Japanese in IPAexGothic.

Both ship in packages (matplotlib and matplotlib-fontja), so a figure has the same
glyphs, to the byte, on a machine without a Japanese font of its own.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gswlab.core.errors import GswlabError

FAMILIES = ("DejaVu Sans", "IPAexGothic")  # the first that has a character draws it


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

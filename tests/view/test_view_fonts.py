"""Figures render Japanese: every character has a glyph in a font that ships."""

from __future__ import annotations

import re
import warnings
from base64 import b64decode
from importlib.resources import files
from io import BytesIO

import pytest

from gswlab.core.errors import GswlabError
from gswlab.view.kit import fonts
from gswlab.view.kit.fonts import FACE, _subset, with_typeface

STORY = files("gswlab").joinpath("data", "story_ja.txt").read_text("utf-8")
NAMES = "山田太郎 José Zoë マリア・ロペス"


def drawn(text: str) -> None:
    """Draws `text`; matplotlib's warning of a missing glyph is an error here."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("error", "Glyph", UserWarning)
        fonts.use()
        figure = Figure()
        figure.text(0, 0, text)
        figure.savefig(BytesIO(), format="png")


def test_a_figure_of_the_japanese_story_misses_no_glyph():
    drawn(STORY + NAMES)


def test_a_glyph_that_no_font_of_ours_has_fails():
    with pytest.raises(UserWarning, match="Glyph 74752"):
        drawn("\N{CUNEIFORM NUMERIC SIGN TWO ASH}")


def test_the_font_has_every_character_of_the_story_and_of_the_names():
    from fontTools.ttLib import TTFont

    with TTFont(fonts.path()) as font:
        known = font.getBestCmap()
    assert {c for c in STORY + NAMES if ord(c) not in known} == {"\n"}


def test_without_the_font_the_error_names_the_command(monkeypatch):
    monkeypatch.setattr(fonts, "find_spec", lambda name: None)
    with pytest.raises(GswlabError, match=r'pip install "gswlab\[notebook\]"'):
        fonts.path()


def test_a_page_has_every_japanese_letter_in_it_and_is_the_same_twice():
    from fontTools.ttLib import TTFont

    made = with_typeface(f"<html><head></head><body>{STORY}</body></html>")
    data = made.split("base64,")[1].split(")")[0]
    with TTFont(BytesIO(b64decode(data))) as font:
        known = font.getBestCmap()
    assert {c for c in STORY if ord(c) >= 0x2E80 and ord(c) not in known} == set()
    assert len(data) < 150_000
    _subset.cache_clear()
    assert with_typeface(f"<html><head></head><body>{STORY}</body></html>") == made


def test_a_page_without_japanese_and_one_without_the_font_stay_as_they_are(monkeypatch):
    page = "<html><head></head><body>José 🦊 {}</body></html>"
    assert with_typeface(page) == page
    monkeypatch.setattr(fonts, "find_spec", lambda name: None)
    _subset.cache_clear()
    assert with_typeface(page.format("花子")) == page.format("花子")
    _subset.cache_clear()


@pytest.mark.parametrize("name", ["run/parts.css", "papers/hops.css"])
def test_a_style_sheet_of_pages_names_the_letters_that_they_carry(name):
    css = files("gswlab.view").joinpath(name).read_text("utf-8")
    stacks = re.findall(r"(?:system-ui|Charter|ui-monospace)[^;]*;", css)
    assert stacks
    assert all(f'"{FACE}"' in stack for stack in stacks)


def test_pages_name_fonts_that_have_japanese_on_every_system():
    css = files("gswlab.view").joinpath("run/parts.css").read_text("utf-8")
    for stack in ("--serif", "--sans"):
        families = css.split(f"{stack}:")[1].split(";")[0]
        for maker in ("Hiragino", "Yu", "Noto"):  # macOS, Windows, Linux
            assert maker in families, stack
        assert families.rstrip().endswith("serif")

"""The pages of ink and of several memories in a real browser, off the network."""

# ruff: noqa: F811 - fixtures are asked for by their names

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures
from told import told

import gswlab
from gswlab.core.nouns import Answer, Span
from gswlab.view import ink

STORY = """Chapter 1

On May 7, 2024, Ann Ray arrested Bo Lind at Harbour Lane. Of course it rained. Bo Lind
said <img src=x onerror=alert(1)> and nothing else.

Chapter 2

Ann Ray went home. Bo Lind was released. 𠮷野さん said nothing.
"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]


@pytest.fixture
def quiet(tab: Any) -> Iterator[Any]:
    """A tab in which nothing may go wrong and nothing leaves this machine."""
    tab.on("dialog", lambda dialog: tab.wrong.append(dialog.message))
    yield tab
    assert tab.wrong == []
    assert all(url.startswith("file://") for url in tab.asked)


def serious(tab: Any) -> list[str]:
    """What axe-core finds that is serious or worse."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(tab).response["violations"]
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:200]}"
        for v in found
        if v["impact"] in ("serious", "critical")
    ]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("ink")
    text = folder / "lane.txt"
    text.write_text(STORY)
    made = gswlab.open(f"dataset.file={text}", f"run.dir={folder / 'run'}")
    made.run()
    return made


@pytest.fixture
def inked(lab: Any, tmp_path: Path) -> str:
    questions = "Who arrested Bo Lind?", "Where was Ann Ray on May 07, 2024?"
    return ink(lab, *questions).page().write(tmp_path / "ink.html").as_uri()


def test_an_answer_lights_its_sentences_and_shows_its_chain(
    quiet: Any, inked: str
) -> None:
    quiet.goto(inked)
    assert quiet.locator(".chain:visible").count() == 0
    quiet.click(".ask >> nth=0")
    assert quiet.inner_text("#line") == "1 sentence lit."
    assert quiet.inner_text(".s[data-lit]").startswith("On May 7, 2024, Ann Ray")
    marks = quiet.locator("#reading mark[data-lit]").all_inner_texts()
    lit = [text.strip() for text in marks]
    assert {"Ann Ray", "arrested", "Bo Lind"} <= set(lit)
    assert "On" not in "".join(lit)
    chain = quiet.inner_text(".answer[data-now] .chain")
    assert "Ann Ray rests on" in chain
    assert "made at step" in chain
    shoot(quiet, "ink-answer")
    quiet.click(".ask >> nth=0")
    assert quiet.locator("[data-lit]").count() == 0


def test_an_answer_is_found_by_words_of_its_question(quiet: Any, inked: str) -> None:
    quiet.goto(inked)
    quiet.fill("#find", "WHERE was")
    assert quiet.inner_text("#line") == "1 of 2 answers shown."
    assert quiet.locator(".answer:visible").count() == 1


def test_a_sentence_shows_what_it_became_and_what_cites_it(
    quiet: Any, inked: str
) -> None:
    quiet.goto(inked)
    quiet.click("#s0")
    became = quiet.inner_text("#b0")
    assert "arrest" in became
    assert "Nobody in reach is called" in became
    assert "Who arrested Bo Lind?" in became
    quiet.click("#b0 .ask >> nth=0")
    assert quiet.get_attribute("#a0 .ask", "aria-pressed") == "true"
    assert quiet.locator(".became:visible").count() == 1
    shoot(quiet, "ink-sentence")


def test_the_text_is_walked_with_the_keyboard_alone(quiet: Any, inked: str) -> None:
    quiet.goto(inked)
    quiet.focus("#s0")
    quiet.keyboard.press("ArrowRight")
    assert quiet.get_attribute("#s1", "aria-current") == "true"
    assert "Of course it rained." in quiet.inner_text(".became[data-now]")
    quiet.keyboard.press("End")
    assert "𠮷野" in quiet.inner_text(".became[data-now]")
    quiet.keyboard.press("Home")
    assert quiet.evaluate("() => document.activeElement.id") == "s0"
    quiet.focus(".ask >> nth=1")
    quiet.keyboard.press("Enter")
    assert "lit" in quiet.inner_text("#line")
    quiet.focus(".answer[data-now] a >> nth=0")
    quiet.keyboard.press("Enter")
    assert quiet.evaluate("() => document.activeElement.className") == "s"
    assert quiet.locator(".s[tabindex='0']").count() == 1


def test_what_left_no_trace_is_shaded_hatched_and_found(
    quiet: Any, tmp_path: Path
) -> None:
    with told(tmp_path / "journal.sqlite") as journal:
        page = ink(journal).page().write(tmp_path / "ink.html")
    quiet.goto(page.as_uri())
    quiet.click("#heat")
    assert quiet.get_attribute("#heat", "aria-pressed") == "true"
    bare = quiet.locator("mark.k-h0 >> nth=0")
    style = (
        "e => [getComputedStyle(e).backgroundImage, getComputedStyle(e).outlineStyle]"
    )
    image, outline = bare.evaluate(style)
    assert "gradient" in image
    assert outline == "dashed"
    dense = quiet.locator("#reading mark.k-h1 >> nth=0")
    line = "e => getComputedStyle(e).textDecorationLine"
    assert dense.evaluate(line) == "underline"
    assert "of the characters left no trace" in quiet.inner_text(".tables")
    shoot(quiet, "ink-heat")


def test_hostile_text_stays_text_on_every_page(
    quiet: Any, lab: Any, tmp_path: Path
) -> None:
    hostile = "<script>alert(3)</script>\u202e"
    answer = Answer((hostile,), False, (), (Span("lane", 11, 30),), hostile)
    page = ink(lab, answer).page().write(tmp_path / "ink.html")
    quiet.goto(page.as_uri())
    assert "<script>alert(3)</script>" in quiet.inner_text(".ask >> nth=0")
    assert "<img src=x onerror=alert(1)>" in quiet.inner_text("#reading")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    browser: Any,
    inked: str,
    scheme: str,
) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    tab = context.new_page()
    tab.goto(inked)
    tab.click(".ask >> nth=0")
    tab.click("#s0")
    assert serious(tab) == []
    tab.click("#heat")
    assert serious(tab) == []
    shoot(tab, f"ink-{scheme}")
    context.close()


def test_a_page_fits_a_narrow_screen_and_reads_without_scripts(
    browser: Any,
    inked: str,
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, java_script_enabled=False
    )
    tab = context.new_page()
    tab.goto(inked)
    shoot(tab, "ink-narrow")
    assert tab.locator(".controls:visible").count() == 0  # they would do nothing
    box = tab.locator("body").bounding_box()
    assert box["width"] <= 390
    assert tab.locator(".became:visible").count() == 6
    assert tab.locator(".chain:visible").count() == 2
    context.close()

"""The tour: one file that a class opens, and nothing else."""

# ruff: noqa: F811 - fixtures are handed on by their names

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from test_browser import CHROMIUM, browser, tab  # noqa: F401

from gswlab.core.errors import GswlabError
from gswlab.view.kit.page import Page
from gswlab.view.teach.tour import LANGUAGES, tour_page, wanted_steps, write_tour

in_a_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM.exists(), reason=f"no {CHROMIUM}: install Debian's chromium"
    ),
]


class Shown:
    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return self.html


def views(language: str = "en") -> dict[str, Any]:
    """A view for each place of a tour: the run is a page with a script of its own."""
    page = Page("<title>t</title><script>let a = 1;</script>", "run", "a run")
    return {name: Shown(f"<p>{name}</p>") for name in wanted_steps(language)} | {
        "run": page
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_one_right_answer_and_stands_before_its_view(
    language: str,
) -> None:
    html = tour_page(views(language), language).html
    quizzes = re.findall(r'<fieldset class="quiz">.*?</fieldset>', html, re.DOTALL)
    assert len(quizzes) >= html.count('<section class="stop">') - 1 >= 8
    for quiz in quizzes:
        assert quiz.count("data-right") == 1
        assert quiz.count("<button") >= 2
        following = html[html.index(quiz) + len(quiz) :].lstrip()
        assert following.startswith(("<details", "<div>"))
    assert f'<html lang="{language}">' in html


def test_scripts_of_pages_inside_are_named_in_the_policy_and_no_address_is() -> None:
    html = tour_page(views()).html
    digest = hashlib.sha256(b"let a = 1;").digest()
    policy = re.search(r'Policy" content="([^"]+)"', html)
    assert policy
    assert f"'sha256-{base64.b64encode(digest).decode()}'" in policy[1]
    assert "'unsafe-inline'" not in policy[1].split("style-src")[0]
    assert not re.search(r"(src|href)=[\"']?https?:", html)


def test_the_same_views_make_the_same_bytes() -> None:
    assert tour_page(views()).html == tour_page(views()).html


def test_a_view_that_is_missing_and_a_language_that_is_not_there_are_said() -> None:
    lacking = {name: view for name, view in views().items() if name != "maze"}
    with pytest.raises(GswlabError, match="the tour lacks maze"):
        tour_page(lacking)
    with pytest.raises(GswlabError, match=r"no tour in 'fr'.*en and ja"):
        write_tour("tour.html", "fr")


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tour(tmp_path_factory.mktemp("tour") / "tour.html")


@pytest.mark.usefixtures("tab")
class TestInABrowser:
    pytestmark = in_a_browser

    def test_a_class_goes_through_it_with_arrow_keys_and_the_network_off(
        self, tab: Any, tour: Path
    ) -> None:
        assert tour.stat().st_size < 3_000_000
        tab.context.set_offline(True)
        tab.goto(tour.as_uri())
        stops = tab.locator(".stop").count()
        for k in range(1, stops + 1):
            assert tab.inner_text("#line").startswith(f"Stop {k} of {stops}: ")
            assert tab.locator(".stop:visible").count() == 1
            tab.keyboard.press("ArrowRight")
        assert tab.locator("#next").is_disabled()
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_url(f"**#{stops - 1}")
        assert not [url for url in tab.asked if not url.startswith(("file:", "about:"))]
        assert tab.wrong == []

    def test_a_right_guess_opens_the_view_and_a_wrong_one_does_not(
        self, tab: Any, tour: Path
    ) -> None:
        tab.goto(tour.as_uri() + "#4")
        quiz = tab.locator(".stop[data-now] .quiz").first
        view = tab.locator(".stop[data-now] details").first
        quiz.locator("button:not([data-right])").first.focus()
        tab.keyboard.press("Enter")
        assert "Not yet" in quiz.locator("output").inner_text()
        assert view.get_attribute("open") is None
        quiz.locator("[data-right]").press("Enter")
        assert "✓ Right." in quiz.locator("output").inner_text()
        assert "Alder Street Museum" in view.inner_text()

    def test_a_page_inside_still_moves_and_its_arrow_keys_are_its_own(
        self, tab: Any, tour: Path
    ) -> None:
        tab.goto(tour.as_uri())
        tab.wait_for_timeout(500)  # the page inside is loaded before it is seen
        tab.keyboard.press("ArrowRight")
        inside = tab.frame_locator(".stop[data-now] iframe")
        wide = "network.getScale()"
        assert inside.locator("body").evaluate(f"() => {wide}") > 0.2
        inside.locator("#time").press("ArrowRight")
        assert inside.locator("#line").inner_text().startswith("step 2, chunk 2 of 12")
        assert tab.inner_text("#line").startswith("Stop 2 of ")
        assert tab.wrong == []

    def test_on_a_phone_nothing_is_wider_than_the_screen(
        self, tab: Any, tour: Path
    ) -> None:
        tab.set_viewport_size({"width": 390, "height": 844})
        tab.goto(tour.as_uri())
        for _ in range(tab.locator(".stop").count()):
            tab.evaluate(
                "document.querySelectorAll('details').forEach(d => d.open = true)"
            )
            assert tab.evaluate("document.documentElement.scrollWidth") <= 390
            tab.keyboard.press("PageDown")

    def test_without_scripts_all_stops_stand_below_each_other(
        self, browser: Any, tour: Path
    ) -> None:
        context = browser.new_context(java_script_enabled=False)
        bare = context.new_page()
        bare.goto(tour.as_uri())
        stops = bare.locator(".stop")
        assert stops.count() == bare.locator(".stop:visible").count() == 10
        assert bare.locator("#stops").is_hidden()
        context.close()

    def test_axe_finds_nothing_serious_at_any_stop(self, tab: Any, tour: Path) -> None:
        from axe_playwright_python.sync_playwright import Axe

        tab.goto(tour.as_uri())
        for _ in range(tab.locator(".stop").count()):
            tab.evaluate(
                "document.querySelectorAll('details').forEach(d => d.open = true)"
            )
            found = Axe().run(tab).response["violations"]
            bad = [one for one in found if one["impact"] in ("serious", "critical")]
            assert not bad, [(one["id"], one["nodes"][0]["html"]) for one in bad]
            tab.keyboard.press("ArrowRight")

"""The book at a glance: who is there when and where, and who meets whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures
from test_page_speed import told as book
from test_stage import lab  # noqa: F401 - fixture
from told import told

from gswlab.core.journal import Journal
from gswlab.view.run.page import page, write_page
from gswlab.view.run.parts import Telling
from gswlab.view.run.storyline import storyline

needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM}")


def drawn(journal: Journal) -> dict[str, Any]:
    telling = Telling.of(journal)
    return storyline(telling.history, telling.ground)


def test_the_cast_is_ranked_by_presence_and_holds_no_place_or_thing(
    lab: Any,  # noqa: F811
) -> None:
    cast = drawn(lab.journal)["cast"]
    many = [len(steps) for *_, steps in cast]
    assert many == sorted(many, reverse=True)
    names = [name for _, name, *_ in cast]
    assert {"Edgar Voss", "Ruth Adeyemi", "Clara Novak"} <= set(names[:4])
    assert {kind for _, _, kind, _ in cast} == {"person", "organisation"}


def test_a_chapter_has_its_day_and_its_place(lab: Any) -> None:  # noqa: F811
    found = drawn(lab.journal)
    told = [
        (label, day, found["places"][place])
        for label, day, place, _ in found["columns"]
        if place is not None
    ]
    assert ("3", "2025-03-09", "Saint Brennan Hall") in told
    assert ("4", "2025-03-13", "Merrow Station") in told


def test_who_does_something_to_somebody_meets_them_at_that_step(
    lab: Any,  # noqa: F811
) -> None:
    found = drawn(lab.journal)
    names = [name for _, name, *_ in found["cast"]]
    met = {(names[a], names[b]) for a, b in found["meets"][9]}
    assert ("Ruth Adeyemi", "Edgar Voss") in met


def test_two_that_were_found_to_be_one_share_a_lane(tmp_path: Path) -> None:
    with told(tmp_path / "journal.sqlite") as journal:
        found = drawn(journal)
    names = [name for _, name, *_ in found["cast"]]
    assert "him" not in names
    assert names.count("Tomas Reed") == 1


def test_a_long_book_keeps_every_lane_and_the_text_of_steps_without_a_scene(
    tmp_path: Path,
) -> None:
    with book(Journal(tmp_path / "book.sqlite"), 60, 600) as long:
        told = drawn(long)
        text = page(long, steps=10).to_html()
    assert len(told["cast"]) == 300
    assert '"first":50' in text
    assert f'["a599","Person 599","person",[{59}]]' in text


@pytest.mark.browser
@needs_chromium
def test_a_click_in_the_storyline_lights_text_scene_lane_and_details(
    tab: Any,  # noqa: F811
    lab: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    tab.goto(write_page(lab.journal, tmp_path / "run.html").as_uri())
    tab.fill("#search", "Voss")
    tab.click("#cast button")
    assert tab.inner_text('#cast [aria-pressed="true"] bdi') == "Edgar Voss"
    assert "Edgar Voss" in tab.inner_text("#details h3")
    lit = tab.locator(".step[data-now] mark[data-lit]").all_inner_texts()
    assert "Edgar Voss" in " ".join(lit)
    assert tab.inner_text("#line").startswith("step 3, chunk 2 of 12")
    tab.fill("#search", "")
    for name in ("Clara Novak", "Ruth Adeyemi"):
        tab.click(f'#cast button:has-text("{name}")')
        assert tab.inner_text("#details h3") == name
        assert tab.inner_text('#cast [aria-pressed="true"] bdi') == name
    box = tab.locator("#plot").bounding_box()
    tab.mouse.click(box["x"] + box["width"] - 4, box["y"] + 40)
    assert tab.inner_text("#line").startswith("step 14")
    tab.click("#days")
    assert tab.get_attribute("#days", "aria-pressed") == "true"
    shoot(tab, "storyline")
    assert tab.wrong == []


@pytest.mark.browser
@needs_chromium
def test_a_step_without_a_scene_is_read_where_its_lane_is_clicked(
    tab: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    with book(Journal(tmp_path / "book.sqlite"), 60, 600) as long:
        file = page(long, steps=10).write(tmp_path / "run.html")
    tab.goto(file.as_uri())
    tab.fill("#search", "Person 3")
    tab.click("#cast button")
    assert "python -m gswlab step RUN 1 --out" in tab.inner_text("#details")
    assert tab.wrong == []

"""The page of a run: what is in it, what never is, and that it is always the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elements import Elements
from hypothesis import given
from strategies import runs
from told import HOSTILE, told

from gswlab.core.facts import facts
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Mention, Span
from gswlab.core.step import Put, Step
from gswlab.core.workspace import Workspace
from gswlab.view.kit.looks import LOOKS
from gswlab.view.run.history import History
from gswlab.view.run.page import page, payload, write_page
from gswlab.view.run.parts import Telling
from gswlab.view.run.stage import positions


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="run">(.*?)</script>', text)
    assert found
    return json.loads(found[1])


def test_a_page_has_a_slider_with_a_label_and_a_live_line(journal: Journal) -> None:
    elements = Elements(page(journal).to_html())
    slider = next(a for a in elements.named("input") if a["type"] == "range")
    assert slider["max"] == "2"
    assert slider["id"] in [a.get("for") for a in elements.named("label")]
    assert any(a.get("aria-live") == "polite" for a in elements.named("output"))


def test_every_step_is_readable_without_scripts(journal: Journal) -> None:
    text = page(journal).to_html()
    assert text.count('<article class="step"') == 3
    assert "chunk 2 of 3" in text
    assert "When will he be charged?" in text
    assert "<table>" in text


def test_a_page_never_names_an_address_to_fetch(journal: Journal) -> None:
    elements = Elements(page(journal).to_html())
    assert not elements.loading
    text = page(journal).to_html()
    assert "sourceMappingURL" not in text
    assert not re.search(r"(?i)@import|url\((?!data:)", text.split("<script")[0])
    assert "bootstrap" not in text.split("</style>")[0]


def test_document_text_stays_text(journal: Journal) -> None:
    elements = Elements(page(journal).to_html())
    assert not elements.named("img")
    assert not elements.named("iframe")
    scripts = elements.named("script")
    assert [a.get("type") for a in scripts] == ["application/json", *[None] * 4]
    assert HOSTILE in [n["names"][-1][1] for n in data_of_nodes(page(journal).html)]


def data_of_nodes(text: str) -> list[Any]:
    return list(data_of(text)["nodes"].values())


def test_only_the_page_s_own_scripts_may_run(journal: Journal) -> None:
    policy = Elements(page(journal).to_html()).policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    assert policy.count("sha256-") == 4


def test_a_bidirectional_override_is_shown_and_not_obeyed(journal: Journal) -> None:
    text = page(journal).to_html()
    assert "\u202e" not in text
    assert "\ufffdgnp.exe" in text


def test_a_frame_holds_the_page_apart_and_has_a_title(journal: Journal) -> None:
    frame = page(journal)._repr_html_()
    found = Elements(frame).named("iframe")
    assert len(found) == 1
    assert found[0]["title"] == "harbour, step by step"
    assert found[0]["sandbox"] == "allow-scripts"
    assert found[0]["srcdoc"] == page(journal).to_html()


@pytest.mark.slow
def test_the_same_journal_gives_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    told(path).close()
    code = (
        "import sys; from gswlab.core.journal import Journal;"
        "from gswlab.view.run.page import write_page;"
        "write_page(Journal(sys.argv[1], 'r'), sys.argv[2])"
    )
    written = []
    for seed in ("0", "1"):
        out = tmp_path / f"{seed}.html"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = [sys.executable, "-c", code, str(path), str(out)]
        subprocess.run(run, check=True, env=environment)
        written.append(out.read_bytes())
    assert written[0] == written[1]


def test_nothing_is_moved_when_a_noun_is_hidden(journal: Journal) -> None:
    text = page(journal).to_html()
    drawn = re.search(r"new vis\.DataSet\((\[.*?\])\);", text)
    assert drawn
    nodes = json.loads(drawn[1])
    assert {n["id"] for n in nodes} == {"a1", "a2", "a3", "a4", "a5", "a6", "v1"}
    assert all(n["hidden"] and "x" in n and "y" in n for n in nodes)


def test_a_merged_actor_leaves_and_its_lines_move_to_the_other(
    journal: Journal,
) -> None:
    history = History.of(journal.steps())
    assert history.records["a4"].life == [[1, 2]]
    assert history.scenes[2].retired == ["a4"]
    lives = {r.tie[1:]: r.life for r in history.lines.values() if r.tie}
    assert lives["v1", "a4", "patient"] == [[1, 2]]
    assert lives["v1", "a2", "patient"] == [[2, None]]
    assert "merged into" in page(journal).to_html()


def test_an_actor_is_called_at_a_step_what_it_was_called_then(
    journal: Journal,
) -> None:
    record = History.of(journal.steps()).records["a2"]
    assert (record.name_at(1), record.name_at(2)) == ("old man", "Tomas Reed")


def test_a_mention_points_at_its_sentence_beyond_the_basic_plane(
    journal: Journal,
) -> None:
    nodes = data_of(page(journal).to_html())["nodes"]
    mention = next(f for f in nodes["a3"]["facts"] if f[0] == "mention")
    assert mention[4] == [[1, 1]]
    assert '<span class="s" id="s1-1"><mark' in page(journal).to_html()


def test_a_why_card_tells_the_score_against_the_threshold(journal: Journal) -> None:
    text = page(journal).to_html()
    assert "0.91 against 0.75" in text
    assert "same state +0.91" in text
    assert "It would merge if a merge needed only 0.62." in text


def test_a_large_run_says_what_it_leaves_out(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        for k in range(4):
            journal.append(Step(k, None, (Put("actor", _actor(k)),)))
        text = page(journal, nodes=3, steps=2).to_html()
    assert "the newest 2 of 4 steps and the 3 best connected of 4 nouns" in text
    assert set(data_of(text)["nodes"]) == {"a2", "a3", "a4"}


def _actor(k: int) -> Actor:
    return Actor(f"a{k + 1}", "person", f"Person {k + 1}")


def test_an_empty_run_is_a_page_that_says_so(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        text = write_page(journal, tmp_path / "page.html").read_text("utf-8")
    assert "an empty run" in text


def test_every_kind_is_told_by_letter_and_shape_and_colour() -> None:
    looks = list(LOOKS.values())
    for part in ("letter", "shape", "colour"):
        assert len({getattr(look, part) for look in looks}) == len(looks)


def test_ink_reads_on_every_colour() -> None:
    for look in LOOKS.values():
        assert _contrast(look.colour, look.ink) >= 4.5


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [((p + 0.055) / 1.055) ** 2.4 if p > 0.04 else p / 12.92 for p in rgb]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_no_two_nouns_of_a_crowd_share_a_place() -> None:
    crowd = {f"a{i}": i // 9 for i in range(120)}
    places = positions(crowd, [(f"a{i}", f"a{i // 2}") for i in range(1, 120)])
    assert len(set(places.values())) == len(crowd)


@given(runs())
def test_a_history_ends_where_the_workspace_does(steps: list[Step]) -> None:
    history = History.of(steps)
    after = history.scenes[-1].after if history.scenes else Workspace()
    alive = {record.id for record in history.records.values() if record.alive}
    assert alive == set(after.nouns)
    for noun_id in sorted(alive):
        noun, record = after.nouns[noun_id], history.records[noun_id]
        told = {fact.field for fact in facts(noun, lambda other: other)}
        assert {h.fact.field for h in record.held if h.last is None} == told


def test_a_fact_outside_what_was_read_cites_nothing(tmp_path: Path) -> None:
    away = Mention(Span("elsewhere", 0, 3), "name", "elsewhere:0:0", "Ann")
    with Journal(tmp_path / "journal.sqlite") as journal:
        actor = Actor("a1", "person", "Ann", mentions=(away,))
        journal.append(Step(0, None, (Put("actor", actor),)))
        assert '["mention","Ann",0,null,[],"name"]' in page(journal).to_html()


def test_a_payload_names_its_nouns_once(journal: Journal) -> None:
    data = payload(Telling.of(journal))
    assert [*data.run["nodes"]] == sorted(data.run["nodes"])

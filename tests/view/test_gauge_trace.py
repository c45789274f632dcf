"""The trace of a gauge: what is recorded, what a page shows, and who is filmed."""

# ruff: noqa: F811 - fixtures of the browser are imported

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401
from test_view_page import Elements, data_of

import gswlab
from gswlab.__main__ import main
from gswlab.bench.mazes import Mazes, walked
from gswlab.core.codec import decode_step, encode_step
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import TraceEvent
from gswlab.core.step import Step
from gswlab.gedig.edit import Edit
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.mazes.explorer import GedigExplorer
from gswlab.gedig.mazes.explorers import DepthFirst, PublishedExplorer
from gswlab.gedig.record import Priced, priced, recorded_prices
from gswlab.gedig.thresholds import Fixed, fire
from gswlab.lab.config import opened
from gswlab.view.papers.gedig_maze import film
from gswlab.view.papers.gedig_page import (
    gauge_page,
    trace_of,
)
from gswlab.view.papers.gedig_trace import (
    GaugeTrace,
    case_of,
    of_events,
    of_steps,
)

NUMBER = st.floats(-3, 3, allow_nan=False)
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"
NEEDS_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM}"),
]


@st.composite
def prices(draw: st.DrawFn) -> tuple[Price, Gauge, Fixed]:
    gauge = Gauge(lam=abs(draw(NUMBER)), gamma=abs(draw(NUMBER)))
    terms = draw(st.lists(st.builds(Terms, NUMBER, NUMBER, NUMBER), min_size=1))
    series = tuple(map(gauge.weighed, terms))
    ag, dg = draw(NUMBER), draw(NUMBER)
    return Price(Edit(), tuple(terms), series), gauge, Fixed(ag, dg)


@given(prices())
def test_a_recorded_price_is_read_back_to_the_last_bit(
    told: tuple[Price, Gauge, Fixed],
) -> None:
    price, gauge, gates = told
    event = priced(price, gauge, gates, "go on")
    step = Step(0, "a:1", events=(event,))
    (again,) = recorded_prices(decode_step(encode_step(step)).events)
    assert again.price.series == price.series
    assert fire(again.price, again.thresholds) == fire(price, gates)
    assert (again.data["ag"], again.data["dg"]) == fire_of(price, gates)


def fire_of(price: Price, gates: Fixed) -> tuple[bool, bool]:
    fired = fire(price, gates)
    return fired.ag, fired.dg


def test_an_edit_is_dear_and_worth_it_or_neither() -> None:
    graph, gates = nx.path_graph(5), Fixed(ag=0.5, dg=0.0)
    chord = Edit(edges=((0, 4),))
    found = {}
    for gain in (1.0, 0.2, -1.0):
        price = Gauge(hops=0)(graph, chord, gain, candidates=1)
        found[gain] = case_of(Priced.of(priced(price, Gauge(), gates, "")))
    assert found == {1.0: "integrate", 0.2: "redundant", -1.0: "explore on"}


@pytest.fixture(scope="module")
def walk_trace() -> GaugeTrace:
    return film(Mazes(size=9, cap=150, seeds="3"), 3, GedigExplorer())


def test_a_filmed_walk_is_the_walk_of_the_experiment() -> None:
    for agent in (GedigExplorer, PublishedExplorer, DepthFirst):
        mazes = Mazes(size=11, cap=150, seeds="5")
        row, _ = walked(mazes, 5, agent)
        frames = film(mazes, 5, agent()).scene["frames"]
        first = [frame for frame in frames if frame["episode"] == 1]
        assert len(first) == row["mean_steps"] + 1


def test_a_film_replayed_holds_the_edges_that_the_explorer_had() -> None:
    mazes, agent = Mazes(size=11, cap=150, seeds="2"), GedigExplorer()
    spells = film(mazes, 2, agent).scene["held"]
    held = {edge for edge, _, until in spells if until is None}
    assert agent.ground is not None
    ours = {(min(pair), max(pair)) for pair in agent.ground.graph.edges}
    assert held <= ours
    assert len(ours - held) <= 1  # the last step of an episode is seen by nobody


def test_a_second_episode_goes_the_shortest_remembered_way(
    walk_trace: GaugeTrace,
) -> None:
    frames = walk_trace.scene["frames"]
    second = [frame for frame in frames if frame["episode"] == 2]
    assert len(second) - 1 >= walk_trace.scene["shortest"]
    assert second[-1]["at"] == walk_trace.scene["goal"]


def test_every_price_is_in_the_table_and_reads_without_scripts(
    walk_trace: GaugeTrace,
) -> None:
    text = gauge_page(walk_trace).to_html().split("<script")[0]
    rows = re.findall(r'<button type="button" data-price="(\d+)">', text)
    assert [int(n) for n in rows] == list(range(len(walk_trace.prices)))
    assert f"{len(rows)} priced edits" in text
    assert walk_trace.beats[-1].label in text


def test_a_page_of_a_gauge_fetches_nothing_and_keeps_text_text() -> None:
    event = priced(Gauge()(nx.Graph(), Edit(), 0.5), Gauge(), Fixed(), HOSTILE)
    data = {**event.data, "nodes": (HOSTILE,), "labels": (HOSTILE,), "reason": HOSTILE}
    text = gauge_page(of_events([TraceEvent("priced", data)], HOSTILE)).to_html()
    elements = Elements(text)
    loading = {"src", "href", "srcset", "action", "data", "poster", "background"}
    assert not [a for _, a in elements.found if loading & set(a)]
    assert "\u202e" not in text
    (policy,) = (m["content"] for m in elements.named("meta") if "http-equiv" in m)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert policy.count("sha256-") == len(elements.named("script")) - 1
    ids = {attributes["id"] for _, attributes in elements.found if "id" in attributes}
    for _, attributes in elements.found:
        assert set((attributes.get("for") or "").split()) <= ids


def test_a_graph_keeps_what_was_held_back_out_of_its_edges() -> None:
    def event(name: str, action: str) -> TraceEvent:
        price = Gauge()(nx.Graph(), Edit((name,), (("question", name),)), 0.5)
        return priced(price, Gauge(), Fixed(), action)

    steps = [
        Step(0, "a:1", events=(event("p1", "take"), event("p2", "hold"))),
        Step(1, "a:2", events=(TraceEvent("indexed", {}), event("p2", "take"))),
    ]
    trace = of_steps(steps, "two chunks")
    assert [len(beat.prices) for beat in trace.beats] == [2, 1]
    assert trace.scene["edges"] == [["question", "p1", 0], ["question", "p2", 1]]
    assert [node[3] for node in trace.scene["nodes"].values()] == [0, 0, 0]
    prices = data_of(gauge_page(trace).html)["prices"]
    assert [price["kept"] for price in prices] == [True, False, True]


def test_an_event_in_another_layout_is_no_price_and_breaks_nothing() -> None:
    trace = of_steps([Step(0, "a:1", events=(TraceEvent("priced", {}),))], "x")
    assert trace.prices == []
    assert "No edit was priced" in gauge_page(trace).html


def test_a_long_walk_is_under_three_megabytes() -> None:
    mazes = Mazes(size=51, cap=1500, seeds="1")
    trace = film(mazes, 1, GedigExplorer())
    assert len(gauge_page(trace).to_html().encode()) < 3_000_000


def test_a_run_of_mazes_is_shown_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = f"run.dir={tmp_path / 'run'}"
    opened("experiment=maze", "maze.size=7", "maze.seeds=0-2", run).run()
    asked = ["trace", str(tmp_path / "run"), "--seed", "1", "--out"]
    assert main([*asked, str(tmp_path / "walk.html")]) == 0
    assert "maze 1, correct 7" in (tmp_path / "walk.html").read_text("utf-8")
    assert "priced edits" in capsys.readouterr().err
    (tmp_path / "run" / "overrides.yaml").write_text("{maze: 3}", "utf-8")
    assert main([*asked, str(tmp_path / "other.html")]) == 2
    assert "overrides.yaml" in capsys.readouterr().err


def test_a_run_in_which_nothing_was_priced_says_what_prices(tmp_path: Path) -> None:
    text = tmp_path / "short.txt"
    text.write_text("Clara Novak came.", "utf-8")
    gswlab.open(f"dataset.file={text}", f"run.dir={tmp_path / 'run'}").step()
    for question in (None, "Who came?"):
        with pytest.raises(GswlabError, match="reconciler=gauged"):
            trace_of(tmp_path / "run", question)


@pytest.fixture
def page_file(walk_trace: GaugeTrace, tmp_path: Path) -> Path:
    return gauge_page(walk_trace).write(tmp_path / "page.html")


class TestInABrowser:
    """What a person meets: Chromium, off the network, from the file system."""

    pytestmark = NEEDS_BROWSER

    def test_the_page_weighs_as_python_does_to_the_last_bit(
        self,
        tab: Any,
        page_file: Path,
        walk_trace: GaugeTrace,
    ) -> None:
        tab.goto(page_file.as_uri())
        rng, told = Random(7), [one for _, one in walk_trace.prices]
        for _ in range(20):
            lam, ag, dg = rng.uniform(0, 3), rng.uniform(-1, 1), rng.uniform(-1, 1)
            knobs = {"lam": lam, "ag": ag, "dg": dg}
            code = (
                "(knobs) => JSON.parse(document.getElementById('run').textContent)"
                ".prices.map(p => gauge.priced(p, knobs))"
            )
            for one, seen in zip(told, tab.evaluate(code, knobs), strict=True):
                price = one.again(Gauge(lam=lam, gamma=one.gamma))
                fired = fire(price, Fixed(ag, dg))
                assert tuple(seen["series"]) == price.series
                assert seen["hop"] == price.hop
                assert seen["fires"] == {"ag": fired.ag, "dg": fired.dg}

    def test_time_moves_the_agent_and_the_price_that_is_looked_at(
        self,
        tab: Any,
        page_file: Path,
        walk_trace: GaugeTrace,
    ) -> None:
        tab.goto(page_file.as_uri())
        tab.focus("#time")
        for _ in range(4):
            tab.keyboard.press("ArrowRight")
        row, col = walk_trace.scene["frames"][4]["at"]
        assert f"at row {row}, column {col}" in tab.inner_text("#line")
        agent = tab.get_attribute("#scene .agent", "transform")
        assert agent == f"translate({col + 0.5} {row + 0.5})"
        assert "Price" in tab.inner_text("#details h3")
        shoot(tab, "gauge-maze")
        assert tab.asked == [page_file.as_uri()]
        assert tab.wrong == []

    def test_a_brushed_dip_shows_its_edit_and_a_knob_says_what_falls_otherwise(
        self,
        tab: Any,
        page_file: Path,
        walk_trace: GaugeTrace,
    ) -> None:
        tab.goto(page_file.as_uri())
        tab.focus("#prices")
        for _ in range(len(walk_trace.prices)):
            tab.keyboard.press("Shift+ArrowRight")
        lows = [one.price.g_min for _, one in walk_trace.prices]
        dip = lows.index(min(lows))
        assert f"Price {dip + 1} of {len(lows)}" in tab.inner_text("#details h3")
        assert f"{len(lows)} brushed" in tab.inner_text("#brushed")
        tab.focus("#ag")
        tab.keyboard.press("Home")
        acting = [one for _, one in walk_trace.prices if one.data["gate"] == "ag"]
        told = tab.inner_text("#what-if")
        assert f"AG fires {len(acting)} (recorded" in told
        assert "The path stays the recorded one" in told
        tab.click("#recorded")
        assert "otherwise" not in tab.inner_text("#what-if")
        assert tab.wrong == []

    def test_play_runs_and_stops_and_stays_slow_where_motion_is_unwanted(
        self,
        tab: Any,
        page_file: Path,
    ) -> None:
        tab.goto(page_file.as_uri())
        tab.select_option("#pace", "40")
        tab.click("#play")
        tab.wait_for_timeout(300)
        assert tab.input_value("#time") == "0"
        tab.emulate_media(reduced_motion="no-preference")
        tab.click("#play")
        tab.click("#play")
        tab.wait_for_function("() => Number(document.getElementById('time').value) > 3")
        tab.click("#play")
        assert tab.inner_text("#play") == "play"
        assert tab.wrong == []

    def test_a_narrow_page_scrolls_one_way_only(
        self,
        tab: Any,
        page_file: Path,
    ) -> None:
        tab.set_viewport_size({"width": 400, "height": 900})
        tab.emulate_media(color_scheme="dark")
        tab.goto(page_file.as_uri())
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= 400
        assert json.dumps(data_of(page_file.read_text("utf-8")))
        assert tab.wrong == []

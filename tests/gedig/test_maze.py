"""Mazes, what is seen of them, and who looks for the goal."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gswlab
from gswlab import commands
from gswlab.bench.collect import collect
from gswlab.bench.mazes import WALKS, Mazes, walked
from gswlab.core.errors import GswlabError
from gswlab.gedig.edit import Edit
from gswlab.gedig.entropy import clearing
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.mazes.explorer import GedigExplorer, asleep, cleared, wake
from gswlab.gedig.mazes.explorers import (
    DepthFirst,
    Frontier,
    LeastVisited,
    Oracle,
    PublishedExplorer,
    RandomWalk,
)
from gswlab.gedig.mazes.grid import Cell, Maze, correct, is_room, published
from gswlab.gedig.mazes.known import ExpectedReward, MazeGround
from gswlab.gedig.mazes.walk import Explorer, MazeView, Walk, tour, walk
from gswlab.gedig.record import recorded_prices
from gswlab.gedig.rewiring import EDIT_KINDS
from gswlab.gedig.thresholds import Fixed, fire
from gswlab.lab.config import opened

SEEDS = st.integers(0, 10_000)
CLASSIC = {
    "random": RandomWalk,
    "dfs": DepthFirst,
    "least_visited": LeastVisited,
    "frontier": Frontier,
}
NAMES = (*CLASSIC, "oracle")


def explorer(name: str, maze: Maze) -> Explorer:
    return Oracle(maze) if name == "oracle" else CLASSIC[name]()


def episode(size: int, cap: int, seed: int, name: str = "published") -> Walk:
    rng = Random(seed)  # one stream draws the maze and then the moves
    maze = published(size, rng)
    agent = PublishedExplorer() if name == "published" else explorer(name, maze)
    return walk(maze, agent, cap, rng)


@pytest.mark.parametrize(
    ("size", "cap", "seeds", "success", "steps", "edges"),
    [
        (15, 250, 100, "98.00", "92.80", "69.0"),
        (25, 500, 60, "75.00", "315.60", None),
        (51, 1000, 13, "46.15", "793.23", None),
    ],
)
def test_the_published_rows_are_repeated_to_the_digit(
    size: int, cap: int, seeds: int, success: str, steps: str, edges: str | None
) -> None:
    walks = [episode(size, cap, seed) for seed in range(seeds)]
    assert f"{100 * sum(w.reached for w in walks) / seeds:.2f}" == success
    assert f"{sum(w.steps for w in walks) / seeds:.2f}" == steps
    if edges is not None:
        assert f"{sum(w.edges for w in walks) / seeds:.1f}" == edges


@given(SEEDS, st.sampled_from([5, 9, 15]), st.floats(0, 1))
def test_every_room_of_a_correct_maze_can_be_reached(
    seed: int, size: int, loops: float
) -> None:
    maze = correct(size, Random(seed), loops)
    assert nx.is_connected(maze.graph)
    rooms = {Cell(r, c) for r in range(1, size, 2) for c in range(1, size, 2)}
    assert rooms <= maze.open
    trees = loops == 0
    assert not trees or nx.is_tree(maze.graph)


@given(SEEDS, st.sampled_from(NAMES))
def test_a_walk_goes_through_no_wall_and_no_explorer_beats_the_oracle(
    seed: int, name: str
) -> None:
    maze = correct(9, Random(seed))
    done = walk(maze, explorer(name, maze), 400, Random(seed))
    pairs = zip(done.cells, done.cells[1:], strict=False)
    assert all(maze.graph.has_edge(*pair) for pair in pairs)
    assert maze.shortest is not None
    assert done.reached == (done.cells[-1] == maze.goal)
    assert not done.reached or done.steps >= maze.shortest
    if name == "oracle":
        assert done.steps == maze.shortest


def test_a_maze_and_a_walk_are_the_same_for_the_same_seed() -> None:
    assert episode(15, 250, 7) == episode(15, 250, 7)
    assert correct(15, Random(3)) == correct(15, Random(3))
    assert correct(15, Random(3)) != correct(15, Random(4))


def test_the_goal_is_hidden_unless_it_is_said() -> None:
    asked: list[MazeView] = []

    class Curious:
        edges = 0

        def move(self, view: MazeView, rng: Random) -> Cell:
            asked.append(view)
            return view.exits[0]

    maze = correct(9, Random(0))
    walk(maze, Curious(), 1, Random(0))
    walk(maze, Curious(), 1, Random(0), known=True)
    assert [view.goal for view in asked] == [None, maze.goal]
    assert set(asked[0].seen) <= set(maze.open)


def test_a_walk_through_a_wall_is_refused() -> None:
    class Ghost:
        edges = 0

        def move(self, view: MazeView, rng: Random) -> Cell:
            return Cell(0, 0)

    with pytest.raises(GswlabError, match="Ghost walks from"):
        walk(correct(9, Random(0)), Ghost(), 5, Random(0))


def test_a_cut_off_goal_is_never_reached_and_says_so() -> None:
    maze = Maze(5, frozenset({Cell(1, 1), Cell(1, 2), Cell(3, 3)}))
    assert maze.shortest is None
    assert not walk(maze, explorer("frontier", maze), 10, Random(0)).reached


@pytest.mark.parametrize("size", [4, 3, -1])
def test_a_maze_of_an_impossible_size_is_refused(size: int) -> None:
    with pytest.raises(GswlabError, match="odd number"):
        correct(size, Random(0))


def test_an_unknown_explorer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(GswlabError, match="least_visited"):
        opened("experiment=maze", "agent=psychic")


def ours(
    size: int = 9, seed: int = 0, **given: Any
) -> tuple[GedigExplorer, Walk, Maze]:
    maze, agent = correct(size, Random(seed), 0.3), GedigExplorer(**given)
    return agent, walk(maze, agent, 500, Random(seed)), maze


@given(SEEDS, st.sampled_from([0.0, 0.1, 0.5]), st.booleans())
def test_our_explorer_finds_every_goal_and_walks_through_no_wall(
    seed: int, loops: float, known: bool
) -> None:
    maze, agent = correct(9, Random(seed), loops), GedigExplorer()
    done = walk(maze, agent, 500, Random(seed), known)
    assert done.reached
    assert agent.ground is not None
    links = agent.ground.graph.edges
    assert all(maze.graph.has_edge(*link) for link in links)


def test_a_gate_that_fires_is_an_action_and_one_that_is_off_is_none() -> None:
    on, _, _ = ours(15, 3)
    off, done, _ = ours(15, 3, gates=Fixed(1000, -1000))
    assert off.ground is not None
    acts = {(e.data["gate"], e.data[str(e.data["gate"])]): e.data for e in on.events}
    assert {*acts} == {("ag", True), ("ag", False), ("dg", True)}
    actions = {(event.data["gate"], event.data["action"]) for event in off.events}
    assert actions == {("ag", "go on"), ("ag", "back"), ("dg", "leave")}
    walked = {frozenset(pair) for pair in pairwise(done.cells)}
    shown = {frozenset(link) for link in off.ground.graph.edges}
    assert walked - {frozenset(done.cells[-2:])} <= shown
    assert all(off.ground.graph.degree(door) == 1 for door in off.ground.loose)


def test_every_decision_of_a_trace_can_be_weighed_again_and_was_walked() -> None:
    agent, done, _ = ours(15, 3)
    told: list[dict[str, Any]] = [dict(event.data) for event in agent.events]
    assert {Cell(*data["at"]) for data in told} <= {*done.cells}
    went = [Cell(*data["to"]) for data in told if data["gate"] == "ag"]
    assert set(went) <= {*done.cells}
    for event, back in zip(agent.events, recorded_prices(agent.events), strict=True):
        assert back.price.g0 == event.data["g0"]
        assert fire(back.price, back.thresholds).ag == event.data["ag"]


def expected_steps(agent: Callable[[], Explorer], seeds: range) -> float:
    mazes = Mazes(size=15, seeds="0", cap=2000, place="every")
    rows = [walked(mazes, seed, agent)[0] for seed in seeds]
    return sum(float(row["mean_steps"]) for row in rows) / len(rows)


def test_gates_off_cost_steps_when_the_goal_may_be_anywhere() -> None:
    seeds, gates = range(40), {"ag": Fixed(1000, 0.3), "dg": Fixed(0.01, -1000)}
    mine = expected_steps(GedigExplorer, seeds)
    for off in gates.values():
        assert expected_steps(partial(GedigExplorer, gates=off), seeds) > mine + 1


@given(SEEDS, st.sampled_from(["gedig", "dfs", "frontier"]))
@settings(max_examples=10)
def test_one_tour_has_the_steps_to_every_goal_there_could_be(
    seed: int, name: str
) -> None:
    agent = {"gedig": GedigExplorer, **CLASSIC}[name]
    maze = correct(9, Random(seed), 0.2)
    done = tour(maze, agent(), 1000, Random(seed))
    for room in maze.rooms[1:]:
        one = walk(replace(maze, end=room), agent(), 1000, Random(seed))
        assert one.steps == done.found.get(room)


@given(st.integers(1, 30), st.integers(0, 30), st.integers(0, 4), st.floats(0.05, 1))
def test_what_a_cue_clears_is_the_clearing_of_its_weights(
    before: int, kept: int, fresh: int, chance: float
) -> None:
    after = [1.0] * kept + [chance] * fresh
    told = cleared(before, kept, fresh, chance)
    assert told == pytest.approx(clearing([1.0] * before, after))


def test_a_gauge_whose_values_are_dealt_out_anew_walks_much_farther() -> None:
    mine = sum(ours(15, seed)[1].steps for seed in range(6))
    dealt = sum(ours(15, seed, shuffled=True)[1].steps for seed in range(6))
    assert dealt > 1.5 * mine


def test_a_closed_loop_is_priced_by_the_gauge_and_makes_ways_shorter() -> None:
    ground = MazeGround(9)
    a, b, c, d = Cell(1, 1), Cell(1, 3), Cell(3, 3), Cell(3, 1)
    ring = {a: (Cell(1, 2), Cell(2, 1)), b: (Cell(1, 2), Cell(2, 3))}
    ring |= {c: (Cell(2, 3), Cell(3, 2)), d: (Cell(3, 2), Cell(2, 1))}
    came = None
    loops: list[Edit] = []
    for room, door in ((a, Cell(1, 2)), (b, Cell(2, 3)), (c, Cell(3, 2)), (d, None)):
        loops += ground.stand(room, came, ring[room])
        came = door
    assert loops == [Edit(edges=((d, Cell(2, 1)),))]
    assert ground.open == {Cell(2, 1)}
    price = Gauge()(ground.graph, loops[0], 0.0, 2)
    assert max(terms.shorter for terms in price.terms) > 0
    ground.commit(loops[0])
    assert not ground.open
    assert nx.shortest_path_length(ground.graph, d, a) == 2


def test_a_second_episode_in_a_maze_without_loops_is_the_shortest_way() -> None:
    mazes = Mazes(size=15, seeds="0-4", generator="published")
    rows = [walked(mazes, seed, GedigExplorer)[0] for seed in mazes.numbers]
    assert {row["second"] for row in rows if row["success"]} == {1.0}


def test_the_gate_that_searches_finds_ways_that_the_first_episode_did_not() -> None:
    mazes = Mazes(size=15, episodes=3)
    rows, blind = (
        [
            walked(mazes, seed, partial(GedigExplorer, gates=gates))[0]
            for seed in range(12)
        ]
        for gates in (Fixed(0.01, 0.3), Fixed(1000, 0.3))
    )
    first, third = (sum(row[k] for row in rows) / 12 for k in ("second", "third"))
    assert third <= first < sum(row["extra"] for row in rows) / 12
    assert third < sum(row["third"] for row in blind) / 12 - 0.02


@given(SEEDS, st.sampled_from([0.0, 0.2]))
@settings(max_examples=15)
def test_a_graph_rewired_is_smaller_and_knows_as_short_a_way(
    seed: int, loops: float
) -> None:
    maze, agent = correct(9, Random(seed), loops), GedigExplorer()
    done = walk(maze, agent, 500, Random(seed))
    agent.learn(done.cells[-2], maze.goal, maze.start)
    assert agent.ground is not None
    held, ends = agent.ground.graph, (maze.start, maze.goal)
    for kinds in (("prune", "shortcut"), EDIT_KINDS):
        after = asleep(agent.ground, *ends, kinds).graph
        assert len(after) <= len(held)
        way = nx.shortest_path_length(
            after, *ends, lambda a, b, data: data.get("length", 1)
        )
        assert way == nx.shortest_path_length(held, *ends)
    wake(agent.ground, asleep(agent.ground, *ends))
    assert walk(maze, agent, 500, Random(seed)).reached


def test_a_folded_graph_is_not_walked_on() -> None:
    agent, done, maze = ours(9, 1)
    agent.learn(done.cells[-2], maze.goal, maze.start)
    assert agent.ground is not None
    folded = asleep(agent.ground, maze.start, maze.goal, EDIT_KINDS)
    with pytest.raises(GswlabError, match="folded graph"):
        wake(agent.ground, folded)


def test_more_walks_of_a_maze_begin_with_the_one_there_was() -> None:
    one, four = Mazes(size=9), Mazes(size=9, walks=4)
    alone = walked(one, 3, DepthFirst)[0]["mean_steps"]
    mean = walked(four, 3, DepthFirst)[0]["mean_steps"]
    assert walked(four, 3, DepthFirst)[0]["mean_steps"] == mean != alone
    assert walked(one, 3, DepthFirst)[0]["mean_steps"] == alone


@given(SEEDS)
def test_expected_steps_of_a_maze_all_seen_are_the_shortest_ways(seed: int) -> None:
    maze = correct(9, Random(seed), 0.2)
    expected, ground = ExpectedReward(9, maze.goal, 2.0), MazeGround(9)
    for room in sorted(filter(is_room, maze.open)):
        exits = maze.exits(room)
        expected.stand(room, [(door, door in exits) for door, _ in ground.sides(room)])
    assert expected.steps(maze.start) == maze.shortest


def test_a_run_over_mazes_goes_on_where_it_stopped_with_the_same_figures(
    tmp_path: Path,
) -> None:
    given = ("experiment=maze", "maze.size=9", "maze.seeds=0-5")
    whole = opened(*given, f"run.dir={tmp_path / 'whole'}").run()
    rows = (tmp_path / "whole" / WALKS).read_text().splitlines(keepends=True)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / WALKS).write_text("".join(rows[:2]) + rows[2][:5])
    timings = (tmp_path / "whole" / "timings.csv").read_text()
    (tmp_path / "part" / "timings.csv").write_text(timings)
    again = opened(*given, f"run.dir={tmp_path / 'part'}").run()
    assert again | {"run": ""} == whole | {"run": ""}
    scores = (tmp_path / "whole" / "scores.json").read_bytes()
    assert (tmp_path / "part" / "scores.json").read_bytes() == scores
    ledger = json.loads((tmp_path / "whole" / "ledger.json").read_text())
    assert ledger["gauge_ms"]["median"] > 0
    assert opened(*given, f"run.dir={tmp_path / 'whole'}").run() == whole


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("maze.place=every", "maze.goal=known"), "in every room at once"),
        (("maze.episodes=6",), "maze.episodes"),
        (("maze.seeds=9-3",), "a range of them"),
        (("maze.seeds=few",), "a range of them"),
        (("maze.size=8",), "an odd number"),
        (("maze.cap=0",), "maze.cap"),
        (("agent=psychic",), "agent is one of"),
        (("memory=bm25",), "there is no setting memory"),
    ],
)
def test_a_wrong_setting_of_a_maze_is_refused_with_the_rule(
    given: tuple[str, ...], words: str
) -> None:
    with pytest.raises(GswlabError, match=words):
        opened("experiment=maze", *given)


def test_an_agent_without_a_maze_is_told_which_experiment_has_them() -> None:
    with pytest.raises(GswlabError, match="run experiment=maze agent=dfs"):
        opened("agent=dfs")


def test_a_lab_is_never_opened_on_mazes_that_have_no_text() -> None:
    with pytest.raises(GswlabError, match="reads none"):
        gswlab.open("experiment=maze")


def test_a_grid_over_agents_is_one_table_with_a_row_an_agent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["experiment=maze", "maze.size=5", "maze.seeds=0-2", f"run.dir={tmp_path}"]
    commands.run([*given, "agent=gedig,dfs"], multirun=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["agent"] for line in lines] == ["gedig", "dfs"]
    table = collect(tmp_path)
    assert list(table["agent"]) == ["dfs", "gedig"]
    assert list(table["mean_steps"]) == [line["mean_steps"] for line in lines[::-1]]
    assert set(table["world"]) == {"correct 5 loops 0.1, goal hidden, cap 250"}

"""A run over mazes, resumable at any seed: a row a maze, then the figures.

A row is on disk before the next maze is walked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field
from tqdm.auto import tqdm

from gswlab.bench.folder import RunFolder
from gswlab.bench.report import AnswerRow, means, share
from gswlab.bench.task import number_range
from gswlab.core.errors import GswlabError, checked, shell_word
from gswlab.gedig.mazes.explorer import GedigExplorer
from gswlab.gedig.mazes.explorers import Oracle
from gswlab.gedig.mazes.grid import Maze, correct, is_room, published
from gswlab.gedig.mazes.walk import Explorer, tour, walk

WALK_FIGURES = (
    *("success", "mean_steps", "mean_edges", "ag_rate", "dg_rate"),
    "priced",  # cues that were priced, a step
    "extra",  # steps over the shortest way; then those of the episodes that follow
    *("second", "third", "fourth", "fifth"),
)
EPISODES = ("extra", "second", "third", "fourth", "fifth")
RATES = ("ag_rate", "dg_rate", "priced")


def walked(
    mazes: Mazes, seed: int, agent: Callable[[], Explorer]
) -> tuple[dict[str, Any], list[tuple[str, float]]]:
    """A maze as a row, means of its walks; seconds of processor, walk and decision."""
    rows, times = [], []
    for number in range(mazes.walks):
        rng = Random(seed)
        maze, explorer = mazes.draw(rng), agent()
        if number:
            rng = Random(f"{seed}/{number}")
        if isinstance(explorer, Oracle):
            explorer.maze = maze
        began = time.thread_time()
        rows.append(_walked(mazes, maze, explorer, rng))
        times.append(("walking", time.thread_time() - began))
        if isinstance(explorer, GedigExplorer):
            times += [("gauge", seconds) for seconds in explorer.seconds]
    told: dict[str, Any] = {"seed": seed}
    for name in dict.fromkeys(name for row in rows for name in row):
        known = [row[name] for row in rows if row.get(name) is not None]
        told[name] = sum(known) / len(known) if known else None
    return told, times


def _walked(
    mazes: Mazes, maze: Maze, explorer: Explorer, rng: Random
) -> dict[str, Any]:
    if mazes.place == "every":
        done = tour(maze, explorer, mazes.cap, rng)
        found = [done.found.get(room) for room in maze.rooms[1:]]
        success = sum(step is not None for step in found) / len(found)
        steps = sum(mazes.cap if n is None else n for n in found) / len(found)
    else:
        done = walk(maze, explorer, mazes.cap, rng, mazes.goal == "known")
        success, steps = float(done.reached), float(done.steps)
    row: dict[str, Any] = {"success": success, "mean_steps": steps}
    row |= {"mean_edges": done.edges, "walked": done.steps, "shortest": maze.shortest}
    if isinstance(explorer, GedigExplorer):
        asked = [event.data for event in explorer.events]
        row["priced"] = sum(int(str(data.get("looked", 0))) for data in asked)
        for gate in ("ag", "dg"):
            fires = [bool(data[gate]) for data in asked if data["gate"] == gate]
            row |= {f"{gate}_rate": sum(fires), f"{gate}_asked": len(fires)}
    if done.reached and maze.shortest and mazes.place != "every":
        row["extra"] = done.steps / maze.shortest
        # The episodes after the first, while each reaches the goal.
        for name in EPISODES[1 : mazes.episodes]:
            if not isinstance(explorer, GedigExplorer):
                break
            explorer.learn(done.cells[-2], maze.goal, maze.start)
            done = walk(maze, explorer, mazes.cap, rng, mazes.goal == "known")
            row[name] = done.steps / maze.shortest
            if not done.reached:
                break
    return row


def walk_figures(rows: Sequence[AnswerRow]) -> dict[str, Any]:
    """Every figure that some row has, with its interval."""
    told: dict[str, Any] = {}
    for name in WALK_FIGURES:
        known = [row for row in rows if row.get(name) is not None]
        if known and name in RATES:
            told[name] = share(known, name, "walked")  # a step of all walks together
        elif known:
            told |= means(known, [name], shared=False)
    return told


WALKS = "walks.jsonl"


@dataclass(frozen=True)
class Mazes:
    """The mazes of `experiment=maze`; `seeds` are a number or a range, both ends in.

    `place` is where the goal is; `walks` how often each maze is walked, the first with
    the stream that drew it, the others with their own; `episodes` how often an explorer
    that learns goes there in a walk, if it reached the goal the first time.
    """

    size: int = 15
    seeds: str = "0-99"
    cap: int = 250
    goal: Literal["hidden", "known"] = "hidden"
    generator: Literal["published", "correct"] = "correct"
    loops: float = 0.1
    place: Literal["corner", "drawn", "every"] = "corner"
    walks: int = 1
    episodes: int = 2

    def __post_init__(self) -> None:
        for name, most in (("cap", None), ("walks", None), ("episodes", len(EPISODES))):
            bounds = Annotated[int, Field(ge=1, le=most)]
            checked(getattr(self, name), bounds, f"maze.{name}")
        if self.place == "every" and self.goal == "known":
            rule = "a goal that is in every room at once is hidden"
            raise GswlabError("maze.goal is known", rule, "maze.place=drawn")
        self.draw(Random(0))  # a wrong size is said before the first walk
        _ = self.numbers

    @property
    def numbers(self) -> range:
        """The seeds, one maze each."""
        command = "python -m gswlab run experiment=maze"
        return number_range(self.seeds, "maze.seeds", command, 0)

    @property
    def world(self) -> str:
        """What no two rows of a table may differ in when they are compared."""
        loops = f" loops {self.loops}" if self.generator == "correct" else ""
        place = "" if self.place == "corner" else f" {self.place}"
        end = f"goal {self.goal}{place}, cap {self.cap}"
        return f"{self.generator} {self.size}{loops}, {end}"

    def draw(self, rng: Random) -> Maze:
        """The maze of a stream; the explorer goes on with the same one."""
        given = self.size, rng
        known = self.generator == "published"
        maze = published(*given) if known else correct(*given, self.loops)
        if self.place != "drawn":
            return maze
        rooms = [cell for cell in sorted(maze.open) if is_room(cell)]
        return replace(maze, end=rng.choice(rooms[1:]))


def run_mazes(
    folder: RunFolder, mazes: Mazes, agent: Callable[[], Explorer], names: AnswerRow
) -> dict[str, Any]:
    """Walk every maze that was not walked yet, score and write; the headline."""
    folder.make()
    rows = folder.read_lines(WALKS)
    if not all(isinstance(row.get("walked"), int | float) for row in rows):
        rule, path = "a walk a line, as a run writes them", folder.path / WALKS
        raise GswlabError(
            f"{path} has a row of no walk", rule, f"rm {shell_word(path)}"
        )
    for seed in tqdm(mazes.numbers[len(rows) :], unit="maze", desc="walking"):
        row, times = walked(mazes, seed, agent)
        folder.append_line(WALKS, row)
        folder.time((what, seed, value) for what, value in times)
        rows.append(row)
    told = {"world": mazes.world, "mazes": len(rows)}
    scores = {**names, **told, **walk_figures(rows)}
    if folder.read_json("scores.json") != scores:
        folder.write_json("scores.json", scores)
        seconds = folder.seconds()
        total = sum(seconds.get("walking", ()))
        steps = max(sum(row["walked"] for row in rows) * mazes.walks, 1)
        bill: dict[str, Any] = {"seconds": {"walking": round(total, 3)}}
        bill["step_ms"] = round(1000 * total / steps, 4)
        if gauge := seconds.get("gauge"):
            ms = 1000 * np.percentile(gauge, [50, 95])
            bill["gauge_ms"] = {"median": round(ms[0], 4), "p95": round(ms[1], 4)}
        folder.write_json("ledger.json", bill)
    means = {n: scores[n]["mean"] for n in WALK_FIGURES if n in scores}
    return {**names, **told, **means, "run": str(folder.path)}

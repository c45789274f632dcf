"""A run over mazes, resumable at any seed: a walk a seed, then the figures.

A row is on disk before the next maze is walked. Steps of a walk that did not reach the
goal count as they are: the cap. Gates are counted a step, as published.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field
from tqdm.auto import tqdm

from gswlab.bench.folder import RunFolder
from gswlab.bench.statistics import Interval, bootstrap, interval
from gswlab.errors import GswlabError
from gswlab.maze.classic import Oracle
from gswlab.maze.gedig import Gedig
from gswlab.maze.grid import Maze, correct, published
from gswlab.maze.ground import is_room
from gswlab.maze.walk import Explorer, walk
from gswlab.settings import checked

ROWS = "walks.jsonl"
FIGURES = (
    *("success", "mean_steps", "mean_edges", "ag_rate", "dg_rate"),
    *("extra", "second"),  # steps over the shortest way, and those of an episode more
)
Row = dict[str, Any]


@dataclass(frozen=True)
class Mazes:
    """The mazes of `experiment=maze`; `seeds` are a number or a range, both ends in.

    >>> list(Mazes(seeds="3-5").numbers)
    [3, 4, 5]
    """

    size: int = 15
    seeds: str = "0-99"
    cap: int = 250
    goal: Literal["hidden", "known"] = "hidden"
    generator: Literal["published", "correct"] = "correct"
    loops: float = 0.1
    place: Literal["corner", "drawn"] = "corner"

    def __post_init__(self) -> None:
        checked(self.cap, Annotated[int, Field(ge=1)], "maze.cap")
        self.draw(Random(0))  # a wrong size is said before the first walk
        if not self.numbers:
            self._refuse()

    @property
    def numbers(self) -> range:
        """The seeds, one maze each."""
        first, _, last = self.seeds.partition("-")
        try:
            return range(int(first), int(last or first) + 1)
        except ValueError:
            self._refuse()
            raise

    @property
    def world(self) -> str:
        """What no two rows of a table may differ in when they are compared."""
        loops = f" loops {self.loops}" if self.generator == "correct" else ""
        drawn = " drawn" if self.place == "drawn" else ""
        end = f"goal {self.goal}{drawn}, cap {self.cap}"
        return f"{self.generator} {self.size}{loops}, {end}"

    def draw(self, rng: Random) -> Maze:
        """The maze of a stream; the explorer goes on with the same one."""
        if self.generator == "published":
            maze = published(self.size, rng)
        else:
            maze = correct(self.size, rng, self.loops)
        if self.place == "corner":
            return maze
        rooms = [cell for cell in sorted(maze.open) if is_room(cell)]
        return replace(maze, end=rng.choice(rooms[1:]))

    def _refuse(self) -> None:
        rule = "a seed or a range of seeds, the lower one first"
        raise GswlabError(f"maze.seeds is {self.seeds!r}", rule, "maze.seeds=0-99")


def run(
    folder: RunFolder, mazes: Mazes, agent: Callable[[], Explorer], names: Row
) -> Row:
    """Walk every maze that was not walked yet, score and write; the headline."""
    folder.make()
    rows = folder.read_lines(ROWS)
    for seed in tqdm(mazes.numbers[len(rows) :], unit="maze", desc="walking"):
        row, times = walked(mazes, seed, agent())
        folder.append_line(ROWS, row)
        folder.time((what, seed, value) for what, value in times)
        rows.append(row)
    told = {"world": mazes.world, "mazes": len(rows)}
    scores = {**names, **told, **figures(rows)}
    if folder.read_json("scores.json") != scores:
        folder.write_json("scores.json", scores)
        folder.write_json("ledger.json", _ledger(folder, rows))
    means = {n: scores[n]["mean"] for n in FIGURES if n in scores}
    return {**names, **told, **means, "run": str(folder.path)}


def walked(
    mazes: Mazes, seed: int, agent: Explorer
) -> tuple[Row, list[tuple[str, float]]]:
    """One walk as a row, and seconds of processor: of all of it, of each decision."""
    rng = Random(seed)
    maze = mazes.draw(rng)
    if isinstance(agent, Oracle):
        agent.maze = maze
    began = time.thread_time()
    done = walk(maze, agent, mazes.cap, rng, mazes.goal == "known")
    times = [("walking", time.thread_time() - began)]
    row: Row = {
        "seed": seed,
        "success": done.reached,
        "mean_steps": done.steps,
        "mean_edges": done.edges,
        "shortest": maze.shortest,
        "extra": done.steps / maze.shortest if maze.shortest and done.reached else None,
    }
    if isinstance(agent, Gedig):
        for gate in ("ag", "dg"):
            row[f"{gate}_rate"] = sum(
                event.data["gate"] == gate and bool(event.data["fires"])
                for event in agent.events
            )
        times += [("gauge", seconds) for seconds in agent.seconds]
        if done.reached and maze.shortest:
            agent.learn(done.cells[-2], maze.goal, maze.start)
            again = walk(maze, agent, mazes.cap, rng, mazes.goal == "known")
            row["second"] = again.steps / maze.shortest
    return row, times


def figures(rows: Sequence[Row]) -> Row:
    """Every figure that some row has, with its interval."""
    told: Row = {}
    for name in FIGURES:
        known = [row for row in rows if row.get(name) is not None]
        if known and name.endswith("_rate"):
            told[name] = _share(known, name).to_dict()
        elif known:
            told[name] = interval([row[name] for row in known]).to_dict()
    return told


def _share(rows: Sequence[Row], name: str) -> Interval:
    """Fires a step of all walks together; walks are drawn whole."""
    fires, steps = (np.array([row[k] for row in rows]) for k in (name, "mean_steps"))
    return bootstrap(
        len(rows), lambda drawn: float(fires[drawn].sum() / max(steps[drawn].sum(), 1))
    )


def _ledger(folder: RunFolder, rows: Sequence[Row]) -> Mapping[str, Any]:
    """Seconds of processor of the walks, and milliseconds of a step and a decision."""
    table = (folder.path / "timings.csv").read_text("utf-8").splitlines()[1:]
    seconds: dict[str, list[float]] = {}
    for line in table:
        what, _, value = line.split(",")
        seconds.setdefault(what, []).append(float(value))
    total = sum(seconds["walking"])
    steps = max(sum(row["mean_steps"] for row in rows), 1)
    told: Row = {
        "seconds": {"walking": round(total, 3)},
        "step_ms": round(1000 * total / steps, 4),
    }
    if gauge := seconds.get("gauge"):
        ms = 1000 * np.percentile(gauge, [50, 95])
        told["gauge_ms"] = {"median": round(ms[0], 4), "p95": round(ms[1], 4)}
    return told

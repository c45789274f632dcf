"""A run over mazes, resumable at any seed: a row a maze, then the figures.

A row is on disk before the next maze is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field
from tqdm.auto import tqdm

from gswlab.bench.folder import RunFolder
from gswlab.bench.walks import EPISODES, FIGURES, Row, figures, walked
from gswlab.core.errors import GswlabError, checked
from gswlab.gedig.mazes.grid import Maze, correct, is_room, published
from gswlab.gedig.mazes.walk import Explorer

ROWS = "walks.jsonl"


@dataclass(frozen=True)
class Mazes:
    """The mazes of `experiment=maze`; `seeds` are a number or a range, both ends in.

    `place` is where the goal is; `walks` how often each maze is walked, the first with
    the stream that drew it, the others with their own; `episodes` how often an explorer
    that learns goes there in a walk, if it reached the goal the first time.

    >>> list(Mazes(seeds="3-5").numbers)
    [3, 4, 5]
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
        place = "" if self.place == "corner" else f" {self.place}"
        end = f"goal {self.goal}{place}, cap {self.cap}"
        return f"{self.generator} {self.size}{loops}, {end}"

    def draw(self, rng: Random) -> Maze:
        """The maze of a stream; the explorer goes on with the same one."""
        if self.generator == "published":
            maze = published(self.size, rng)
        else:
            maze = correct(self.size, rng, self.loops)
        if self.place != "drawn":
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
        row, times = walked(mazes, seed, agent)
        folder.append_line(ROWS, row)
        folder.time((what, seed, value) for what, value in times)
        rows.append(row)
    told = {"world": mazes.world, "mazes": len(rows)}
    scores = {**names, **told, **figures(rows)}
    if folder.read_json("scores.json") != scores:
        folder.write_json("scores.json", scores)
        folder.write_json("ledger.json", _ledger(folder, rows, mazes.walks))
    means = {n: scores[n]["mean"] for n in FIGURES if n in scores}
    return {**names, **told, **means, "run": str(folder.path)}


def _ledger(folder: RunFolder, rows: Sequence[Row], walks: int) -> Mapping[str, Any]:
    """Seconds of processor of the walks, and milliseconds of a step and a decision."""
    table = (folder.path / "timings.csv").read_text("utf-8").splitlines()[1:]
    seconds: dict[str, list[float]] = {}
    for line in table:
        what, _, value = line.split(",")
        seconds.setdefault(what, []).append(float(value))
    total = sum(seconds["walking"])
    steps = max(sum(row["walked"] for row in rows) * walks, 1)
    told: Row = {
        "seconds": {"walking": round(total, 3)},
        "step_ms": round(1000 * total / steps, 4),
    }
    if gauge := seconds.get("gauge"):
        ms = 1000 * np.percentile(gauge, [50, 95])
        told["gauge_ms"] = {"median": round(ms[0], 4), "p95": round(ms[1], 4)}
    return told

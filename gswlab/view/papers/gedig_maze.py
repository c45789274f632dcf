"""A walk through a maze, filmed: at each step the agent, its graph and what is open.

Any explorer can be filmed. One with a ground shows its own graph and cues; the
published one its links; of any other one the exits it has seen, and those it has not
been to. A second episode is filmed where an explorer learns from the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from gswlab.bench.mazes import Mazes
from gswlab.gedig.mazes.explorer import GedigExplorer
from gswlab.gedig.mazes.explorers import Oracle, PublishedExplorer
from gswlab.gedig.mazes.grid import Cell
from gswlab.gedig.mazes.walk import Explorer, MazeView, Walk, walk
from gswlab.gedig.record import recorded_prices
from gswlab.view.papers.gedig_trace import Beat, GaugeTrace

Edge: TypeAlias = tuple[Cell, Cell]


@dataclass
class Camera:
    """An explorer that is watched: it moves as the one inside it does."""

    inner: Explorer
    beats: list[Beat] = field(default_factory=list, init=False)
    frames: list[dict[str, Any]] = field(default_factory=list, init=False)
    episode: int = field(default=1, init=False)
    _held: set[Edge] = field(default_factory=set, init=False)
    _open: set[Cell] = field(default_factory=set, init=False)

    @property
    def edges(self) -> int:
        """The edges of the explorer inside."""
        return self.inner.edges

    def move(self, view: MazeView, rng: Random) -> Cell:
        """Where the explorer goes; a frame is taken of where it stands."""
        events = getattr(self.inner, "events", [])
        before = len(events)
        to = self.inner.move(view, rng)
        steps = sum(view.visits.values()) - 1
        label = f"episode {self.episode}, step {steps}"
        self.beats.append(Beat(label, tuple(recorded_prices(events[before:]))))
        self.frames.append({"at": view.at, **self._changes(*remembered(self, view))})
        return to

    def arrived(self, done: Walk) -> None:
        """The last frame of an episode, in which nobody moves."""
        said = "the goal" if done.reached else "the cap"
        label = f"episode {self.episode}, step {done.steps}: {said}"
        self.beats.append(Beat(label, ()))
        unchanged = self._changes(self._held, self._open)
        self.frames.append({"at": done.cells[-1], **unchanged})
        self.episode += 1

    def _changes(self, held: set[Edge], opened: set[Cell]) -> dict[str, Any]:
        told = {
            "gained": sorted(held - self._held),
            "lost": sorted(self._held - held),
            "opened": sorted(opened - self._open),
            "closed": sorted(self._open - opened),
        }
        self._held, self._open = held, opened
        return {"episode": self.episode, **{k: v for k, v in told.items() if v}}


def remembered(camera: Camera, view: MazeView) -> tuple[set[Edge], set[Cell]]:
    """The edges an explorer holds, and the cells it knows and has not been to."""
    explorer = camera.inner
    linked: Iterable[Edge]
    if isinstance(explorer, GedigExplorer) and explorer.ground is not None:
        linked, fresh = explorer.ground.graph.edges, set(explorer.ground.open)
    else:
        seen = [(cell, exit_) for cell, exits in view.seen.items() for exit_ in exits]
        fresh = {exit_ for _, exit_ in seen if exit_ not in view.visits}
        linked = explorer.links if isinstance(explorer, PublishedExplorer) else seen
    return {(min(pair), max(pair)) for pair in linked}, fresh


def film(mazes: Mazes, seed: int, agent: Explorer) -> GaugeTrace:
    """The trace of one maze of an experiment, walked as the experiment walks it."""
    rng = Random(seed)
    maze = mazes.draw(rng)
    if isinstance(agent, Oracle):
        agent.maze = maze
    camera, known = Camera(agent), mazes.goal == "known"
    done = walk(maze, camera, mazes.cap, rng, known)
    camera.arrived(done)
    if isinstance(agent, GedigExplorer) and done.reached:
        agent.learn(done.cells[-2], maze.goal, maze.start)
        camera.arrived(walk(maze, camera, mazes.cap, rng, known))
    title = f"{type(agent).__name__} in maze {seed}, {mazes.world}"
    # what the page draws: cells, and the frames one after the other
    names = ("size", "start", "goal", "shortest")
    drawn = {name: getattr(maze, name) for name in names}
    rows = str(maze).splitlines()
    scene = {"kind": "maze", "rows": rows, "frames": camera.frames, **drawn}
    return GaugeTrace(title, tuple(camera.beats), scene)

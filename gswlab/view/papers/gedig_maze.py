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
from gswlab.gedig.record import Priced, recorded_prices
from gswlab.view.papers.gedig_trace import Beat, GaugeTrace

Edge: TypeAlias = tuple[Cell, Cell]


@dataclass
class Spells:
    """What was there from which frame until which, None where it still is."""

    told: list[list[Any]] = field(default_factory=list, init=False)
    _lasting: dict[Any, list[Any]] = field(default_factory=dict, init=False)

    def at(self, frame: int, there: set[Any]) -> tuple[int, int]:
        """Say what is there at a frame; how many came, and how many went."""
        went = self._lasting.keys() - there
        came = {new: [new, frame, None] for new in sorted(there - self._lasting.keys())}
        for gone in went:
            self._lasting.pop(gone)[-1] = frame
        self._lasting |= came
        self.told += came.values()
        return len(came), len(went)


@dataclass
class Camera:
    """An explorer that is watched: it moves as the one inside it does."""

    inner: Explorer
    beats: list[Beat] = field(default_factory=list, init=False)
    frames: list[dict[str, Any]] = field(default_factory=list, init=False)
    episode: int = field(default=1, init=False)
    held: Spells = field(default_factory=Spells, init=False)
    open: Spells = field(default_factory=Spells, init=False)

    @property
    def edges(self) -> int:
        """The edges of the explorer inside."""
        return self.inner.edges

    def move(self, view: MazeView, rng: Random) -> Cell:
        """Where the explorer goes; a frame is taken of where it stands."""
        events = getattr(self.inner, "events", [])
        before, at = len(events), len(self.frames)
        to = self.inner.move(view, rng)
        links, cues = _remembered(self.inner, view)
        told = {"edges": self.held.at(at, links)[0], "cells": self.open.at(at, cues)}
        prices = recorded_prices(events[before:])
        self._frame(view.at, f"step {sum(view.visits.values()) - 1}", prices, told)
        return to

    def arrived(self, done: Walk) -> None:
        """The last frame of an episode, in which nobody moves."""
        said = "the goal" if done.reached else "the cap"
        self._frame(done.cells[-1], f"step {done.steps}: {said}", (), {})
        self.episode += 1

    def _frame(
        self, at: Cell, label: str, prices: Iterable[Priced], told: dict[str, Any]
    ) -> None:
        self.beats.append(Beat(f"episode {self.episode}, {label}", tuple(prices)))
        self.frames.append({"at": at, "episode": self.episode, **told})


def _remembered(explorer: Explorer, view: MazeView) -> tuple[set[Edge], set[Cell]]:
    """The edges an explorer holds, and the cells it knows and has not been to."""
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
    # what the page draws: cells, and the frames one after the other
    scene = {n: getattr(maze, n) for n in ("size", "start", "goal", "shortest")}
    scene |= {"rows": str(maze).splitlines(), "room": (0, 0, maze.size, maze.size)}
    scene |= {"kind": "maze", "frames": camera.frames}
    scene |= {"held": camera.held.told, "open": camera.open.told}
    title = f"{type(agent).__name__} in maze {seed}, {mazes.world}"
    return GaugeTrace(title, tuple(camera.beats), scene)

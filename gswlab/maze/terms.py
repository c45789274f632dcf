"""What going to a cue costs and brings: the terms that a gauge weighs.

Both measures are of one cell and one moment. `most` is the most that any cue can bring
there: a cue whose cost alone is higher than that need not be asked.
"""

from __future__ import annotations

from math import log
from typing import Protocol, TypeAlias

from gswlab.gedig.gauge import Terms
from gswlab.maze.expected import Expected
from gswlab.maze.grid import Cell
from gswlab.maze.ground import Cue, Ground

Series: TypeAlias = tuple[Terms, ...]
_NEVER = 1e6  # steps to a goal that walls cut off
_BESIDE = 2  # steps to the next room


class Measure(Protocol):
    """The terms of cues, at 0, 1, ... hops."""

    most: float

    def __call__(self, cue: Cue) -> Series:
        """The terms of going to a cue, one a hop."""


class Nearer:
    """With a known goal: the way, and how much nearer it is expected to bring it.

    Both are shares of the steps still to go from `at`, so that F is by what share the
    way through a cue is longer than the shortest there may be.
    """

    most = 1.0

    def __init__(self, expected: Expected, at: Cell) -> None:
        self.expected = expected
        self.here = max(min(expected.steps(at), _NEVER), 1.0)

    def __call__(self, cue: Cue) -> Series:
        """One hop: what lies behind a cue is in the steps expected already."""
        there = min(self.expected.steps(cue.cell), _NEVER)
        shorter = (self.here - there) / self.here
        return (Terms(len(cue.way) / self.here, 0.0, shorter),)


class Clearer:
    """With a hidden goal: the way, and how much clearer it gets which cue has it.

    The cost is of the steps beyond those to the next room, over one and the number of
    cues: a cue beside one costs nothing, and is dear only where it is expected to open
    more than it closes. At each hop the rooms within it are gone through and the cues
    at its rim are open, each as likely to be one as a door is to be there.
    """

    def __init__(self, ground: Ground, hops: int) -> None:
        self.ground, self.hops = ground, hops
        self.open = ground.open
        self.chance = ground.openness
        count = len(self.open)
        self.most = 1.0 if hops else cleared(count, count - 1, 0, self.chance)

    def __call__(self, cue: Cue) -> Series:
        """A term for each hop."""
        ball, rim, terms = {cue.cell}, {*self.ground.around(cue.cell)}, []
        count = len(self.open)
        for _ in range(self.hops + 1):
            closed = len(ball & self.open)
            fresh = len(rim - self.open)
            steps = len(cue.way) - _BESIDE + 2 * (len(ball) - 1)
            gain = cleared(count, count - closed, fresh, self.chance)
            terms.append(Terms(steps / (1 + count), gain, 0.0))
            if len(terms) <= self.hops:
                ball |= rim
                rim = {o for room in rim for o in self.ground.around(room)} - ball
        return tuple(terms)


def cleared(before: int, kept: int, fresh: int, chance: float) -> float:
    """`clearing` where all weights are one but those of the `fresh` outcomes.

    From `before` outcomes to those `kept` and the fresh ones, each of weight `chance`.
    """
    outcomes, total = max(before, kept + fresh), kept + fresh * chance
    if outcomes < 2:
        return 0.0
    after = log(total) - fresh * chance * log(chance) / total if total else 0.0
    return (log(before) - after) / log(outcomes)

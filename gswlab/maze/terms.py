"""What going to a cue costs and brings: the terms that a gauge weighs."""

from __future__ import annotations

from gswlab.gedig.entropy import clearing
from gswlab.gedig.gauge import Terms
from gswlab.maze.expected import Expected
from gswlab.maze.grid import Cell
from gswlab.maze.ground import Cue, Ground, is_room

_NEVER = 1e6  # steps to a goal that walls cut off


def nearer(expected: Expected, at: Cell, cue: Cue) -> tuple[Terms, ...]:
    """With a known goal: the way, and how much nearer it is expected to bring it.

    Both are shares of the steps still to go from here.
    """
    cells = (at, cue.cell)
    here, there = (
        min(expected.steps(cell), _NEVER) if is_room(cell) else _NEVER for cell in cells
    )
    norm = max(here, 1.0)
    return (Terms(len(cue.way) / norm, 0.0, (here - there) / norm),)


def clearer(ground: Ground, cue: Cue, count: int, hops: int) -> tuple[Terms, ...]:
    """With a hidden goal: the way, and how much clearer it gets which cue has it.

    At each hop the rooms within it are gone through and the cues at its rim are open,
    each as likely to be one as a door is to be there; `count` cues are open now.
    """
    ball, rim, terms = {cue.cell}, {*ground.around(cue.cell)}, []
    open_cues = ground.open if hops else {cue.cell}
    for _ in range(hops + 1):
        closed = len(ball & open_cues)
        fresh = [room for room in rim if room not in open_cues]
        after = [1.0] * (count - closed) + [ground.openness] * len(fresh)
        steps = len(cue.way) + 2 * (len(ball) - 1)
        gain = clearing([1.0] * count, after)
        terms.append(Terms(steps / (1 + count), gain, 0.0))
        ball |= rim
        rim = {o for room in rim for o in ground.around(room)} - ball
    return tuple(terms)

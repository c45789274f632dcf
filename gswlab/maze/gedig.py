"""An explorer whose moves are chosen by the gauge, and whose gates do something.

A cue is a cell that was seen and not stood on. Going to one is an edit that costs its
way and tells something; the cue of the lowest price is gone to.

- Goal hidden: dH is what becomes clear about which of the open cues has the goal. A
  cue that is expected to open few others clears more; how many it opens is learnt from
  the doors seen. A hop prices the rooms around the cue along with it.
- Goal known: dH is nothing, dSP the share by which the goal is expected to come closer.

What the gates cause:

- AG fires where the best cue of this cell is dear (or there is none): the explorer
  looks at all cues of its graph. Without it, it knows those at hand and goes back by
  the way it came.
- DG fires where closing a loop is worth its edge: the edge is committed without being
  walked, ways may use it, and its door is no cue any more. Without it the door stays a
  cue and the way is the one that was walked.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

import networkx as nx

from gswlab.gedig.edit import Edit
from gswlab.gedig.entropy import clearing
from gswlab.gedig.gates import Fixed, fire
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.record import priced
from gswlab.maze.expected import Expected
from gswlab.maze.grid import Cell
from gswlab.maze.ground import Cue, Ground, is_room
from gswlab.maze.terms import clearer, nearer
from gswlab.maze.walk import View
from gswlab.workspace.nouns import JSON, TraceEvent

Gate = Literal["ag", "dg"]
CAUSED = {
    ("ag", True): "look at all cues",
    ("ag", False): "take the best at hand",
    ("dg", True): "close the loop",
    ("dg", False): "leave the loop open",
}
NOTHING = Price(Edit(), (Terms(1.0, 0.0, 0.0),), (1.0,))  # all cost, no gain


@dataclass
class Gedig:
    """The explorer of `experiment=maze agent=gedig`; it keeps what it saw.

    `doubt` is what a door that nobody saw costs a way in steps; `shuffled` deals the
    prices out anew among the cues, which leaves a gauge that knows nothing.
    """

    gauge: Gauge = field(default_factory=lambda: Gauge(hops=0))
    gates: Fixed = field(default_factory=lambda: Fixed(ag=0.3, dg=0.3))
    doubt: float = 2.0
    shuffled: bool = False
    events: list[TraceEvent] = field(default_factory=list, init=False, repr=False)
    seconds: list[float] = field(default_factory=list, init=False, repr=False)
    ground: Ground | None = field(default=None, init=False, repr=False)
    _expected: Expected | None = field(default=None, init=False, repr=False)
    _plan: list[Cell] = field(default_factory=list, init=False, repr=False)
    _trail: list[Cell] = field(default_factory=list, init=False, repr=False)

    @property
    def edges(self) -> int:
        return self.ground.graph.number_of_edges() if self.ground else 0

    def move(self, view: View, rng: Random) -> Cell:
        """The next cell on the way to the cue of the lowest price."""
        ground = self._stand(view)
        if not self._plan:
            began = time.thread_time()
            self._plan = self._chosen(ground, view, rng)
            self.seconds.append(time.thread_time() - began)
        return self._plan.pop(0)

    def learn(self, came: Cell, goal: Cell, start: Cell) -> None:
        """An episode has ended: the next one goes the shortest way of the graph."""
        if self.ground is not None:
            self.ground.graph.add_edge(came, goal)
            self._plan = nx.shortest_path(self.ground.graph, start, goal)[1:]
            self._trail = []

    def _stand(self, view: View) -> Ground:
        if self.ground is None:
            self.ground = Ground(view.size)
            if view.goal is not None:
                self._expected = Expected(view.size, view.goal, self.doubt)
        ground, new = self.ground, view.at not in self.ground.rooms
        self._follow(view.at)
        loops = ground.stand(view.at, view.came, view.exits)
        if self._expected is not None and is_room(view.at) and new:
            sides = [(door, door in view.exits) for door, _ in ground.sides(view.at)]
            self._expected.stand(view.at, sides)
        for loop in loops:
            self._close(ground, loop)
        return ground

    def _follow(self, at: Cell) -> None:
        """The trail from the start: the way back cuts what it undoes."""
        if at in self._trail:
            del self._trail[self._trail.index(at) :]
        self._trail.append(at)

    def _close(self, ground: Ground, loop: Edit) -> None:
        cues = max(len(ground.open), 2)
        gain = clearing([1.0] * cues, [1.0] * (cues - 1))
        gauge = replace(self.gauge, hops=3)
        price = gauge(ground.graph, loop, gain, cues)
        fired = fire(price, self.gates)
        self._note("dg", gauge, price, cues)
        if fired.dg:
            ground.commit(loop)

    def _chosen(self, ground: Ground, view: View, rng: Random) -> list[Cell]:
        """The way to a cue: one at hand, or, where AG fires, any."""
        doors = [door for door in view.exits if door in ground.behind]
        near = [Cue(ground.behind[door], (door, ground.behind[door])) for door in doors]
        cue, price = self._best(ground, view, near, rng)
        fired = fire(price, self.gates)
        self._note("ag", self.gauge, price, len(near))
        if fired.ag:
            cue, price = self._best(ground, view, ground.ways(view.at), rng)
        if cue is not None:
            return list(cue.way)
        return [self._trail[-2] if len(self._trail) > 1 else view.exits[0]]

    def _best(
        self, ground: Ground, view: View, cues: Iterable[Cue], rng: Random
    ) -> tuple[Cue | None, Price]:
        """The cue of the lowest price; a way too long for any gain ends the search."""
        found: list[tuple[Cue, Price]] = []
        least = float("inf")
        count = len(ground.open)
        for cue in cues:
            price = self._price(ground, view, cue, count)
            if price.terms[0].cost - self.gauge.lam > least and not self.shuffled:
                break
            found.append((cue, price))
            least = min(least, price.g_min)
        if not found:
            return None, NOTHING
        if self.shuffled:
            deal = rng.sample([price for _, price in found], len(found))
            found = [(cue, p) for (cue, _), p in zip(found, deal, strict=True)]
            least = min(price.g_min for price in deal)
        return rng.choice([pair for pair in found if pair[1].g_min == least])

    def _price(self, ground: Ground, view: View, cue: Cue, count: int) -> Price:
        edit = Edit(edges=((cue.way[-2] if len(cue.way) > 1 else view.at, cue.cell),))
        if self._expected is not None:
            terms = nearer(self._expected, view.at, cue)
        else:
            terms = clearer(ground, cue, count, self.gauge.hops)
        return Price(edit, terms, tuple(self.gauge.weighed(term) for term in terms))

    def _note(self, gate: Gate, gauge: Gauge, price: Price, cues: int) -> None:
        fired = fire(price, self.gates)
        fires = fired.ag if gate == "ag" else fired.dg
        more: dict[str, JSON] = {
            "gate": gate,
            "fires": fires,
            "at": (*self._trail[-1],),
            "cues": cues,
        }
        action = CAUSED[gate, fires]
        self.events.append(priced(price, gauge, self.gates, action, more=more))

"""An explorer whose moves are chosen by the gauge, and whose gates do something.

A cue is a cell that was seen and not stood on. Going to one is an edit that costs its
way and tells something; the cue of the lowest price is gone to.

- Goal hidden: dH is what becomes clear about which of the open cues has the goal. A
  cue that is expected to open few others clears more; how many it opens is learnt from
  the doors seen. A hop prices the rooms around the cue along with it.
- Goal known, or found in an episode before: dH is nothing, dSP the share by which the
  goal is expected to come closer. The goal itself is a cue, its way the known one.

What the gates cause:

- AG fires where the best cue at hand is dear, or there is none: the explorer searches
  all cues of its graph. Without it, it goes to the best at hand, else back by the way
  it came; with the goal found, by the way that it knows.
- DG fires where closing a loop is worth its edge: the edge is committed without being
  walked. Without it, the door between is a cue that has to be walked.

Each decision is an event (`gswlab.gedig.record`), with, beside the record's keys,

====== =============================================================================
gate   which gate was asked, and acts: `ag` of the best cue at hand, `dg` of a loop
at     the cell it stands on
cues   how many were at hand; of a loop: how many are open
looked how many were priced in all
to     the cell it goes to
way    the steps there
best   the price, at its best hop, of what it goes to; None where it goes back
====== =============================================================================

the last four of AG alone. Its `action` is `go on` (to a cue at hand), `search`, `back`
or, with a found goal, `known way`; that of DG `commit` or `leave`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import networkx as nx

from gswlab.core.nouns import JSON, TraceEvent
from gswlab.gedig.edit import Edit
from gswlab.gedig.gates import Fixed, fire
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.record import priced
from gswlab.maze.choice import best
from gswlab.maze.expected import Expected
from gswlab.maze.grid import Cell, is_room
from gswlab.maze.ground import Cue, Ground
from gswlab.maze.sleep import asleep, wake
from gswlab.maze.terms import Clearer, Measure, Nearer, cleared
from gswlab.maze.walk import View

LOOP_HOPS = 3


@dataclass
class GedigExplorer:
    """The explorer of `experiment=maze agent=gedig`; it keeps what it saw.

    `detour` are the steps lost at a wall where a door was hoped for: each door that
    nobody saw costs a way that much by the odds of a wall. `shuffled` deals the prices
    out anew among the cues, which leaves a gauge that knows nothing. One that `sleeps`
    has its graph rewired between episodes (`gswlab.maze.sleep`).
    """

    gauge: Gauge = field(default_factory=lambda: Gauge(hops=0))
    gates: Fixed = field(default_factory=lambda: Fixed(ag=0.01, dg=0.3))
    detour: float = 3.0
    shuffled: bool = False
    sleeps: bool = False
    events: list[TraceEvent] = field(default_factory=list, init=False, repr=False)
    seconds: list[float] = field(default_factory=list, init=False, repr=False)
    ground: Ground | None = field(default=None, init=False, repr=False)
    _expected: Expected | None = field(default=None, init=False, repr=False)
    _found: Cell | None = field(default=None, init=False, repr=False)
    _plan: list[Cell] = field(default_factory=list, init=False, repr=False)
    _trail: list[Cell] = field(default_factory=list, init=False, repr=False)

    @property
    def edges(self) -> int:
        """The edges of its graph, 0 before the first move."""
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
        """An episode has ended at the goal, come to from `came`: it is known now."""
        if self.ground is not None:
            self.ground.graph.add_edge(came, goal)
            self._found, self._plan, self._trail = goal, [], []
            self._expect(self.ground, goal)
            if self.sleeps:
                wake(self.ground, asleep(self.ground, start, goal))

    def _expect(self, ground: Ground, goal: Cell) -> None:
        if self._expected is None:
            odds = 1 / ground.openness - 1
            self._expected = Expected(ground.size, goal, self.detour * odds)
            for room, exits in ground.rooms.items():
                self._expected.stand(room, ground.told(room, exits))

    def _stand(self, view: View) -> Ground:
        if self.ground is None:
            self.ground = Ground(view.size)
            if view.goal is not None:
                self._expect(self.ground, view.goal)
        ground, new = self.ground, view.at not in self.ground.rooms
        self._follow(view.at)
        loops = ground.stand(view.at, view.came, view.exits)
        if self._expected is not None and is_room(view.at) and new:
            self._expected.stand(view.at, ground.told(view.at, view.exits))
        for loop in loops:
            self._close(ground, loop, view.at)
        return ground

    def _follow(self, at: Cell) -> None:
        """The trail from the start: the way back cuts what it undoes."""
        if at in self._trail:
            del self._trail[self._trail.index(at) :]
        self._trail.append(at)

    def _close(self, ground: Ground, loop: Edit, at: Cell) -> None:
        cues = max(len(ground.open), 2)
        gain = cleared(cues, cues - 1, 0, 1.0)
        gauge = replace(self.gauge, hops=LOOP_HOPS)
        price = gauge(ground.graph, loop, gain, cues)
        closes = fire(price, self.gates).dg
        more: dict[str, JSON] = {"gate": "dg", "at": (*at,), "cues": cues}
        action = "commit" if closes else "leave"
        self.events.append(priced(price, gauge, self.gates, action, more=more))
        if closes:
            ground.commit(loop)

    def _chosen(self, ground: Ground, view: View, rng: Random) -> list[Cell]:
        """The way to a cue: one at hand, or, where AG fires, any."""
        near = list(self._at_hand(ground, view))
        measure = self._measure(ground, view.at)
        choice = best(self.gauge, measure, near, rng, self.shuffled)
        price = choice.price(self.gauge, view.at)
        looked, action = len(near), "go on"
        if fire(price, self.gates).ag:
            ways = ground.ways(view.at)
            choice = best(self.gauge, measure, ways, rng, self.shuffled)
            looked, action = looked + choice.looked, "search"
        way = list(choice.cue.way) if choice.cue else self._back(view)
        if choice.cue is None:
            action = "back"
        elif choice.cue.cell == self._found:
            action = "known way"
        gone_to = choice.price(self.gauge, view.at)
        more: dict[str, JSON] = {
            "gate": "ag",
            "at": (*view.at,),
            "cues": len(near),
            "looked": looked,
            "to": (*way[-1],),
            "way": len(way),
            "best": gone_to.g_min if choice.cue else None,
        }
        self.events.append(priced(price, self.gauge, self.gates, action, more=more))
        return way

    def _back(self, view: View) -> list[Cell]:
        return [self._trail[-2] if len(self._trail) > 1 else view.exits[0]]

    def _at_hand(self, ground: Ground, view: View) -> Iterator[Cue]:
        """The cues beside this cell; a goal that was found, by its known way."""
        yield from ground.at_hand(view.at)
        if self._found is not None:
            way = nx.shortest_path(ground.graph, view.at, self._found)
            yield Cue(self._found, tuple(way[1:]))

    def _measure(self, ground: Ground, at: Cell) -> Measure:
        if self._expected is not None:
            return Nearer(self._expected, at)
        return Clearer(ground, self.gauge.hops)

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

Each decision is an event (`gswlab.gedig.record`), with, beside the record's keys, which
`gate` was asked, the cell it stands `at`, and how many `cues` were at hand, or, of a
loop, are open. AG's have how many were `looked` at, where it goes `to`, the steps of
the `way` and the `best` price of what it goes to, None where it goes back.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf, log
from random import Random
from typing import TypeAlias

import networkx as nx

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import JSON, TraceEvent
from gswlab.gedig.edit import Edit, NxGraph, VertexPair
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.mazes.grid import Cell, is_room
from gswlab.gedig.mazes.known import ExpectedReward, MazeCue, MazeGround
from gswlab.gedig.mazes.walk import MazeView
from gswlab.gedig.record import priced
from gswlab.gedig.rewiring import EditKind, Rewired, Rewiring, used
from gswlab.gedig.thresholds import Fixed, fire

# What going to a cue costs and brings: the terms that a gauge weighs.

Series: TypeAlias = tuple[Terms, ...]
_NEVER = 1e6  # steps to a goal that walls cut off
_BESIDE = 2  # steps to the next room


class Nearer:
    """With a known goal: the way, and how much nearer it is expected to bring it.

    Both are shares of the steps still to go from `at`, so that F is by what share the
    way through a cue is longer than the shortest there may be. There is one hop: what
    lies behind a cue is in the steps expected already.
    """

    most = 1.0  # the largest gain there is

    def __init__(self, expected: ExpectedReward, at: Cell) -> None:
        self.expected = expected
        self.here = max(min(expected.steps(at), _NEVER), 1.0)

    def __call__(self, cue: MazeCue) -> Series:
        """The terms of going to a cue."""
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

    def __init__(self, ground: MazeGround, hops: int) -> None:
        self.ground, self.hops = ground, hops
        self.open, self.chance = ground.open, ground.openness
        count = len(self.open)
        self.most = 1.0 if hops else cleared(count, count - 1, 0, self.chance)

    def __call__(self, cue: MazeCue) -> Series:
        """The terms of going to a cue, one a hop."""
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


# The best of some cues by their price.

_NOTHING: Series = (Terms(1.0, 0.0, 0.0),)  # all cost, no gain


@dataclass(frozen=True)
class CueChoice:
    """A cue with the terms of its price, and how many were priced; no cue, no gain."""

    cue: MazeCue | None = None
    terms: Series = _NOTHING
    looked: int = 0

    def price(self, gauge: Gauge, at: Cell) -> Price:
        """Of going to the cue: its last step is the edge that is new."""
        way = (at, *self.cue.way) if self.cue else ()
        edit = Edit(edges=((way[-2], way[-1]),)) if way else Edit()
        return gauge.price(edit, self.terms)


def best_cue(
    gauge: Gauge,
    measure: Nearer | Clearer,
    cues: Iterable[MazeCue],
    rng: Random,
    shuffled: bool = False,
) -> CueChoice:
    """The cue of the lowest price, drawn among equals.

    Cues come nearest first: a way that costs more than any gain ends the search. With
    `shuffled` all are priced and the prices dealt out anew.
    """
    asked: list[tuple[float, MazeCue, Series]] = []
    least, most = inf, gauge.lam * measure.most
    for cue in cues:
        terms = measure(cue)
        if terms[0].cost - most > least and not shuffled:
            break
        asked.append((min(map(gauge.weighed, terms)), cue, terms))
        least = min(least, asked[-1][0])
    if not asked:
        return CueChoice()
    if shuffled:
        dealt = rng.sample(asked, len(asked))
        pairs = zip(asked, dealt, strict=True)
        asked = [(price, cue, terms) for (_, cue, _), (price, _, terms) in pairs]
    _, cue, terms = rng.choice([one for one in asked if one[0] == least])
    return CueChoice(cue, terms, len(asked))


# Phase 2 in a maze: between two episodes the graph is rewired, nothing is seen
# anew.


def asleep(
    ground: MazeGround,
    start: Cell,
    goal: Cell,
    kinds: tuple[EditKind, ...] = ("prune", "shortcut"),
) -> Rewired:
    """The graph of a ground rewired; the ground is not touched."""
    offers: list[VertexPair] = [edge for loop in ground.loops() for edge in loop.edges]
    known: NxGraph = ground.graph.copy()
    known.add_edges_from(offers)
    replayed = nx.single_source_shortest_path(known, goal).values()
    keep = {start, goal, *ground.behind, *ground.loose}
    return Rewiring(kinds=kinds)(ground.graph, used(replayed), offers, keep)


def wake(ground: MazeGround, done: Rewired) -> None:
    """Go on with a rewired graph; a loop that it closed is no cue any more.

    Raises:
        GswlabError: it was folded: an edge of it is no step.
    """
    if done.count("consolidate"):
        rule = "who walks on leaves consolidate out of the kinds"
        raise GswlabError("a folded graph cannot be walked", rule)
    for change in done.changes:
        if change.kind == "shortcut":
            ground.commit(change.price.edit)
    ground.graph = done.graph


_LOOP_HOPS = 3


@dataclass
class GedigExplorer:
    """The explorer of `experiment=maze agent=gedig`; it keeps what it saw.

    `shuffled` deals the prices out anew among the cues, which leaves a gauge that knows
    nothing. One that `sleeps` has its graph rewired between episodes.
    """

    gauge: Gauge = field(default_factory=lambda: Gauge(hops=0))
    gates: Fixed = field(default_factory=lambda: Fixed(ag=0.01, dg=0.3))
    shuffled: bool = False
    sleeps: bool = False
    events: list[TraceEvent] = field(default_factory=list, init=False, repr=False)
    seconds: list[float] = field(default_factory=list, init=False, repr=False)
    ground: MazeGround | None = field(default=None, init=False, repr=False)
    _expected: ExpectedReward | None = field(default=None, init=False, repr=False)
    _found: Cell | None = field(default=None, init=False, repr=False)
    _plan: list[Cell] = field(default_factory=list, init=False, repr=False)
    _trail: list[Cell] = field(default_factory=list, init=False, repr=False)

    @property
    def edges(self) -> int:
        """The edges of its graph, 0 before the first move."""
        return self.ground.graph.number_of_edges() if self.ground else 0

    def move(self, view: MazeView, rng: Random) -> Cell:
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
            self._expected = self._expected or self.ground.expected(goal)
            if self.sleeps:
                wake(self.ground, asleep(self.ground, start, goal))

    def _stand(self, view: MazeView) -> MazeGround:
        if self.ground is None:
            self.ground = MazeGround(view.size)
            if view.goal is not None:
                self._expected = self.ground.expected(view.goal)
        ground, new = self.ground, view.at not in self.ground.rooms
        if view.at in self._trail:  # the way back cuts what it undoes
            del self._trail[self._trail.index(view.at) :]
        self._trail.append(view.at)
        loops = ground.stand(view.at, view.came, view.exits)
        if self._expected is not None and is_room(view.at) and new:
            self._expected.stand(view.at, ground.told(view.at))
        for loop in loops:
            gauge = replace(self.gauge, hops=_LOOP_HOPS)
            cues = max(len(ground.open), 2)
            gain = cleared(cues, cues - 1, 0, 1.0)
            price = gauge(ground.graph, loop, gain, cues)
            closes = fire(price, self.gates).dg
            more: dict[str, JSON] = {"gate": "dg", "at": (*view.at,), "cues": cues}
            action = "commit" if closes else "leave"
            self.events.append(priced(price, gauge, self.gates, action, more=more))
            if closes:
                ground.commit(loop)
        return ground

    def _chosen(self, ground: MazeGround, view: MazeView, rng: Random) -> list[Cell]:
        """The way to a cue: one at hand, or, where AG fires, any."""
        # 1. the best of the cues at hand, a goal that was found by its known way
        near = list(ground.at_hand(view.at))
        if self._found is not None:
            known = nx.shortest_path(ground.graph, view.at, self._found)
            near.append(MazeCue(self._found, tuple(known[1:])))
        measure: Nearer | Clearer = (
            Clearer(ground, self.gauge.hops)
            if self._expected is None
            else Nearer(self._expected, view.at)
        )
        choice = best_cue(self.gauge, measure, near, rng, self.shuffled)
        price = choice.price(self.gauge, view.at)
        looked, action = len(near), "go on"
        # 2. where that is dear, of all cues
        if fire(price, self.gates).ag:
            cues = ground.ways(view.at)
            choice = best_cue(self.gauge, measure, cues, rng, self.shuffled)
            looked, action = looked + choice.looked, "search"
        # 3. the way there, else back
        if choice.cue is None:
            action = "back"
            way = [self._trail[-2] if len(self._trail) > 1 else view.exits[0]]
        else:
            action = "known way" if choice.cue.cell == self._found else action
            way = list(choice.cue.way)
        best = choice.price(self.gauge, view.at).g_min
        more: dict[str, JSON] = {"gate": "ag", "at": (*view.at,), "cues": len(near)}
        more |= {"looked": looked, "to": (*way[-1],), "way": len(way)}
        more["best"] = best if choice.cue else None
        self.events.append(priced(price, self.gauge, self.gates, action, more=more))
        return way

"""What the gates of the maze's explorer are worth, each beside its controls.

    python experiments/recipes/maze_controls.py experiments/results/maze_controls.csv

Worlds of the published table; loops with a goal in any room; a world in which looking
costs. A row is an agent: its gates as they are, always firing, never, at random at the
same rate, without gain, with prices shuffled; explorers that know of no gauge, of rooms
among them; `bound` is the least that anybody could need, `ratio` the steps over it.
`difference` is its cost less that of the explorer with its gates, pair by pair: above
zero, the gates need fewer. In the priced world the cost has `price` steps for each cue
looked at; thresholds were chosen on seeds 1000 to 1019, rows are of seeds 5000 on.
Interrupted, it goes on with the world it was in.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

from table import grown

from gswlab.bench.mazes import Mazes, walked
from gswlab.bench.statistics import interval, paired, permutation
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.mazes.explorer import GedigExplorer
from gswlab.gedig.mazes.explorers import (
    DepthFirst,
    Frontier,
    LeastVisited,
    PublishedExplorer,
    Rooms,
)
from gswlab.gedig.mazes.walk import Explorer
from gswlab.gedig.thresholds import Fixed

HEADS = (
    *("world", "size", "seeds", "cap", "price", "agent", "n", "success", "steps"),
    *("cost", "cost_low", "cost_high", "bound", "ratio", "looked", "ag_rate"),
    *("difference", "difference_low", "difference_high", "p"),
)
Agent = Callable[[], Explorer]
LOW, HIGH = -1e3, 1e3  # AG always fires at the one, DG at the other


class Chance:
    """Gates that fire by lot, at given rates."""

    def __init__(self, ag: float, dg: float) -> None:
        self.rates, self.rng = (ag, dg), Random(0)

    @property
    def ag(self) -> float:
        """Below any price at the rate of AG, else above."""
        return -1e6 if self.rng.random() < self.rates[0] else 1e6

    @property
    def dg(self) -> float:
        """Above any price at the rate of DG, else below."""
        return 1e6 if self.rng.random() < self.rates[1] else -1e6

    def seen(self, price: object) -> None:
        """Nothing is learnt."""


class World(NamedTuple):
    """Mazes, what looking at a cue costs in steps, and whom all are held against."""

    name: str
    mazes: Mazes
    price: float = 0.0
    against: str = "the gauge"


TREES = Mazes(25, "0-59", 500, generator="published")
LOOPS = Mazes(25, "0-39", 2000, place="every")
WORLDS = (
    World("published", Mazes(15, "0-99", 250, generator="published"), 0.0, "published"),
    World("published", TREES, 0.0, "published"),
    World(
        "published", replace(TREES, size=51, seeds="0-12", cap=1000), 0.0, "published"
    ),
    World("trees, goal in the corner", TREES),
    World("trees, goal known", replace(TREES, goal="known")),
    World("loops, goal in any room", replace(LOOPS, size=15, cap=1000)),
    World("loops, goal in any room", LOOPS),
    World("loops, goal known", replace(LOOPS, place="corner", goal="known", cap=500)),
)
PRICED = replace(LOOPS, place="drawn", seeds="5000-5039", cap=500)
PRICES, GRID = (0.25, 1.0, 3.0), (-1e3, -0.1, 0.01, 0.05, 0.1, 0.2, 0.4, 1e3)


@cache
def rows(mazes: Mazes, name: str, agent: Agent) -> list[dict[str, Any]]:
    """A row a maze."""
    return [walked(mazes, seed, agent)[0] for seed in mazes.numbers]


def ours(gates: Any, lam: float = 1.0, shuffled: bool = False) -> Agent:
    """The explorer with a gauge."""
    gauge = Gauge(lam=lam, hops=0)
    return partial(GedigExplorer, gauge=gauge, gates=gates, shuffled=shuffled)


def agents(world: World, ag: float = 0.01) -> dict[str, Agent]:
    """Who walks a world; the chance is that of the gates in the same mazes."""
    plain = {"DFS": DepthFirst, "least visited": LeastVisited, "rooms": Rooms}
    if world.against == "published":
        return {"published": PublishedExplorer, **plain, "frontier": Frontier}
    gates = Fixed(ag, 0.3)
    found = rows(world.mazes, "the gauge", _same(ag))
    asked = [sum(row[f"{gate}_asked"] or 0 for row in found) for gate in ("ag", "dg")]
    fired = [sum(row[f"{gate}_rate"] or 0 for row in found) for gate in ("ag", "dg")]
    rates = [one / max(all_, 1) for one, all_ in zip(fired, asked, strict=True)]
    return {
        "the gauge": _same(ag),
        "AG always": ours(Fixed(LOW, 0.3)),
        "AG never": ours(Fixed(HIGH, 0.3)),
        "DG always": ours(Fixed(ag, HIGH)),
        "DG never": ours(Fixed(ag, LOW)),
        "AG and DG always": ours(Fixed(LOW, HIGH)),
        "at random, same rates": partial(_random, *rates),
        "without gain": ours(gates, lam=0.0),
        "shuffled": ours(gates, shuffled=True),
        **plain,
        "frontier": Frontier,
    }


@cache
def _same(ag: float) -> Agent:
    return ours(Fixed(ag, 0.3))


def _random(ag: float, dg: float) -> Explorer:
    return GedigExplorer(gauge=Gauge(hops=0), gates=Chance(ag, dg))  # type: ignore[arg-type]


def costs(world: World, found: list[dict[str, Any]]) -> list[float]:
    """Steps, and what was paid for looking, a maze each."""
    return [row["mean_steps"] + world.price * (row.get("priced") or 0) for row in found]


def bound(world: World) -> list[float]:
    """The least steps in each maze: a shortest way, or two to each room that is new."""
    found = []
    for seed in world.mazes.numbers:
        maze = world.mazes.draw(Random(seed))
        many = len(maze.rooms) if world.mazes.place == "every" else maze.shortest
        found.append(float(many or world.mazes.cap))
    return found


def measured(world: World, ag: float = 0.01) -> Iterator[list[Any]]:
    """The rows of a world."""
    mazes, least = world.mazes, bound(world)
    base: list[float] = []
    for name, agent in agents(world, ag).items():
        found = rows(mazes, name, agent)
        cost = costs(world, found)
        base = base or cost
        told = interval(cost).to_dict()
        gap, p = paired(cost, base).to_dict(), permutation(cost, base)
        looked = [row["priced"] for row in found if row.get("priced") is not None]
        fired = [row["ag_rate"] / row["walked"] for row in found if row.get("ag_rate")]
        yield [
            *(world.name, mazes.size, mazes.seeds, mazes.cap, world.price, name),
            *(len(cost), round(mean([row["success"] for row in found]), 4)),
            round(mean([row["mean_steps"] for row in found]), 2),
            *(told[end] for end in ("mean", "low", "high")),
            *(round(mean(least), 2), round(sum(cost) / sum(least), 3)),
            *(round(mean(looked), 1) if looked else "",),
            *(round(mean(fired), 4) if fired else "",),
            *(gap["mean"], gap["low"], gap["high"], round(p, 4)),
        ]


def mean(values: list[float]) -> float:
    """Their mean, 0 for none."""
    return sum(values) / max(len(values), 1)


def chosen(price: float) -> float:
    """The threshold of AG that is cheapest at a price, on the seeds kept for it."""
    world = World("", replace(PRICED, seeds="1000-1019"), price)
    found = {ag: mean(costs(world, rows(world.mazes, "", _same(ag)))) for ag in GRID}
    return min(found, key=lambda ag: (found[ag], ag))


def priced(price: float) -> Iterator[list[Any]]:
    """The rows of the world in which a look costs so many steps."""
    ag = chosen(price)
    yield from measured(World(f"looking costs, AG at {ag:g}", PRICED, price), ag)


if __name__ == "__main__":
    parts = {str(n): partial(measured, world) for n, world in enumerate(WORLDS)}
    parts |= {f"a look costs {price}": partial(priced, price) for price in PRICES}
    grown(sys.argv[1], HEADS, parts)

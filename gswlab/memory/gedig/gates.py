"""Gates that decide passage by passage: ours, parts of it, and what it is held against.

All choose from the same two offers, so that gates differ in nothing but when they fire:
the next passage of the first list, and the likeliest one that a link leads to.

- AG fires where the first is dear (g0 > theta_AG): links are looked along, and the
  cheaper of the two is the offer.
- DG fires where the offer is worth its price (g_min <= theta_DG): it is brought in.
  Where DG does not fire, nothing more is, and the question is answered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Literal

from pydantic import Field

from gswlab.gedig.gates import Fixed, Thresholds, fire
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.reading import told
from gswlab.memory.gedig.episode import Decision, Episode
from gswlab.settings import checked

Reads = Literal["all", "similarity", "structure"]


@dataclass
class Gauged:
    """AG and DG on the gauge that reads.

    A passage costs its tokens, as a share of a mean one's, and its edges beyond the
    first; its gain is by how much clearer it becomes where support lies.

    Args:
        gauge: weighs the terms; its hops and norm are not used.
        thresholds: of g0 for AG, of g_min for DG.
        reads: `similarity` has the cosine for gain and no links in it, `structure`
            costs and ways alone and no text: what each part does by itself.
        settled: weight of what nobody asks, beside the posterior.
        least: passages brought in before DG may end it.
    """

    gauge: Gauge = field(default_factory=lambda: Gauge(lam=1.0, hops=1))
    thresholds: Thresholds = field(default_factory=Fixed)
    reads: Reads = "all"
    settled: float = 0.2
    least: int = 1

    def decide(self, episode: Episode) -> Decision:
        """The cheaper of the two offers, where it is worth its price."""
        spot = episode.spot
        if spot is None:
            return Decision("answer", reason="no room is left", forced=True)
        here = self.terms(episode, spot, linked=False)
        offers = [(spot, here)]
        price = self._price(episode, offers)
        fired = fire(price, self.thresholds)
        link = episode.link if fired.ag and episode.held else None
        if link is not None:
            offers.append((link, self.terms(episode, link, linked=True)))
            price = self._price(episode, offers)
        fired = fire(price, self.thresholds)
        row, linked = offers[price.hop][0], price.hop > 0
        self.thresholds.seen(price)
        if not fired.dg and len(episode.held) >= self.least:
            return self._done("answer", (), price, "nothing is worth its price")
        why = "its link is cheaper" if linked else "the cheapest on offer"
        return self._done("follow" if linked else "take", (row,), price, why)

    def _done(
        self, action: Literal["take", "follow", "answer"], rows: tuple[int, ...],
        price: Price, why: str,
    ) -> Decision:  # fmt: skip
        return Decision(action, rows, price, self.gauge, self.thresholds, why)

    def _price(self, episode: Episode, offers: Sequence[tuple[int, Terms]]) -> Price:
        """A hop an offer: the first list lies at none, a link one further."""
        terms = tuple(each for _, each in offers)
        series = tuple(self.gauge.weighed(each) for each in terms)
        best = series.index(min(series))
        edit = episode.edit((offers[best][0],), linked=best > 0)
        return Price(edit, terms, series)

    def terms(self, episode: Episode, row: int, *, linked: bool) -> Terms:
        """Cost and gain of one passage."""
        edges = len(episode.edit((row,), linked).edges) - 1
        size = episode.field.tokens[row] / episode.mean
        cost = (size + 0.0 * edges) / 2
        if self.reads == "structure":
            return Terms(cost, 0.0, edges / (1 + edges))
        if self.reads == "similarity":
            return Terms(cost, float(episode.sight.near[row]), 0.0)
        before = episode.support(episode.held, self.settled)
        after = episode.support([*episode.held, row], self.settled)
        return Terms(cost, told(before, after), 0.0)


_Rate = Annotated[float, Field(ge=0, le=1)]
_Count = Annotated[int, Field(ge=0)]


@dataclass
class Rounds:
    """A fixed number of rounds along links, then the first list to the end.

    The `width` best passages first, then `rounds` times as many by their links. None is
    `never`, more than there are passages `always`.
    """

    rounds: int = 1
    width: int = 1

    def __post_init__(self) -> None:
        checked(self.rounds, _Count, "gate.rounds")
        checked(self.width, Annotated[int, Field(ge=1)], "gate.width")

    def decide(self, episode: Episode) -> Decision:
        """By the number of passages held, whatever they say."""
        held = len(episode.held)
        due = self.width <= held < self.width * (1 + self.rounds)
        return either(episode, due, f"round {held // self.width}")


@dataclass
class Chance:
    """Looks along a link with a chance of `rate`, whatever was read.

    The draws depend on the seed and on the question alone.
    """

    rate: float = 0.45
    seed: int = 0
    _drawn: dict[str, Random] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        checked(self.rate, _Rate, "gate.rate")

    def decide(self, episode: Episode) -> Decision:
        """A draw for each decision after the first."""
        words = f"{self.seed} {' '.join(episode.sight.cues)}"
        key = hashlib.sha256(f"{words} {episode.step}".encode()).hexdigest()
        drawn = int(key[:8], 16) / 16**8
        return either(episode, drawn < self.rate, "drawn")


def either(episode: Episode, follow: bool, why: str) -> Decision:
    """The link, where there is one and it is wanted; else the first list's next."""
    spot = episode.spot
    if spot is None:
        return Decision("answer", reason="no room is left", forced=True)
    link = episode.link if follow and episode.held else None
    if link is None:
        return Decision("take", (spot,), reason=why)
    return Decision("follow", (link,), reason=why)

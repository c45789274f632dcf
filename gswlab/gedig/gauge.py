"""The gauge: what an edit costs against what it brings, in one number.

    F = dEPC - lam * (dH + gamma * dSP)

Lower is better, and below zero the gain exceeds the cost. dEPC is the edit's operations
over a norm, dH its gain of information (`gswlab.gedig.entropy`: positive is gain,
whichever way a variant counts it), dSP the share by which ways get shorter. It is
evaluated in balls of 0, 1, ... hops around what changes: `g0` is the price on the spot,
`g_min` the best of all hops.

Source: the geDIG paper (Miyauchi) and its published code; `PRESETS` has their settings
by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from gswlab.core.errors import checked
from gswlab.gedig.edit import Edit, NxGraph, Proposal, Vertex, shortening

Gain: TypeAlias = float | Callable[[Sequence[Vertex]], float]
_Share = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_MOST = 32  # nodes of a ball beside those that change


@dataclass(frozen=True)
class Terms:
    """The three parts of one evaluation, before they are weighed."""

    cost: float
    gain: float
    shorter: float


@dataclass(frozen=True)
class Price:
    """An edit's price at 0, 1, ... hops."""

    edit: Edit
    terms: tuple[Terms, ...]
    series: tuple[float, ...]

    @property
    def g0(self) -> float:
        """The price on the spot."""
        return self.series[0]

    @property
    def g_min(self) -> float:
        """The lowest price of all hops, the spot among them."""
        return min(self.series)

    @property
    def hop(self) -> int:
        """The number of hops of the lowest price; of equals the fewest."""
        return self.series.index(self.g_min)

    def __repr__(self) -> str:
        return f"Price(g0={self.g0:.3f}, g_min={self.g_min:.3f} at {self.hop} hops)"


@dataclass(frozen=True)
class Gauge:
    """Settings of the gauge; calling it prices an edit and changes nothing.

    `lam` weighs gain against cost, `gamma` shorter ways against information, `hops` is
    the widest ball. `norm` is what a cost is divided by: one and the `edges` of the
    ball after the edit, or one and the number of `candidates` there were. `signed`
    keeps ways that get longer.

    >>> import networkx as nx
    >>> Gauge()(nx.path_graph(5), Edit(edges=((0, 4),)), gain=0.5, candidates=2).hop
    2
    """

    lam: float = 1.0
    gamma: float = 1.0
    hops: int = 3
    norm: Literal["edges", "candidates"] = "candidates"
    signed: bool = True

    def __post_init__(self) -> None:
        for name in ("lam", "gamma"):
            checked(getattr(self, name), _Share, f"gauge.{name}")
        checked(self.hops, Annotated[int, Field(ge=0)], "gauge.hops")

    def __call__(
        self, graph: NxGraph, edit: Edit, gain: Gain, candidates: int = 1
    ) -> Price:
        """The price of an edit of a graph.

        Args:
            graph: as it is before the edit; it is not changed.
            edit: what is proposed.
            gain: of information, in [-1, 1]; a function of the ball where it depends
                on the hop.
            candidates: what the edit was chosen from, for `norm="candidates"`.
        """
        proposal = Proposal(graph, edit)
        widest, sizes = proposal.rings(self.hops, _MOST)
        before, after = proposal.links(widest)
        terms: list[Terms] = []
        for hop, size in enumerate(sizes):  # a ball is the beginning of the next one
            if hop > 1 and size == sizes[hop - 1]:
                terms.append(terms[-1])
                continue
            ball = widest[:size]
            links = before[:size, :size], after[:size, :size]
            edges = int(links[1].sum()) // 2
            norm = 1 + (edges if self.norm == "edges" else max(1, candidates))
            shorter = shortening(proposal, ball, links) if hop else 0.0
            shorter = shorter if self.signed else max(0.0, shorter)
            told = gain(ball) if callable(gain) else gain
            terms.append(Terms(proposal.cost / norm, told, shorter))
        return self.price(edit, terms)

    def price(self, edit: Edit, terms: Sequence[Terms]) -> Price:
        """The price of an edit by its terms, one a hop."""
        return Price(edit, tuple(terms), tuple(map(self.weighed, terms)))

    def weighed(self, terms: Terms) -> float:
        """F of its terms: recorded ones can be weighed anew without a graph."""
        return terms.cost - self.lam * (terms.gain + self.gamma * terms.shorter)


# lambda 1 in the maze whatever its flag says; the paper's text has 0.3
PRESETS = {
    "maze": Gauge(lam=1.0, gamma=1.0, hops=10, norm="candidates", signed=False),
    "hotpotqa": Gauge(lam=1.0, gamma=0.2, hops=3, norm="edges"),
    "paper": Gauge(lam=0.3, gamma=1.0, hops=3, norm="edges"),
}

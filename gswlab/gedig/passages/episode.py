"""One question's retrieval: what is held, what is on offer, and what a gate decides.

A gate is asked until it answers or no room is left. What it brings in becomes a node of
the question's graph, tied to the question (first list) or to the passage that led there
(link), and to whatever it shares a link with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Literal, Protocol

import networkx as nx

from gswlab.gedig.edit import Edit, FloatArray
from gswlab.gedig.entropy import SupportWeights
from gswlab.gedig.gauge import Gauge, Price
from gswlab.gedig.passages.field import PassageField, Relevance, Sight
from gswlab.gedig.thresholds import Thresholds

GateAction = Literal["retrieve", "take", "follow", "answer"]
QUESTION = "question"
_SEPARATOR = 1  # tokens between two passages, at most about


@dataclass(frozen=True)
class GateDecision:
    """What a gate decided, at which price, and the passages it brings in.

    Without a price no gauge was asked; without thresholds no gate of it.
    """

    action: GateAction
    rows: tuple[int, ...] = ()
    price: Price | None = None
    gauge: Gauge = field(default_factory=Gauge)
    thresholds: Thresholds | None = None
    reason: str = ""
    forced: bool = False


class Gate(Protocol):
    """Who decides what is read next, and when it is enough."""

    def decide(self, episode: Retrieval) -> GateDecision:
        """What is read next, or that it is enough; nothing is brought in here."""


@dataclass
class Retrieval:
    """A question under way.

    `order` is the first list, best first; `seen` bounds the passages that the posterior
    is over: the first so many of that list, and whatever is tied to what is held.
    """

    sight: Sight
    relevance: Relevance
    order: Sequence[int]
    budget: int
    seen: int = 30
    held: list[int] = field(default_factory=list)
    graph: nx.Graph[Any] = field(default_factory=nx.Graph)
    tokens: int = 0
    step: int = 0

    def __post_init__(self) -> None:
        self.graph.add_node(QUESTION)

    @property
    def field(self) -> PassageField:
        """The passages with their ties, the same for every question."""
        return self.sight.field

    @cached_property
    def prior(self) -> FloatArray:
        """The posterior of every passage while nothing is held."""
        return self.relevance(self.sight.told((), range(self.sight.size)))

    def posterior(self, rows: Sequence[int], *, links: bool = True) -> FloatArray:
        """That passages support an answer, by what is held now."""
        return self.relevance(self.sight.told(self.held, rows, links=links))

    def support(
        self, rows: Sequence[int], settled: float, *, links: bool = True
    ) -> SupportWeights:
        """Where support lies, of `rows`, none of them held, and of what is held."""
        weights = self.posterior([*rows, *self.held], links=links)
        there = float(weights[len(rows) :].sum())
        return SupportWeights(settled + there, tuple(weights[: len(rows)].tolist()))

    @property
    def tied(self) -> list[int]:
        """What links lead to from what is held, where there is room for it."""
        found = {other for row in self.held for other in self.field.tied(row)}
        return [row for row in sorted(found - {*self.held}) if self.fits(row)]

    def fits(self, row: int) -> bool:
        """Whether there is room for one more passage."""
        return self.tokens + self.field.tokens[row] + _SEPARATOR <= self.budget

    def listed(self, count: int) -> list[int]:
        """The next passages of the first list for which there is room."""
        kept = {*self.held}
        found = (r for r in self.order if r not in kept and self.fits(r))
        return list(islice(found, count))

    def edit(self, rows: Sequence[int], linked: bool = False) -> Edit:
        """Passages brought in, and their ties to what is there."""
        edges = []
        for n, row in enumerate(rows):
            there = [*self.held, *rows[:n]]
            near = [self.name(o) for o in there if o in self.field.tied(row)]
            ends = near if linked and near else [QUESTION, *near]
            edges += [(end, self.name(row)) for end in ends]
        return Edit(tuple(map(self.name, rows)), tuple(edges))

    def name(self, row: int) -> str:
        """The id of a passage's chunk: its node in the question's graph."""
        return self.field.chunks[row].id

    def bring(self, rows: Sequence[int], edit: Edit) -> None:
        """Hold passages, as far as there is room."""
        for row in rows:
            if row not in self.held and self.fits(row):
                self.held.append(row)
                self.tokens += self.field.tokens[row] + _SEPARATOR
        edit.apply(self.graph)

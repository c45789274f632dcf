"""Graph only: a query of the graph written for the question, and no vectors.

By rules, the query names what the question names: the characters it calls by name, the
events it numbers. Ties between two of them, or all of one, are looked up, then the
nodes themselves, then what lies within k hops, in the order of the plot. A question
that names nothing finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gswlab.memory.budget import cut, retrieved
from gswlab.memory.plot.graphed import Graphed
from gswlab.memory.plot.outline import Outline
from gswlab.question.plots import numbers
from gswlab.store.nouns import Neighbourhood
from gswlab.workspace.nouns import Evidence, Item, TraceEvent
from gswlab.workspace.step import Step


@dataclass
class GraphOnly(Graphed):
    """What the graph says of what the question names, within `k` hops."""

    k: int = 1
    limit: int = 1000

    def finish(self) -> Step:
        """Look at the graph; with nothing new nothing happens."""
        known = self.outline is not None
        nodes = len(self.outlined().nodes)
        events = () if known else (TraceEvent("indexed", {"nodes": nodes}),)
        return Step(len(self.chunks), None, events=events)

    def recall(self, question: str, budget: int) -> Evidence:
        """Ties of the named, the named, their neighbours; cut to the budget."""
        outline = self.outlined()
        named = outline.named(question)
        hood = self.store.neighbourhood(named, self.k, limit=self.limit)
        people = outline.people(question)
        ties = self.telling.ties(hood.edges, people, numbers(question))
        items = cut([*ties, *self._nodes(outline, hood, named)], budget)
        return retrieved(items, {"by": "graph", "named": [*named], "k": self.k})

    def _nodes(
        self, outline: Outline, hood: Neighbourhood, named: tuple[str, ...]
    ) -> Iterator[Item]:
        """The named; then what is tied to most of them, in the order of the plot."""
        tied = dict.fromkeys(hood.distance, 0)
        for one, other in {(edge.source, edge.target) for edge in hood.edges}:
            tied[one] += other in named
            tied[other] += one in named
        place = {id_: at for at, id_ in enumerate(outline.nodes)}
        others = [id_ for id_ in hood.distance if id_ not in named]
        others.sort(key=lambda id_: (hood.distance[id_], -tied[id_], place[id_]))
        yield from (self.telling.node(id_) for id_ in [*named, *others])

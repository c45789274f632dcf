"""Graph only: a query of the graph written for the question, and no vectors.

By rules, the query names what the question names: the characters it calls by name, the
events it numbers. Ties between two of them, or all of one, are looked up, then the
nodes themselves, then what lies within k hops, in the order of the plot. A question
that names nothing finds nothing. With a model, the query is Cypher of the model's,
checked and read as a pattern; what it finds takes the place of what is named, and where
it cannot be used the rules are, and the trace says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gswlab.core.budget import cut, retrieved
from gswlab.core.nouns import Evidence, Item, TraceEvent
from gswlab.core.step import Step
from gswlab.memory.plot.graphed import Graphed, hops
from gswlab.memory.plot.outline import Outline
from gswlab.memory.plot.written import written
from gswlab.models.model import Model
from gswlab.question.plots import numbers
from gswlab.store.nouns import Neighbourhood


@dataclass
class GraphOnly(Graphed):
    """What the graph says of what the question names, within `k` hops."""

    k: int = 1
    limit: int = 1000
    model: Model | None = None

    def __post_init__(self) -> None:
        hops(self.k)

    def finish(self) -> Step:
        """Look at the graph; with nothing new nothing happens."""
        known = self.outline is not None
        nodes = len(self.outlined().nodes)
        events = () if known else (TraceEvent("indexed", {"nodes": nodes}),)
        return Step(len(self.chunks), None, events=events)

    def recall(self, question: str, budget: int) -> Evidence:
        """Ties of the named, the named, their neighbours; cut to the budget."""
        outline = self.outlined()
        named, events = self._found(question, outline)
        hood = self.store.neighbourhood(named, self.k, limit=self.limit)
        people = [id_ for id_ in named if id_ not in outline.order]
        ties = self.telling.ties(hood.edges, people, numbers(question))
        items = cut([*ties, *self._nodes(outline, hood, named)], budget)
        found = retrieved(items, {"by": "graph", "named": [*named], "k": self.k})
        return replace(found, trace=(*events, *found.trace))

    def _found(
        self, question: str, outline: Outline
    ) -> tuple[tuple[str, ...], tuple[TraceEvent, ...]]:
        """Where the graph is entered: by a model's query, else by what is named."""
        events: tuple[TraceEvent, ...] = ()
        if self.model is not None:
            query, events = written(question, outline, self.model)
            paths = self.store.match(*query) if query else ()
            nodes = (node.id for path in paths for node in path.nodes)
            if ids := tuple(
                dict.fromkeys(id_ for id_ in nodes if id_ in outline.nodes)
            ):
                return ids, events
        return outline.named(question), events

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

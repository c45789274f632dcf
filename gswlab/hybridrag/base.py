"""What memories that enter a plot's graph have in common: writing it, knowing it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from gswlab.core.errors import RUN, GswlabError
from gswlab.core.nouns import Chunk, TraceEvent
from gswlab.core.step import Step
from gswlab.hybridrag.outline import Outline, PlotEvidence
from gswlab.hybridrag.plot import Plot, plot_graph
from gswlab.hybridrag.stores.common import Update, update
from gswlab.hybridrag.stores.nouns import GraphEdge, GraphStore


def hops(k: int) -> int:
    """`k`, or one sentence that it is no number of hops."""
    if k < 0:
        rule = "k is a number of hops, 0 or more"
        raise GswlabError(f"k is {k}", rule, f"{RUN} experiment=plot k=1")
    return k


@dataclass
class Graphed:
    """A graph store that holds one plot, and an outline made from it again if stale."""

    experiments: ClassVar[Sequence[str]] = ("plot",)
    store: GraphStore
    chunks: dict[str, Chunk] = field(default_factory=dict, init=False, repr=False)
    outline: Outline | None = field(default=None, init=False, repr=False)
    _graphed: dict[str, list[GraphEdge]] = field(
        default_factory=dict, init=False, repr=False
    )

    def insert(self, plot: Plot) -> Update:
        """Make the store hold this plot; only what differs is written."""
        self.store = self.store.named(plot.document.id)
        self.outline = None
        graph = plot_graph(plot)
        self._graphed = defaultdict(list)
        for edge in graph.edges:
            for end in {edge.source, edge.target, edge.at}:
                self._graphed[end].append(edge)
        return update(self.store, graph)

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep where a node is told: a chunk's id is its node's."""
        self.chunks[chunk.id] = chunk
        self.outline = None
        # what the graph says of the node and those told before: from, what, to
        ties = tuple(
            (edge.source, edge.name or edge.type.replace("_", " ").lower(), edge.target)
            for edge in self._graphed.get(chunk.id, ())
            if {edge.source, edge.target, edge.at} - {""} <= self.chunks.keys()
        )
        kept = TraceEvent("kept", {"node": chunk.id, "ties": ties}, (chunk.span,))
        return Step(len(self.chunks) - 1, chunk.id, events=(kept,))

    def clone(self) -> Self:
        """The same settings, nothing read."""
        return replace(self)

    def outlined(self) -> Outline:
        """The outline of what the store holds.

        Raises:
            GswlabError: it holds nothing: there was text, and no plot.
        """
        if self.outline is None:
            self.outline = Outline.of(self.store)
        if self.chunks and not self.outline.nodes:
            problem = f"the graph {self.store.name!r} is empty"
            rule = "this memory reads plots"
            raise GswlabError(problem, rule, f"{RUN} experiment=plot")
        return self.outline

    @property
    def telling(self) -> PlotEvidence:
        """The outline, made anew if stale, as evidence; `GswlabError` if empty."""
        return PlotEvidence(self.outlined(), self.chunks)

"""Parallel Hybrid-RAG: documents by their vectors beside the graph, both handed over.

The scheme that serial Hybrid-RAG is measured against: a vector index of the document's
chunks and a graph are searched side by side. The graph's part is `graph` as it is, so
that the two differ by the documents alone.

Source: Sarmah et al. 2024 as Kondo & Oda run it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from gswlab.baselines.dense import Dense
from gswlab.core.budget import cut, tokens_of
from gswlab.core.nouns import Chunk, Evidence
from gswlab.core.step import Step
from gswlab.hybridrag.plot import Plot
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.stores.common import Update
from gswlab.hybridrag.stores.nouns import GraphStore


@dataclass
class Parallel:
    """The best `documents` chunks, and what the graph has within `tokens`."""

    experiments: ClassVar[Sequence[str]] = ("plot",)
    graph: Serial
    dense: Dense
    documents: int = 5
    tokens: int = 300

    @property
    def store(self) -> GraphStore:
        """The store of the graph; the documents are kept beside it."""
        return self.graph.store

    def insert(self, plot: Plot) -> Update:
        """Make the graph hold this plot."""
        return self.graph.insert(plot)

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep one more chunk, in both."""
        self.dense.partial_fit(chunk)
        return self.graph.partial_fit(chunk)

    def finish(self) -> Step:
        """Index both."""
        told = self.dense.finish()
        step = self.graph.finish()
        return replace(step, events=(*told.events, *step.events))

    def recall(self, question: str, budget: int) -> Evidence:
        """Documents, then the graph; `budget` cuts from the end."""
        self.finish()
        rows = self.dense.rank(question)[: self.documents] if self.dense.chunks else ()
        found = [self.dense.item(row, score) for row, score in rows]
        graph = self.graph.recall(question, self.tokens)
        items = cut([*found, *graph.items], budget)
        return Evidence(items, tokens_of(items), graph.trace)

    def clone(self) -> Self:
        """The same settings, nothing read."""
        return replace(self, graph=self.graph.clone(), dense=self.dense.clone())

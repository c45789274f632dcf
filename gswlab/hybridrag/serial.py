"""Serial Hybrid-RAG: a vector hit selects nodes, the graph gives what is around them.

- A insert: a plot into the graph store; B embed: its nodes' texts. Then for each
  question I embed it, II the nearest nodes, III all nodes within k hops of them, IV
  their texts, within the budget, joined with the question for V, the reader.
- The published system (`PublishedSerial`) embeds descriptions only, takes the
  nearest node alone and hands over its neighbourhood as it comes. Here names and ties
  are embedded too, what a question calls by name is a seed, neighbours are ranked, and
  the ties between seeds are told with the events at which they hold. Each is a setting.

Source: Kondo & Oda, serial Hybrid-RAG on novel plots (Kurume NCT), steps A, B, I-V.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from pydantic import Field

from gswlab.core.budget import cut, retrieved
from gswlab.core.errors import GswlabError, checked
from gswlab.core.nouns import JSON, Evidence, TraceEvent
from gswlab.core.step import Step
from gswlab.hybridrag.outline import EmbeddedText, Graphed, Outline, hops
from gswlab.hybridrag.question import PlotCue, event_numbers, plot_cue
from gswlab.models.vectors.embedder import Embedder, Vectors, query_vectors
from gswlab.models.vectors.nearest import best

_RULE = "memory=serial finds nodes by their vectors"


@dataclass
class Serial(Graphed):
    """Nodes near a question and what the graph has around them.

    Args:
        embedder: vectors of nodes and questions.
        k: hops from a seed that are handed over.
        seeds: nearest nodes that the graph is entered at; the published system has 1.
        named: whether nodes that the question calls by name or number are seeds too.
        embed: what of a node is embedded: description, with its name, with its ties.
        ranked: whether nodes are handed over nearest first; else as they lie, hop by
            hop, which is the published system.
        nodes: most nodes handed over.
        joined: worth of each seed that a node is tied to, in deviations of the cosine.
        edges: whether the ties of seeds are told, not the nodes alone.
        at: whether of a tie only what holds at the event that the question numbers.
        parted: whether a question that sets one event against another, or asks what
            came after one, is looked up part by part.
        limit: nodes looked at, however many lie within k hops.
    """

    embedder: Embedder | None = None
    k: int = 1
    seeds: int = 2
    named: bool = True
    embed: EmbeddedText = "relations"
    ranked: bool = True
    nodes: int = 4
    joined: float = 0.5
    edges: bool = True
    at: bool = True
    parted: bool = True
    limit: int = 1000
    _texts: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    _rows: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    _indexed: Outline | None = field(default=None, init=False, repr=False)
    _vectors: Vectors = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        hops(self.k)
        for name, least in (("seeds", 0), ("nodes", 1), ("limit", 1)):
            rule = Annotated[int, Field(ge=least)]
            checked(getattr(self, name), rule, f"memory.{name}")

    def finish(self) -> Step:
        """Step B: embed the nodes whose text is new; with nothing new nothing happens.

        Raises:
            GswlabError: there is no embedder.
        """
        at = len(self.chunks)
        if self.outline is not None and self.outline is self._indexed:
            return Step(at, None)
        if self.embedder is None:
            raise GswlabError("there is no embedder", _RULE, "embedder=bilingual")
        outline = self.outlined()
        texts = {id_: outline.embedded(id_, self.embed) for id_ in outline.nodes}
        new = [id_ for id_, text in texts.items() if self._texts.get(id_) != text]
        rows = self.embedder.embed([texts[id_] for id_ in new])
        known = {i: self._vectors[row] for i, row in self._rows.items()}
        fresh = known | dict(zip(new, rows, strict=True))
        kept = {id_: fresh[id_] for id_ in texts}
        self._vectors = np.stack([*kept.values()]) if kept else self.embedder.embed([])
        self._rows = {id_: row for row, id_ in enumerate(texts)}
        self._texts, self._indexed = texts, outline
        data = {"nodes": len(texts), "embedded": len(new)}
        return Step(at, None, events=(TraceEvent("indexed", data),))

    def recall(self, question: str, budget: int) -> Evidence:
        """Steps I to IV: what the graph has around the nodes nearest to a question."""
        self.finish()
        outline = self.outlined()
        if not self._rows:
            return retrieved((), {"by": "serial", "seeds": []})
        people = outline.people(question)
        asked = plot_cue(question, len(people))
        parts = asked.parts if self.parted else ()
        # a row a text: each node's cosine with it, in deviations from the mean, as the
        # cosines of two embedders lie in two ranges and `joined` is to mean the same
        assert self.embedder is not None
        texts = parts or (question,)
        cosines = query_vectors(texts, self.embedder) @ self._vectors.T
        spread = cosines.std(axis=1, keepdims=True)
        centred = cosines - cosines.mean(axis=1, keepdims=True)
        scores: Vectors = centred / np.where(spread > 0, spread, 1)
        first = self._first(asked, scores)
        called = outline.named(question) if self.named else ()
        seeds = tuple(dict.fromkeys([*called, *first]))
        hood = self.store.neighbourhood(seeds, self.k, limit=self.limit)
        at = event_numbers(question) if self.at else ()
        ties = self.ties(hood.edges, people, at) if self.edges else ()
        # nodes of the neighbourhood, the nearest first, then the most telling
        best_scores = scores.max(axis=0)
        worth = {id_: float(best_scores[self._rows[id_]]) for id_ in hood.distance}
        order = list(worth)
        if self.ranked:
            for edge in {(e.source, e.target) for e in hood.edges}:
                for end, other in (edge, edge[::-1]):
                    worth[end] += self.joined * (hood.distance[other] == 0)
            order.sort(key=lambda id_: (id_ not in first, -worth[id_]))
            order = order[: self.nodes]
        told = [*ties, *(self.node(id_, worth[id_]) for id_ in order)]
        data: dict[str, JSON] = {"by": "serial", "seeds": [*seeds], "k": self.k}
        data |= {"reached": [*hood.distance], "cut": hood.cut}
        return retrieved(cut(told, budget), data)

    def _first(self, asked: PlotCue, scores: Vectors) -> tuple[str, ...]:
        """The nearest nodes; of a question in parts, the nearest event of each.

        What comes right after an event is the next one along the order of events.
        """
        outline, ids = self.outlined(), [*self._rows]
        if not (self.parted and asked.parts):
            return tuple(ids[row] for row in best(scores[0], self.seeds))
        rows = np.array([self._rows[id_] for id_ in outline.order], np.intp)
        nearest = [ids[rows[line[rows].argmax()]] for line in scores if len(rows)]
        if asked.form == "next":
            places = [outline.order[id_] + 1 for id_ in nearest]
            nearest += [outline.id_at(n) for n in places if n <= len(rows)]
        return tuple(dict.fromkeys(nearest))


@dataclass
class PublishedSerial(Serial):
    """As published: one seed by its description, its neighbourhood as it lies."""

    seeds: int = 1
    named: bool = False
    embed: EmbeddedText = "descriptions"
    ranked: bool = False
    edges: bool = False
    parted: bool = False

"""`memory=gedig`: passages brought in one decision at a time, each one in the trace.

1) the first list: passages by the posterior that they support an answer, or by another
memory's ranking  2) a gate decides: bring in passages, of that list or along a link, or
answer  3) until it answers, or no room is left. `gate=NAME` chooses who decides.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Self

import numpy as np
from pydantic import Field

from gswlab.baselines.passages import Passages, Ranking
from gswlab.core.budget import cut, tokens_of
from gswlab.core.errors import checked
from gswlab.core.nouns import JSON, Chunk, Evidence, Span, TraceEvent
from gswlab.core.step import Step
from gswlab.gedig.passages.episode import Gate, GateDecision, Retrieval
from gswlab.gedig.passages.field import PassageField, Relevance, Sight
from gswlab.gedig.record import priced
from gswlab.gedig.thresholds import Fixed
from gswlab.language.language import language_of
from gswlab.models.vectors.embedder import Embedder
from gswlab.text.sentences import sentences


@dataclass
class Gedig(Passages):
    """Passages chosen by a gate.

    Args:
        gate: who decides.
        embedder: vectors of passages and questions.
        relevance: the posterior that gates and offers rest on.
        first: whose ranking the first list is; without one, the posterior's.
        sentences: whether sentences are brought in, one by one; by default as the gate
            is made for.
        steps: decisions a question may take.
    """

    gate: Gate
    embedder: Embedder | None = None
    relevance: Relevance = field(default_factory=Relevance)
    first: Passages | None = None
    sentences: bool | None = None
    steps: int = 200
    seconds: dict[str, float] = field(default_factory=dict, init=False, repr=False)
    _field: PassageField | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        checked(self.steps, Annotated[int, Field(ge=1)], "memory.steps")

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep one more chunk, or its sentences: each a chunk of the same title."""
        own = getattr(self.gate, "unit", "") == "sentence"
        if not (own if self.sentences is None else self.sentences):
            return super().partial_fit(chunk)
        start, parts = chunk.span.start, []
        for n, (a, b) in enumerate(sentences(chunk.text, language_of(chunk.text))):
            span = Span(chunk.document, start + a, start + b)
            name, text = f"{chunk.id}.{n}", chunk.text[a:b]
            parts.append(replace(chunk, id=name, text=text, span=span))
        first = super().partial_fit(parts[0] if parts else chunk)
        self.chunks += parts[1:]
        (kept,) = first.events
        spans = tuple(part.span for part in parts) or kept.spans
        return replace(first, chunk=chunk.id, events=(replace(kept, spans=spans),))

    def index(self, texts: Sequence[str]) -> None:
        """Count, embed and tie; the first list's memory reads the same."""
        self._field = PassageField.of(self.chunks, self.embedder)
        if self.first is not None:
            self.first = self.first.clone().over(self.chunks)

    def rank(self, question: str) -> Ranking:
        """The passages brought in, in that order, whatever the room."""
        return [(row, 1.0) for row in self.episode(question, 10**9)[0].held]

    def recall(self, question: str, budget: int) -> Evidence:
        """What the gate brought in, and every decision in the trace."""
        self.finish()
        if self._field is None:
            return Evidence((), 0)
        episode, trace = self.episode(question, budget)
        scores = episode.prior
        items = [self.item(row, float(scores[row])) for row in episode.held]
        kept = cut(items, budget)
        return Evidence(kept, tokens_of(kept), trace)

    def episode(
        self, question: str, budget: int
    ) -> tuple[Retrieval, tuple[TraceEvent, ...]]:
        """A question's retrieval from its beginning to its end."""
        assert self._field is not None
        # 1. the first list
        began = time.perf_counter()
        episode = Retrieval(Sight(self._field, question), self.relevance, (), budget)
        if self.first is not None:
            episode.order = [row for row, _ in self.first.rank(question)]
        else:
            episode.order = np.argsort(-episode.prior, kind="stable").tolist()
        # 2. the gate decides, until it answers
        listed = time.perf_counter()
        events = []
        for _ in range(self.steps):
            decision = self.gate.decide(episode)
            rows = [row for row in decision.rows if row not in episode.held]
            linked = decision.action == "follow"
            price = decision.price
            episode.bring(rows, price.edit if price else episode.edit(rows, linked))
            events.append(self._event(episode, decision, rows))
            episode.step += 1
            if decision.action == "answer":
                break
        spent = {"retrieval": listed - began, "gauge": time.perf_counter() - listed}
        for what, seconds in spent.items():
            self.seconds[what] = self.seconds.get(what, 0.0) + seconds
        return episode, tuple(events)

    def _event(
        self, episode: Retrieval, decision: GateDecision, rows: Sequence[int]
    ) -> TraceEvent:
        brought = [self.chunks[row] for row in rows]
        spans = tuple(chunk.span for chunk in brought)
        labels = (c.title or " ".join(c.text.split()[:6]) for c in brought)
        more: dict[str, JSON] = {"step": episode.step, "labels": tuple(labels)}
        more |= {"forced": decision.forced, "tokens": episode.tokens}
        more["reason"] = decision.reason
        action, price = decision.action, decision.price
        if price is None:
            return TraceEvent("decided", {"action": action, **more}, spans)
        thresholds = decision.thresholds or Fixed()
        return priced(price, decision.gauge, thresholds, action, spans, more)

    def clone(self) -> Self:
        """The same settings, nothing read."""
        return replace(self, first=self.first.clone() if self.first else None)

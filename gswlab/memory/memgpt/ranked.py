"""Recall storage by likelihood: every message, the most likely for its tokens first.

All messages are held, stems and vectors: a search of this kind is for the conversations
of people, of thousands of messages. What is new is counted at the next search.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gswlab.memory.memgpt.nouns import Hit, Message, Page
from gswlab.memory.memgpt.ranking import Ranker
from gswlab.memory.memgpt.recall import By, Recall
from gswlab.memory.memgpt.said import Conversation
from gswlab.models.vectors.embedder import Embedder

COST = 0.5  # power of a message's tokens that its probability is divided by


@dataclass
class Ranked:
    """Pages of a recall storage, ranked; `ready` does what can be done before.

    `by` may leave one signal alone, to be measured: `ranked_words` is BM25 over stems,
    `ranked_meaning` the cosine.
    """

    recall: Recall
    embedder: Embedder | None = None
    by: By = "ranked"
    _known: tuple[int, int] = field(default=(0, 0), init=False, repr=False)
    _said: list[Message] = field(default_factory=list, init=False, repr=False)
    _ranker: Ranker | None = field(default=None, init=False, repr=False)
    _last: tuple[str, list[Hit]] | None = field(default=None, init=False, repr=False)

    def ready(self, before: int | None = None) -> Ranker:
        """The ranker of all messages, or of those before a row."""
        known = self.recall.extent(before)
        if self._ranker is None or known != self._known:
            self._said = self.recall.before(before)
            self._ranker = Ranker(Conversation(self._said, self.embedder))
            self._known, self._last = known, None
        return self._ranker

    def page(
        self, query: str, size: int = 5, number: int = 0, before: int | None = None
    ) -> Page:
        """A page of all messages, best first; an empty query finds nothing."""
        if not query.strip():
            return Page(query, (), 0, number, size, by="nothing")
        ranker = self.ready(before)
        if self._last is None or self._last[0] != query:
            self._last = query, self._hits(ranker, query)
        hits = self._last[1]
        shown = tuple(hits[number * size : (number + 1) * size])
        return Page(query, shown, len(hits), number, size, by=self.by)

    def _hits(self, ranker: Ranker, query: str) -> list[Hit]:
        if self.by == "ranked":
            likely = ranker.scores(query)
            scores, worth = np.exp(likely), likely - COST * np.log(ranker.of.costs)
        else:
            scores = ranker.alone(query, self.by.removeprefix("ranked_"))
            worth = scores
        order = np.argsort(-worth, kind="stable")
        return [Hit(self._said[row], float(scores[row])) for row in order]

"""GSW with chains: questions of several hops followed over question-answer pairs.

A question is taken apart into atomic ones; each is asked of the pairs of the workspace,
nearest in meaning or about an actor it names, and its answers stand in the next one. A
beam of chains is kept, scored by how well each pair fits its sub-question and how near
the whole chain is to the whole question.

Source: arXiv 2602.15156 (beam 5, 20 entities and pairs, 15 re-ranked, 15 chains, alpha
0.5). What stands for the model: grammar for the decomposition, the cosine for its
re-ranker. What episodes answer is GSW's own; what lists events, dates, places or people
and finds none stays without evidence, unless it is a question about somebody known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Literal, NamedTuple

import numpy as np

from gswlab.core.budget import cut, retrieved
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Evidence, Item
from gswlab.core.workspace import Workspace
from gswlab.memory.gsw import GSW
from gswlab.memory.gsw_chain.pairs import Tellers
from gswlab.memory.gsw_chain.questions import BACK, decompose
from gswlab.memory.view import View
from gswlab.models.vectors.embedder import Embedder, Vectors, query_vector
from gswlab.qa.cue import Cue
from gswlab.qa.question.parse import lists, parse_question
from gswlab.text.chunks import titled

Threads = Sequence[Sequence[str]]


class Chain(NamedTuple):
    """Pairs followed so far, the fit of each, and the last one's answer."""

    rows: tuple[int, ...] = ()
    fits: tuple[float, ...] = ()
    answer: str = ""


@dataclass
class GSWChain(GSW):
    """The workspace memory, its plain questions followed along chains.

    Args:
        beam: chains kept at each hop.
        searched: pairs found by meaning, and as many of the actors that are named.
        reranked: of these, how many go on.
        kept: chains whose pairs are handed over.
        alpha: share of the pairs' fit in a chain's score; the rest is the chain's
            nearness to the question.
        named: added to the fit of a pair about an actor that its sub-question names.
        answers: answers of one pair that are followed.
        nearest: pairs nearest to the whole question, handed over after the chains'.
        handed: the sentences of the pairs, or the chunks that say them.
    """

    beam: int = 5
    searched: int = 20
    reranked: int = 15
    kept: int = 15
    alpha: float = 0.5
    named: float = 0.1
    answers: int = 2
    nearest: int = 40
    handed: Literal["pairs", "chunks"] = "chunks"
    _tellers: Tellers | None = field(default=None, init=False, repr=False)
    _told_by: Workspace | None = field(default=None, init=False, repr=False)

    def recall(self, question: str, budget: int) -> Evidence:
        """The pairs of the best chains within `budget` tokens.

        Raises:
            GswlabError: a plain question comes and there is no embedder.
        """
        view = self.view()
        own = super().recall(question, budget)
        if any(item.facts for item in own.items):
            return own
        cue = parse_question(question, view.names)
        # The latest of somebody is asked of nobody else whom the question mentions.
        latest = cue.order == "latest" and cue.protagonist is not None
        known = view.actors.find(question, cue if latest else Cue())
        asks = question.rstrip().endswith("?") and known
        if not asks and (latest or lists(question, cue)):
            return own
        threads = decompose(question)
        chains = [*self._chains(view, question, threads), *self._nearest(question)]
        asked = tuple(" → ".join(hops) for hops in threads)
        found = cut(list(self._items(chains)), budget)
        return retrieved(found, {"by": "gsw_chain", "asked": asked})

    def _items(self, chains: Sequence[tuple[float, Chain]]) -> Iterator[Item]:
        """Each pair under its best chain, chains best first."""
        assert self._tellers is not None
        seen: set[object] = set()
        for score, chain in chains:
            for row in chain.rows:
                telling = self._tellers.tellings[row]
                chunk = telling.chunk if self.handed == "chunks" else None
                key = row if chunk is None else chunk.id
                if key not in seen:
                    seen.add(key)
                    yield (
                        telling.item(score)
                        if chunk is None
                        else Item(titled(chunk), (chunk.span,), chunk.chapter, score)
                    )

    def _nearest(self, question: str) -> Iterator[tuple[float, Chain]]:
        """Pairs by themselves: what no chain has led to, nearest first."""
        if self._tellers is None or not self._tellers.tellings:
            return
        query = query_vector(question, self._near())
        near = self._tellers.near(query, (), self.nearest)
        for row in sorted(near, key=lambda row: (-near[row], row)):
            yield 0.0, Chain((row,))

    def _chains(
        self, view: View, question: str, threads: Threads
    ) -> list[tuple[float, Chain]]:
        """The best chains of all threads of the question, best first."""
        tellers, whole = self._told(view), query_vector(question, self._near())
        if not tellers.tellings:
            return []
        share = -(-self.kept // len(threads))
        found = [
            pair
            for hops in threads
            for pair in self._followed(view, hops, whole)[:share]
        ]
        return sorted(found, key=lambda pair: -pair[0])

    def _followed(
        self, view: View, hops: Sequence[str], whole: Vectors
    ) -> list[tuple[float, Chain]]:
        chains = [(0.0, Chain())]
        for number, hop in enumerate(hops, 1):
            most = self.kept if number == len(hops) else self.beam
            longer = {
                (each.rows, each.answer): each
                for _, chain in chains
                for each in self._longer(view, chain, hop)
            }
            scored = [(self._score(each, whole), each) for each in longer.values()]
            chains = sorted(scored, key=lambda pair: (-pair[0], pair[1].rows))[:most]
        return chains

    def _longer(self, view: View, chain: Chain, hop: str) -> Iterator[Chain]:
        """A chain with one pair more, for each pair and answer that may come next."""
        tellers, asked = self._told(view), hop.replace(BACK, chain.answer)
        actors = [actor.id for actor in view.actors.find(asked, Cue())]
        query = query_vector(asked, self._near())
        near = tellers.near(query, actors, self.searched)
        own = {row for actor in actors for row in tellers.of.get(actor, ())}
        fit = {row: cos + self.named * (row in own) for row, cos in near.items()}
        ranked = sorted(fit, key=lambda row: (-fit[row], row))[: self.reranked]
        best = max((fit[row] for row in ranked), default=1.0)
        for row in ranked:
            if row in chain.rows:
                continue
            fits = (*chain.fits, max(fit[row], 0.0) / (best if best > 0 else 1.0))
            telling = tellers.tellings[row]
            for answer in telling.answers(asked, self.answers) or (telling.text,):
                yield Chain((*chain.rows, row), fits, answer)

    def _score(self, chain: Chain, whole: Vectors) -> float:
        """Geometric mean of the pairs' fits, mixed with the chain's own nearness."""
        assert self._tellers is not None
        fit = float(prod(chain.fits) ** (1 / len(chain.fits)))
        middle = self._tellers.vectors[list(chain.rows)].mean(axis=0)
        near = float(middle @ whole) / (float(np.linalg.norm(middle)) or 1.0)
        return self.alpha * fit + (1 - self.alpha) * near

    def _told(self, view: View) -> Tellers:
        """What the workspace tells, embedded once for each version of it."""
        if self._tellers is None or self._told_by is not view.workspace:
            self._told_by = view.workspace
            chunks = self.past.chunks() if self.past else ()
            self._tellers = Tellers.among(view.tellings, chunks, self._near())
        return self._tellers

    def _near(self) -> Embedder:
        if self.embedder is None:
            rule = "chains go from pair to pair by meaning"
            raise GswlabError("gsw_chain has no embedder", rule, "embedder=minilm")
        return self.embedder

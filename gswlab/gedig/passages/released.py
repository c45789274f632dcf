"""`gate=released`: what the public code does with HotpotQA, and its "static" baseline.

Sentences by BM25 (Okapi, words by spaces, titles left out), five of them in a star
around the question, an edge where two share a title, hand-made features. The gauge is
the core's: lambda 1, gamma 0.2, edges as the norm, the entropy of the features around
each node. AG without DG retrieves once more; DG stops; nothing is asked of it after
that. Its g0 follows from the number of facts and of pairs of one title: it does not
read.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log
from typing import ClassVar

import numpy as np

from gswlab.gedig.edit import Edit, FloatArray, Proposal, Vertex
from gswlab.gedig.entropy import local
from gswlab.gedig.gauge import PRESETS, Gauge
from gswlab.gedig.passages.episode import QUESTION, GateDecision, Retrieval
from gswlab.gedig.thresholds import Fixed, Thresholds, judge

_HASHED = 64
_K1, _B, _FLOOR = 1.5, 0.75, 0.25


@dataclass
class Released:
    """AG and DG as the public code has them; its thresholds are those of one run."""

    unit: ClassVar[str] = "sentence"
    gauge: Gauge = field(default_factory=lambda: PRESETS["hotpotqa"])
    thresholds: Thresholds = field(default_factory=lambda: Fixed(0.0859, 0.0859))
    width: int = 5
    rounds: int = 1

    def decide(self, episode: Retrieval) -> GateDecision:
        """One round: five more sentences, and a graph of all of them."""
        # 1. by the question, and by what its two best facts say: the query of a fact is
        # the question, its title and its first 80 characters
        chunks, question = episode.field.chunks, episode.sight.question
        texts = [chunk.text for chunk in chunks]
        facts = [chunks[row] for row in episode.held[:2]] if episode.step else []
        more = [f"{question} {fact.title} {fact.text[:80]}" for fact in facts]
        scores = np.max([okapi(texts, query) for query in (question, *more)], axis=0)
        best = _first(scores, self.width * (episode.step + 1))
        rows = tuple(r for r in best if r not in episode.held and episode.fits(r))
        # 2. what the gauge says of the graph with them
        name, held = episode.name, [*episode.held, *rows]
        star = [(QUESTION, name(row)) for row in rows]
        same = [
            (name(a), name(b))
            for a, b in combinations(held, 2)
            if b in rows and chunks[a].title == chunks[b].title
        ]
        edit = Edit(tuple(map(name, rows)), (*star, *same))
        titles = [chunks[row].title or "" for row in held]
        told = featured(question, [texts[row] for row in held], titles)
        nodes: dict[Vertex, FloatArray]
        nodes = dict(zip([QUESTION, *map(name, held)], told, strict=True))
        proposal = Proposal(episode.graph, edit)

        def gain(ball: Sequence[Vertex]) -> float:
            found = local(ball, proposal.near, nodes.get, told[0])
            return float(found) / log(len(held) + 1) if held else 0.0

        price = self.gauge(episode.graph, edit, gain)
        fired, stood = judge(price, self.thresholds)
        again = fired.ag and not fired.dg
        told_of = rows, price, self.gauge, stood
        if again and episode.step < self.rounds and rows:
            return GateDecision("retrieve", *told_of, "AG without DG")
        why = "no round is left" if again else "DG, or no AG"
        return GateDecision("answer", *told_of, why, forced=again)


def _first(scores: FloatArray, count: int) -> list[int]:
    """The rows of the best scores; of equals the first."""
    return [int(row) for row in np.argsort(-scores, kind="stable")[:count]]


def closed(facts: int, pairs: Sequence[tuple[int, int]], lam: float = 1.0) -> float:
    """What g0 is near to, whatever the texts say: a star of facts and pairs of a title.

    >>> [round(closed(5, pairs), 1) for pairs in ([], [(0, 1)], [(0, 1), (2, 3)])]
    [0.3, 0.1, -0.1]
    """
    count = len(pairs)
    degree = Counter(fact for pair in pairs for fact in pair)
    sizes = [facts + 2, *(degree[fact] + 3 for fact in range(facts))]
    heard = 2 * sum(map(log, sizes)) / (log(facts + 1) * (facts + 1))
    return (2 * facts + count) / (1 + facts + count) - lam * heard


def okapi(texts: Sequence[str], query: str) -> FloatArray:
    """BM25 as rank_bm25's Okapi has it: a rarity below nought is a quarter of the mean.

    >>> okapi(["a boat", "a mill", "a hill"], "the boat").round(2).tolist()
    [0.51, 0.0, 0.0]
    """
    bags = [Counter(text.lower().split()) for text in texts]
    holders = Counter(word for bag in bags for word in bag)
    rarity = {w: log(len(bags) - n + 0.5) - log(n + 0.5) for w, n in holders.items()}
    floor = _FLOOR * sum(rarity.values()) / max(1, len(rarity))
    sizes = np.array([bag.total() for bag in bags], np.float64)
    length = _K1 * (1 - _B + _B * sizes / max(1.0, sizes.mean()))
    scores = np.zeros(len(bags))
    for word in query.lower().split():
        if word in holders:
            count = np.array([bag[word] for bag in bags], np.float64)
            worth = rarity[word] if rarity[word] >= 0 else floor
            scores += worth * count * (_K1 + 1) / (count + length)
    return scores


def featured(question: str, texts: Sequence[str], titles: Sequence[str]) -> FloatArray:
    """The question's features, then each fact's: 5 made by hand and 64 hashed."""
    every = [question, *texts]
    bags = [Counter(text.lower().split()) for text in every]
    holders = Counter(word for bag in bags for word in bag)
    scores = [1.0, *okapi(texts, question)] if texts else [1.0]
    best = max(scores[1:], default=1.0) or 1.0
    asked = {*bags[0]}
    rows = np.zeros((len(every), 5 + _HASHED))
    for n, bag in enumerate(bags):
        title = {*titles[n - 1].lower().split()} if n else set()
        shared = len(asked & {*bag}) / max(1, len(asked))
        hand = (scores[n] / best, shared, min(1.0, bag.total() / 40),
                float(bool(asked & title)), float(n == 0))  # fmt: skip
        rows[n, :5] = hand
        for word, count in bag.items():
            place = int.from_bytes(hashlib.md5(word.encode()).digest()[:4], "big")
            rarity = log((len(every) + 1) / (holders[word] + 1)) + 1
            rows[n, 5 + place % _HASHED] += count * rarity
        norm = np.linalg.norm(rows[n, 5:])
        rows[n, 5:] /= norm if norm else 1.0
    return rows


@dataclass
class Neighbours:
    """The "static" baseline of that code: each of five sentences with both beside it.

    In the order of the text; there is no graph in it, and nothing is decided.
    """

    unit: ClassVar[str] = "sentence"
    width: int = 5

    def decide(self, episode: Retrieval) -> GateDecision:
        """All at once."""
        chunks = episode.field.chunks
        scores = okapi([chunk.text for chunk in chunks], episode.sight.question)
        best = _first(scores, self.width)
        rows = {
            row
            for hit in best
            for row in range(max(hit - 1, 0), min(hit + 2, len(chunks)))
            if chunks[row].chapter == chunks[hit].chapter
        }
        why = "five and those beside them"
        return GateDecision("answer", tuple(sorted(rows)), reason=why)

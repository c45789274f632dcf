"""What may be read for a question: passages, how they are tied, what they say of it.

`PassageField` is made once over all passages; `Sight` is what one question sees of it.
Of each passage a sight has numbers, given what is held already: they are what the
posterior (`Relevance`) reads, and nothing of it knows any gold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from gswlab.baselines.bm25 import BM25
from gswlab.baselines.dense import Dense
from gswlab.baselines.linked import sharing, to_one
from gswlab.baselines.static_graph import grams, naming
from gswlab.baselines.triples import phrase, title_of
from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk
from gswlab.gedig.edit import FloatArray
from gswlab.models.vectors.embedder import Embedder
from gswlab.text.chunks import titled

PassageTies = Mapping[int, Mapping[int, float]]
_COMMON = 5  # passages that may share a name for it to tie them


@dataclass(frozen=True)
class PassageField:
    """Passages made ready for questions; rows count them from 0."""

    chunks: Sequence[Chunk]
    words: BM25
    near: Dense
    named: PassageTies  # whose title a passage names, and whose text names its title
    naming: PassageTies
    shared: PassageTies

    @classmethod
    def of(cls, chunks: list[Chunk], embedder: Embedder | None) -> PassageField:
        """Counted, embedded, tied."""
        words = BM25(stopwords=True).over(chunks)
        near = Dense(embedder=embedder).over(chunks)
        named, other, shared = (defaultdict[int, dict[int, float]](dict) for _ in "123")
        for one, two in dict.fromkeys(naming(chunks)):
            named[one][two] = other[two][one] = 1.0
        for (one, two), weight in sharing(chunks, _COMMON):
            for a, b in ((one, two), (two, one)):
                shared[a][b] = min(1.0, shared[a].get(b, 0.0) + weight)
        return cls(chunks, words, near, named, other, shared)

    @cached_property
    def tokens(self) -> tuple[int, ...]:
        """Tokens of each passage as a reader gets it."""
        return tuple(count_tokens(titled(chunk)) for chunk in self.chunks)

    @cached_property
    def mean(self) -> float:
        """The mean tokens of a passage."""
        return float(np.mean(self.tokens))

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The title of each passage as links compare it; "" where it names nothing."""
        return tuple(phrase(title_of(chunk) or "") for chunk in self.chunks)

    @cached_property
    def holders(self) -> Mapping[str, NDArray[np.intp]]:
        """The rows that hold each word."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for row, chunk in enumerate(self.chunks):
            for word in dict.fromkeys(self.words.words(titled(chunk))):
                found[word].append(row)
        return {word: np.array(rows) for word, rows in found.items()}

    def tied(self, row: int) -> dict[int, None]:
        """The passages that a link leads to from one."""
        ties = (self.named, self.naming, self.shared)
        return dict.fromkeys(other for tie in ties for other in tie.get(row, ()))


class Sight:
    """One question over a field: arrays of a number a passage."""

    def __init__(self, field: PassageField, question: str) -> None:
        self.field, self.size = field, len(field.chunks)
        self.question = question
        self.words = to_one(np.asarray(field.words.scores(question), np.float64))
        self.near = np.zeros(self.size)
        for row, cosine in field.near.rank(question):
            self.near[row] = cosine
        asked = set(grams(question, 12))
        self.titled = np.array([t in asked for t in field.titles], np.float64)
        names = {t for t, hit in zip(field.titles, self.titled, strict=True) if hit}
        self.several = float(len(names) > 1)
        self.cues = {
            word: log(1 + self.size / (1 + len(field.holders.get(word, ()))))
            for word in dict.fromkeys(field.words.words(question))
        }
        self.covered = self._cover(self.cues)

    def _cover(self, cues: Mapping[str, float]) -> FloatArray:
        """The share of the question's rarity that each passage has of `cues`."""
        share = np.zeros(self.size)
        whole = sum(self.cues.values()) or 1.0
        for word, rarity in cues.items():
            if word in self.field.holders:
                share[self.field.holders[word]] += rarity / whole
        return share

    def told(
        self, held: Sequence[int], rows: Sequence[int], *, links: bool = True
    ) -> FloatArray:
        """The numbers of passages given what is held: (rows, PASSAGE_FEATURES).

        Without `links` nothing is known of what leads where.
        """
        field, first, at = self.field, float(not held), np.asarray(rows, np.intp)
        holders, kept = field.holders, {*held}
        cues = {  # the question's words that no passage held has
            word: rarity
            for word, rarity in self.cues.items()
            if kept.isdisjoint(holders.get(word, ()))
        }
        fresh = self._cover(cues) if held else self.covered
        ends = held if links else ()
        kinds = (field.named, field.naming, field.shared)
        named, naming_, shared = (self._ties(t, ends)[at] for t in kinds)
        titled, near = self.titled[at], self.near[at]
        left = sum(cues.values()) / (sum(self.cues.values()) or 1.0)
        columns = [
            self.words[at], near, titled, self.covered[at], fresh[at],
            named, naming_, shared, named * (1 - titled), titled * (1 - first),
            *(np.full(len(at), value) for value in (
                first, float(len(held) == 1), min(len(held), 6) / 6, left)),
            self._ties(field.named, ends, self.near)[at], titled * self.several,
            named * (1 - titled) * self.several, shared * near,
        ]  # fmt: skip
        return np.stack(columns, axis=1)

    def _ties(
        self, ties: PassageTies, held: Sequence[int], worth: FloatArray | None = None
    ) -> FloatArray:
        """The best tie of each passage to what is held, by the worth of that end."""
        found = np.zeros(self.size)
        for row in held:
            end = 1.0 if worth is None else worth[row]
            for other, weight in ties.get(row, {}).items():
                found[other] = max(found[other], end * weight)
        return found


PASSAGE_FEATURES = (
    "words", "near", "titled", "covered", "fresh", "named", "naming", "shared",
    "named_new", "titled_later", "first", "second", "held", "open",
    "named_near", "titled_several", "named_several", "shared_near",
)  # fmt: skip


@dataclass(frozen=True)
class Relevance:
    """The posterior that a passage supports an answer, given what is held already.

    A weight a number of `PASSAGE_FEATURES`, and the bias.

    >>> first = np.eye(len(PASSAGE_FEATURES))[:1]  # the best words alone
    >>> Relevance()(first).round(3).tolist()
    [0.016]
    """

    weights: tuple[float, ...] = (
        2.525, 4.638, 1.808, -4.293, 6.906, -2.848, -0.227, 2.796, 6.323, 0.971,
        0.561, -0.101, -0.787, -0.266, 3.248, 1.546, -2.996, -3.722,
    )  # fmt: skip
    bias: float = -6.632

    def __post_init__(self) -> None:
        if len(self.weights) != len(PASSAGE_FEATURES):
            rule = f"one for each of {', '.join(PASSAGE_FEATURES)}"
            raise GswlabError(f"relevance has {len(self.weights)} weights", rule)

    def __call__(self, told: FloatArray) -> FloatArray:
        """The probability of each passage."""
        odds: FloatArray = told @ np.asarray(self.weights) + self.bias
        return 1 / (1 + np.exp(-odds))

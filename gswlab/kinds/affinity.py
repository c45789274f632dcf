"""Affinity: how well an episode's words fit each kind of event, in competition.

- Words that few episodes have say more (idf over the document at hand), and things
  that few kinds share say more (idf over the inventory).
- A fit counts only against the other episodes and the other kinds: a chapter full of
  crowds fits everything a little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from gswlab.kinds.inventory import Inventory, Kind, stem


@dataclass(frozen=True)
class Affinity:
    """The words of every episode of a document, weighted by how telling they are.

    Args:
        words: for each episode id, the stems of its content words.
    """

    words: Mapping[str, frozenset[str]]

    @staticmethod
    def of(lemmas: Mapping[str, Iterable[str]]) -> Affinity:
        """From lemmas by episode id."""
        stems = {k: frozenset(stem(w) for w in ws) for k, ws in lemmas.items()}
        return Affinity(stems)

    @cached_property
    def idf(self) -> Mapping[str, float]:
        """log((n + 1) / (df + 0.5)) of each stem over the episodes; never below 0.1."""
        counts = Counter(w for words in self.words.values() for w in words)
        n = len(self.words)
        return {
            word: max(0.1, math.log((n + 1) / (count + 0.5)))
            for word, count in counts.items()
        }

    @cached_property
    def telling(self) -> Mapping[str, float]:
        """1 / sqrt(number of fields, forms and kinds that list a thing)."""
        inventory = Inventory.general()
        counts: Counter[str] = Counter()
        for table in (inventory.fields, inventory.forms, inventory.named):
            for word, things in table.items():
                own = (stem(part) for part in word.split())
                counts.update({*own, *(stem(thing) for thing in things)})
        return {word: 1 / math.sqrt(count) for word, count in counts.items()}

    def fit(self, episode: str, kind: Kind) -> tuple[float, float]:
        """How well the words of an episode fit a kind's field and its form (>= 0)."""
        return self._sum(episode, kind.field), self._sum(episode, kind.form)

    def _sum(self, episode: str, things: Mapping[str, float]) -> float:
        words = self.words[episode]
        hits = (
            weight * self.idf[thing] * self.telling.get(thing, 1.0)
            for thing, weight in things.items()
            if thing in words
        )
        return sum(hits) / math.sqrt(3 + len(things)) if things else 0.0

    def things(self, episode: str, word: str, things: Iterable[str]) -> float:
        """How well the words of an episode fit one word of the inventory."""
        weights = {word: 1.0} | {stem(thing): 1.0 for thing in things}
        return self._sum(episode, weights)

    def shown_by(self, episode: str, kind: Kind) -> tuple[str, ...]:
        """The stems of an episode that speak for a kind, most telling first."""
        hits = {
            thing: weight * self.idf[thing] * self.telling.get(thing, 1.0)
            for part in (kind.field, kind.form)
            for thing, weight in part.items()
            if thing in self.words[episode]
        }
        return tuple(sorted(hits, key=lambda thing: (-hits[thing], thing)))

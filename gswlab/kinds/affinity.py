"""Affinity: how well an episode's words fit each kind of event, in competition.

- Words that few episodes have say more (idf over the document at hand). That few kinds
  share a thing was tried as well and made the fit worse.
- A fit counts only against the other episodes and the other kinds: a chapter full of
  crowds fits everything a little.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from gswlab.language.event_types import Kind
from gswlab.language.stems import stem

SPREAD = 0.4  # how much less each of many things says; 0.3 and 0.5 are as good
FORM = 0.5  # what shows a form weighs half of what shows a field
Matrix: TypeAlias = NDArray[np.float64]  # one row an episode, one column a kind


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

    def shown(self, kinds: Sequence[Kind]) -> Matrix:
        """How well the words of each episode fit each kind, (episodes, kinds), >= 0."""
        return self._product([self._weights(kind) for kind in kinds])

    def mentioned(self, kinds: Sequence[Kind]) -> Matrix:
        """How telling it is that all words of a label are among an episode's.

        The mean idf of its words if all are there, else a quarter of their part.
        """
        labels = [dict.fromkeys(kind.stems, 1 / len(kind.stems)) for kind in kinds]
        telling = [{s: w * self.idf.get(s, 0.0) for s, w in d.items()} for d in labels]
        whole = self._product(labels) > 1 - 1e-9
        part: Matrix = self._product(telling)
        return np.where(whole, part, 0.25 * part)

    def fits(self, things: Sequence[Iterable[str]]) -> Matrix:
        """How well the words of each episode fit each list of words."""
        alone = [self._part({stem(word): 1.0 for word in words}) for words in things]
        return self._product(alone)

    @cached_property
    def by_word(self) -> Mapping[str, frozenset[str]]:
        """The ids of the episodes that have each stem."""
        found: dict[str, set[str]] = defaultdict(set)
        for episode, words in self.words.items():
            for word in words:
                found[word].add(episode)
        return {word: frozenset(ids) for word, ids in found.items()}

    def everything(self, kind: Kind) -> frozenset[str]:
        """The ids of the episodes that have every word of a label."""
        nowhere = frozenset[str]()
        found = [self.by_word.get(s, nowhere) for s in kind.stems]
        return nowhere.union(*found[:1]).intersection(*found)

    def _weights(self, kind: Kind) -> dict[str, float]:
        field, form = self._part(kind.field), self._part(kind.form)
        stems = sorted({*field, *form})
        return {s: field.get(s, 0.0) + FORM * form.get(s, 0.0) for s in stems}

    def _part(self, things: Mapping[str, float]) -> dict[str, float]:
        scale = (3 + len(things)) ** SPREAD
        return {
            thing: weight * self.idf[thing] / scale
            for thing, weight in things.items()
            if thing in self.idf
        }

    def _product(self, columns: Sequence[Mapping[str, float]]) -> Matrix:
        """Sum of a column's weights over the words that each episode has."""
        cells = [
            (self._row[word], m, weight)
            for m, column in enumerate(columns)
            for word, weight in column.items()
            if word in self._row
        ]
        shape = (len(self._row), len(columns))
        rows, places, weights = zip(*cells, strict=True) if cells else ((), (), ())
        table = csc_matrix((weights, (rows, places)), shape=shape, dtype=np.float64)
        found: Matrix = (self._presence @ table).toarray()
        return found

    @cached_property
    def _row(self) -> Mapping[str, int]:
        return {word: row for row, word in enumerate(sorted(self.idf))}

    @cached_property
    def _presence(self) -> csc_matrix:
        """Which episodes have each word: by column, so that a few words cost little."""
        cells = [
            (n, self._row[word])
            for n, words in enumerate(self.words.values())
            for word in sorted(words)
        ]
        rows, places = zip(*cells, strict=True) if cells else ((), ())
        ones, shape = np.ones(len(cells)), (len(self.words), len(self._row))
        return csc_matrix((ones, (rows, places)), shape=shape)

    def shown_by(self, episode: str, kind: Kind) -> tuple[str, ...]:
        """The stems of an episode that speak for a kind, most telling first."""
        hits = {
            thing: weight * self.idf[thing]
            for part in (kind.field, kind.form)
            for thing, weight in part.items()
            if thing in self.words[episode]
        }
        return tuple(sorted(hits, key=lambda thing: (-hits[thing], thing)))

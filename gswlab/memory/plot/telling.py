"""Nodes and ties of a plot's graph as evidence: what is told of them, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gswlab.core.nouns import Chunk, Item, Span
from gswlab.memory.plot.outline import Outline
from gswlab.memory.plot.ties import History, ever, histories, holding, runs
from gswlab.store.nouns import Edge


@dataclass(frozen=True)
class Telling:
    """Evidence items of an outline; `chunks` says where in the text a node is told."""

    outline: Outline
    chunks: Mapping[str, Chunk]

    def node(self, id_: str, score: float = 0.0) -> Item:
        """A character or an event as it is."""
        return Item(self.outline.statement(id_), self._spans([id_]), None, score)

    def ties(
        self, edges: Iterable[Edge], people: Sequence[str], numbers: Sequence[int] = ()
    ) -> Iterator[Item]:
        """What any two of `people` were to each other; of one alone, all its ties.

        With `numbers`, of a pair only what held at the events of these numbers.
        """
        known = [e for e in edges if e.source in people or e.target in people]
        history = histories(known, self.outline.order)
        for pair in combinations(people, 2):
            one, other = sorted(pair)
            parted = runs(history.get((one, other), ()))
            if numbers:
                held = [run for number in numbers for run in holding(parted, number)]
                parted = list(dict.fromkeys(held))
            if parted:
                named = (self.outline.name(one), self.outline.name(other))
                places = [place for _, events in parted for place in events]
                spans = self._spans([self.outline.id_at(place) for place in places])
                yield Item(self.outline.words.pair(named, parted), spans, None, 0.0)
        if len(people) == 1:
            yield self._cast(people[0], known, history)

    def _cast(self, id_: str, edges: Iterable[Edge], history: History) -> Item:
        """In which events a character appears, and who was ever what to it."""
        order, name = self.outline.order, self.outline.name
        at = {e.target for e in edges if e.type == "APPEARS_IN" and e.source == id_}
        events = sorted(order[event] for event in at if event in order)
        others = {r: list(map(name, who)) for r, who in ever(history, id_).items()}
        text = self.outline.words.cast(name(id_), events, others)
        return Item(text, self._spans([id_]), None, 0.0)

    def _spans(self, ids: Iterable[str]) -> tuple[Span, ...]:
        return tuple(self.chunks[i].span for i in ids if i in self.chunks)

"""Question-answer pairs of a workspace: what each occurrence tells, and of whom.

An occurrence is as many pairs as it has fillers: its sentence without one of them asks
for that one. The sentence is embedded once, under the title of the chunk that says it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gswlab.core.nouns import Chunk, Item, Occurrence, Span
from gswlab.language.keys import name_key
from gswlab.memory.happening import retold
from gswlab.models.vectors.embedder import Embedder, Vectors
from gswlab.qa.question.occurrences import Tellings, occurrence

_ANSWERS = ("patient", "agent", "recipient", "place", "role", "time")


@dataclass(frozen=True, slots=True)
class Telling:
    """An occurrence as a sentence, and the chunk that says it."""

    text: str
    spans: tuple[Span, ...]
    told: Occurrence
    chunk: Chunk | None = None

    @property
    def embedded(self) -> str:
        """The sentence, under its chunk's title where there is one."""
        title = self.chunk.title if self.chunk else None
        return f"{title}: {self.text}" if title else self.text

    def answers(self, question: str, most: int) -> tuple[str, ...]:
        """What the sentence adds to a question: fillers that it does not name."""
        asked = set(name_key(question))
        found = dict.fromkeys(
            bound.value
            for bound in self.told.fillers(*_ANSWERS)
            if not set(name_key(bound.value)) <= asked
        )
        return tuple(found)[:most]

    def item(self, score: float) -> Item:
        """The sentence as evidence, with the occurrence behind it."""
        return Item(self.text, self.spans, self.told.chapter, score, told=self.told)


@dataclass(frozen=True)
class Tellers:
    """All that a workspace tells: sentences, their vectors, and who is in which."""

    tellings: Sequence[Telling]
    vectors: Vectors
    of: Mapping[str, Sequence[int]] = field(repr=False)

    @classmethod
    def among(
        cls, known: Tellings, chunks: Iterable[Chunk], embedder: Embedder
    ) -> Tellers:
        """What `known` tells, in the order of the text, and in which of `chunks`."""
        workspace, homes = known.workspace, _Homes.of(chunks)
        every = [occurrence(workspace, phrase) for phrase in known.phrases]
        found = {
            (said.text, homes.at(one.spans)): Telling(
                said.text, said.spans or one.spans, one, homes.at(one.spans)
            )
            for one in (*every, *known.being)
            if (said := retold(workspace, one)).text and one.slots
        }
        told = sorted(found.values(), key=lambda each: each.told.spans[:1])
        return cls(told, embedder.embed([t.embedded for t in told]), _index(told))

    def near(
        self, query: Vectors, actors: Iterable[str], most: int
    ) -> dict[int, float]:
        """Rows and cosines: the nearest of all, and the nearest of these actors'."""
        cosines = self.vectors @ query
        rows = {int(row) for row in np.argsort(-cosines, kind="stable")[:most]}
        own = np.array(sorted({r for a in actors for r in self.of.get(a, ())}), np.intp)
        rows |= {int(r) for r in own[np.argsort(-cosines[own], kind="stable")[:most]]}
        return {row: float(cosines[row]) for row in sorted(rows)}


def _index(told: Sequence[Telling]) -> dict[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for row, telling in enumerate(told):
        for actor in dict.fromkeys(b.id for _, b in telling.told.slots if b.id):
            found[actor].append(row)
    return found


@dataclass(frozen=True)
class _Homes:
    """Which chunk a span lies in."""

    chunks: Sequence[Chunk]
    starts: Sequence[tuple[str, int]]

    @classmethod
    def of(cls, chunks: Iterable[Chunk]) -> _Homes:
        ordered = sorted(chunks, key=lambda chunk: (chunk.document, chunk.span.start))
        return cls(ordered, [(c.document, c.span.start) for c in ordered])

    def at(self, spans: Sequence[Span]) -> Chunk | None:
        """The chunk of the first span; None where no chunk is known."""
        if not spans or not self.chunks:
            return None
        place = bisect_right(self.starts, (spans[0].document, spans[0].start)) - 1
        chunk = self.chunks[max(place, 0)]
        return chunk if chunk.document == spans[0].document else None

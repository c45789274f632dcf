"""Look-ups of a merged graph: what is near a text, and what is tied to what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gswlab.core.nouns import Chunk, Item
from gswlab.memory.knowledge import Knowledge, Node, Tie, Told
from gswlab.models.vectors.embedder import Embedder, Vectors

T = TypeVar("T")
Parts = tuple[str, ...]
Described = Callable[[Sequence[Parts], Embedder], Vectors]
_BLOCK = 1024  # rows compared with all others at once: 200 MB for 50,000
_SAID = 3  # relations that describe an entity where it is embedded


@dataclass(frozen=True)
class Lookup:
    """Entities and relations of a graph, and the chunks they were read from.

    `around` holds the relations of an entity, `rows` the places of chunks.
    """

    nodes: Mapping[str, Node]
    ties: Sequence[Tie]
    around: Mapping[str, Sequence[Tie]]
    rows: Mapping[str, int]
    chapters: Mapping[str, int | None]
    vectors: Vectors

    @classmethod
    def of(
        cls,
        knowledge: Knowledge,
        chunks: Sequence[Chunk],
        embedder: Embedder,
        embedded: Described,
    ) -> Lookup:
        """The graph as it stands; only texts that changed are embedded anew."""
        nodes, ties = (
            {node.key: node for node in knowledge.nodes()},
            [*knowledge.ties()],
        )
        around: defaultdict[str, list[Tie]] = defaultdict(list)
        for tie in ties:
            for end in tie.ends:
                around[end].append(tie)
        return cls(
            nodes,
            ties,
            around,
            {chunk.id: row for row, chunk in enumerate(chunks)},
            {chunk.id: chunk.chapter for chunk in chunks},
            embedded([_parts(n, around[n.key]) for n in nodes.values()], embedder),
        )

    def near(self, query: Vectors, most: int, least: float) -> list[Node]:
        """The nearest entities, best first."""
        nodes = list(self.nodes.values())
        return [nodes[row] for row in best(self.vectors @ query, most, least)]

    def rank(self, tie: Tie) -> int:
        """How many relations both ends have together (combined degree)."""
        return sum(len(self.around.get(end, ())) for end in tie.ends)

    def said(self, found: Node | Tie, scores: NDArray[np.float32]) -> list[int]:
        """The chunks that say an entity or relation, those of the best scores first."""
        rows = [self.rows[chunk] for chunk in found.chunks]
        return sorted(rows, key=lambda row: (-scores[row], row))

    def ends(self, ties: Iterable[Tie]) -> list[Node]:
        """The entities of relations, each once."""
        keys = dict.fromkeys(end for tie in ties for end in tie.ends)
        return [self.nodes[key] for key in keys]

    def incident(self, nodes: Iterable[Node]) -> list[Tie]:
        """All relations of entities, by combined degree, then weight."""
        ties = (tie for node in nodes for tie in self.around.get(node.key, ()))
        once = {tie.ends: tie for tie in ties}.values()
        return sorted(once, key=lambda tie: (-self.rank(tie), -tie.weight, tie.ends))

    def entity(self, node: Node, most: int) -> Item:
        """An entity as evidence: name, kind, and at most so many sentences."""
        said = " ".join(each.text for each in node.told[:most])
        text = f"{node.name} ({node.kind})" + (f": {said}" if said else "")
        return self.item(text, node.told[:most], 0.0)

    def relation(self, tie: Tie) -> Item:
        """A relation as evidence: what its triples say."""
        return self.item(tie.text, tie.told, float(tie.weight))

    def item(self, text: str, told: Sequence[Told], score: float) -> Item:
        """Evidence that rests on sentences; its chapter is theirs, if it is one."""
        chapters = {self.chapters[each.chunk] for each in told}
        one = chapters.pop() if len(chapters) == 1 else None
        spans = tuple(dict.fromkeys(each.span for each in told))
        return Item(text, spans, one, score)


def _parts(node: Node, ties: Sequence[Tie]) -> Parts:
    """What describes an entity: its name, and what its relations say of it.

    A sentence names several entities and would make them all alike, so it stands in
    only where there is no relation; a name without either is a phrase like any other.
    """
    said = [tie.text for tie in ties[:_SAID]] or [told.text for told in node.told[:1]]
    return (node.name, *said) if said else (node.key,)


def as_text(parts: Sequence[Parts], embedder: Embedder) -> Vectors:
    """Entities embedded as one text each: name, then what is said of it."""
    texts = [f"{n}: {'; '.join(said)}" if said else n for n, *said in parts]
    return embedder.embed(texts)


def as_parts(parts: Sequence[Parts], embedder: Embedder) -> Vectors:
    """Entities as half their name, half the mean of what is said of them, unit length.

    A relation describes both of its ends and is embedded once, and what is read later
    embeds only what is new.
    """
    texts = list(dict.fromkeys(chain.from_iterable(parts)))
    rows, found = {text: n for n, text in enumerate(texts)}, embedder.embed(texts)
    vectors = np.zeros((len(parts), found.shape[1]), np.float32)
    for n, (name, *said) in enumerate(parts):
        vectors[n] = found[rows[name]]
        if said:
            vectors[n] += found[[rows[text] for text in said]].mean(axis=0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = np.round(vectors / np.maximum(lengths, 1e-12), 6)
    return unit


def best(scores: NDArray[np.float32], most: int, least: float = -1.0) -> list[int]:
    """The rows of the highest scores, from `least` on; ties keep their order.

    >>> best(np.array([0.1, 0.9, 0.9, 0.4], np.float32), 3, 0.3)
    [1, 2, 3]
    """
    order = np.argsort(-scores, kind="stable")[:most]
    return [int(row) for row in order if scores[row] >= least]


def alike(
    vectors: Vectors, least: float, most: int = 100
) -> Iterator[tuple[int, int, float]]:
    """For each row the others from a cosine on, nearest first: both rows, the cosine.

    >>> list(alike(np.eye(2, dtype=np.float32)[[0, 1, 0]], 0.9))
    [(0, 2, 1.0), (2, 0, 1.0)]
    """
    for start in range(0, len(vectors), _BLOCK):
        for row, cosines in enumerate(
            vectors[start : start + _BLOCK] @ vectors.T, start
        ):
            cosines[row] = -1  # no row is its own neighbour
            found = np.flatnonzero(cosines >= least)
            for other in found[np.argsort(-cosines[found], kind="stable")][:most]:
                yield row, int(other), float(cosines[other])


def in_turn(*lists: Sequence[T]) -> list[T]:
    """One of each list after the other, nothing twice.

    >>> in_turn([1, 2, 3], [3, 4])
    [1, 3, 2, 4]
    """
    none = object()
    merged = chain.from_iterable(zip_longest(*lists, fillvalue=none))
    kept: dict[T, None] = dict.fromkeys(x for x in merged if x is not none)  # type: ignore[misc]
    return list(kept)

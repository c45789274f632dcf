"""The merged graph of entities and relations that GraphRAG and LightRAG share.

- entities merge by their key, relations by their two keys whichever way round; a
  relation's weight is the number of triples that say it;
- every contribution is kept under its chunk, so that forgetting a document leaves
  exactly what the others said, and inserting one more touches only what it names;
- what describes an entity or a relation is extractive: the distinct sentences that name
  or say it, in the order read (for a title, the first sentence under it).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from gswlab.core.nouns import Chunk, Span
from gswlab.language.language import language_of
from gswlab.memory.triples import Entity, Extraction, Triple
from gswlab.text.sentences import sentences

Pair = tuple[str, str]
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a chunk."""

    chunk: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Node:
    """An entity of the graph: its first name, its usual kind, and what names it."""

    key: str
    name: str
    kind: str
    told: tuple[Told, ...]
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation of the graph: `weight` counts its triples.

    `keywords` are their predicates; `text` says them one after the other: keywords,
    source, target and description in one, as they are embedded.
    """

    source: str
    target: str
    keywords: tuple[str, ...]
    text: str
    weight: int
    told: tuple[Told, ...]
    chunks: tuple[str, ...]

    @property
    def ends(self) -> Pair:
        """Source and target: the pair of keys that a relation is known by."""
        return self.source, self.target


@dataclass
class Knowledge:
    """Entities and relations by key; under each, what every chunk says of it.

    An end of a triple that its chunk does not name is an entity of kind "phrase" that
    no sentence describes (`phrases`, as LightRAG has it), or the relation is left out
    (as GraphRAG has it).
    """

    phrases: bool = True
    _entities: dict[str, dict[str, tuple[Entity, tuple[Told, ...]]]] = field(
        default_factory=dict
    )
    _relations: dict[Pair, dict[str, tuple[tuple[Triple, Told], ...]]] = field(
        default_factory=dict
    )
    _touched: dict[str, tuple[set[str], set[Pair]]] = field(default_factory=dict)

    def add(self, chunk: Chunk, found: Extraction) -> None:
        """What one more chunk says."""
        text = _Text(chunk)
        relations: defaultdict[Pair, list[tuple[Triple, Told]]] = defaultdict(list)
        named = {entity.key: entity for entity in found.entities}
        known = set(named)
        for triple in found.triples:
            one, other = triple.ends
            if self.phrases or {one, other} <= known:
                told = triple, text.at(triple.start)
                relations[min(one, other), max(one, other)].append(told)
                named.setdefault(one, Entity(triple.subject, "phrase"))
                named.setdefault(other, Entity(triple.object, "phrase"))
        for key, entity in named.items():
            places = [start for start, _ in entity.places]
            places = places or [0] * (entity.kind == "title")
            naming = tuple(dict.fromkeys(map(text.at, places)))
            self._entities.setdefault(key, {})[chunk.id] = entity, naming
        for ends, each in relations.items():
            self._relations.setdefault(ends, {})[chunk.id] = tuple(each)
        self._touched[chunk.id] = set(named), set(relations)

    def drop(self, chunk: str) -> None:
        """Leave out what one chunk said, and whatever only it said."""
        keys, pairs = self._touched.pop(chunk)
        _without(self._entities, keys, chunk)
        _without(self._relations, pairs, chunk)

    def nodes(self) -> Iterator[Node]:
        """All entities, by key: their order tells nothing of what was read when."""
        return map(self.node, sorted(self._entities))

    def ties(self) -> Iterator[Tie]:
        """All relations, by the keys of their ends."""
        return map(self.tie, sorted(self._relations))

    def node(self, key: str) -> Node:
        """An entity as all chunks together tell it."""
        held = self._entities[key]
        entities = [entity for entity, _ in held.values()]
        kinds = Counter(entity.kind for entity in entities)
        told = dict.fromkeys(told for _, each in held.values() for told in each)
        kind = kinds.most_common(1)[0][0]  # the first read, of equals
        return Node(key, entities[0].name, kind, tuple(told), tuple(held))

    def tie(self, ends: Pair) -> Tie:
        """A relation as all chunks together tell it."""
        held = self._relations[ends]
        triples = [pair for each in held.values() for pair in each]
        words = tuple(dict.fromkeys(triple.predicate for triple, _ in triples))
        text = "; ".join(dict.fromkeys(triple.text for triple, _ in triples))
        told = tuple(dict.fromkeys(told for _, told in triples))
        return Tie(*ends, words, text, len(triples), told, tuple(held))


@dataclass(frozen=True)
class _Text:
    """A chunk and where its sentences lie."""

    chunk: Chunk

    @cached_property
    def _bounds(self) -> list[tuple[int, int]]:
        text = self.chunk.text
        return sentences(text, language_of(text)) or [(0, len(text))]

    def at(self, place: int) -> Told:
        """The sentence that holds a character, the first where none does."""
        bounds = self._bounds
        start, end = next(((a, b) for a, b in bounds if a <= place < b), bounds[0])
        span, base = self.chunk.span, self.chunk.span.start
        text = " ".join(self.chunk.text[start:end].split())
        return Told(self.chunk.id, text, Span(span.document, base + start, base + end))


def _without(held: dict[K, dict[str, V]], keys: Iterable[K], chunk: str) -> None:
    for key in keys:
        del held[key][chunk]
        if not held[key]:
            del held[key]

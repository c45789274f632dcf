"""Look-ups of a merged graph: what is near a text, and what is tied to what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from gswlab.baselines.by_model import ModelExtractor
from gswlab.baselines.passages import Passages
from gswlab.baselines.triples import Entity, Extraction, Extractor, Triple
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import JSON, Chunk, Evidence, Item, Span, TraceEvent
from gswlab.core.step import Step
from gswlab.language.language import language_of
from gswlab.models.vectors.embedder import Embedder, Vectors
from gswlab.models.vectors.nearest import best, cosines
from gswlab.text.sentences import sentences

_Pair = tuple[str, str]
_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class PlainSentence:
    """A sentence of a chunk."""

    chunk: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class EntityNode:
    """An entity of the graph: its first name, its usual kind, and what names it."""

    key: str
    name: str
    kind: str
    told: tuple[PlainSentence, ...]
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntityTie:
    """A relation of the graph: `weight` counts its triples.

    `keywords` are their predicates; `text` says them one after the other: keywords,
    source, target and description in one, as they are embedded.
    """

    source: str
    target: str
    keywords: tuple[str, ...]
    text: str
    weight: int
    told: tuple[PlainSentence, ...]
    chunks: tuple[str, ...]

    @property
    def ends(self) -> _Pair:
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
    _entities: dict[str, dict[str, tuple[Entity, tuple[PlainSentence, ...]]]] = field(
        default_factory=dict
    )
    _relations: dict[_Pair, dict[str, tuple[tuple[Triple, PlainSentence], ...]]] = (
        field(default_factory=dict)
    )
    _touched: dict[str, tuple[set[str], set[_Pair]]] = field(default_factory=dict)

    def add(self, chunk: Chunk, found: Extraction) -> None:
        """What one more chunk says."""
        text = chunk.text
        bounds = sentences(text, language_of(text)) or [(0, len(text))]

        def at(place: int) -> PlainSentence:
            """The sentence that holds a character, the first where none does."""
            start, end = next(((a, b) for a, b in bounds if a <= place < b), bounds[0])
            base = chunk.span.start
            span = Span(chunk.span.document, base + start, base + end)
            return PlainSentence(chunk.id, " ".join(text[start:end].split()), span)

        relations: defaultdict[_Pair, list[tuple[Triple, PlainSentence]]] = defaultdict(
            list
        )
        named = {entity.key: entity for entity in found.entities}
        known = set(named)
        for triple in found.triples:
            one, other = triple.ends
            if self.phrases or {one, other} <= known:
                told = triple, at(triple.start)
                relations[min(one, other), max(one, other)].append(told)
                named.setdefault(one, Entity(triple.subject, "phrase"))
                named.setdefault(other, Entity(triple.object, "phrase"))
        for key, entity in named.items():
            places = [start for start, _ in entity.places]
            places = places or [0] * (entity.kind == "title")
            naming = tuple(dict.fromkeys(map(at, places)))
            self._entities.setdefault(key, {})[chunk.id] = entity, naming
        for ends, each in relations.items():
            self._relations.setdefault(ends, {})[chunk.id] = tuple(each)
        self._touched[chunk.id] = set(named), set(relations)

    def drop(self, chunk: str) -> None:
        """Leave out what one chunk said, and whatever only it said."""
        keys, pairs = self._touched.pop(chunk)
        _without(self._entities, keys, chunk)
        _without(self._relations, pairs, chunk)

    def nodes(self) -> Iterator[EntityNode]:
        """All entities, by key: their order tells nothing of what was read when."""
        return map(self.node, sorted(self._entities))

    def ties(self) -> Iterator[EntityTie]:
        """All relations, by the keys of their ends."""
        return map(self.tie, sorted(self._relations))

    def node(self, key: str) -> EntityNode:
        """An entity as all chunks together tell it."""
        held = self._entities[key]
        entities = [entity for entity, _ in held.values()]
        kinds = Counter(entity.kind for entity in entities)
        told = dict.fromkeys(told for _, each in held.values() for told in each)
        kind = kinds.most_common(1)[0][0]  # the first read, of equals
        return EntityNode(key, entities[0].name, kind, tuple(told), tuple(held))

    def tie(self, ends: _Pair) -> EntityTie:
        """A relation as all chunks together tell it."""
        held = self._relations[ends]
        triples = [pair for each in held.values() for pair in each]
        words = tuple(dict.fromkeys(triple.predicate for triple, _ in triples))
        text = "; ".join(dict.fromkeys(triple.text for triple, _ in triples))
        told = tuple(dict.fromkeys(told for _, told in triples))
        return EntityTie(*ends, words, text, len(triples), told, tuple(held))


def _without(held: dict[_K, dict[str, _V]], keys: Iterable[_K], chunk: str) -> None:
    for key in keys:
        del held[key][chunk]
        if not held[key]:
            del held[key]


_T = TypeVar("_T")
_Reply = TypeVar("_Reply", bound=BaseModel)
_Parts = tuple[str, ...]
Described = Callable[[Sequence[_Parts], Embedder], Vectors]
_BLOCK = 1024  # rows compared with all others at once: 200 MB for 50,000
_SAID = 3  # relations that describe an entity where it is embedded


@dataclass(frozen=True)
class Lookup:
    """Entities and relations of a graph, and the chunks they were read from.

    `around` holds the relations of an entity, `rows` the places of chunks.
    """

    nodes: Mapping[str, EntityNode]
    ties: Sequence[EntityTie]
    around: Mapping[str, Sequence[EntityTie]]
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
        nodes = {node.key: node for node in knowledge.nodes()}
        ties = [*knowledge.ties()]
        around: defaultdict[str, list[EntityTie]] = defaultdict(list)
        for tie in ties:
            for end in tie.ends:
                around[end].append(tie)
        rows = {chunk.id: row for row, chunk in enumerate(chunks)}
        chapters = {chunk.id: chunk.chapter for chunk in chunks}
        parts = [_parts(node, around[node.key]) for node in nodes.values()]
        return cls(nodes, ties, around, rows, chapters, embedded(parts, embedder))

    def near(self, query: Vectors, most: int, least: float) -> list[EntityNode]:
        """The nearest entities, best first."""
        nodes, scores = list(self.nodes.values()), cosines(self.vectors, query)
        return [nodes[row] for row in best(scores, most) if scores[row] >= least]

    def rank(self, tie: EntityTie) -> int:
        """How many relations both ends have together (combined degree)."""
        return sum(len(self.around.get(end, ())) for end in tie.ends)

    def said(
        self, found: EntityNode | EntityTie, scores: NDArray[np.float32]
    ) -> list[int]:
        """The chunks that say an entity or relation, those of the best scores first."""
        rows = [self.rows[chunk] for chunk in found.chunks]
        return sorted(rows, key=lambda row: (-scores[row], row))

    def ends(self, ties: Iterable[EntityTie]) -> list[EntityNode]:
        """The entities of relations, each once."""
        keys = dict.fromkeys(end for tie in ties for end in tie.ends)
        return [self.nodes[key] for key in keys]

    def incident(self, nodes: Iterable[EntityNode]) -> list[EntityTie]:
        """All relations of entities, by combined degree, then weight."""
        ties = (tie for node in nodes for tie in self.around.get(node.key, ()))
        once = {tie.ends: tie for tie in ties}.values()
        return sorted(once, key=lambda tie: (-self.rank(tie), -tie.weight, tie.ends))

    def entity(self, node: EntityNode, most: int) -> Item:
        """An entity as evidence: name, kind, and at most so many sentences."""
        said = " ".join(each.text for each in node.told[:most])
        text = f"{node.name} ({node.kind})" + (f": {said}" if said else "")
        return self.item(text, node.told[:most], 0.0)

    def relation(self, tie: EntityTie) -> Item:
        """A relation as evidence: what its triples say."""
        return self.item(tie.text, tie.told, float(tie.weight))

    def item(self, text: str, told: Sequence[PlainSentence], score: float) -> Item:
        """Evidence that rests on sentences; its chapter is theirs, if it is one."""
        chapters = {self.chapters[each.chunk] for each in told}
        one = chapters.pop() if len(chapters) == 1 else None
        spans = tuple(dict.fromkeys(each.span for each in told))
        return Item(text, spans, one, score)


def _parts(node: EntityNode, ties: Sequence[EntityTie]) -> _Parts:
    """What describes an entity: its name, and what its relations say of it.

    A sentence names several entities and would make them all alike, so it stands in
    only where there is no relation; a name without either is a phrase like any other.
    """
    said = [tie.text for tie in ties[:_SAID]] or [told.text for told in node.told[:1]]
    return (node.name, *said) if said else (node.key,)


def as_text(parts: Sequence[_Parts], embedder: Embedder) -> Vectors:
    """Entities embedded as one text each: name, then what is said of it."""
    texts = [f"{n}: {'; '.join(said)}" if said else n for n, *said in parts]
    return embedder.embed(texts)


def as_parts(parts: Sequence[_Parts], embedder: Embedder) -> Vectors:
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


def neighbours(
    vectors: Vectors, least: float, most: int = 100
) -> Iterator[tuple[int, int, float]]:
    """For each row the others from a cosine on, nearest first: both rows, the cosine.

    >>> list(neighbours(np.eye(2, dtype=np.float32)[[0, 1, 0]], 0.9))
    [(0, 2, 1.0), (2, 0, 1.0)]
    """
    for start in range(0, len(vectors), _BLOCK):
        for row, alike in enumerate(vectors[start : start + _BLOCK] @ vectors.T, start):
            alike[row] = -1  # no row is its own neighbour
            found = np.flatnonzero(alike >= least)
            for other in found[np.argsort(-alike[found], kind="stable")][:most]:
                yield row, int(other), float(alike[other])


def in_turn(*lists: Sequence[_T]) -> list[_T]:
    """One of each list after the other, nothing twice.

    >>> in_turn([1, 2, 3], [3, 4])
    [1, 3, 2, 4]
    """
    none = object()
    merged = chain.from_iterable(zip_longest(*lists, fillvalue=none))
    kept: dict[_T, None] = dict.fromkeys(x for x in merged if x is not none)  # type: ignore[misc]
    return list(kept)


class Later(NamedTuple):
    """Asks of one stage: how many, and tokens shown, at most."""

    stage: str
    schema: type[BaseModel]
    most: int
    shown: int = 0


@dataclass
class Extracting(Passages):
    """Chunks and what they say of whom; the graph is made of that when it is asked.

    A step's event holds all that was extracted, so that a graph can be drawn, and its
    growth stepped through, from the journal alone.

    Raises:
        GswlabError: a question comes and there is no embedder.
    """

    extractor: Extractor
    embedder: Embedder | None = None
    extractions: list[Extraction] = field(default_factory=list, init=False, repr=False)
    _told: list[TraceEvent] = field(default_factory=list, init=False, repr=False)

    def later(self, chunks: int, questions: int) -> Iterator[Later]:
        """What a model is asked beside the extraction, for so much of a text."""
        yield from ()

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that the model's part beside the extraction costs."""
        cost = NOTHING
        if isinstance(model := self.extractor, ModelExtractor):
            for each in self.later(len(chunks), questions):
                stage = each.stage, each.schema, each.most, each.shown
                cost = cost.plus(model.most(*stage))
        return cost

    def hear(
        self, stage: str, schema: type[_Reply], *every: dict[str, str]
    ) -> list[_Reply | None]:
        """A model's replies, None where it failed; all None where rules extract."""
        if not isinstance(self.extractor, ModelExtractor):
            return [None] * len(every)
        heard = self.extractor.hear(stage, schema, every)
        self._told += (event for one in heard for event in one.events)
        return [one.value(schema) for one in heard]

    def finish(self) -> Step:
        """Make the graph of what was read; the step says what a model was asked."""
        step, told = super().finish(), tuple(self._told)
        self._told.clear()
        return replace(step, events=(*told, *step.events))

    def recall(self, question: str, budget: int) -> Evidence:
        """What `found` is, and who did the model's part of it: rules or a model."""
        self.finish()
        found = self.found(question, budget)
        first, *more = found.trace
        by: dict[str, JSON] = {**first.data, "read_by": self.extractor.by}
        trace = (replace(first, data=by), *more, *self._told)
        self._told.clear()
        return replace(found, trace=trace)

    def found(self, question: str, budget: int) -> Evidence:
        """Evidence within `budget` tokens."""
        return super().recall(question, budget)

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Say which chunks will be next, to an extractor that asks a model."""
        self.extractor.prepare(document, chunks)

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep and read one more chunk."""
        step = super().partial_fit(chunk)
        found = self.extractor.extract(chunk)
        self.extractions.append(found)
        # `named` and `said` are where, in characters of the document, as spans count
        base = chunk.span.start
        said = [(base + triple.start, base + triple.end) for triple in found.triples]
        named = [[(base + a, base + b) for a, b in e.places] for e in found.entities]
        data: dict[str, JSON] = {
            "entities": tuple(entity.name for entity in found.entities),
            "named": tuple(map(tuple, named)),
            "triples": tuple((t.subject, t.predicate, t.object) for t in found.triples),
            "said": tuple(said),
        }
        places = {*said, *(place for places in named for place in places)}
        spans = tuple(Span(chunk.document, *place) for place in sorted(places))
        event = TraceEvent("extracted", data, spans)
        return replace(step, events=(*found.events, *step.events, event))

    def forget(self, document: str) -> Step:
        """Leave out a document, and all that only its chunks have said."""
        gone = [chunk for chunk in self.chunks if chunk.document == document]
        if not gone:
            known = ", ".join(dict.fromkeys(c.document for c in self.chunks)) or "none"
            raise GswlabError(f"no document {document!r} was read", f"there is {known}")
        kept = [
            pair
            for pair in zip(self.chunks, self.extractions, strict=True)
            if pair[0].document != document
        ]
        self.chunks = [chunk for chunk, _ in kept]
        self.extractions = [found for _, found in kept]
        self._indexed = 0  # the next question makes the graph anew
        spans = tuple(chunk.span for chunk in gone)
        event = TraceEvent("forgotten", {"document": document}, spans)
        return Step(len(self.chunks), None, events=(event,))

    def vectors(self) -> Embedder:
        """The embedder, or one sentence about what gives one."""
        if self.embedder is None:
            name = type(self).__name__
            rule = "what is near in meaning needs vectors"
            raise GswlabError(f"{name} has no embedder", rule, "embedder=minilm")
        return self.embedder


@dataclass
class Merging(Extracting):
    """Graph memories whose chunks merge into one graph as they are read."""

    knowledge: Knowledge = field(default_factory=Knowledge, init=False, repr=False)
    _lookup: Lookup | None = field(default=None, init=False, repr=False)

    @property
    def _look(self) -> Lookup:
        assert self._lookup is not None, "indexed before it is asked"
        return self._lookup

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep and read one more chunk; only what it names changes in the graph."""
        step = super().partial_fit(chunk)
        self.knowledge.add(chunk, self.extractions[-1])
        return step

    def forget(self, document: str) -> Step:
        """Leave out a document: what only it said goes, the rest is told by others."""
        gone = [chunk.id for chunk in self.chunks if chunk.document == document]
        step = super().forget(document)
        for chunk in gone:
            self.knowledge.drop(chunk)
        return step

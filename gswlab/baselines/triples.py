"""Entities and triples of a chunk: what every graph memory reads.

- one extractor for GraphRAG, HippoRAG 2, LightRAG and the static graph, so that none is
  better for having read better (`gswlab.baselines.triples`);
- characters count from the start of the chunk: the extraction of a text is the same
  wherever the text stands, so no text is read twice, with `cache` on no disk either.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from gswlab.core.document import Document
from gswlab.core.files import place, put
from gswlab.core.nouns import Actor, Chunk, LocalMap, Span, VerbPhrase
from gswlab.core.protocols import Operator, Preparing
from gswlab.core.workspace import Workspace
from gswlab.language.dates.calendar import DAY
from gswlab.language.dates.format import format_date
from gswlab.language.language import language_of
from gswlab.text.chapters import stated_number
from gswlab.text.sentences import sentences

_NOISE = re.compile(r"[\W_]+")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_READS = ("language", "text", "gsw/operator", "baselines/triples.py")


def phrase(text: str) -> str:
    """What makes two phrases one node: letters and digits, in lower case.

    >>> phrase("  St. Ann's  Hall ")
    'st ann s hall'
    """
    return _NOISE.sub(" ", text.lower()).strip()


def title_of(chunk: Chunk) -> str | None:
    """The title as a name, without what is in brackets; "Chapter 3" names nothing."""
    title = _ASIDE.sub("", chunk.title or "").strip()
    return title if title and stated_number(title) is None else None


@dataclass(frozen=True, slots=True)
class Entity:
    """A name, date or title, and where it is named (characters; none for a title)."""

    name: str
    kind: str
    places: tuple[tuple[int, int], ...] = ()

    @property
    def key(self) -> str:
        """The name as `phrase` folds it: entities of one key are one."""
        return phrase(self.name)


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, predicate, object, and the sentence (characters) that says so."""

    subject: str
    predicate: str
    object: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """Subject, predicate and object, with spaces between."""
        return f"{self.subject} {self.predicate} {self.object}"

    @property
    def ends(self) -> tuple[str, str]:
        """The keys of subject and object."""
        return phrase(self.subject), phrase(self.object)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one chunk says of whom: nothing twice, triples in the order of the text.

    `events` is what came of making it, for the journal: a model was asked, or failed.
    """

    entities: tuple[Entity, ...] = ()
    triples: tuple[Triple, ...] = ()
    events: tuple[Any, ...] = ()  # of TraceEvent, whose recursive type pydantic refuses


@dataclass
class Extractor(ABC):
    """A chunk to its entities and triples; the same text gives the same."""

    cache: str | None = field(
        default=None, kw_only=True, repr=False, metadata={"path": True}
    )
    _known: dict[str, Extraction] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def extract(self, chunk: Chunk) -> Extraction:
        """What `chunk` says; its title, where it is a name, is an entity of it."""
        title = title_of(chunk)
        parts = [repr(self), _code(), title, chunk.time, chunk.text]
        key = hashlib.sha256(repr(parts).encode()).hexdigest()
        if key in self._known:
            return self._known[key]
        # on disk under its key; written there, whole, when it is not yet
        path = place(self.cache or "", key, "json")
        if self.cache and path.exists():
            found = _FORM.validate_json(path.read_bytes())
        else:
            span = Span("", 0, len(chunk.text))
            alone = Chunk("", "", None, 0, chunk.text, span, title, time=chunk.time)
            found = _whole(self.read(alone), title)
            if self.cache and not found.events:
                put(path, _FORM.dump_json(found))
        self._known[key] = found
        return found

    def asked(self, question: str) -> tuple[Entity, ...]:
        """The entities that a question names."""
        span = Span("", 0, len(question))
        return self.read(Chunk("", "", None, 0, question, span)).entities

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:  # noqa: B027
        """Say which chunks will be next, to an extractor that asks a model."""

    @property
    def by(self) -> str:
        """Who does what the papers' model does: rules, or a model."""
        return "rules"

    @abstractmethod
    def read(self, chunk: Chunk) -> Extraction:
        """The extraction of a chunk whose span starts at 0."""


_FORM = TypeAdapter(Extraction)


def _whole(found: Extraction, title: str | None) -> Extraction:
    """With the title, without repetition; a triple names two, and one of them by name.

    That is what OpenIE is asked for in HippoRAG 2: a triple holds at least one entity.
    """
    named = [Entity(title, "title")] if title else []
    entities = once([*named, *found.entities])
    keys = {entity.key for entity in entities}
    kept = (t for t in found.triples if keys & set(t.ends) and len(set(t.ends)) == 2)
    triples = tuple(t for t in dict.fromkeys(kept) if all(t.ends))
    return Extraction(entities, triples, found.events)


def once(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Entities of one key as one: the first's name and kind, the places of all."""
    found: dict[str, Entity] = {}
    for entity in entities:
        if known := found.get(entity.key):
            places = dict.fromkeys((*known.places, *entity.places))
            entity = replace(known, places=tuple(places))
        if entity.key:
            found[entity.key] = entity
    return tuple(found.values())


@lru_cache(maxsize=1)
def _code() -> str:
    """A digest of the code that reads: what older code found is not taken for ours."""
    home = Path(__file__).resolve().parents[1]
    files = [p for name in _READS for p in ((home / name), *(home / name).rglob("*"))]
    told = [p for p in sorted(files) if p.suffix in (".py", ".tsv", ".txt")]
    return hashlib.sha256(b"".join(p.read_bytes() for p in told)).hexdigest()


# Who finds entities and triples: the operator's grammar, or who stands beside whom.

_NAMED = ("name", "short", "date")
_Told = tuple[str, str, str, int]
_Bounds = Sequence[tuple[int, int]]


@dataclass
class Rules(Extractor):
    """Triples off the operator's verb phrases and roles: no model but the operator's.

    Who does it (or undergoes it) is the subject; every other argument but the manner
    makes a triple with it. References are resolved as far as the operator does.
    """

    operator: Operator

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Pass on which chunks will be next."""
        if isinstance(self.operator, Preparing):
            self.operator.prepare(document, chunks)

    def read(self, chunk: Chunk) -> Extraction:
        """What the operator's local map of the chunk alone says."""
        local = self.operator.extract(chunk, Workspace())
        bounds = sentences(chunk.text, language_of(chunk.text))
        entities = []
        for actor in local.actors:
            if spans := [m.span for m in actor.mentions if m.form in _NAMED]:
                places = tuple((span.start, span.end) for span in spans)
                entities.append(Entity(_name(actor), actor.kind, places))
        found = self.triples(chunk, local, entities, bounds)
        triples = sorted(found, key=lambda triple: triple.start)
        return Extraction(tuple(entities), tuple(triples), local.events)

    def triples(
        self, chunk: Chunk, local: LocalMap, named: Sequence[Entity], bounds: _Bounds
    ) -> Iterator[Triple]:
        """The triples of a local map, in any order."""
        names = {actor.id: _name(actor) for actor in local.actors}
        told = [t for verb in local.verb_phrases for t in _told(verb, names)]
        told += [
            (_name(actor), "be", role.text, role.spans[0].start if role.spans else 0)
            for actor in local.actors
            for role in actor.roles
        ]
        # the sentence that holds a character; the whole text where none does
        whole = (bounds[0][0], bounds[-1][1]) if bounds else (0, 0)
        for subject, predicate, other, at in told:
            sentence = next(((a, b) for a, b in bounds if a <= at < b), whole)
            yield Triple(subject, predicate, other, *sentence)


@dataclass
class Cooccurrence(Rules):
    """Every two names or dates of a sentence, tied by its first verb: a reduction.

    The title is in every sentence. `most` caps the names of one: a list of fifty would
    be 1,225 pairs.
    """

    most: int = 5

    def triples(
        self, chunk: Chunk, local: LocalMap, named: Sequence[Entity], bounds: _Bounds
    ) -> Iterator[Triple]:
        """The pairs of each sentence."""
        verbs = {verb.spans[0].start: verb.predicate for verb in local.verb_phrases}
        topic = [chunk.title] if chunk.title else []
        for start, end in bounds:
            places = ((at, entity.name) for entity in named for at, _ in entity.places)
            inside = sorted(place for place in places if start <= place[0] < end)
            names = dict.fromkeys([*topic, *(name for _, name in inside)])
            told = (v for at, v in sorted(verbs.items()) if start <= at < end)
            verb = next(told, "with")
            for one, other in combinations(list(names)[: self.most], 2):
                yield Triple(one, verb, other, start, end)


def _name(actor: Actor) -> str:
    """A date is named by its day, however written, so that a day is one node."""
    return format_date(actor.value[:DAY]) if actor.value else actor.name


def _told(verb: VerbPhrase, names: Mapping[str, str]) -> Iterator[_Told]:
    """The triples of a verb phrase, each with a character of its sentence."""
    fillers = [(a.slot, names.get(a.actor or "", a.text)) for a in verb.arguments]
    at = verb.spans[0].start if verb.spans else 0
    first = "agent" if any(slot == "agent" for slot, _ in fillers) else "patient"
    for subject in (text for slot, text in fillers if slot == first):
        for slot, text in fillers:
            if slot not in (first, "manner"):
                yield subject, verb.predicate, text, at

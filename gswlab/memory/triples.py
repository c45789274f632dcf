"""Entities and triples of a chunk: what every graph memory reads.

- one extractor for GraphRAG, HippoRAG 2, LightRAG and the static graph, so that none is
  better for having read better (`gswlab.memory.extractors`);
- characters count from the start of the chunk: the extraction of a text is the same
  wherever the text stands, so no text is read twice, with `cache` on no disk either.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

import gswlab
from gswlab.core.cache import place, put
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, Span
from gswlab.text.chapters import stated_number

_NOISE = re.compile(r"[\W_]+")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_READS = ("operator", "text", "kinds", "memory/triples.py", "memory/extractors.py")


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
        if (found := self._known.get(key)) is None:
            span = Span("", 0, len(chunk.text))
            alone = Chunk("", "", None, 0, chunk.text, span, title, time=chunk.time)
            found = self._known[key] = self._stored(key, alone)
        return found

    def asked(self, question: str) -> tuple[Entity, ...]:
        """The entities that a question names."""
        span = Span("", 0, len(question))
        return self.read(Chunk("", "", None, 0, question, span)).entities

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:  # noqa: B027
        """Say which chunks will be next, to an extractor that asks a model."""

    @abstractmethod
    def read(self, chunk: Chunk) -> Extraction:
        """The extraction of a chunk whose span starts at 0."""

    def _stored(self, key: str, chunk: Chunk) -> Extraction:
        """The extraction on disk under its key; written, whole, when it is not yet."""
        path = place(self.cache or "", key, "json")
        if self.cache and path.exists():
            return _FORM.validate_json(path.read_bytes())
        found = _whole(self.read(chunk), chunk.title)
        if self.cache and not found.events:
            put(path, _FORM.dump_json(found))
        return found


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
    home = Path(gswlab.__file__).parent
    files = [p for name in _READS for p in ((home / name), *(home / name).rglob("*"))]
    told = [p for p in sorted(files) if p.suffix in (".py", ".tsv", ".txt")]
    return hashlib.sha256(b"".join(p.read_bytes() for p in told)).hexdigest()

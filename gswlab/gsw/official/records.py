"""Workspaces of the published code (arXiv 2511.07587), read from its JSON files.

Three layouts are known, as that code writes them:

- `gsw_results_combined.json`: documents of chunk records, each with its text;
- one chunk record: `{"text", "global_id", "gsw", "spacetime", ...}`;
- a structure: `{"entity_nodes", "verb_phrase_nodes", ...}`, of one chunk or reconciled.

A reconciled structure has no text and no steps. Its chunk ids say what came when, so it
is taken apart again into what each chunk brought. Files are anybody's: whatever is not
of these layouts is refused, each fault with its path.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Slot
from gswlab.text.formats.books import is_official

_ID = re.compile(r"(?:chunk_)?(\d{1,9})_(\d{1,9})")
_LAYOUT = (
    "gsw_results_combined.json, a chunk record or a structure of the published code"
)
_COMMAND = "python -m gswlab read FILE.json"
_FAULTS = 5  # that an error names
UNANSWERED, LITERAL = "None", "TEXT:"
_SLOTS: tuple[tuple[str, Slot], ...] = (
    (r"(?:to|for) who|to whom", "recipient"),
    (r"(?:with|using|by means of) wh", "instrument"),
    (r"(?:from|to|in|at|on|through) (?:which (?:place|location)|where)", "place"),
    (r"where|in (?:what|which) (?:place|location|city)", "place"),
    (r"when|(?:on|in|at) (?:what|which) (?:date|day|time|year|month)", "time"),
    (r"what (?:time|date|day|year)", "time"),
    (r"why|for what (?:purpose|reason)", "purpose"),
    (r"how", "manner"),
    (
        r"whom|(?:who|what)(?: \w+)? (?:did|does|do|has \w+ been|will \w+ be)\b",
        "patient",
    ),
    (
        r"(?:who|what)(?: or what| or whom)? (?:was|were|is|are|gets?) \w+(?:ed|en)\b",
        "patient",
    ),
)


class OfficialRole(BaseModel):
    """A role with its states, and the chunk that says so."""

    role: str
    states: list[str] = []
    chunk_id: str | None = None


class Entity(BaseModel):
    """Who or what: `chunk_id` is the first chunk that named it."""

    id: str
    name: str
    roles: list[OfficialRole] = []
    chunk_id: str | None = None


class OfficialQuestion(BaseModel):
    """A slot: `answers` are ids, `TEXT:` and words of the text, or one `None`."""

    id: str
    text: str
    answers: list[str] = []
    chunk_id: str | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The answers, none where it is open."""
        return tuple(a for a in self.answers if a.strip() not in ("", UNANSWERED))


class Phrase(BaseModel):
    """A verb phrase and its questions."""

    id: str
    phrase: str
    questions: list[OfficialQuestion] = []
    chunk_id: str | None = None


class SharedNode(BaseModel):
    """A place or a time that entities share."""

    id: str
    current_name: str | None = None
    chunk_id: str | None = None


class Structure(BaseModel):
    """A workspace, of one chunk or of many."""

    entity_nodes: list[Entity]
    verb_phrase_nodes: list[Phrase] = []
    space_nodes: list[SharedNode] = []
    time_nodes: list[SharedNode] = []
    space_edges: list[tuple[str, str]] = []
    time_edges: list[tuple[str, str]] = []


class Shared(BaseModel):
    """Entities of a chunk that share a place or a time; a null value is unnamed."""

    linked_entities: list[str]
    tag_type: Literal["spatial", "temporal"]
    tag_value: str | None = None


class _Spacetime(BaseModel):
    spatio_temporal_links: list[Shared] = []


class _ChunkRecord(BaseModel):
    gsw: Structure | None
    text: str | None = None
    global_id: str | None = None
    doc_idx: int = Field(default=0, ge=0)
    chunk_idx: int = Field(default=0, ge=0)
    spacetime: _Spacetime | None = None


class _Combined(BaseModel):
    documents: dict[str, dict[str, _ChunkRecord]]


@dataclass(frozen=True)
class Record:
    """What the published code made of one chunk; `text` is None where it is not told.

    `document` and `index` count from 0, as in its ids.
    """

    document: int
    index: int
    entities: tuple[Entity, ...]
    phrases: tuple[Phrase, ...]
    shared: tuple[Shared, ...] = ()
    text: str | None = None

    @property
    def id(self) -> str:
        """Its id in the published code's files."""
        return f"{self.document}_{self.index}"


def slot_of(question: str) -> Slot:
    """The slot that a question leaves open, by its first words.

    >>> [slot_of(q) for q in ("Who arrested someone?", "Who was arrested?", "When?")]
    ['agent', 'patient', 'time']
    """
    text = " ".join(question.split())
    found = (slot for form, slot in _SLOTS if re.match(form, text, re.I))
    return next(found, "agent")


def records(text: str | bytes, name: str) -> tuple[Record, ...]:
    """The records of a file, in the order of the text; `name` is what errors call it.

    Raises:
        GswlabError: it is no such file; every fault is told with its path.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise GswlabError(f"{name} is not JSON: {said}", _LAYOUT, _COMMAND) from error
    if not is_official(data):
        rule = f"{_LAYOUT}, which has documents, gsw or entity_nodes"
        raise GswlabError(f"{name} has none of their keys", rule, _COMMAND)
    try:
        found = sorted(_records(data), key=lambda r: (r.document, r.index))
    except ValidationError as error:
        raise GswlabError(_faults(name, error), _LAYOUT, _COMMAND) from error
    if not any(record.entities for record in found):
        rule = "a workspace has one entity or more"
        raise GswlabError(f"{name} names nobody and nothing", rule, _COMMAND)
    ids = [record.id for record in found]
    if twice := next((i for i in ids if ids.count(i) > 1), None):
        problem = f"{name} has two records of chunk {twice}"
        raise GswlabError(problem, "a chunk is recorded once", _COMMAND)
    return tuple(found)


def _faults(name: str, error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False)
    told = [f"{'.'.join(map(str, f['loc']))}: {f['msg']}" for f in faults[:_FAULTS]]
    more = len(faults) - len(told)
    return f"{name}: {'; '.join(told)}{f'; and {more} more' if more else ''}"


def _records(data: Mapping[str, Any]) -> Iterator[Record]:
    if "documents" in data:
        for document in _Combined.model_validate(data).documents.values():
            for id_, record in document.items():
                yield from _of_chunk(record, id_)
    elif "gsw" in data:
        record = _ChunkRecord.model_validate(data)
        yield from _of_chunk(record, record.global_id)
    else:
        yield from _taken_apart(Structure.model_validate(data))


def _of_chunk(record: _ChunkRecord, id_: str | None) -> Iterator[Record]:
    known = record.gsw or Structure(entity_nodes=[])
    at = _place(record.global_id or id_) or (record.doc_idx, record.chunk_idx)
    links = record.spacetime.spatio_temporal_links if record.spacetime else []
    shared = (*links, *_shared(known))
    yield Record(
        *at,
        tuple(known.entity_nodes),
        tuple(known.verb_phrase_nodes),
        shared,
        record.text,
    )


def _place(chunk: str | None) -> tuple[int, int] | None:
    """The document and the number of a chunk, of either way that its ids are written.

    >>> _place("3_12"), _place("chunk_0_2"), _place("a1b2")
    ((3, 12), (0, 2), None)
    """
    found = _ID.fullmatch(chunk or "")
    return (int(found[1]), int(found[2])) if found else None


def _taken_apart(whole: Structure) -> Iterator[Record]:
    """What each chunk brought to a workspace of several."""
    phrases: dict[tuple[int, int], list[Phrase]] = {}
    for phrase in whole.verb_phrase_nodes:
        for at, part in _phrase_parts(phrase):
            phrases.setdefault(at, []).append(part)
    shared: dict[tuple[int, int], list[Shared]] = {}
    for at, link in _placed_shared(whole):
        shared.setdefault(at, []).append(link)
    places = {_at(e.chunk_id) for e in whole.entity_nodes}
    places |= {_at(r.chunk_id, e.chunk_id) for e in whole.entity_nodes for r in e.roles}
    for at in sorted({*places, *phrases, *shared}):
        named = set(_named(phrases.get(at, ()), shared.get(at, ())))
        entities = (_entity_part(e, at, named) for e in whole.entity_nodes)
        told = tuple(filter(None, entities))
        yield Record(*at, told, tuple(phrases.get(at, ())), tuple(shared.get(at, ())))


def _at(*chunks: str | None) -> tuple[int, int]:
    """The first of these chunks that says where it is."""
    return next(filter(None, map(_place, chunks)), (0, 0))


def _phrase_parts(phrase: Phrase) -> Iterator[tuple[tuple[int, int], Phrase]]:
    """A verb phrase where it came, its questions open until the chunk that answered.

    There it is told again, with what was known of it: it is the same occurrence.
    """
    own = _at(phrase.chunk_id)
    places = [_at(q.chunk_id, phrase.chunk_id) for q in phrase.questions]
    pairs = [*zip(places, phrase.questions, strict=True)]
    for at in dict.fromkeys([own, *places]):
        questions = [
            q if place in (own, at) else q.model_copy(update={"answers": [UNANSWERED]})
            for place, q in pairs
            if at == own or place in (at, own)
        ]
        yield at, phrase.model_copy(update={"questions": questions})


def _entity_part(entity: Entity, at: tuple[int, int], named: set[str]) -> Entity | None:
    roles = [r for r in entity.roles if _at(r.chunk_id, entity.chunk_id) == at]
    if not roles and _at(entity.chunk_id) != at and entity.id not in named:
        return None
    return entity.model_copy(update={"roles": roles})


def _named(phrases: Iterable[Phrase], shared: Iterable[Shared]) -> Iterator[str]:
    for phrase in phrases:
        for question in phrase.questions:
            yield from question.given
    for link in shared:
        yield from link.linked_entities


def _shared(whole: Structure) -> tuple[Shared, ...]:
    return tuple(link for _, link in _placed_shared(whole))


def _placed_shared(whole: Structure) -> Iterator[tuple[tuple[int, int], Shared]]:
    """Nodes of places and times with the entities on their edges."""
    kinds: tuple[tuple[Literal["spatial", "temporal"], Any, Any], ...] = (
        ("spatial", whole.space_nodes, whole.space_edges),
        ("temporal", whole.time_nodes, whole.time_edges),
    )
    for kind, nodes, edges in kinds:
        for node in nodes:
            linked = [one for one, other in edges if other == node.id]
            if linked:
                told = {"linked_entities": linked, "tag_value": node.current_name}
                yield _at(node.chunk_id), Shared(tag_type=kind, **told)

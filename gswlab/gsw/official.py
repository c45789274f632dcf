"""Workspaces of the published code (arXiv 2511.07587), read from its JSON files.

- `records` reads a file in any of the three layouts that the code writes;
- `imported` lays its records over a text; a file without one gets a listing of what it
  states, and says so in its titles: spans point into this listing, never into a text
  that nobody gave;
- `OfficialOperator` hands the records to a reconciler, chunk by chunk.

Files are anybody's: what is not of these layouts is refused, each fault with its path.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import BaseModel, Field, ValidationError

from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import (
    Actor,
    ActorKind,
    Chunk,
    LocalMap,
    Role,
    Slot,
    Span,
    State,
    TraceEvent,
)
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model.grounding import bare_words, find_words
from gswlab.gsw.operator.model.map import mapped
from gswlab.gsw.operator.model.stages import (
    ActorReply,
    GroupReply,
    OperatorReply,
    PhraseReply,
    QuestionReply,
)
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.language.dates.find import find_dates
from gswlab.language.language import language_of
from gswlab.language.lexicon import noun_kind, table
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, read_document
from gswlab.text.formats.books import is_official
from gswlab.text.sentences import sentences as sentences_of

_ID = re.compile(r"(?:chunk_)?(\d{1,9})_(\d{1,9})")
_LAYOUT = (
    "gsw_results_combined.json, a chunk record or a structure of the published code"
)
_COMMAND = "python -m gswlab read FILE.json"
_FAULTS = 5  # that an error names
_UNANSWERED, _LITERAL = "None", "TEXT:"
_At = tuple[int, int]  # the document and the number of a chunk, counted from 0


class OfficialRole(BaseModel):
    """A role with its states, and the chunk that says so."""

    role: str
    states: list[str] = []
    chunk_id: str | None = None


class OfficialEntity(BaseModel):
    """Who or what: `chunk_id` is the first chunk that named it."""

    id: str
    name: str
    roles: list[OfficialRole] = []
    chunk_id: str | None = None

    @property
    def key(self) -> str:
        """What makes two entities of a chunk one: all that is known is their name."""
        return bare_words(self.name).casefold()


class OfficialQuestion(BaseModel):
    """A slot: `answers` are ids, `TEXT:` and words of the text, or one `None`."""

    id: str
    text: str
    answers: list[str] = []
    chunk_id: str | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The answers, none where it is open."""
        return tuple(a for a in self.answers if a.strip() not in ("", _UNANSWERED))


class Phrase(BaseModel):
    """A verb phrase and its questions."""

    id: str
    phrase: str
    questions: list[OfficialQuestion] = []
    chunk_id: str | None = None


class Structure(BaseModel):
    """A workspace, of one chunk or of many."""

    entity_nodes: list[OfficialEntity]
    verb_phrase_nodes: list[Phrase] = []


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
class OfficialChunk:
    """What the published code made of one chunk; `text` is None where it is not told.

    `document` and `index` count from 0, as in its ids.
    """

    document: int
    index: int
    entities: tuple[OfficialEntity, ...]
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
    rows = table("en/slots.tsv")
    found = (slot for slot, form in rows if re.match(form, text, re.I))
    return cast(Slot, next(found, "agent"))


def records(text: str | bytes, name: str) -> tuple[OfficialChunk, ...]:
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
        faults = error.errors(include_url=False, include_input=False)
        told = [f"{'.'.join(map(str, f['loc']))}: {f['msg']}" for f in faults[:_FAULTS]]
        more = len(faults) - len(told)
        problem = f"{name}: {'; '.join(told)}{f'; and {more} more' if more else ''}"
        raise GswlabError(problem, _LAYOUT, _COMMAND) from error
    if not any(record.entities for record in found):
        rule = "a workspace has one entity or more"
        raise GswlabError(f"{name} names nobody and nothing", rule, _COMMAND)
    ids = [record.id for record in found]
    if twice := next((i for i in ids if ids.count(i) > 1), None):
        problem = f"{name} has two records of chunk {twice}"
        raise GswlabError(problem, "a chunk is recorded once", _COMMAND)
    return tuple(found)


def _records(data: Mapping[str, Any]) -> Iterator[OfficialChunk]:
    if "documents" in data:
        documents = _Combined.model_validate(data).documents.values()
        told = [pair for document in documents for pair in document.items()]
    elif "gsw" in data:
        told = [("", _ChunkRecord.model_validate(data))]
    else:
        yield from _taken_apart(Structure.model_validate(data))
        return
    for id_, each in told:
        known = each.gsw or Structure(entity_nodes=[])
        at = _at(each.global_id or id_, default=(each.doc_idx, each.chunk_idx))
        links = each.spacetime.spatio_temporal_links if each.spacetime else []
        nodes = tuple(known.entity_nodes), tuple(known.verb_phrase_nodes)
        yield OfficialChunk(*at, *nodes, tuple(links), each.text)


def _at(*chunks: str | None, default: _At = (0, 0)) -> _At:
    """The first of these chunks that says where it is, however its id is written."""
    found = filter(None, (_ID.fullmatch(chunk or "") for chunk in chunks))
    return next(((int(at[1]), int(at[2])) for at in found), default)


def _taken_apart(whole: Structure) -> Iterator[OfficialChunk]:
    """What each chunk brought to a workspace of several."""
    phrases: defaultdict[_At, list[Phrase]] = defaultdict(list)
    for phrase in whole.verb_phrase_nodes:
        for at, part in _phrase_parts(phrase):
            phrases[at].append(part)
    nodes = whole.entity_nodes
    where = {_at(e.chunk_id) for e in nodes}
    where |= {_at(r.chunk_id, e.chunk_id) for e in nodes for r in e.roles}
    for at in sorted({*where, *phrases}):
        named = {a for p in phrases[at] for q in p.questions for a in q.given}
        told = []
        for entity in nodes:
            roles = [r for r in entity.roles if _at(r.chunk_id, entity.chunk_id) == at]
            if roles or _at(entity.chunk_id) == at or entity.id in named:
                told.append(entity.model_copy(update={"roles": roles}))
        yield OfficialChunk(*at, tuple(told), tuple(phrases[at]))


def _phrase_parts(phrase: Phrase) -> Iterator[tuple[_At, Phrase]]:
    """A verb phrase where it came, its questions open until the chunk that answered.

    There it is told again, with what was known of it: it is the same occurrence.
    """
    own = _at(phrase.chunk_id)
    pairs = [(_at(q.chunk_id, phrase.chunk_id), q) for q in phrase.questions]
    for at in dict.fromkeys([own, *(place for place, _ in pairs)]):
        questions = [
            q if place in (own, at) else q.model_copy(update={"answers": [_UNANSWERED]})
            for place, q in pairs
            if at == own or place in (at, own)
        ]
        yield at, phrase.model_copy(update={"questions": questions})


LISTING = "what the file states; it has no text"


@dataclass(frozen=True)
class Imported:
    """A document, its chunks, and the records that each chunk is read with."""

    document: Document
    chunks: tuple[Chunk, ...]
    records: dict[str, tuple[OfficialChunk, ...]]


def imported(
    file: str | Path, text: str | Path | None = None, sentences: int = 3
) -> Imported:
    """A file of the published code laid over its text.

    Args:
        file: its JSON.
        text: the text that it was made of, where it is at hand.
        sentences: of a chunk of that text; the published code's has 3.

    Raises:
        GswlabError: the file is none of its layouts, or the text cannot be read.
    """
    path = Path(file)
    try:
        data = path.read_bytes()
    except OSError as error:
        problem = f"{path} cannot be read: {error.strerror}"
        raise GswlabError(problem, "a readable file", _COMMAND) from error
    found = records(data, path.name)
    # A name that differs where the file does: its text alone may be another's too.
    mark = hashlib.sha256(data).hexdigest()[:8]
    if text is None:
        return _own(f"{path.stem}-{mark}", found)
    document = document_of(read_document(text).text, f"{Path(text).stem}-{mark}")
    return _over(document, found, sentences)


def of_published_code(file: str | Path) -> bool:
    """Whether a file looks like JSON of the published code, right or not."""
    path = Path(file)
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        return is_official(json.loads(path.read_bytes()))
    except (ValueError, RecursionError):
        return False


def _own(name: str, found: Sequence[OfficialChunk]) -> Imported:
    """The records' own texts one after the other, a document of theirs a chapter."""
    id_ = document_of("a", name).id
    whole, read, chapters = "", dict[Chunk, OfficialChunk](), list[Chapter]()
    for number, own in groupby(found, attrgetter("document")):
        begin, records = len(whole), list(own)
        bare = not any((record.text or "").strip() for record in records)
        title = f"document {number}: {LISTING}" if bare else None
        for record in records:
            told = (record.text or "").strip() or listing(record)
            span = Span(id_, len(whole), len(whole) + len(told))
            names = f"{id_}:{record.id}", id_, number + 1, len(read)
            read[Chunk(*names, told, span, title)] = record
            whole += f"{told}\n\n"
        chapters.append(Chapter(number + 1, title, Span(id_, begin, len(whole))))
        whole += "\n"
    document = replace(document_of(whole, name), chapters=tuple(chapters))
    return Imported(document, tuple(read), {c.id: (one,) for c, one in read.items()})


def _over(
    document: Document, found: Sequence[OfficialChunk], sentences: int
) -> Imported:
    """Each record with the chunk of its chapter that has most of its names.

    Of several the one whose number in the chapter is nearest to the record's.
    """
    cut = chunks(document, sentences)
    numbers = list(dict.fromkeys(chunk.chapter for chunk in cut))
    placed: dict[str, tuple[OfficialChunk, ...]] = {}
    for record in found:
        names = [entity.name.casefold() for entity in record.entities]
        chapter = numbers[min(record.document, len(numbers) - 1)]
        near = enumerate(chunk for chunk in cut if chunk.chapter == chapter)
        has = [(sum(n in c.text.casefold() for n in names), i, c) for i, c in near]
        *_, best = max(has, key=lambda one: (one[0], -abs(one[1] - record.index)))
        placed[best.id] = (*placed.get(best.id, ()), record)
    return Imported(document, cut, placed)


def listing(record: OfficialChunk) -> str:
    """What a record states, a line each: entities with roles, then verb phrases."""
    names = {entity.id: _line(entity.name) for entity in record.entities}
    lines = []
    for entity in record.entities:
        said = [_line(", ".join([r.role, *r.states])) for r in entity.roles]
        lines.append(f"{names[entity.id]}{': ' if said else ''}{'; '.join(said)}.")
    for phrase in record.phrases:
        # after who does it, before what else fills its slots
        slots: dict[bool, dict[str, None]] = {True: {}, False: {}}
        for question in phrase.questions:
            bare = ((a, a.removeprefix(_LITERAL)) for a in question.given)
            given = (names.get(answer, _line(text)) for answer, text in bare)
            slots[slot_of(question.text) == "agent"] |= dict.fromkeys(given)
        parts = (", ".join(slots[True]), _line(phrase.phrase), ", ".join(slots[False]))
        lines.append(f"{' '.join(filter(None, parts))}.")
    for link in record.shared:
        who = ", ".join(names[i] for i in link.linked_entities if i in names)
        where = "at" if link.tag_type == "spatial" else "on"
        if link.tag_value and who:
            lines.append(f"{who} {where} {_line(link.tag_value)}.")
    return "\n".join(dict.fromkeys(lines)) or f"chunk {record.id}."


def _line(text: str) -> str:
    return " ".join(text.split())


@dataclass
class OfficialOperator:
    """A file of the published code as an operator.

    `text` is the text that it was made of, where it is at hand; `sentences` is how many
    of that a chunk has.

    >>> gswlab.open("experiment=official", "dataset.file=F.json")  # doctest: +SKIP
    """

    file: str | None = field(default=None, metadata={"path": True})
    text: str | None = field(default=None, metadata={"path": True})
    sentences: int = 3

    @cached_property
    def imported(self) -> Imported:
        """The file laid over its text."""
        if self.file is None:
            rule = "it has what the published code made of each chunk"
            command = "a fork that goes on with operator=spacy"
            raise GswlabError("operator=official has no file", rule, command)
        return imported(self.file, self.text, self.sentences)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """What the file has of a chunk, as far as the chunk has the words for it."""
        found = self.imported.records.get(chunk.id, ())
        read = SpacyOperator().extract(chunk, workspace)
        kinds = {a.name.casefold(): a.kind for a in read.actors}
        cast = [e for record in found for e in record.entities]
        first = {entity.key: entity for entity in reversed(cast)}
        actors = []
        for key in dict.fromkeys(entity.key for entity in cast):
            name, kind = first[key].name, _kind(first[key], kinds)
            who: dict[str, Any] = {"id": key, "kind": kind, "name": name}
            actors.append(ActorReply.model_construct(**who, mentions=[], roles=[]))
        phrases = [p for record in found for p in _phrases(record, chunk)]
        groups = [group for record in found for group in _groups(record)]
        reply = OperatorReply.model_construct(actors=actors, verb_phrases=phrases)
        # The actors with their roles and states, where the chunk says them. What it
        # does not say in so many words rests on where it names the actor; those are
        # listed in an event.
        told = mapped(chunk, workspace, reply, groups)
        unsaid, said_of, base = list[str](), list[Actor](), chunk.span.start

        def where(actor: Actor, said: str) -> tuple[Span, ...]:
            mention, found = actor.mentions[0].span, find_words(chunk.text, said)
            if not found:
                unsaid.extend([f"{actor.name}: {said}"] if said else [])
                return (mention,)
            near = min(found, key=lambda place: abs(place.start + base - mention.start))
            return (Span(chunk.document, base + near.start, base + near.end),)

        for actor in told.actors:
            texts = (actor.name, *(mention.text for mention in actor.mentions))
            named = set(map(str.casefold, texts))
            roles, states = list(actor.roles), list(actor.states)
            for role in (r for e in cast if e.key in named for r in e.roles):
                said = bare_words(role.role)
                at = where(actor, said)
                roles += [Role(said, at, chunk.id)] if said else []
                for state in map(str.strip, role.states):
                    new = State(state, where(actor, state), chunk.id, said or None)
                    states += [new] if state else []
            unique = tuple(dict.fromkeys(roles)), tuple(dict.fromkeys(states))
            said_of.append(replace(actor, roles=unique[0], states=unique[1]))
        events = (TraceEvent("unwritten", {"words": tuple(unsaid)}),) if unsaid else ()
        return replace(told, actors=tuple(said_of), events=(*told.events, *events))


def _kind(entity: OfficialEntity, kinds: dict[str, ActorKind]) -> ActorKind:
    """What the words say an entity is: a date, what grammar finds, what its role is."""
    name = bare_words(entity.name)
    if any(d.end - d.start >= len(name) - 4 for d in find_dates(name)):
        return "time"
    if (known := kinds.get(name.casefold())) is not None:
        return known
    for words in (name, *(role.role for role in entity.roles)):
        kind = noun_kind(words.split()[-1].casefold()) if words.split() else "abstract"
        if kind != "abstract":
            return kind
    return "person" if name[:1].isupper() else "abstract"


def _phrases(record: OfficialChunk, chunk: Chunk) -> Iterator[PhraseReply]:
    names = {entity.id: entity.name for entity in record.entities}
    for phrase in record.phrases:
        asked = []
        for question in phrase.questions:
            given = question.given
            quotes = [a.removeprefix(_LITERAL) for a in given if a.startswith(_LITERAL)]
            ids = [bare_words(names[a]).casefold() for a in given if a in names]
            quote, text = quotes[0] if quotes and not ids else "", question.text
            said: dict[str, Any] = {"slot": slot_of(text), "text": text, "actors": ids}
            asked.append(QuestionReply.model_construct(**said, quote=quote))
        yield PhraseReply.model_construct(
            predicate=phrase.phrase,
            told="explicit",
            quote=_quote(phrase, names, chunk.text),
            questions=asked,
        )


def _quote(phrase: Phrase, names: dict[str, str], text: str) -> str:
    """The sentence with most of a verb phrase: its verb, who fills its slots."""
    given = dict.fromkeys(a for question in phrase.questions for a in question.given)
    fillers = [names.get(a, a.removeprefix(_LITERAL)) for a in given]
    told = [text[a:b] for a, b in sentences_of(text, language_of(text))] or [text]
    stems = [w[: max(3, len(w) - 2)] for w in phrase.phrase.lower().split()[:1]]

    def worth(sentence: str) -> int:
        verb = any(stem in sentence.casefold() for stem in stems)
        return sum(bool(find_words(sentence, name)) for name in fillers) + 2 * verb

    best = max(told, key=worth)
    return best if worth(best) else ""


def _groups(record: OfficialChunk) -> Iterator[GroupReply]:
    names = {entity.id: entity.key for entity in record.entities}
    for link in record.shared:
        yield GroupReply.model_construct(
            kind="space" if link.tag_type == "spatial" else "time",
            actors=[names.get(id_, id_) for id_ in link.linked_entities],
            value=link.tag_value,
        )

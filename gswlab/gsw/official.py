"""Workspaces of the published code (arXiv 2511.07587), read from its JSON files.

A file in any of the three layouts that the code writes is laid over its text; without
one, over a listing of what it states. What is of no layout is refused, with its path.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from pydantic import AliasPath, BaseModel, Field, TypeAdapter, ValidationError

from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError, problems
from gswlab.core.nouns import ActorKind, Chunk, LocalMap, Slot, Span
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model import stages
from gswlab.gsw.operator.model.map import mapped
from gswlab.gsw.operator.model.stages import bare_words, find_words
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.language.dates.find import find_dates
from gswlab.language.language import language_of
from gswlab.language.lexicon import noun_kind, table
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, file_bytes, read_document
from gswlab.text.formats.as_json import is_official
from gswlab.text.sentences import sentences as sentences_of

_ID = re.compile(r"(?:chunk_)?(\d{1,9})_(\d{1,9})")
_LAYOUT = (
    "gsw_results_combined.json, a chunk record or a structure of the published code, "
    "which has documents, gsw or entity_nodes"
)
_COMMAND = "python -m gswlab read FILE.json"
_UNANSWERED, _LITERAL = "None", "TEXT:"
_ENTITIES = AliasPath("gsw", "entity_nodes")
_PHRASES = AliasPath("gsw", "verb_phrase_nodes")
_LINKS = AliasPath("spacetime", "spatio_temporal_links")
_TAGS = {"spatial": "space", "temporal": "time"}
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


class Shared(BaseModel):
    """Entities of a chunk that share a place or a time; a null value is unnamed."""

    linked_entities: list[str]
    tag_type: Literal["spatial", "temporal"]
    tag_value: str | None = None


class OfficialChunk(BaseModel):
    """What the published code made of one chunk; `document` and `index` are from 0."""

    document: int = Field(default=0, ge=0, validation_alias="doc_idx")
    index: int = Field(default=0, ge=0, validation_alias="chunk_idx")
    entities: list[OfficialEntity] = Field([], validation_alias=_ENTITIES)
    phrases: list[Phrase] = Field([], validation_alias=_PHRASES)
    shared: list[Shared] = Field([], validation_alias=_LINKS)
    text: str | None = None

    @property
    def id(self) -> str:
        """Its id in the published code's files."""
        return f"{self.document}_{self.index}"


def slot_of(question: str) -> Slot:
    """The slot that a question leaves open, by its first words."""
    text, rows = " ".join(question.split()), table("en/slots.tsv")
    found = (slot for slot, form in rows if re.match(form, text, re.I))
    return cast(Slot, next(found, "agent"))


def records(text: str | bytes, name: str) -> tuple[OfficialChunk, ...]:
    """The records of a file, in the order of the text; `name` is what errors call it.

    Raises:
        GswlabError: it is no such file; every fault is told with its path.
    """
    found = list[OfficialChunk]()
    try:
        data = json.loads(text)
        if is_official(data) and "entity_nodes" in data:
            found += _taken_apart(OfficialChunk.model_validate({"gsw": data}))
        elif is_official(data):
            documents = data.get("documents", {"": {"": data}})
            layout = TypeAdapter(dict[str, dict[str, OfficialChunk]])
            for own in layout.validate_python(documents).values():
                found += own.values()
    except ValidationError as error:
        raise GswlabError(f"{name}: {problems(error)}", _LAYOUT, _COMMAND) from error
    except (ValueError, RecursionError) as error:
        raise GswlabError(f"{name} is not JSON: {error}", _LAYOUT, _COMMAND) from error
    if not any(record.entities for record in found):
        raise GswlabError(f"{name} names nobody and nothing", _LAYOUT, _COMMAND)
    often, twice = Counter(record.id for record in found).most_common(1)[0][::-1]
    if often > 1:
        problem = f"{name} has two records of chunk {twice}"
        raise GswlabError(problem, "a chunk is recorded once", _COMMAND)
    return tuple(sorted(found, key=attrgetter("document", "index")))


def _at(chunk: str | None, default: _At = (0, 0)) -> _At:
    """Where a chunk is by its id, however that is written."""
    found = _ID.fullmatch(chunk or "")
    return (int(found[1]), int(found[2])) if found else default


def _taken_apart(whole: OfficialChunk) -> Iterator[OfficialChunk]:
    """What each chunk brought to a workspace of several."""
    roles = defaultdict[_At, dict[str, list[OfficialRole]]](dict)
    phrases = defaultdict[_At, list[Phrase]](list)
    for entity in whole.entities:
        own = _at(entity.chunk_id)
        roles[own].setdefault(entity.id, [])
        for role in entity.roles:
            roles[_at(role.chunk_id, own)].setdefault(entity.id, []).append(role)
    for phrase in whole.phrases:
        own = _at(phrase.chunk_id)
        asked = [(_at(q.chunk_id, own), q) for q in phrase.questions]
        # A question is open until the chunk that answered it; there the phrase is told
        # again, with what was known of it: it is the same occurrence.
        for at in {own, *(place for place, _ in asked)}:
            questions = [
                q if place <= at else q.model_copy(update={"answers": []})
                for place, q in asked
            ]
            phrases[at].append(phrase.model_copy(update={"questions": questions}))
    for at in sorted({*roles, *phrases}):
        named = {a for p in phrases[at] for q in p.questions for a in q.given}
        told = [
            entity.model_copy(update={"roles": roles[at].get(entity.id, [])})
            for entity in whole.entities
            if entity.id in roles[at] or entity.id in named
        ]
        new = {"document": at[0], "index": at[1], "entities": told}
        yield whole.model_copy(update={**new, "phrases": phrases[at]})


class Imported(NamedTuple):
    """A document, its chunks, and the records that each chunk is read with."""

    document: Document
    chunks: tuple[Chunk, ...]
    records: dict[str, tuple[OfficialChunk, ...]]


def imported(file: str | Path, text: str | Path | None = None) -> Imported:
    """A file of the published code laid over the text that it was made of.

    Raises:
        GswlabError: the file is none of its layouts, or the text cannot be read.
    """
    data = file_bytes(path := Path(file))
    found = records(data, path.name)
    # A name that differs where the file does: its text alone may be another's too.
    mark = hashlib.sha256(data).hexdigest()[:8]
    if text is None:
        return _own(f"{path.stem}-{mark}", found)
    document = document_of(read_document(text).text, f"{Path(text).stem}-{mark}")
    cut = chunks(document)  # of three sentences, as the published code's are
    numbers = list(dict.fromkeys(chunk.chapter for chunk in cut))
    placed: dict[str, tuple[OfficialChunk, ...]] = {}
    for record in found:
        # The chunk of its chapter that has most of its names; of several the one whose
        # number in the chapter is nearest to the record's.
        names = [entity.name.casefold() for entity in record.entities]
        chapter = numbers[min(record.document, len(numbers) - 1)]
        near = enumerate(chunk for chunk in cut if chunk.chapter == chapter)
        has = [(sum(n in c.text.casefold() for n in names), i, c) for i, c in near]
        *_, best = max(has, key=lambda one: (one[0], -abs(one[1] - record.index)))
        placed[best.id] = (*placed.get(best.id, ()), record)
    return Imported(document, cut, placed)


def of_published_code(file: str | Path) -> bool:
    """Whether a file looks like JSON of the published code, right or not."""
    if Path(file).suffix.lower() != ".json":
        return False
    try:
        return is_official(json.loads(Path(file).read_bytes()))
    except (OSError, ValueError, RecursionError):
        return False


def _own(name: str, found: Sequence[OfficialChunk]) -> Imported:
    """The records' own texts one after the other, a document of theirs a chapter."""
    id_ = document_of("a", name).id
    whole, read, chapters = "", dict[Chunk, OfficialChunk](), list[Chapter]()
    for number, own in groupby(found, attrgetter("document")):
        begin = len(whole)
        for record in own:
            text = (record.text or "").strip()
            told = text or listing(record)
            title = None if text else "what the file states; it has no text"
            span = Span(id_, len(whole), len(whole) + len(told))
            names = f"{id_}:{record.id}", id_, number + 1, len(read)
            read[Chunk(*names, told, span, title)] = record
            whole += f"{told}\n\n"
        chapters.append(Chapter(number + 1, None, Span(id_, begin, len(whole))))
        whole += "\n"
    document = replace(document_of(whole, name), chapters=tuple(chapters))
    return Imported(document, tuple(read), {c.id: (one,) for c, one in read.items()})


def listing(record: OfficialChunk) -> str:
    """What a record states, a line each: entities with roles, then verb phrases."""
    names, lines = {entity.id: entity.name for entity in record.entities}, list[str]()
    for entity in record.entities:
        said = "; ".join(", ".join([r.role, *r.states]) for r in entity.roles)
        lines.append(f"{entity.name}{': ' if said else ''}{said}")
    for phrase in record.phrases:
        # after who does it, before what else fills its slots
        slots: dict[bool, dict[str, None]] = {True: {}, False: {}}
        for question in phrase.questions:
            fillers = dict.fromkeys(_called(a, names) for a in question.given)
            slots[slot_of(question.text) == "agent"] |= fillers
        agents, others = map(", ".join, slots.values())
        lines.append(f"{agents} {phrase.phrase} {others}")
    for link in record.shared:
        who = ", ".join(names[i] for i in link.linked_entities if i in names)
        where = "at" if link.tag_type == "spatial" else "on"
        if link.tag_value and who:
            lines.append(f"{who} {where} {link.tag_value}")
    told = dict.fromkeys(" ".join(line.split()) + "." for line in lines)
    return "\n".join(told) or f"chunk {record.id}."


def _called(answer: str, names: Mapping[str, str]) -> str:
    """The words of an answer: an entity's name, or the text's own."""
    return names.get(answer, answer.removeprefix(_LITERAL))


@dataclass
class OfficialOperator:
    """A file of the published code as an operator, over its text where one is given."""

    file: str | None = field(default=None, metadata={"path": True})
    text: str | None = field(default=None, metadata={"path": True})

    @cached_property
    def imported(self) -> Imported:
        """The file laid over its text."""
        if self.file is None:
            rule = "it has what the published code made of each chunk"
            command = "a fork that goes on with operator=spacy"
            raise GswlabError("operator=official has no file", rule, command)
        return imported(self.file, self.text)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """What the file has of a chunk, as far as the chunk has the words for it."""
        read = SpacyOperator().extract(chunk, workspace)
        kinds = {a.name.casefold(): a.kind for a in read.actors}
        reply = stages.OperatorReply.model_construct(actors=[], verb_phrases=[])
        groups = list[stages.GroupReply]()
        for n, record in enumerate(self.imported.records.get(chunk.id, ())):
            for each in record.entities:
                said: dict[str, Any] = {"id": f"{n} {each.id}", "roles": each.roles}
                said |= {"kind": _kind(each, kinds), "name": each.name, "mentions": []}
                reply.actors.append(stages.ActorReply.model_construct(**said))
            reply.verb_phrases += _phrases(record, f"{n} ", chunk.text)
            for link in record.shared:
                said = {"actors": [f"{n} {id_}" for id_ in link.linked_entities]}
                said |= {"kind": _TAGS[link.tag_type], "value": link.tag_value}
                groups.append(stages.GroupReply.model_construct(**said))
        return mapped(chunk, workspace, reply, groups, lenient=True)


def _kind(entity: OfficialEntity, kinds: dict[str, ActorKind]) -> ActorKind:
    """What the words say an entity is: a date, what grammar finds, what its role is."""
    name = bare_words(entity.name)
    if any(d.end - d.start >= len(name) - 4 for d in find_dates(name)):
        return "time"
    heads = (words.split()[-1:] for words in (name, *(r.role for r in entity.roles)))
    told = (noun_kind(word.casefold()) for head in heads for word in head)
    other: ActorKind = "person" if name[:1].isupper() else "abstract"
    named = next((kind for kind in told if kind != "abstract"), other)
    return kinds.get(name.casefold(), named)


def _phrases(record: OfficialChunk, of: str, text: str) -> Iterator[stages.PhraseReply]:
    """The verb phrases of a record; the ids that it answers with begin with `of`."""
    names = {entity.id: entity.name for entity in record.entities}
    told = [text[a:b] for a, b in sentences_of(text, language_of(text))] or [text]
    for phrase in record.phrases:
        asked, fillers = list[Any](), set[str]()
        for question in phrase.questions:
            fillers |= {_called(a, names) for a in question.given}
            literal = [a for a in question.given if a.startswith(_LITERAL)]
            said: dict[str, Any] = {"slot": slot_of(question.text)}
            said |= {"text": question.text, "quote": _called("".join(literal[:1]), {})}
            said |= {"actors": [of + a for a in question.given if a not in literal]}
            asked.append(stages.QuestionReply.model_construct(**said))
        # The sentence with most of it: its verb, who fills its slots.
        verb = (*phrase.phrase.lower().split(), "")[0]
        stem, worth = verb[: max(3, len(verb) - 2)], dict[str, int]()
        for sentence in told:
            named = sum(bool(find_words(sentence, name)) for name in fillers)
            worth[sentence] = named + 2 * (stem in sentence.casefold())
        best = max(told, key=worth.__getitem__)
        said = {"predicate": phrase.phrase, "told": "explicit", "questions": asked}
        said["quote"] = best if worth[best] else ""
        yield stages.PhraseReply.model_construct(**said)

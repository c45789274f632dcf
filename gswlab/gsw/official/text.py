"""Where the words of a published workspace stand: its own chunks, or the text itself.

A record's chunk is its text. A file without text gets a document that lists what it
states, and says so in its titles: then spans point into this listing, never into a text
that nobody gave. With the text at hand each record is read with the chunk of its
chapter that has most of its names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from gswlab.core.document import Chapter, Document, Turn
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.gsw.official.records import LITERAL, Phrase, Record, records, slot_of
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, read_document
from gswlab.text.formats.books import is_official

Part = TypeVar("Part", Chapter, Turn)
LISTING = "what the file states; it has no text"


@dataclass(frozen=True)
class Imported:
    """A document, its chunks, and the records that each chunk is read with."""

    document: Document
    chunks: tuple[Chunk, ...]
    records: dict[str, tuple[Record, ...]]


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
        command = "python -m gswlab read FILE.json"
        raise GswlabError(problem, "a readable file", command) from error
    found = records(data, path.name)
    # A name that differs where the file does: its text alone may be another's too.
    mark = hashlib.sha256(data).hexdigest()[:8]
    if text is not None:
        return _over(_renamed(read_document(text), mark), found, sentences)
    return _own(f"{path.stem}-{mark}", found)


def of_published_code(file: str | Path) -> bool:
    """Whether a file looks like JSON of the published code, right or not."""
    path = Path(file)
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    try:
        return is_official(json.loads(path.read_bytes()))
    except (ValueError, RecursionError):
        return False


def _renamed(document: Document, mark: str) -> Document:
    id_ = f"{document.id}-{mark}"

    def there(part: Part) -> Part:
        return replace(part, span=replace(part.span, document=id_))

    chapters, turns = map(there, document.chapters), map(there, document.turns)
    return replace(document, id=id_, chapters=tuple(chapters), turns=tuple(turns))


def _own(name: str, found: Sequence[Record]) -> Imported:
    """The records' own texts one after the other, a document of theirs a chapter."""
    id_ = document_of("a", name).id
    whole, placed, chapters = "", list[tuple[Record, Span]](), list[Chapter]()
    for number in dict.fromkeys(record.document for record in found):
        own = [record for record in found if record.document == number]
        begin = len(whole)
        for record in own:
            told = (record.text or "").strip() or listing(record)
            placed.append((record, Span(id_, len(whole), len(whole) + len(told))))
            whole += f"{told}\n\n"
        bare = not any((record.text or "").strip() for record in own)
        title = f"document {number}: {LISTING}" if bare else None
        chapters.append(Chapter(number + 1, title, Span(id_, begin, len(whole))))
        whole += "\n"
    titles = {chapter.number: chapter.title for chapter in chapters}
    cut = tuple(
        Chunk(
            f"{id_}:{record.id}",
            id_,
            record.document + 1,
            index,
            whole[span.start : span.end],
            span,
            titles[record.document + 1],
        )
        for index, (record, span) in enumerate(placed)
    )
    document = replace(document_of(whole, name), chapters=tuple(chapters))
    pairs = zip(cut, placed, strict=True)
    return Imported(document, cut, {chunk.id: (one,) for chunk, (one, _) in pairs})


def _over(document: Document, found: Sequence[Record], sentences: int) -> Imported:
    """Each record with the chunk of its chapter that has most of its names."""
    cut = chunks(document, sentences)
    numbers = list(dict.fromkeys(chunk.chapter for chunk in cut))
    placed: dict[str, tuple[Record, ...]] = {}
    for record in found:
        chapter = numbers[min(record.document, len(numbers) - 1)]
        near = [chunk for chunk in cut if chunk.chapter == chapter]
        best = max(near, key=lambda c: (_has(c, record), -abs(_nth(near, c, record))))
        placed[best.id] = (*placed.get(best.id, ()), record)
    return Imported(document, cut, placed)


def _has(chunk: Chunk, record: Record) -> int:
    text = chunk.text.casefold()
    return sum(entity.name.casefold() in text for entity in record.entities)


def _nth(near: Sequence[Chunk], chunk: Chunk, record: Record) -> int:
    """How far a chunk is from the place in its chapter that the record counts."""
    return near.index(chunk) - record.index


def listing(record: Record) -> str:
    """What a record states, a line each: entities with roles, then verb phrases.

    >>> from gswlab.gsw.official.records import Entity
    >>> listing(Record(0, 0, (Entity(id="e1", name="Ann Ray"),), ()))
    'Ann Ray.'
    """
    names = {entity.id: _line(entity.name) for entity in record.entities}
    lines = []
    for entity in record.entities:
        said = [_line(", ".join([r.role, *r.states])) for r in entity.roles]
        lines.append(f"{names[entity.id]}{': ' if said else ''}{'; '.join(said)}.")
    lines += [f"{' '.join(_said(phrase, names))}." for phrase in record.phrases]
    for link in record.shared:
        who = ", ".join(names[i] for i in link.linked_entities if i in names)
        where = "at" if link.tag_type == "spatial" else "on"
        if link.tag_value and who:
            lines.append(f"{who} {where} {_line(link.tag_value)}.")
    return "\n".join(dict.fromkeys(lines)) or f"chunk {record.id}."


def _said(phrase: Phrase, names: dict[str, str]) -> Iterator[str]:
    """A verb phrase after who does it, before what else fills its slots."""
    slots: dict[bool, dict[str, None]] = {True: {}, False: {}}
    for question in phrase.questions:
        told = [names.get(a, _line(a.removeprefix(LITERAL))) for a in question.given]
        slots[slot_of(question.text) == "agent"] |= dict.fromkeys(told)
    yield from [", ".join(slots[True])] if slots[True] else []
    yield _line(phrase.phrase)
    yield from [", ".join(slots[False])] if slots[False] else []


def _line(text: str) -> str:
    return " ".join(text.split())

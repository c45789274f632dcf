"""Worlds: chunks that one memory reads, and the questions it is asked afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gswlab.core.document import Chapter, Document
from gswlab.core.nouns import Chunk, Span


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its gold, of which no memory or reader gets more than `question`.

    `setting` is what figures are told apart by; `answers` are equally good; `gold` are
    the ids of the chunks that an answer rests on; with `absent` there is no answer and
    abstaining is right; `doubted` marks a label that an audit found wrong.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    setting: str
    gold: frozenset[str] = frozenset()
    absent: bool = False
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """What one memory reads, in order, and is asked; `name` is its cluster."""

    name: str
    chunks: tuple[Chunk, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A chunk to be: its words, and what is known of them."""

    text: str
    title: str | None = None
    speaker: str | None = None
    time: str | None = None


Laid = tuple[Document, list[list[Chunk]]]


def laid(name: str, groups: Sequence[Iterable[Line]]) -> Laid:
    """One document of all lines, and a chunk a line, a list a group.

    Lines stand under their titles, an empty line between two, as a memory that keeps
    texts hands them over.
    """
    parts: list[str] = []
    found: list[list[Chunk]] = []
    at = index = 0
    for group in groups:
        chunks = []
        for line in group:
            head = f"{line.title}\n" if line.title else ""
            span = Span(name, at + len(head), at + len(head) + len(line.text))
            given = line.title, line.speaker, line.time
            id_ = f"{name}:0:{index}"
            chunks.append(Chunk(id_, name, None, index, line.text, span, *given))
            parts.append(head + line.text)
            at, index = span.end + 2, index + 1
        found.append(chunks)
    text = "\n\n".join(parts)
    chapters = (Chapter(None, None, Span(name, 0, len(text))),)
    return Document(name, text, chapters), found

"""Datasets of worlds: what a run of one reads, asks, and holds an answer against.

The chunks alone are handed to a memory, and of a question its words alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gswlab.bench.measures import contained
from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Chunk, Evidence, Span

# Worlds: chunks that one memory reads, and the questions it is asked afterwards.


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


class Worlds(ABC):
    """Worlds that one memory each reads; one alone is stepped through like any text."""

    @cached_property
    @abstractmethod
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """All text as one document, and the worlds in it."""

    @abstractmethod
    def hashes(self) -> dict[str, str]:
        """The content hashes of what is scored against."""

    def document(self) -> Document:
        """The text that every span points into."""
        return self.laid[0]

    @property
    def worlds(self) -> tuple[World, ...]:
        """Each world with its questions and their gold: for scoring alone."""
        return self.laid[1]

    def chunks(self) -> tuple[Chunk, ...]:
        """What the memory of the run reads; nothing where there are several worlds."""
        return self.worlds[0].chunks if len(self.worlds) == 1 else ()

    def wanted(self, budget: int) -> int:
        """Tokens that a memory is asked for."""
        return budget

    def handed(self, question: Question, evidence: Evidence, budget: int) -> Evidence:
        """What of the evidence is handed to the reader."""
        return evidence

    def worth(self, question: Question, answer: Answer) -> dict[str, float]:
        """What an answer is worth, by measure; `accuracy` is among them.

        It is right where it holds an accepted answer, or abstains where there is none.
        """
        if question.absent:
            return {"accuracy": float(answer.abstained)}
        said = ", ".join(answer.items)
        return {"accuracy": contained(said, question.answers)}


def asked_of(worlds: tuple[World, ...]) -> Iterator[tuple[World, Question]]:
    """Every question and its world, in order."""
    return ((world, question) for world in worlds for question in world.questions)


def numbers(said: str, key: str, command: str) -> range:
    """Whole numbers from 1, a number or a range with both ends in.

    >>> list(numbers("3-5", "dataset.conversations", "run"))
    [3, 4, 5]
    """
    first, _, last = said.partition("-")
    try:
        found = range(int(first), int(last or first) + 1)
    except ValueError:
        found = range(0)
    if not found or found[0] < 1:
        rule = "a number from 1, or a range of them, the lower one first"
        raise GswlabError(f"{key} is {said!r}", rule, f"{command} {key}=1-5")
    return found

"""Datasets of worlds: what a run of one reads, asks, and holds an answer against.

The chunks alone are handed to a memory, and of a question its words alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from gswlab.bench import digest
from gswlab.bench.chats.locomo import COMMAND, load_locomo
from gswlab.bench.chats.measures import contained, parted_f1, stem_f1
from gswlab.bench.chats.nouns import Question, World
from gswlab.bench.datasets import PATH, given
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Chunk, Evidence


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


@dataclass
class Locomo(Worlds):
    """Conversations of LoCoMo: `file` and, to tell audited labels apart, `errors`.

    `conversations` are a number or a range, counted from 1; all without it. Beside
    `accuracy`, `f1` is the benchmark's own score.
    """

    file: str | None = field(default=None, metadata=PATH)
    errors: str | None = field(default=None, metadata=PATH)
    conversations: str | None = None
    name: ClassVar[str] = "locomo"

    @cached_property
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """The chosen conversations, a world each; a bad file raises `GswlabError`."""
        kept = self.conversations
        key = "dataset.conversations"
        chosen = numbers(str(kept), key, COMMAND) if kept is not None else None
        return load_locomo(self._file, self._errors, chosen)

    @property
    def _file(self) -> Path:
        return given(self.file, "dataset.file", COMMAND)

    @property
    def _errors(self) -> Path | None:
        command = f"{COMMAND} dataset.errors=FILE"
        return given(self.errors, "dataset.errors", command) if self.errors else None

    def worth(self, question: Question, answer: Answer) -> dict[str, float]:
        """`accuracy`, and the benchmark's score: F1, or 1 for abstaining rightly."""
        found = super().worth(question, answer)
        if question.absent:
            return {**found, "f1": found["accuracy"]}
        said = "" if answer.abstained else ", ".join(answer.items)
        gold = question.answers[0]
        if question.setting == "open_domain":
            gold = gold.partition(";")[0].strip()
        score = parted_f1 if question.setting == "multi_hop" else stem_f1
        return {**found, "f1": score(said, gold)}

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of the file, and of the audit where `errors` names one."""
        files = {"questions": self._file, "errors": self._errors}
        return {k: digest.of_files(path) for k, path in files.items() if path}

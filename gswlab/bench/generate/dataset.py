"""Generated books as a dataset: text for a memory, gold for the scorer alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from gswlab.bench import digest
from gswlab.bench.datasets import Asked
from gswlab.bench.epbench import EpQuestion, questions_of
from gswlab.bench.generate.book import Book, generated
from gswlab.bench.generate.dials import Dials
from gswlab.bench.generate.events import tuples
from gswlab.bench.generate.questions import Wording, questions
from gswlab.bench.judge import Judge
from gswlab.bench.tuples import GoldTuple, tuples_of
from gswlab.core.document import Document
from gswlab.core.errors import checked
from gswlab.text.document import document_of

Positive = Annotated[int, Field(ge=1)]


@dataclass(frozen=True)
class Generated(Asked):
    """A book made here, of any size: same settings, same bytes.

    `cap` is the number of questions a kind and number of matching chapters;
    `dials.NAME` makes the book harder in one way (see `Dials`).
    """

    chapters: int = 200
    seed: int = 1
    wording: Wording = "mixed"
    cap: int = 5
    dials: Dials = field(default_factory=Dials)

    def __post_init__(self) -> None:
        for name in ("chapters", "cap"):
            checked(getattr(self, name), Positive, f"dataset.{name}")

    @property
    def _book(self) -> Book:
        return generated(self.chapters, self.seed, self.dials)

    def document(self) -> Document:
        """The text; the events it tells stay here."""
        return document_of(self._book.text, f"generated-{self.chapters}-{self.seed}")

    def ready(self) -> None:
        """Nothing can be missing: all is made from the settings."""

    def load_questions(self) -> tuple[EpQuestion, ...]:
        """The questions drawn from the book: equal settings, equal questions."""
        return questions_of(self._rows(), f"generated book {self.seed}")

    def load_tuples(self) -> dict[int, GoldTuple]:
        """What happened in each chapter, from the events the book is made of."""
        return tuples_of(tuples(self._book.events))

    def judge(self) -> Judge:
        """The offline judge; nicknames that the book uses are right answers too."""
        return Judge(self._book.aliases)

    def hashes(self) -> dict[str, str]:
        """The content hashes of what answers are scored by."""
        scored: Mapping[str, Any] = {
            "questions": self._rows(),
            "tuples": tuples(self._book.events),
        }
        return {name: digest.of_data(data) for name, data in scored.items()}

    def _rows(self) -> list[dict[str, Any]]:
        book = self._book
        return questions(book.events, book.unused, self.seed, self.wording, self.cap)

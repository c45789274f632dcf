"""Generated books as a dataset: text for a memory, gold for the scorer alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from gswlab.bench.anatomy import GoldTuple, tuples_of
from gswlab.bench.epbench import EpQuestion, questions_of
from gswlab.bench.folder import digest_of_data
from gswlab.bench.generated.prose import scenes, written_chapter
from gswlab.bench.generated.questions import Register, book_questions
from gswlab.bench.generated.universe import (
    EVENT_FIELDS,
    BookEvent,
    Dials,
    Universe,
    tuples,
)
from gswlab.bench.judge import Judge
from gswlab.bench.texts import AskedText
from gswlab.core.document import Document
from gswlab.core.errors import checked
from gswlab.text.document import document_of


@dataclass(frozen=True)
class GeneratedBook:
    """A book and its gold; `aliases` are nicknames that are right answers too."""

    chapters: tuple[str, ...]
    events: tuple[BookEvent, ...]
    unused: Mapping[str, list[str]]
    aliases: Mapping[str, tuple[str, ...]]

    @property
    def text(self) -> str:
        """All chapters under their headings, in EpBench's layout."""
        parts = (f"Chapter {n}\n\n{text}" for n, text in enumerate(self.chapters, 1))
        return "\n\n\n".join(parts)


@lru_cache(maxsize=2)
def generated(
    chapters: int, seed: int = 1, dials: Dials | None = None
) -> GeneratedBook:
    """A book of any size; the same settings make the same book, to the byte."""
    dials = dials or Dials()
    universe = Universe.of(seed, dials.homonyms)
    told = scenes(universe, chapters, seed, dials)
    events = tuple(scene.event for scene in told)
    used = {name: {getattr(e, name) for e in events} for name in EVENT_FIELDS}
    texts = tuple(written_chapter(scene, seed) for scene in told)
    people = (scene.person for scene in told if scene.alias)
    aliases = {person.name: (person.alias,) for person in people}
    return GeneratedBook(texts, events, universe.unused(used), aliases)


_Positive = Annotated[int, Field(ge=1)]


@dataclass(frozen=True)
class Generated(AskedText):
    """A book made here, of any size: same settings, same bytes.

    `cap` is the number of questions a kind and number of matching chapters;
    `dials.NAME` makes the book harder in one way (see `Dials`).
    """

    chapters: int = 200
    seed: int = 1
    wording: Register = "mixed"
    cap: int = 5
    dials: Dials = field(default_factory=Dials)

    def __post_init__(self) -> None:
        for name in ("chapters", "cap"):
            checked(getattr(self, name), _Positive, f"dataset.{name}")

    @property
    def _book(self) -> GeneratedBook:
        return generated(self.chapters, self.seed, self.dials)

    def document(self) -> Document:
        """The text; the events it tells stay here."""
        return document_of(self._book.text, f"generated-{self.chapters}-{self.seed}")

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
        gold = digest_of_data(tuples(self._book.events))
        return {"questions": digest_of_data(self._rows()), "tuples": gold}

    def _rows(self) -> list[dict[str, Any]]:
        told = self._book.events, self._book.unused
        return book_questions(*told, self.seed, self.wording, self.cap)

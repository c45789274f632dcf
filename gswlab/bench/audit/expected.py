"""What a text says of an actor's time and place, chunk by chunk.

Read off sentences, not off the operator's clauses, so that an audit does not repeat the
mistakes of what it audits:

- the day in force is the last one the narration came to in the chapter; steps back
  ("two days before") leave it where it is;
- an actor is where the sentence that speaks of them names a place: the next one named
  after them, else the one it opens with; what is left, come from or only spoken of
  ("from Leeds", "the mayor of Leeds") is no whereabouts, nor is a gate that is opened;
- until a sentence names another place the actor stays there; on a new day they are
  where the chunk sets its scene ("The trial began at the court"), or nowhere.

`gswlab.bench.audit.sentence` says whom a sentence speaks of and which places it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gswlab.bench.audit.sentence import Sentences
from gswlab.core.document import Document, Language
from gswlab.core.nouns import Actor, Chunk, Span
from gswlab.core.workspace import Workspace
from gswlab.language.dates.calendar import DAY
from gswlab.language.dates.find import DateMention, find_dates
from gswlab.text.sentences import sentences

_IN = re.compile(r"(?:\bin|^)\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Said:
    """Time (ISO) and place a chunk's text puts an actor at; None where it says none.

    `*_named` tells whether this chunk itself names it, or an earlier one did.
    """

    time: str | None = None
    place: str | None = None
    place_id: str | None = None
    time_named: bool = False
    place_named: bool = False


def said_of(
    last: Workspace,
    actor: Actor,
    chunks: Sequence[Chunk],
    documents: Sequence[Document],
) -> dict[str, Said]:
    """What the text says of `actor`, by the id of each chunk that speaks of them."""
    languages: dict[str, Language] = {d.id: d.language for d in documents}
    reader = _Reader(actor, Sentences.of(last))
    return {
        chunk.id: said
        for chunk in chunks
        if (said := reader.read(chunk, languages[chunk.document])) is not None
    }


class _Reader:
    """The text so far: the chapter, the day in force, and where the actor was put."""

    def __init__(self, actor: Actor, known: Sentences) -> None:
        self.actor, self.known = actor, known
        self.chapter: tuple[str, int | None] | None = None
        self.basis: str | None = None
        self.day: str | None = None
        self.place: Actor | None = None

    def read(self, chunk: Chunk, language: Language) -> Said | None:
        """One more chunk; None when it does not speak of the actor."""
        if (chunk.document, chunk.chapter) != self.chapter:
            self.chapter = (chunk.document, chunk.chapter)
            self.day = self.place = None
        days = list(self._days(chunk, language))
        said: Said | None = None
        scene: Actor | None = None
        named = {"time": False, "place": False}
        for start, end in sentences(chunk.text, language):
            for at, value in days:
                if start <= at < end:
                    self.place = self.place if value == self.day else None
                    self.day, named["time"] = value, True
            base = chunk.span.start
            here = self.known.at(Span(chunk.document, base + start, base + end), chunk)
            scene = here.scene or scene
            mention = here.mention_of(self.actor)
            if mention is None:
                continue
            if (found := here.place_of(mention)) is not None:
                self.place, named["place"] = found, True
            elif self.place is None and scene is not None:
                self.place, named["place"] = scene, True
            name, place_id = (
                (self.place.name, self.place.id) if self.place else (None, None)
            )
            said = Said(self.day, name, place_id, named["time"], named["place"])
        return said

    def _days(self, chunk: Chunk, language: Language) -> Iterator[tuple[int, str]]:
        """The days the chunk's narration comes to, and where in its text."""
        basis = chunk.time or self.basis
        for date in find_dates(chunk.text, basis, language, narrated=True):
            day = (date.day or "")[:DAY]
            back = date.relative and basis is not None and day < basis
            if day.startswith("-") or back or not day:
                continue
            if len(day) == DAY:
                yield date.start, day
                basis = self.basis = day
            elif _opens(date, chunk.text):
                yield date.start, day


def _opens(date: DateMention, text: str) -> bool:
    """Whether a month or year is when it happens: "In April", not "April's report"."""
    before = text[: date.start]
    lead = before[max(before.rfind("."), before.rfind("。")) + 1 :]
    stated = date.text[:3].casefold() == "in " or bool(_IN.search(lead))
    return stated and not date.relative

"""What a text says of an actor's time and place, chunk by chunk.

Read off sentences, not off the operator's clauses, so that an audit does not repeat the
mistakes of what it audits:

- the day in force is the last one the narration came to in the chapter; steps back
  ("two days before") leave it where it is;
- an actor is where the sentence that speaks of them names a place: the next one named
  after them, else the last one before; what is left, come from or only spoken of
  ("from Leeds", "the mayor of Leeds") is no whereabouts;
- until a sentence names another place, an actor stays where the chapter put them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gswlab.text import Document, Language, find_dates, sentences
from gswlab.workspace.nouns import Actor, Chunk, Span
from gswlab.workspace.workspace import Workspace

DAY = len("2024-05-07")
_AWAY = re.compile(
    r"\b(?:from|of|about|left|leaving|leave|near|towards?|off|past|for|than|to see)"
    r"\s+(?:\w+\s+)?(?:the\s+)?$",
    re.I,
)
_AWAY_AFTER = re.compile("から|について|の(?!中|前|上)|を出|を発|を離")


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


@dataclass(frozen=True, slots=True)
class _Spot:
    """A mention of a place: where, and which actor it is."""

    span: Span
    actor: Actor


def said_of(
    last: Workspace,
    actor: Actor,
    chunks: Sequence[Chunk],
    documents: Sequence[Document],
) -> dict[str, Said]:
    """What the text says of `actor`, by the id of each chunk that speaks of them."""
    languages: dict[str, Language] = {d.id: d.language for d in documents}
    spots = sorted(_spots(last, actor), key=lambda spot: spot.span)
    reader = _Reader([m.span for m in actor.mentions], spots)
    return {
        chunk.id: said
        for chunk in chunks
        if (said := reader.read(chunk, languages[chunk.document])) is not None
    }


def _spots(last: Workspace, actor: Actor) -> Iterator[_Spot]:
    for place in last.actors:
        if place.kind == "place" and place.id != actor.id:
            for mention in place.mentions:
                if mention.form in ("name", "short", "nominal"):
                    yield _Spot(mention.span, place)


class _Reader:
    """The text so far: the chapter, the day in force, and where the actor was put."""

    def __init__(self, mentions: Iterable[Span], spots: Sequence[_Spot]) -> None:
        self.mentions, self.spots = sorted(mentions), spots
        self.at = [spot.span for spot in spots]
        self.chapter: tuple[str, int | None] | None = None
        self.basis: str | None = None
        self.day: str | None = None
        self.place: Actor | None = None

    def read(self, chunk: Chunk, language: Language) -> Said | None:
        """One more chunk; None when it does not speak of the actor."""
        if (chunk.document, chunk.chapter) != self.chapter:
            self.chapter = (chunk.document, chunk.chapter)
            self.day, self.place = None, None
        days = self._days(chunk, language)
        said: Said | None = None
        time_named = place_named = False
        for start, end in sentences(chunk.text, language):
            for at, value in days:
                if start <= at < end:
                    self.day, time_named = value, True
            base = chunk.span.start
            here = Span(chunk.document, base + start, base + end)
            mentions = _within(self.mentions, here)
            if not mentions:
                continue
            if (found := self._placed(mentions[0], here, chunk)) is not None:
                self.place, place_named = found, True
            name = self.place.name if self.place else None
            place_id = self.place.id if self.place else None
            said = Said(self.day, name, place_id, time_named, place_named)
        return said

    def _days(self, chunk: Chunk, language: Language) -> list[tuple[int, str]]:
        """The days the chunk's narration comes to, and where in its text."""
        basis = chunk.time or self.basis
        found = []
        for date in find_dates(chunk.text, basis, language, narrated=True):
            day = (date.day or "")[:DAY]
            back = date.relative and basis is not None and day < basis
            if len(day) == DAY and not day.startswith("-") and not back:
                found.append((date.start, day))
                basis = self.basis = day
        return found

    def _placed(self, mention: Span, sentence: Span, chunk: Chunk) -> Actor | None:
        """The place a sentence puts the actor at, if it names one."""
        first = bisect_right(self.at, Span(sentence.document, sentence.start, -1))
        spots = []
        for spot in self.spots[first:]:
            if spot.span.document != sentence.document or (
                spot.span.start >= sentence.end
            ):
                break
            if not _is_away(spot.span, chunk):
                spots.append(spot)
        after = [spot for spot in spots if spot.span.start >= mention.end]
        chosen = after[:1] or spots[-1:]
        return chosen[0].actor if chosen else None


def _within(mentions: Sequence[Span], sentence: Span) -> list[Span]:
    first = bisect_right(mentions, Span(sentence.document, sentence.start, -1))
    found = []
    for span in mentions[first:]:
        if span.document != sentence.document or span.start >= sentence.end:
            break
        found.append(span)
    return found


def _is_away(span: Span, chunk: Chunk) -> bool:
    """Whether the words around a place say that nobody is put there."""
    start, end = span.start - chunk.span.start, span.end - chunk.span.start
    before, after = chunk.text[max(0, start - 24) : start], chunk.text[end : end + 6]
    return bool(_AWAY.search(before) or _AWAY_AFTER.match(after))

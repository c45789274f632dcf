"""Whom a sentence speaks of, and at which places it puts people.

An actor is spoken of by a mention that the workspace knows, by their name, by a part of
it that nobody else has, or by a plural that stands for the last two persons; "her" in
"her brother" speaks of the brother.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from gswlab.core.nouns import Actor, Chunk, Span
from gswlab.core.workspace import Workspace, name_tokens

_AWAY = re.compile(
    r"\b(?:from|of|about|left|leaving|leave|near|towards?|off|past|for|than|see)"
    r"\s+(?:\w+\s+)?(?:the\s+)?$",
    re.I,
)
_AT = re.compile(
    r"\b(?:at|in|on|inside|into|to|onto|outside|by|beside|under|within|reached|entered)"
    r"\s+(?:(?:the|a|an|his|her|their|its)\s+)?(?:[\w'’]+\s+)?$",
    re.I,
)
_AWAY_AFTER = re.compile("から|について|の(?!中|前|上)|を出|を発|を離")
_AT_AFTER = re.compile("に|で|へ|の[中前上]|を訪")
_PLURAL = re.compile(r"\b(?:they|them|both)\b|二人|彼ら", re.I)
_OWN = re.compile(
    r"(?:his|their)\b|her\s+(?!in|at|to|on|up|and|for|by|that|with)\w", re.I
)
Named = tuple[Span, Actor]


@dataclass(frozen=True, slots=True)
class Heard:
    """One sentence: the persons it speaks of and the places it puts them at."""

    persons: tuple[Named, ...]
    places: tuple[Named, ...]

    def mention_of(self, actor: Actor) -> Span | None:
        """Where it first speaks of an actor."""
        return next((span for span, one in self.persons if one.id == actor.id), None)

    fronted: Actor | None = None

    def place_of(self, mention: Span) -> Actor | None:
        """The next place after a mention, else the one the sentence opens with."""
        after = [place for span, place in self.places if span.start >= mention.end]
        return next(iter((*after, self.fronted)), None)

    @property
    def scene(self) -> Actor | None:
        """Where something happens of which no person is told."""
        return self.places[-1][1] if self.places and not self.persons else None


@dataclass
class Sentences:
    """The mentions of a whole text by place, and who was spoken of last."""

    mentions: list[Named]
    tokens: dict[str, Actor]
    recent: list[Actor] = field(default_factory=list)

    @classmethod
    def of(cls, last: Workspace) -> Sentences:
        """What the last workspace of a run knows of the text's mentions."""
        found = [(m.span, a) for a in last.actors for m in a.mentions]
        found = [(span, a) for span, a in found if a.kind != "time"]
        people = [a for a in last.actors if a.kind == "person" and _is_named(a)]
        parts = {a.id: set(name_tokens(a.name)) for a in people}
        shared = Counter(token for own in parts.values() for token in own)
        tokens = {t: a for a in people for t in parts[a.id] if shared[t] == 1}
        return cls(sorted(found, key=lambda pair: (pair[0], pair[1].id)), tokens)

    def at(self, sentence: Span, chunk: Chunk) -> Heard:
        """One sentence of a chunk; to be called in the order of the text."""
        begin = Span(sentence.document, sentence.start, -1)
        first = bisect_left(self.mentions, begin, key=lambda pair: pair[0])
        own = list(
            takewhile(
                lambda pair: (
                    pair[0].document == sentence.document
                    and pair[0].start < sentence.end
                ),
                self.mentions[first:],
            )
        )
        base = chunk.span.start
        text = chunk.text[sentence.start - base : sentence.end - base]
        said = [(s, a) for s, a in own if not _owns(text[s.start - sentence.start :])]
        places = tuple(p for p in own if p[1].kind == "place" and _puts(p, chunk))
        fronted = next((a for s, a in places if _fronts(text, s, sentence)), None)
        persons = [*said, *self._named(sentence, text), *self._plural(sentence, text)]
        people = [(s, a) for s, a in persons if a.kind == "person"]
        self._note(a for _, a in people)
        return Heard(tuple(people), places, fronted)

    def _named(self, sentence: Span, text: str) -> Iterable[Named]:
        for match in re.finditer(r"\b[^\W\d_][\w'’-]*", text):
            actor = self.tokens.get(match.group().casefold())
            if actor is not None and match.group()[0].isupper():
                start = sentence.start + match.start()
                yield Span(sentence.document, start, start + len(match.group())), actor

    def _plural(self, sentence: Span, text: str) -> Iterable[Named]:
        if (match := _PLURAL.search(text)) is not None:
            start = sentence.start + match.start()
            span = Span(sentence.document, start, start + len(match.group()))
            yield from ((span, actor) for actor in self.recent)

    def _note(self, persons: Iterable[Actor]) -> None:
        for actor in persons:
            if _is_named(actor):
                rest = [one for one in self.recent if one.id != actor.id]
                self.recent = [*rest, actor][-2:]


def _is_named(actor: Actor) -> bool:
    return any(m.form in ("name", "short") for m in actor.mentions)


def _owns(text: str) -> bool:
    """Whether a mention only says whose something is."""
    return bool(_OWN.match(text))


def _fronts(text: str, place: Span, sentence: Span) -> bool:
    """Whether a sentence opens with a place: "In the kitchen of the inn she waited"."""
    lead = text[: place.start - sentence.start]
    spaceless = not lead.isascii() and "、" not in lead
    return not lead or spaceless or bool(_AT.match(lead))


def _puts(place: Named, chunk: Chunk) -> bool:
    """Whether the words around a place put anybody there.

    "At", "into" or "reached" do, "from", "of" or "left" do not; nor does a place that
    is opened, marked on a map or spoken of.
    """
    start, end = (at - chunk.span.start for at in (place[0].start, place[0].end))
    before, after = chunk.text[max(0, start - 24) : start], chunk.text[end : end + 6]
    if _AWAY.search(before) or _AWAY_AFTER.match(after):
        return False
    return bool(_AT.search(before) or _AT_AFTER.match(after))

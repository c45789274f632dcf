"""An actor's time and place, chunk by chunk: as a text says it, and as a run held it.

*Expected* is read off sentences, not off the operator's clauses, so that an audit does
not repeat the mistakes of what it audits; who is meant where, and which names are
places, is taken from the run's last workspace:

- the day in force is the last one the narration came to in the chapter; steps back
  ("two days before") leave it where it is;
- an actor is where the sentence that speaks of them names a place: the next one named
  after them, else the one it opens with; what is left, come from or only spoken of
  ("from Leeds", "the mayor of Leeds") is no whereabouts, nor is a gate that is opened;
- until a sentence names another place the actor stays there; on a new day they are
  where the chunk sets its scene ("The trial began at the court"), or nowhere.

*Held* is read off the workspace after each step; the latest word of the text counts:

- a verb phrase the actor takes part in is anchored at a time or place;
- the actor is coupled to a shared anchor;
- the episode of the chapter binds a day and a place, and the actor is its protagonist
  or one of its participants.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from gswlab.core.document import Document
from gswlab.core.journal import Journal
from gswlab.core.nouns import (
    NAME_FORMS,
    Actor,
    Chunk,
    Episode,
    Place,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.core.step import Put, Step
from gswlab.core.workspace import Workspace, name_tokens
from gswlab.language.dates.calendar import DAY
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import name_key
from gswlab.text.sentences import sentences

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
    fronted: Actor | None = None


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
        ends = (Span(sentence.document, a, -1) for a in (sentence.start, sentence.end))
        first, last = (bisect_left(self.mentions, e, key=itemgetter(0)) for e in ends)
        own = self.mentions[first:last]
        base = chunk.span.start
        text = chunk.text[sentence.start - base : sentence.end - base]
        # "Her" of "her coat" only says whose something is.
        begun = sentence.start
        said = [(s, a) for s, a in own if not _OWN.match(text[s.start - begun :])]
        places = tuple(p for p in own if p[1].kind == "place" and _puts(p, chunk))
        fronted = next((a for s, a in places if _fronts(text, s, sentence)), None)
        persons = [*said, *self._in_words(sentence, text)]
        people = [(s, a) for s, a in persons if a.kind == "person"]
        for _, actor in people:
            if _is_named(actor):
                rest = [one for one in self.recent if one.id != actor.id]
                self.recent = [*rest, actor][-2:]
        return Heard(tuple(people), places, fronted)

    def _in_words(self, sentence: Span, text: str) -> Iterator[Named]:
        """Parts of names that only one person has; "they", of the last two."""

        def at(match: re.Match[str]) -> Span:
            start = sentence.start + match.start()
            return Span(sentence.document, start, start + len(match.group()))

        for match in re.finditer(r"\b[^\W\d_][\w'’-]*", text):
            actor = self.tokens.get(match.group().casefold())
            if actor is not None and match.group()[0].isupper():
                yield at(match), actor
        if (both := _PLURAL.search(text)) is not None:
            yield from ((at(both), actor) for actor in self.recent)


def _is_named(actor: Actor) -> bool:
    return any(m.form in NAME_FORMS for m in actor.mentions)


def _fronts(text: str, place: Span, sentence: Span) -> bool:
    """Whether a sentence opens with a place: "In the kitchen of the inn she waited"."""
    lead = text[: place.start - sentence.start]
    spaceless = not lead.isascii() and "、" not in lead
    return not lead or spaceless or bool(_AT.match(lead))


def _puts(place: Named, chunk: Chunk) -> bool:
    """Whether the words around a place put anybody there, as "at", "reached" do."""
    start, end = (at - chunk.span.start for at in (place[0].start, place[0].end))
    before, after = chunk.text[max(0, start - 24) : start], chunk.text[end : end + 6]
    away = _AWAY.search(before) or _AWAY_AFTER.match(after)
    return not away and bool(_AT.search(before) or _AT_AFTER.match(after))


_IN = re.compile(r"(?:\bin|^)\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Expected:
    """Time (ISO) and place a chunk's text puts an actor at; None where it says none.

    `*_named` tells whether this chunk itself names it, or an earlier one did.
    """

    time: str | None = None
    place: str | None = None
    place_id: str | None = None
    time_named: bool = False
    place_named: bool = False


def expected_of(
    last: Workspace,
    actor: Actor,
    chunks: Sequence[Chunk],
    documents: Sequence[Document],
) -> dict[str, Expected]:
    """What the text says of `actor`, by the id of each chunk that speaks of them."""
    languages: dict[str, str] = {d.id: d.language for d in documents}
    reader = _Reader(actor, Sentences.of(last))
    said = ((c.id, reader.read(c, languages[c.document])) for c in chunks)
    return {id_: expected for id_, expected in said if expected is not None}


class _Reader:
    """The text so far: the chapter, the day in force, and where the actor was put."""

    def __init__(self, actor: Actor, known: Sentences) -> None:
        self.actor, self.known = actor, known
        self.chapter: tuple[str, int | None] | None = None
        self.basis: str | None = None
        self.day: str | None = None
        self.place: Actor | None = None

    def read(self, chunk: Chunk, language: str) -> Expected | None:
        """One more chunk; None when it does not speak of the actor."""
        if (chunk.document, chunk.chapter) != self.chapter:
            self.chapter = (chunk.document, chunk.chapter)
            self.day = self.place = None
        days = list(self._days(chunk, language))
        said: Expected | None = None
        scene: Actor | None = None
        named = {"time": False, "place": False}
        for start, end in sentences(chunk.text, language):
            for at, value in days:
                if start <= at < end:
                    self.place = self.place if value == self.day else None
                    self.day, named["time"] = value, True
            base = chunk.span.start
            here = self.known.at(Span(chunk.document, base + start, base + end), chunk)
            if here.places and not here.persons:  # what happens is told of no person
                scene = here.places[-1][1]
            mentions = (span for span, one in here.persons if one.id == self.actor.id)
            if (mention := next(mentions, None)) is None:
                continue
            # The next place after the mention, else the one the sentence opens with.
            after = (place for span, place in here.places if span.start >= mention.end)
            if (found := next(after, here.fronted)) is not None:
                self.place, named["place"] = found, True
            elif self.place is None and scene is not None:
                self.place, named["place"] = scene, True
            put = self.place
            where: Where = (put.name, put.id) if put else (None, None)
            said = Expected(self.day, *where, named["time"], named["place"])
        return said

    def _days(self, chunk: Chunk, language: str) -> Iterator[tuple[int, str]]:
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
                continue
            # A month or year is when it happens: "In April", not "April's report".
            before = chunk.text[: date.start]
            lead = before[max(before.rfind("."), before.rfind("。")) + 1 :]
            stated = date.text[:3].casefold() == "in " or _IN.search(lead)
            if stated and not date.relative:
                yield date.start, day


@dataclass(frozen=True, slots=True)
class HeldWhereabouts:
    """Time (ISO) and place of an actor as held after a step, and what holds them."""

    step: int
    chunk: str
    time: str | None = None
    time_by: str | None = None
    place: str | None = None
    place_by: str | None = None
    place_id: str | None = None


@dataclass(slots=True)
class _Claims:
    """Nouns that place an actor, each with the last step and character it did so at."""

    ids: frozenset[str]
    at: dict[str, tuple[int, int]] = field(default_factory=dict)

    def read(self, before: Workspace, step: Step, after: Workspace) -> None:
        """Note which nouns a step made speak of the actor."""
        touched = {c.item.id if isinstance(c, Put) else c.id for c in step.changes}
        for noun_id in sorted(touched):
            noun = after.nouns.get(noun_id)
            if isinstance(noun, VerbPhrase) and self._acts(noun, after):
                ends = [span.end for span in noun.spans]
            elif isinstance(noun, (Time, Place)):
                # Newly coupled to an anchor: others may be read there.
                old = before.nouns.get(noun_id)
                known = old.actors if isinstance(old, (Time, Place)) else ()
                joined = set(noun.actors) - set(known)
                if self.ids.isdisjoint(map(after.resolve, joined)):
                    continue
                readings = [r for r in noun.readings if r.chunk == step.chunk]
                ends = [span.end for r in readings for span in r.spans]
            else:
                continue
            self.at[noun_id] = (step.index, max(ends, default=0))

    def _acts(self, noun: VerbPhrase, workspace: Workspace) -> bool:
        if noun.negated or noun.modality != "asserted":
            return False
        slots = ("agent", "patient", "recipient")
        who = (a.actor for a in noun.arguments if a.slot in slots and a.actor)
        return any(workspace.resolve(actor) in self.ids for actor in who)

    def latest(
        self, workspace: Workspace, kind: type[Time] | type[Place]
    ) -> tuple[int, str, str] | None:
        """Step, claiming noun and anchor of the last claim to a known time or place."""
        newest = sorted(self.at.items(), key=itemgetter(1), reverse=True)
        for noun_id, (step, _) in newest:
            noun = workspace.nouns.get(noun_id)
            anchor_id: str | None = noun_id
            if isinstance(noun, VerbPhrase):
                anchor_id = noun.time if kind is Time else noun.place
            anchor = workspace.nouns.get(workspace.resolve(anchor_id or ""))
            if isinstance(anchor, kind) and _value_of(anchor):
                return step, noun_id, anchor.id
        return None


def _value_of(anchor: Time | Place) -> str | None:
    return anchor.value if isinstance(anchor, Time) else anchor.name


def held_of(
    journal: Journal, last: Workspace, actor: Actor
) -> Iterator[tuple[HeldWhereabouts, int | None, Workspace]]:
    """What was held after each step that read a chunk, its chapter, the workspace.

    An actor that a later step merged into this one counts as this one from the start.
    """
    merged = (i for i in last.retired if last.resolve(i) == actor.id)
    claims = _Claims(frozenset((actor.id, *merged)))
    chunks = {chunk.id: chunk for chunk in journal.chunks()}
    opened: dict[str, int] = {}
    before = Workspace()
    for step in journal:
        after = before.apply(step)
        claims.read(before, step, after)
        if step.chunk is not None:
            chunk = chunks[step.chunk]
            # The last episode of the chunk's chapter, if the actor takes part in it.
            episode: Episode | None = None
            for one in after.in_chapter("episode", chunk.chapter):
                if one.document == chunk.document and chunk.id in one.chunks:
                    episode = one
            bounds = (episode.protagonist, *episode.participants) if episode else ()
            taking_part = (b.id for b in bounds if b is not None and b.id)
            if not any(after.resolve(i) in claims.ids for i in taking_part):
                episode = None
            since = opened.setdefault(episode.id, step.index) if episode else 0
            yield _held(step, after, claims, episode, since), chunk.chapter, after
        before = after


def _held(
    step: Step, after: Workspace, claims: _Claims, episode: Episode | None, since: int
) -> HeldWhereabouts:
    assert step.chunk is not None
    when, where = claims.latest(after, Time), claims.latest(after, Place)
    time = time_by = place = place_by = place_id = None
    if episode and episode.date and (when is None or when[0] < since):
        time, time_by = episode.date.value, episode.id
    elif when:
        time, time_by = _value_of(after.get(when[2])), when[1]
    if episode and episode.place and (where is None or where[0] < since):
        place, place_by, place_id = episode.place.value, episode.id, episode.place.id
    elif where:
        anchor: Place = after.get(where[2])
        place, place_by, place_id = anchor.name, where[1], anchor.actor
    found = time, time_by, place, place_by, place_id
    return HeldWhereabouts(step.index, step.chunk, *found)


Where = tuple[str | None, str | None]


def same_place(workspace: Workspace, one: Where, two: Where) -> bool:
    """Whether two places (actor id, name) are one, or one lies inside the other."""
    pairs = ((one, two), (two, one))
    return any(not _around(workspace, a).isdisjoint(_bare(b)) for a, b in pairs)


def _bare(where: Where) -> set[object]:
    return {name_key(where[1])} if where[1] else set()


def _around(workspace: Workspace, where: Where) -> set[object]:
    """The names of a place and of every place that contains it."""
    actor_id = workspace.resolve(where[0]) if where[0] else None
    names, actor = _bare(where), workspace.nouns.get(actor_id or "")
    if isinstance(actor, Actor):
        names |= {name_key(name) for name in (actor.name, *actor.aliases)}
    for place in workspace.places:
        if place.actor and workspace.resolve(place.actor) == actor_id:
            outer: Place | None = place
            seen: set[str] = set()
            while outer is not None and outer.id not in seen:
                seen.add(outer.id)
                names |= _bare((None, outer.name))
                found = workspace.nouns.get(workspace.resolve(outer.inside or ""))
                outer = found if isinstance(found, Place) else None
    return names

"""The nouns of a workspace, as frozen data.

- every noun that states something about a text carries the `Span`s it rests on;
- evidence is kept, not only its outcome: an actor's kind, an episode's date, place,
  protagonist and kind of event are each the best reading of the `Vote`s beside them,
  so "why?" is always answered by data that is already there;
- ids are short and typed by their first letter (`a` actor, `v` verb phrase, `q`
  question, `t` time, `p` place, `e` episode, `r` relation); in a `LocalMap` they are
  local to one chunk, in a `Workspace` they are stable for ever.

Terms follow the generative semantic workspace (arXiv 2511.07587, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gswlab.core.display import DataFrame, Displayed, framed

# Text from outside as one may show it: nothing in it moves, hides or rewrites.
_VEIL = {
    **{c: chr(0x2400 + c) for c in range(32) if c not in (9, 10)},
    **dict.fromkeys((*range(0x7F, 0xA0), *range(0x2028, 0x202F)), "\ufffd"),
    **dict.fromkeys(range(0x2066, 0x206A), "\ufffd"),
}


def visible(text: str) -> str:
    r"""Control characters and bidirectional overrides made visible, one for one.

    >>> visible("a\x1b[31mb\u202ec")
    'a␛[31mb\ufffdc'
    """
    return text.translate(_VEIL)


def short(text: str, most: int = 60) -> str:
    r"""A visible text on one line, cut with an ellipsis.

    >>> short("Ann\n left", 6)
    'Ann l…'
    """
    flat = " ".join(visible(text[: 4 * most]).split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


Scalar: TypeAlias = str | int | float | bool | None
JSON: TypeAlias = "Scalar | tuple[JSON, ...] | list[JSON] | Mapping[str, JSON]"
ActorKind = Literal[
    "person", "organisation", "place", "work", "time", "object", "abstract"
]
MentionForm = Literal["name", "short", "nominal", "pronoun", "narrator", "date"]
NAME_FORMS = ("name", "short")
Granularity = Literal["year", "month", "day", "part_of_day", "hour", "unknown"]
Slot = Literal[
    "agent", "patient", "recipient", "place", "time", "manner", "purpose", "instrument"
]
QuestionStatus = Literal["open", "answered", "partly", "contradictory", "insufficient"]
BOUND = ("date", "place", "protagonist", "kind")  # the fields of an episode


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `start` (inclusive) to `end` (exclusive) of an untouched document."""

    document: str
    start: int
    end: int

    def holds(self, other: Span) -> bool:
        """Whether another lies within this one."""
        inside = self.start <= other.start and other.end <= self.end
        return inside and self.document == other.document


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of sentences of one chapter: what an operator reads at a time.

    `text` equals `document[span.start:span.end]` to the character. `time` is the
    document's or turn's own date (ISO), the basis of relative dates. In a turn of talk
    `named` are the characters before it that name its `speaker`, and `addressee` is
    whom it answers, named by `answers`. `quotes` are the bounds of what its marks
    quote, counted from its beginning and as the whole text has them: a quotation may
    have begun before and end after it. None where only its own text is known.
    """

    id: str
    document: str
    chapter: int | None
    index: int
    text: str
    span: Span
    title: str | None = None
    speaker: str | None = None
    time: str | None = None
    named: Span | None = None
    addressee: str | None = None
    answers: Span | None = None
    quotes: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """One piece of evidence that `field` is `candidate`: negative speaks against.

    `candidate` is an actor, time or place id, or plain text (a kind of event, an
    actor kind, a pronoun class of the focus: `f`, `m`, `they`, `narrator`). `given`
    restricts the vote to readings whose focus is that class ("" counts always).
    """

    field: str
    candidate: str
    weight: float
    reason: str
    spans: tuple[Span, ...] = ()
    given: str = ""


# Votes that were read last, by their first: a chapter has thousands, and each of its
# fields is read anew at every chunk, when a few have come.
_Cast: TypeAlias = "dict[str, dict[str, list[Vote]]]"
_READ: dict[int, tuple[tuple[Vote, ...], _Cast]] = {}
_KEPT = 256


def votes_on(votes: tuple[Vote, ...], field: str) -> dict[str, list[Vote]]:
    """The votes on a field by their candidates, each in order."""
    if not votes:
        return {}
    of, found = _READ.get(id(votes[0]), ((), {}))
    if of is not votes:
        if not of or votes[: len(of)] != of:
            of, found = (), {}
        if len(_READ) >= _KEPT:
            _READ.clear()
        found = _counted(found, votes[len(of) :])
        _READ[id(votes[0])] = votes, found
    return found.get(field, {})


def _counted(known: _Cast, votes: tuple[Vote, ...]) -> _Cast:
    """What is known and more votes; what is known may be another's and stays."""
    new: _Cast = {}
    for vote in votes:
        new.setdefault(vote.field, {}).setdefault(vote.candidate, []).append(vote)
    for name, cast in new.items():
        old = known.get(name, {})
        new[name] = old | {one: old.get(one, []) + said for one, said in cast.items()}
    return known | new


@dataclass(frozen=True, slots=True)
class Mention:
    """Where the text refers to an actor, and in which form."""

    span: Span
    form: MentionForm
    chunk: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Role:
    """A noun phrase that says what an actor may do to others ("a detective").

    An `inferred` one is no word of the text: its spans are of what it follows from.
    """

    text: str
    spans: tuple[Span, ...]
    chunk: str
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A condition of an actor inside a role: stated, or the effect of a verb phrase.

    `since` is the id of the `Time` at which it was narrated to hold, if known.
    States are appended, never overwritten: their order is the actor's timeline.
    """

    text: str
    spans: tuple[Span, ...]
    chunk: str
    role: str | None = None
    since: str | None = None
    source: Literal["stated", "effect"] = "stated"


@dataclass(frozen=True, slots=True)
class Note:
    """Doubt, or what would contradict: kept beside a noun, never inside its facts."""

    text: str
    spans: tuple[Span, ...] = ()
    chunk: str | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who or what a text speaks of. `kind` is the best reading of its kind votes.

    `value` is the normalised value of an actor of kind time (ISO 8601, possibly
    truncated: `2024`, `2024-05`, `2024-05-07`). `gender` is `f`, `m`, `n`, `they`
    or None when the text has not said.
    """

    id: str
    kind: ActorKind
    name: str
    aliases: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()
    states: tuple[State, ...] = ()
    mentions: tuple[Mention, ...] = ()
    votes: tuple[Vote, ...] = ()
    notes: tuple[Note, ...] = ()
    gender: str | None = None
    value: str | None = None
    chunk: str | None = None
    chapter: int | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """What fills a slot of a verb phrase: an actor id, or literal text."""

    slot: Slot
    text: str
    spans: tuple[Span, ...]
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a verb phrase does to a state: arrest takes an actor from free to jailed."""

    actor: str
    after: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class VerbPhrase:
    """An occurrence, explicit in the text or implied by roles, in base form.

    Another mention of the same occurrence enriches it (`spans`, `description`,
    `arguments`) and keeps its id; what would contradict goes to `notes`.
    """

    id: str
    predicate: str
    arguments: tuple[Argument, ...] = ()
    effects: tuple[Effect, ...] = ()
    spans: tuple[Span, ...] = ()
    chunk: str | None = None
    chapter: int | None = None
    implied: bool = False
    negated: bool = False
    modality: Literal["asserted", "hypothetical", "reported", "planned"] = "asserted"
    time: str | None = None
    place: str | None = None
    description: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Filler:
    """An answer to a question: an actor id or literal text, with its support."""

    text: str
    spans: tuple[Span, ...]
    actor: str | None = None
    chunk: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """An open valence slot, a prediction ("charged when?") or a standing question.

    `predicted` marks forward questions an event makes likely; `standing` those a user
    registered. `reason` says why it is not (or only partly) answered. `chapter` is 0
    for a text without chapters; standing questions have none.
    """

    id: str
    text: str
    slot: str
    verb_phrase: str | None = None
    status: QuestionStatus = "open"
    answers: tuple[Filler, ...] = ()
    predicted: bool = False
    standing: bool = False
    reason: str = ""
    spans: tuple[Span, ...] = ()
    chunk: str | None = None
    resolved: str | None = None
    chapter: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What one chunk calls an anchor: its surface text, kept for ever."""

    text: str
    value: str | None
    chunk: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Time:
    """A shared time anchor. `value` is ISO, truncated to `granularity`, or None.

    `basis` says what a relative expression was resolved against. `refines` is the id
    of a coarser anchor this one lies in. `actors` are coupled: they share the value.
    """

    id: str
    value: str | None
    granularity: Granularity = "unknown"
    readings: tuple[Reading, ...] = ()
    actors: tuple[str, ...] = ()
    basis: str | None = None
    refines: str | None = None
    chapter: int | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A shared place anchor; `inside` is the id of the place that contains it."""

    id: str
    name: str | None
    readings: tuple[Reading, ...] = ()
    actors: tuple[str, ...] = ()
    inside: str | None = None
    actor: str | None = None
    chapter: int | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A named tie between two nouns: possibly_same_actor, part_of, brother of, ..."""

    id: str
    source: str
    target: str
    kind: str
    reason: str = ""
    spans: tuple[Span, ...] = ()
    chunk: str | None = None
    chapter: int | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of a chunk by its lemma, no name: what an event is shown by."""

    lemma: str
    span: Span
    pos: str = "NOUN"


@dataclass(frozen=True, slots=True)
class Bound:
    """The reading of one field of an episode: readable without its workspace.

    `value` is what a question asks for (ISO date, name, label); `id` the noun it came
    from; `aliases` the other ways the text writes it; `score` the sum of its votes.
    """

    value: str
    id: str | None = None
    aliases: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    score: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """What binds a date, a place, a protagonist, participants and a kind of event.

    Each field is the best reading of `votes`; second readings stay in `hypotheses`
    (field name to readings), so a lost vote is never lost evidence.
    """

    id: str
    document: str
    chapter: int | None
    chunks: tuple[str, ...] = ()
    date: Bound | None = None
    place: Bound | None = None
    protagonist: Bound | None = None
    kind: Bound | None = None
    participants: tuple[Bound, ...] = ()
    details: tuple[Bound, ...] = ()
    votes: tuple[Vote, ...] = ()
    terms: tuple[Term, ...] = ()
    hypotheses: Mapping[str, tuple[Bound, ...]] = field(default_factory=dict)
    order: int = 0

    @property
    def bounds(self) -> Iterator[tuple[str, Bound]]:
        """Its readings, each with what it is a reading of."""
        for name in BOUND:
            if bound := getattr(self, name):
                yield name, bound
        yield from (("participant", bound) for bound in self.participants)
        yield from (("detail", bound) for bound in self.details)


@dataclass(frozen=True, slots=True)
class Link:
    """A group of local actors that the chunk puts at one time or place.

    `value` is the surface text, None when the place or time is shared but unnamed;
    `iso` and `granularity` hold for times; `basis` for relative ones.
    """

    kind: Literal["space", "time"]
    actors: tuple[str, ...]
    value: str | None
    spans: tuple[Span, ...] = ()
    anchor: str | None = None
    iso: str | None = None
    granularity: Granularity = "unknown"
    basis: str | None = None


@dataclass(frozen=True, slots=True)
class ByHand:
    """A person's word on who an actor of a chunk is, heard before any score.

    `new` is the actor's local id, or after `named:` the workspace id of a pronoun that
    the chunk names at last. `actor` is whom it is merged with (a workspace id, or a
    local one after `new:`); None makes it somebody new.
    """

    new: str
    actor: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class LocalMap:
    """An operator's output for one chunk (the paper's semantic map).

    Ids are local to the chunk; every item has spans. `apart` lists pairs of actors
    that grammar keeps distinct (subject and non-reflexive object of one clause,
    members of one list, a speaker and a name called). `votes` is evidence for the
    chunk's episode, its candidates local ids or plain text; `terms` its content words.
    `events` is what came of making it (a model was asked, a model failed). `by_hand`
    is what a person decided of its actors.
    """

    chunk: str
    actors: tuple[Actor, ...] = ()
    verb_phrases: tuple[VerbPhrase, ...] = ()
    questions: tuple[Question, ...] = ()
    links: tuple[Link, ...] = ()
    relations: tuple[Relation, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    votes: tuple[Vote, ...] = ()
    terms: tuple[Term, ...] = ()
    events: tuple[TraceEvent, ...] = ()
    by_hand: tuple[ByHand, ...] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """What one verb phrase tells, slot by slot: readable without its workspace.

    Roles and states are told by the predicate `be`, in the slots `role` and `state`
    beside `agent`.
    """

    id: str
    predicate: str
    slots: tuple[tuple[str, Bound], ...]
    spans: tuple[Span, ...] = ()
    chapter: int | None = None
    negated: bool = False
    modality: str = "asserted"

    def fillers(self, *slots: str) -> tuple[Bound, ...]:
        """What fills any of these slots, in the order of `slots`."""
        return tuple(bound for slot in slots for s, bound in self.slots if s == slot)


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence: text a reader may read, and what is behind it.

    Behind it are the episodes it describes, or the occurrence its sentence tells. One
    that is merely near a question has in `near` the share of its words that it says,
    in `before` the sentences before it, and in `under` the day that heads it and where.
    """

    text: str
    spans: tuple[Span, ...]
    chapter: int | None
    score: float
    facts: tuple[Episode, ...] = ()
    told: Occurrence | None = None
    near: float | None = None
    before: tuple[str, ...] = ()
    under: tuple[str, tuple[Span, ...]] = ("", ())

    @property
    def graph(self) -> Iterator[tuple[str, str]]:
        """What is behind the text: names of fields and slots, and what fills them."""
        for episode in self.facts:
            for name, bound in episode.bounds:
                aliases = bound.aliases if name in BOUND else ()
                yield from ((name, said) for said in (bound.value, *aliases))
        if self.told:
            yield "predicate", self.told.predicate
            for name, bound in self.told.slots:
                yield from ((name, said) for said in (bound.value, *bound.aliases))

    @property
    def behind(self) -> str:
        """What is behind the text, written out in a line; empty where nothing is."""
        told = dict.fromkeys(self.graph)
        return "; ".join(f"{name}: {said}" for name, said in told)

    @property
    def written(self) -> str:
        """The text, and below it what is behind it: all that a reader reads."""
        behind = self.behind
        return self.text if behind in self.text else f"{self.text}\n{behind}"


@dataclass(frozen=True, slots=True)
class Paragraph(Item):
    """An item that sums up one actor, and the sentences it was written from."""

    actor: str = ""
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence(Displayed):
    """What a memory hands the reader. `tokens` counts exactly the text handed over."""

    items: tuple[Item, ...]
    tokens: int
    trace: tuple[TraceEvent, ...] = ()

    @property
    def text(self) -> str:
        """What is handed over, as one text: what `tokens` counts."""
        return "\n\n".join(item.written for item in self.items)

    def to_frame(self) -> DataFrame:
        """One row an item: text, chapter, score and how many spans it rests on."""
        rows = [(i.text, i.chapter, i.score, len(i.spans)) for i in self.items]
        return framed(("text", "chapter", "score", "spans"), rows)

    def __repr__(self) -> str:
        many = len(self.items)
        return f"Evidence({many} item{'s' * (many != 1)}, {self.tokens:,} tokens)"


@dataclass(frozen=True, slots=True)
class Answer(Displayed):
    """A reader's answer: items in order, or an abstention with its reason.

    An abstention may show the nearest `passage`, which its spans then cite: it is none
    of the answer's items.
    One that failed has neither: whoever was asked gave no usable reply.
    """

    items: tuple[str, ...]
    abstained: bool
    chapters: tuple[int, ...]
    spans: tuple[Span, ...]
    reason: str
    passage: str = ""

    @property
    def failed(self) -> bool:
        """Whether nothing is known, not even that there is no answer."""
        return not (self.items or self.abstained)

    def __repr__(self) -> str:
        if not self.items:
            return f"Answer(none: {short(self.reason)})"
        cites = f"{len(self.spans)} span{'s' * (len(self.spans) != 1)}"
        return f"Answer({', '.join(map(repr, map(short, self.items)))}; {cites})"


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """What a memory did that changes no workspace: retrieved, evicted, gate_fired."""

    kind: str
    data: Mapping[str, JSON] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()


Noun: TypeAlias = Actor | VerbPhrase | Question | Time | Place | Relation | Episode


def label(noun: Noun) -> str:
    """A few words for a noun, as a person would call it."""
    match noun:
        case Actor(name=name):
            return name
        case Place(name=name):
            return name or "somewhere"
        case VerbPhrase(predicate=predicate, negated=negated):
            return f"not {predicate}" if negated else predicate
        case Question(text=text) | Relation(kind=text):
            return text
        case Time(value=value, readings=readings):
            return value or (readings[0].text if readings else "some time")
        case Episode(date=date, place=place, protagonist=who, kind=kind):
            bounds = (kind, who, place, date)
            return ", ".join(b.value for b in bounds if b) or f"chapter {noun.chapter}"

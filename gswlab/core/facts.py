"""What a noun says, as short facts with spans, and the ties it draws in a graph.

One reading of the nouns serves the page, its tables and the words of a difference:
a fact is (field, text, spans); a noun changed when its facts changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gswlab.core.nouns import (
    Actor,
    Bound,
    Episode,
    Note,
    Noun,
    Place,
    Question,
    Relation,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.core.step import NounKind
from gswlab.core.workspace import KIND, Workspace

Namer = Callable[[str], str]
BOUND = ("date", "place", "protagonist", "kind")
_QUIET = ("mention", "read as", "shared by", *(f"{f}, second reading" for f in BOUND))


class Fact(NamedTuple):
    """One thing a noun says, and why: `("role", "a detective", (Span(...),))`."""

    field: str
    text: str
    spans: tuple[Span, ...] = ()
    why: str = ""

    @property
    def quiet(self) -> bool:
        """Kept, but no news by itself: a mention, a second reading."""
        return self.field in _QUIET


class Tie(NamedTuple):
    """One line of the graph, owned by the noun that states it."""

    id: str
    source: str
    target: str
    label: str


def facts(noun: Noun, name: Namer) -> Iterator[Fact]:
    """The facts of a noun, in reading order; `name` says what to call another id."""
    match noun:
        case Actor():
            yield from _actor(noun)
        case VerbPhrase():
            yield from _verb_phrase(noun, name)
        case Question():
            yield Fact("status", noun.status, noun.spans)
            for answer in noun.answers:
                yield Fact("answer", answer.text, answer.spans)
            yield from _some("reason", noun.reason)
        case Time():
            value = noun.value or "not known yet"
            yield Fact("value", f"{value} ({noun.granularity})")
            yield from (Fact("read as", r.text, r.spans) for r in noun.readings)
            yield from (Fact("shared by", name(actor)) for actor in noun.actors)
            yield from _some("resolved against", noun.basis)
            yield from _some("within", noun.refines and name(noun.refines))
            yield from _notes(noun.notes)
        case Place():
            yield Fact("name", noun.name or "not known yet")
            yield from (Fact("read as", r.text, r.spans) for r in noun.readings)
            yield from (Fact("shared by", name(actor)) for actor in noun.actors)
            yield from _some("inside", noun.inside and name(noun.inside))
            yield from _notes(noun.notes)
        case Episode():
            yield from _episode(noun)
        case Relation(kind=kind, reason=reason, spans=spans):
            ends = f"{name(noun.source)} – {name(noun.target)}"
            yield Fact(kind.replace("_", " "), ends, spans)
            yield from _some("reason", reason)


def ties(noun: Noun) -> Iterator[Tie]:
    """The lines a noun draws: an argument, an anchor, a bound field, a relation."""
    if isinstance(noun, Relation):
        yield Tie(noun.id, noun.source, noun.target, noun.kind.replace("_", " "))
        return
    targets: list[tuple[str | None, str]] = []
    match noun:
        case VerbPhrase(arguments=arguments, time=time, place=place):
            targets = [(each.actor, each.slot) for each in arguments]
            targets += [(time, "time"), (place, "place")]
        case Time(actors=actors, refines=refines):
            targets = [*((actor, "when") for actor in actors), (refines, "within")]
        case Place(actors=actors, inside=inside, actor=actor):
            targets = [(other, "where") for other in actors if other != actor]
            targets += [(inside, "inside"), (actor, "is")]
        case Episode():
            for field in ("date", "place", "protagonist"):
                bound = getattr(noun, field)
                targets.append((bound.id if bound else None, field))
            targets += [(bound.id, "participant") for bound in noun.participants]
    for target, label in targets:
        if target is not None and target != noun.id:
            yield Tie(f"{noun.id}>{target}:{label}", noun.id, target, label)


def face(noun: Noun, workspace: Workspace) -> str | None:
    """The actor that an anchor is drawn as: the place itself, the day itself."""
    if isinstance(noun, Place) and noun.actor:
        return workspace.resolve(noun.actor)
    if isinstance(noun, Time):
        for actor_id in map(workspace.resolve, noun.actors):
            actor = workspace.nouns.get(actor_id)
            if isinstance(actor, Actor) and actor.kind == "time":
                return actor_id
    return None


def _some(field: str, text: str | None, spans: tuple[Span, ...] = ()) -> Iterator[Fact]:
    if text:
        yield Fact(field, text, spans)


def _notes(notes: tuple[Note, ...]) -> Iterator[Fact]:
    return (Fact("note", note.text, note.spans) for note in notes)


def _actor(actor: Actor) -> Iterator[Fact]:
    yield Fact("kind", actor.kind)
    yield from _some("value", actor.value)
    for alias in actor.aliases:
        yield Fact("also called", alias)
    for role in actor.roles:
        yield Fact("inferred role"[9 * (not role.inferred) :], role.text, role.spans)
    for state in actor.states:
        how = " (effect)" if state.source == "effect" else ""
        as_role = f", as {state.role}" if state.role else ""
        yield Fact("state", f"{state.text}{as_role}{how}", state.spans)
    for mention in actor.mentions:
        yield Fact("mention", mention.text, (mention.span,), mention.form)
    yield from _notes(actor.notes)


def _verb_phrase(verb: VerbPhrase, name: Namer) -> Iterator[Fact]:
    yield Fact("occurs", verb.predicate, verb.spans)
    for argument in verb.arguments:
        yield Fact(argument.slot, argument.text, argument.spans)
    for effect in verb.effects:
        before = effect.before or "?"
        yield Fact("effect", f"{name(effect.actor)}: {before} → {effect.after}")
    flags = (verb.negated, "not"), (verb.implied, "implied, not written")
    for flag, text in (*flags, (verb.modality != "asserted", verb.modality)):
        yield from _some("reading", text if flag else None)
    yield from _some("time anchor", verb.time and name(verb.time))
    yield from _some("place anchor", verb.place and name(verb.place))
    for text in verb.description:
        yield Fact("description", text)
    yield from _notes(verb.notes)


def _episode(episode: Episode) -> Iterator[Fact]:
    for field in BOUND:
        yield from _bound(field, getattr(episode, field))
        for other in episode.hypotheses.get(field, ()):
            yield from _bound(f"{field}, second reading", other)
    for bound in episode.participants:
        yield from _bound("participant", bound)
    for bound in episode.details:
        yield from _bound("detail", bound)


def _bound(field: str, bound: Bound | None) -> Iterator[Fact]:
    if bound:
        yield Fact(field, bound.value, bound.spans, bound.reason)


def kind_of(noun: Noun) -> str:
    """The kind a reader sees: an anchor looks like what it anchors.

    >>> kind_of(Actor("a1", "person", "Ann Ray")), kind_of(Time("t1", "2024"))
    ('person', 'time')
    """
    if isinstance(noun, Actor):
        return noun.kind
    kind: NounKind = KIND[noun.id[:1]]
    return kind.replace("_", " ")


def name_of(noun: Noun) -> str:
    """What to call a noun on screen; never empty.

    >>> name_of(Place("p1", None)), name_of(Time("t1", "2024-05"))
    ('p1 (unnamed)', '2024-05')
    """
    match noun:
        case Actor(name=name):
            return name or noun.id
        case Time(value=value, readings=readings):
            texts = (reading.text for reading in readings)
            return value or next(filter(None, texts), f"{noun.id} (undated)")
        case Place(name=place):
            return place or f"{noun.id} (unnamed)"
        case Question(text=text):
            return text
        case Episode(kind=kind, chapter=chapter):
            where = f"chapter {chapter}" if chapter is not None else noun.id
            return f"{kind.value if kind else 'episode'}, {where}"
        case VerbPhrase(predicate=label) | Relation(kind=label):
            return label.replace("_", " ")

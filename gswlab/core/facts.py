"""What a noun says, as short facts with spans, and which nouns it names.

One reading of the nouns serves the page, its tables and the words of a difference:
a fact is (field, text, spans); a noun changed when its facts changed. A reference is an
arrow to an id; whether the id lives is for a workspace to say (`live`): merged ids lead
on, dropped ones lead nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gswlab.core.nouns import (
    BOUND,
    Actor,
    Bound,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.core.workspace import KIND, Workspace

Namer = Callable[[str], str]
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


def facts(noun: Noun, name: Namer) -> Iterator[Fact]:
    """The facts of a noun, in reading order; `name` says what to call another id."""
    match noun:
        case Actor():
            yield from _actor(noun)
        case VerbPhrase():
            yield from _verb_phrase(noun, name)
        case Question():
            yield Fact("status", noun.status, noun.spans)
            yield from (Fact("answer", each.text, each.spans) for each in noun.answers)
            yield from _some("reason", noun.reason)
        case Time() | Place():
            yield from _anchor(noun, name)
        case Episode():
            for field in BOUND:
                yield from _bound(field, getattr(noun, field))
                for other in noun.hypotheses.get(field, ()):
                    yield from _bound(f"{field}, second reading", other)
            for bound in noun.participants:
                yield from _bound("participant", bound)
            for bound in noun.details:
                yield from _bound("detail", bound)
        case Relation(kind=kind, reason=reason, spans=spans):
            ends = f"{name(noun.source)} – {name(noun.target)}"
            yield Fact(kind.replace("_", " "), ends, spans)
            yield from _some("reason", reason)
    for note in getattr(noun, "notes", ()):
        yield Fact("note", note.text, note.spans)


def _some(field: str, text: str | None) -> Iterator[Fact]:
    if text:
        yield Fact(field, text)


def _bound(field: str, bound: Bound | None) -> Iterator[Fact]:
    if bound:
        yield Fact(field, bound.value, bound.spans, bound.reason)


def _anchor(noun: Time | Place, name: Namer) -> Iterator[Fact]:
    if isinstance(noun, Time):
        yield Fact("value", f"{noun.value or 'not known yet'} ({noun.granularity})")
    else:
        yield Fact("name", noun.name or "not known yet")
    yield from (Fact("read as", r.text, r.spans) for r in noun.readings)
    yield from (Fact("shared by", name(actor)) for actor in noun.actors)
    if isinstance(noun, Time):
        yield from _some("resolved against", noun.basis)
        yield from _some("within", noun.refines and name(noun.refines))
    else:
        yield from _some("inside", noun.inside and name(noun.inside))


def _actor(actor: Actor) -> Iterator[Fact]:
    yield Fact("kind", actor.kind)
    yield from _some("value", actor.value)
    yield from (Fact("also called", alias) for alias in actor.aliases)
    for role in actor.roles:
        field = "inferred role" if role.inferred else "role"
        yield Fact(field, role.text, role.spans)
    for state in actor.states:
        how = " (effect)" if state.source == "effect" else ""
        as_role = f", as {state.role}" if state.role else ""
        yield Fact("state", f"{state.text}{as_role}{how}", state.spans)
    yield from (Fact("mention", m.text, (m.span,), m.form) for m in actor.mentions)


def _verb_phrase(verb: VerbPhrase, name: Namer) -> Iterator[Fact]:
    yield Fact("occurs", verb.predicate, verb.spans)
    yield from (Fact(each.slot, each.text, each.spans) for each in verb.arguments)
    for effect in verb.effects:
        before = effect.before or "?"
        yield Fact("effect", f"{name(effect.actor)}: {before} → {effect.after}")
    flags = (verb.negated, "not"), (verb.implied, "implied, not written")
    for flag, text in (*flags, (verb.modality != "asserted", verb.modality)):
        yield from _some("reading", text if flag else None)
    yield from _some("time anchor", verb.time and name(verb.time))
    yield from _some("place anchor", verb.place and name(verb.place))
    yield from (Fact("description", text) for text in verb.description)


class Reference(NamedTuple):
    """An arrow from a noun: `label` says in which capacity it names `target`.

    `spans` are the characters it rests on: its own, else those of the noun.
    """

    label: str
    target: str
    spans: tuple[Span, ...] = ()


def links(noun: Noun) -> Iterator[Reference]:
    """The ids a noun names, in the order it names them.

    >>> [*links(Relation("r1", "a1", "a2", "brother of"))]
    [Reference(label='brother of', target='a2', spans=())]
    """
    for capacity, target, spans in _named(noun):
        if target is not None:
            yield Reference(capacity, target, spans)


def _named(noun: Noun) -> Iterator[tuple[str, str | None, tuple[Span, ...]]]:
    match noun:
        case Actor():
            yield from (("since", state.since, state.spans) for state in noun.states)
        case VerbPhrase(spans=spans):
            yield from ((each.slot, each.actor, each.spans) for each in noun.arguments)
            yield from (("changes", effect.actor, spans) for effect in noun.effects)
            yield from (("time", noun.time, spans), ("place", noun.place, spans))
        case Question(spans=spans):
            yield "asks about", noun.verb_phrase, spans
            yield from (("answer", each.actor, each.spans) for each in noun.answers)
        case Time() | Place():
            spans = tuple(span for each in noun.readings for span in each.spans)
            if isinstance(noun, Time):
                yield "refines", noun.refines, spans
            else:
                yield from (("inside", noun.inside, spans), ("is", noun.actor, spans))
            yield from (("couples", actor, spans) for actor in noun.actors)
        case Relation():
            yield noun.kind, noun.target, noun.spans
        case Episode():
            yield from ((name, b.id, b.spans) for name, b in noun.bounds)


def live(workspace: Workspace, noun_id: str | None) -> str | None:
    """The living id that `noun_id` leads to, or None."""
    found = workspace.resolve(noun_id) if noun_id is not None else None
    return found if found in workspace else None


class Tie(NamedTuple):
    """One line of the graph, owned by the noun that states it."""

    id: str
    source: str
    target: str
    label: str


# Of what nouns name, what is drawn by another word, and what (empty) is not drawn.
_DRAWN = {
    "vchanges": "",
    "ekind": "",
    "edetail": "",
    "trefines": "within",
    "tcouples": "when",
    "pcouples": "where",
}


def ties(noun: Noun) -> Iterator[Tie]:
    """The lines a noun draws: an argument, an anchor, a bound field, a relation."""
    if isinstance(noun, Relation):
        yield Tie(noun.id, noun.source, noun.target, noun.kind.replace("_", " "))
    elif not isinstance(noun, Actor | Question):
        itself = (noun.id, noun.actor) if isinstance(noun, Place) else (noun.id,)
        for capacity, target, _ in links(noun):
            word = _DRAWN.get(noun.id[:1] + capacity, capacity)
            if word and (word == "is" or target not in itself):
                yield Tie(f"{noun.id}>{target}:{word}", noun.id, target, word)


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


def namer(workspace: Workspace, named: Callable[[Noun], str]) -> Namer:
    """What the ids of a workspace are called; an id it does not know stays."""

    def called(noun_id: str) -> str:
        noun = workspace.nouns.get(workspace.resolve(noun_id))
        return named(noun) if noun else noun_id

    return called


def kind_of(noun: Noun) -> str:
    """The kind a reader sees: an anchor looks like what it anchors.

    >>> kind_of(Actor("a1", "person", "Ann Ray")), kind_of(Time("t1", "2024"))
    ('person', 'time')
    """
    shared = KIND[noun.id[:1]].replace("_", " ")
    return noun.kind if isinstance(noun, Actor) else shared


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
        case Episode(kind=kind, chapter=chapter):
            where = f"chapter {chapter}" if chapter is not None else noun.id
            return f"{kind.value if kind else 'episode'}, {where}"
        case VerbPhrase(predicate=text) | Relation(kind=text):
            return text.replace("_", " ")
        case Question(text=text):
            return text

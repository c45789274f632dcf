"""Verb phrases, roles, states and whereabouts as occurrences: one shape to answer from.

An `Occurrence` holds the names, days and places that its workspace knows, each with the
characters it rests on, so whoever reads it needs no workspace beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gswlab.core.nouns import (
    Actor,
    Argument,
    Bound,
    Occurrence,
    Place,
    Reading,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import format_date


def occurrence(workspace: Workspace, phrase: VerbPhrase) -> Occurrence:
    """What a verb phrase tells: its arguments by name, its anchored day and place.

    >>> occurrence(Workspace(), VerbPhrase("v1", "arrest")).slots
    ()
    """
    slots = [
        *_time(workspace, phrase),
        *_place(workspace, phrase),
        *((a.slot, _filler(workspace, a)) for a in phrase.arguments),
    ]
    for effect in phrase.effects:
        name = _name(workspace, effect.actor)
        slots.append(("state", Bound(effect.after, aliases=name, spans=phrase.spans)))
    return Occurrence(
        phrase.id,
        phrase.predicate,
        tuple(slots),
        phrase.spans,
        phrase.chapter,
        phrase.negated,
        phrase.modality,
    )


def conditions(workspace: Workspace) -> Iterator[Occurrence]:
    """What actors are and where they are: roles, states and places, as `be`."""
    for actor in workspace.actors:
        for role in actor.roles:
            yield _being(actor, "role", Bound(role.text, spans=role.spans))
        for state in actor.states:
            yield _being(actor, "state", Bound(_bare(state.text), spans=state.spans))
    for place in workspace.places:
        for actor_id in dict.fromkeys(map(workspace.resolve, place.actors)):
            found = _noun(workspace, actor_id)
            if isinstance(found, Actor) and place.name and actor_id != place.actor:
                yield _being(found, "place", _at(workspace, place, place.readings[:1]))


def _being(actor: Actor, slot: str, what: Bound) -> Occurrence:
    who = Bound(actor.name, actor.id, actor.aliases, what.spans)
    slots = (("agent", who), (slot, what))
    return Occurrence(actor.id, "be", slots, what.spans, actor.chapter)


def _bare(state: str) -> str:
    return state.removeprefix("is ").removeprefix("was ")


def _filler(workspace: Workspace, argument: Argument) -> Bound:
    """An argument by the name of its actor; its roles are other ways to say it."""
    actor = _noun(workspace, argument.actor)
    if not isinstance(actor, Actor):
        return Bound(argument.text, spans=argument.spans)
    roles = (role.text for role in actor.roles)
    aliases = dict.fromkeys((argument.text, *actor.aliases, *roles))
    aliases.pop(actor.name, None)
    return Bound(actor.name, actor.id, tuple(aliases), argument.spans)


def _time(workspace: Workspace, phrase: VerbPhrase) -> Iterator[tuple[str, Bound]]:
    """The anchored day as the verb phrase's chunk wrote it, and what it counts from."""
    time = _noun(workspace, phrase.time)
    if not isinstance(time, Time) or time.value is None:
        return
    own = [s for a in phrase.arguments if a.slot == "time" for s in a.spans]
    near = [r for r in time.readings if set(r.spans) & set(own)]
    near = near or [r for r in time.readings if r.chunk == phrase.chunk and r.text]
    read = near or [r for r in time.readings if r.value]
    texts = tuple(dict.fromkeys(r.text for r in read if r.text))
    reason = ""
    if time.basis and time.readings:  # the first reading was counted, others joined it
        counted, basis = time.readings[0].text, time.basis
        dated = basis[:1].isdigit()  # else how a date in figures was read
        reason = f"{counted!r} is counted from {format_date(basis)}" if dated else ""
        reason = reason or f"{counted!r} is {basis}"
    yield "time", Bound(time.value, time.id, texts, _spans(read), reason=reason)


def _place(workspace: Workspace, phrase: VerbPhrase) -> Iterator[tuple[str, Bound]]:
    """The anchored place; the places around it are other ways to say it."""
    place = _noun(workspace, phrase.place)
    if not isinstance(place, Place) or place.name is None:
        return
    own = [a for a in phrase.arguments if a.slot == "place" and a.actor]
    named = [a for a in own if workspace.resolve(a.actor or "") == place.actor]
    read = [r for r in place.readings if r.chunk == phrase.chunk] or place.readings
    found = _at(workspace, place, read)
    spans = tuple(span for a in named for span in a.spans) or found.spans
    yield "place", Bound(found.value, found.id, found.aliases, spans)


def _at(workspace: Workspace, place: Place, read: Iterable[Reading]) -> Bound:
    names: dict[str, None] = {}
    outer: Place | None = place
    while outer is not None and outer.name and outer.name not in names:
        names[outer.name] = None
        found = _noun(workspace, outer.inside)
        outer = found if isinstance(found, Place) else None
    return Bound(place.name or "", place.id, tuple(names)[1:], _spans(read))


def _name(workspace: Workspace, actor_id: str) -> tuple[str, ...]:
    actor = _noun(workspace, actor_id)
    return (actor.name,) if isinstance(actor, Actor) else ()


def _noun(workspace: Workspace, noun_id: str | None) -> object:
    return workspace.nouns.get(workspace.resolve(noun_id)) if noun_id else None


def _spans(readings: Iterable[Reading]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(span for reading in readings for span in reading.spans))

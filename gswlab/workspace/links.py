"""Which noun names which: the one list of references, read by graphs and exports.

A `Link` is a labelled arrow from a noun to an id; whether the id still lives is for a
workspace to say (`live`): merged ids lead on, dropped ones lead nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gswlab.workspace.nouns import (
    Actor,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Time,
    VerbPhrase,
)
from gswlab.workspace.workspace import Workspace


class Link(NamedTuple):
    """An arrow from a noun: `label` says in which capacity it names `target`."""

    label: str
    target: str


def links(noun: Noun) -> Iterator[Link]:
    """The ids a noun names, in the order it names them.

    >>> [*links(Relation("r1", "a1", "a2", "brother of"))]
    [Link(label='brother of', target='a2')]
    """
    for label, target in _named(noun):
        if target is not None:
            yield Link(label, target)


def _named(noun: Noun) -> Iterator[tuple[str, str | None]]:
    match noun:
        case Actor():
            yield from (("since", state.since) for state in noun.states)
        case VerbPhrase():
            yield from ((each.slot, each.actor) for each in noun.arguments)
            yield from (("changes", effect.actor) for effect in noun.effects)
            yield from (("time", noun.time), ("place", noun.place))
        case Question():
            yield "asks about", noun.verb_phrase
            yield from (("answer", answer.actor) for answer in noun.answers)
        case Time():
            yield "refines", noun.refines
            yield from (("couples", actor) for actor in noun.actors)
        case Place():
            yield from (("inside", noun.inside), ("is", noun.actor))
            yield from (("couples", actor) for actor in noun.actors)
        case Relation():
            yield noun.kind, noun.target
        case Episode():
            yield from _bound(noun)


def _bound(episode: Episode) -> Iterator[tuple[str, str | None]]:
    for name in ("date", "place", "protagonist", "kind"):
        bound = getattr(episode, name)
        if bound is not None:
            yield name, bound.id
    yield from (("participant", bound.id) for bound in episode.participants)
    yield from (("detail", bound.id) for bound in episode.details)


def live(workspace: Workspace, noun_id: str | None) -> str | None:
    """The living id that `noun_id` leads to, or None."""
    if noun_id is None:
        return None
    found = workspace.resolve(noun_id)
    return found if found in workspace else None


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

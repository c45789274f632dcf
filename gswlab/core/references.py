"""Which noun names which: the one list of references, read by graphs and exports.

A `Link` is a labelled arrow from a noun to an id; whether the id still lives is for a
workspace to say (`live`): merged ids lead on, dropped ones lead nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from gswlab.core.nouns import (
    Actor,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.core.workspace import Workspace

Spans: TypeAlias = tuple[Span, ...]


class Link(NamedTuple):
    """An arrow from a noun: `label` says in which capacity it names `target`.

    `spans` are the characters it rests on: its own, else those of the noun.
    """

    label: str
    target: str
    spans: Spans = ()


def links(noun: Noun) -> Iterator[Link]:
    """The ids a noun names, in the order it names them.

    >>> [*links(Relation("r1", "a1", "a2", "brother of"))]
    [Link(label='brother of', target='a2', spans=())]
    """
    for label, target, spans in _named(noun):
        if target is not None:
            yield Link(label, target, spans)


def _named(noun: Noun) -> Iterator[tuple[str, str | None, Spans]]:
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
        case Time():
            spans = _read(noun)
            yield "refines", noun.refines, spans
            yield from (("couples", actor, spans) for actor in noun.actors)
        case Place():
            spans = _read(noun)
            yield from (("inside", noun.inside, spans), ("is", noun.actor, spans))
            yield from (("couples", actor, spans) for actor in noun.actors)
        case Relation():
            yield noun.kind, noun.target, noun.spans
        case Episode():
            yield from _bound(noun)


def _read(anchor: Time | Place) -> Spans:
    return tuple(span for reading in anchor.readings for span in reading.spans)


def _bound(episode: Episode) -> Iterator[tuple[str, str | None, Spans]]:
    for name in ("date", "place", "protagonist", "kind"):
        bound = getattr(episode, name)
        if bound is not None:
            yield name, bound.id, bound.spans
    for name, bounds in (
        ("participant", episode.participants),
        ("detail", episode.details),
    ):
        yield from ((name, bound.id, bound.spans) for bound in bounds)


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

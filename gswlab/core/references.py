"""Which noun names which: the one list of references, read by graphs and exports.

A `Reference` is a labelled arrow from a noun to an id; whether the id lives is for a
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


class Reference(NamedTuple):
    """An arrow from a noun: `label` says in which capacity it names `target`.

    `spans` are the characters it rests on: its own, else those of the noun.
    """

    label: str
    target: str
    spans: Spans = ()


def links(noun: Noun) -> Iterator[Reference]:
    """The ids a noun names, in the order it names them.

    >>> [*links(Relation("r1", "a1", "a2", "brother of"))]
    [Reference(label='brother of', target='a2', spans=())]
    """
    for capacity, target, spans in _named(noun):
        if target is not None:
            yield Reference(capacity, target, spans)


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
            for name in ("date", "place", "protagonist", "kind"):
                if bound := getattr(noun, name):
                    yield name, bound.id, bound.spans
            yield from (("participant", b.id, b.spans) for b in noun.participants)
            yield from (("detail", b.id, b.spans) for b in noun.details)


def live(workspace: Workspace, noun_id: str | None) -> str | None:
    """The living id that `noun_id` leads to, or None."""
    if noun_id is None:
        return None
    found = workspace.resolve(noun_id)
    return found if found in workspace else None

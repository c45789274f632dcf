"""Answers about what two are to each other, when it changed, and who was ever what."""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.core.nouns import Answer
from gswlab.question.relations import same, told
from gswlab.reader.plot.asked import Asked


def changes(asked: Asked) -> Answer | None:
    """How often the relation of two changed."""
    runs = asked.story.runs(asked.pair)
    why = "the relation is told at these events"
    return asked.said([str(len(runs) - 1)], [asked.pair], why) if runs else None


def events(asked: Asked) -> Answer | None:
    """In how many events somebody appears, or two are to each other what is said."""
    if asked.wanted.relations:
        found = asked.story.stated(asked.pair, asked.wanted.relations[0])
        return asked.said([str(len(found))], [asked.pair], f"events {found}")
    name = asked.names[0]
    count = asked.story.appearances(name)
    return asked.said([str(count)], [name], "the events in which they appear")


def ever(asked: Asked) -> Answer | None:
    """Who was ever that to somebody, or how many."""
    name, relation = asked.names[0], asked.wanted.relations[0]
    who = asked.story.ever(name, relation)
    keys = [name, *(frozenset({name, one}) for one in who)]
    if asked.wanted.count:
        return asked.said([str(len(who))], keys, f"they are {', '.join(who)}")
    return asked.said(who, keys, f"{relation} of {name}") if who else None


def change(asked: Asked) -> Answer | None:
    """The event at which a relation begins, or where it ends, the one before it."""
    runs, want = asked.story.runs(asked.pair), asked.wanted
    into = want.relations[-1]
    found = [
        event
        for n, (event, relation) in enumerate(runs)
        if (n and same(runs[n - 1][1], into) if want.off else same(relation, into))
    ]
    # What held from the beginning did not change, unless nothing else fits.
    changed = [event for event in found if event != runs[0][0]] or found
    if not changed:
        return None
    number = changed[-1 if want.last else 0]
    return asked.said([str(number)], [asked.pair, number], _history(runs))


def relation(asked: Asked) -> Answer | None:
    """What two were to each other: at an event, before something, or at last."""
    runs, want = asked.story.runs(asked.pair), asked.wanted
    if not runs:
        return None
    held = runs[-1]
    if want.events:
        held = [runs[0], *(run for run in runs if run[0] <= want.events[-1])][-1]
    elif want.relations:
        into = want.relations[0]
        before = [runs[n - 1] for n, (_, r) in enumerate(runs) if n and same(r, into)]
        held = before[0] if before else runs[0]
    return asked.said(
        [told(held[1], asked.language)], [asked.pair, held[0]], _history(runs)
    )


def _history(runs: Sequence[tuple[int, str]]) -> str:
    return ", ".join(f"{relation} from event {event}" for event, relation in runs)

"""The operator against the gold, element by element, whatever the reconciler does.

Everything is compared in the chunk it was read in: actors and places by their mentions,
times by span and value, roles and states by whom they are given to, verb phrases by
where they stand; arguments and effects belong to a verb phrase that was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, eq
from typing import NamedTuple

import numpy as np

from gswlab.bench.gold.counts import ElementCount, best_pairs, matched_count
from gswlab.bench.gold.reading import (
    PRONOUNS,
    GoldMark,
    GoldPhrase,
    GoldReading,
    alike_phrases,
    bounds,
    overlap,
    same_span,
)
from gswlab.bench.judge import fold
from gswlab.core.nouns import Actor, LocalMap, VerbPhrase

BEING = frozenset({"be", "ある", "いる", "だ", "である", "です"})


class Filled(NamedTuple):
    """A slot of a verb phrase and who fills it."""

    phrase: str
    slot: str
    actor: str


class Turned(NamedTuple):
    """What a verb phrase does to an actor: wordings of the state after."""

    phrase: str
    actor: str
    after: tuple[str, ...]


def happenings(reading: GoldReading) -> dict[str, ElementCount]:
    """The counts of verb phrases, their arguments and their effects."""
    gold = reading.excerpt.phrases
    said = [(local, one) for local in reading.maps for one in local.verb_phrases]
    said = [pair for pair in said if not pair[1].implied]
    read = [pair for pair in said if pair[1].predicate not in BEING]
    weights = np.array([[_weight(g, phrase) for _, phrase in read] for g in gold])
    matched = dict(best_pairs(weights.reshape(len(gold), len(read))))
    wanted = [i for i, g in enumerate(gold) if not g.optional]
    taken = set(matched.values())
    wrong = [pair for j, pair in enumerate(read) if j not in taken]
    found = [(gold[i], *read[matched[i]]) for i in wanted if i in matched]
    missed = [gold[i] for i in wanted if i not in matched]
    spurious = [(_said(reading, phrase), local, phrase) for local, phrase in wrong]
    counts = len(found), len(found) + len(wrong), len(wanted)
    shown = tuple(map(_shown, missed)), tuple(said for said, _, _ in spurious)
    told = [(_shown(g), local, phrase) for g, local, phrase in found] + spurious
    arguments, effects = _arguments(reading, found, missed), _effects(reading, told)
    count = ElementCount(*counts, *shown)
    return {"verb_phrases": count, "arguments": arguments, "effects": effects}


def _weight(gold: GoldPhrase, phrase: VerbPhrase) -> float:
    """Whether a verb phrase is the gold's; of several, the one that begins there."""
    folded = (fold(base) for base in (phrase.predicate, *gold.bases))
    first, *bases = (base.removesuffix("する").partition(" ")[0] for base in folded)
    if gold.negated != phrase.negated or first not in bases:
        return 0.0
    near = [s for s in phrase.spans if overlap(bounds(s), (gold.start, gold.end))]
    weight = max((1 / (1 + abs(s.start - gold.start)) for s in near), default=-1.0) + 1
    return weight * (0.5 if gold.optional else 1.0)


def _shown(gold: GoldPhrase) -> str:
    return f"{'not ' if gold.negated else ''}{gold.bases[0]} @{gold.start}"


def _said(reading: GoldReading, phrase: VerbPhrase) -> str:
    start, end = bounds(phrase.spans[0]) if phrase.spans else (0, 0)
    text = " ".join(reading.excerpt.text[start:end].split())
    return f"{'not ' if phrase.negated else ''}{phrase.predicate} [{text}]"


def _arguments(
    reading: GoldReading,
    found: Sequence[tuple[GoldPhrase, LocalMap, VerbPhrase]],
    missed: Sequence[GoldPhrase],
) -> ElementCount:
    """Agents and patients; a recipient or place may be the gold's patient."""

    def wanted(gold: GoldPhrase) -> list[Filled]:
        slots = (("agent", gold.agents), ("patient", gold.patients))
        return [Filled(_shown(gold), slot, who) for slot, all_ in slots for who in all_]

    gold = [one for each in missed for one in wanted(each)]
    read = list[Filled]()
    for each, local, phrase in found:
        gold += wanted(each)
        actors = {actor.id: actor for actor in local.actors}
        for argument in phrase.arguments:
            actor, slot = actors.get(argument.actor or ""), argument.slot
            if not actor or actor.kind == "time" or reading.is_incidental(actor):
                continue
            who = reading.refers(actor) or actor.name
            own = slot in ("agent", "patient")
            if own or who in each.patients:
                read.append(Filled(_shown(each), slot if own else "patient", who))
    return matched_count(gold, list(dict.fromkeys(read)), eq)


def _effects(
    reading: GoldReading, told: Sequence[tuple[str, LocalMap, VerbPhrase]]
) -> ElementCount:
    turned = ((each, *to) for each in reading.excerpt.phrases for to in each.effects)
    gold = [Turned(_shown(one), who, (*to, *one.bases)) for one, who, to in turned]
    read = [
        Turned(name, reading.refers(actor) or actor.name, (effect.after,))
        for name, local, phrase in told
        for effect in phrase.effects
        for actor in local.actors
        if actor.id == effect.actor and not reading.is_incidental(actor)
    ]

    def same(one: Turned, item: Turned) -> bool:
        alike = (alike_phrases(after, item.after[0]) for after in one.after)
        return one[:2] == item[:2] and any(alike)

    return matched_count(gold, read, same, again=True)


class Given(NamedTuple):
    """A role or state, the gold actor it is given to (else its own name), its chunk."""

    actor: str
    text: str
    chunk: str = ""
    optional: bool = False


def operator_counts(reading: GoldReading) -> dict[str, ElementCount]:
    """The counts of every element of one excerpt."""
    found = [_actors(reading, local) for local in reading.maps]
    of_actors = {
        name: sum((one[i] for one in found), ElementCount())
        for i, name in enumerate(("actors", "kinds", "places"))
    }
    rest = {**_given(reading), **happenings(reading)}
    return {**of_actors, "times": _times(reading), **rest}


def _actors(
    reading: GoldReading, local: LocalMap
) -> tuple[ElementCount, ElementCount, ElementCount]:
    """Actors, their kinds, and places of one chunk: more than a pronoun, no times."""
    read = [
        actor
        for actor in local.actors
        if actor.kind != "time"
        and {mention.form for mention in actor.mentions} - PRONOUNS
        and not reading.is_incidental(actor)
    ]
    marks: dict[str, list[GoldMark]] = {}
    for mark in reading.inside(local.chunk):
        if not mark.pronoun:
            marks.setdefault(mark.key, []).append(mark)
    keys = list(marks)
    kinds = {key: reading.excerpt.file.actors[key].kind for key in keys}
    weights = np.array([[_fit(marks[key], actor) for actor in read] for key in keys])
    matched = best_pairs(weights.reshape(len(keys), len(read)))
    hits = [(keys[i], read[j]) for i, j in matched]
    right = [(key, actor) for key, actor in hits if actor.kind == kinds[key]]
    other = [(key, actor) for key, actor in hits if actor.kind != kinds[key]]
    wrong = [f"{actor.name}: {actor.kind} for {kinds[key]}" for key, actor in other]

    def count(hits: Sequence[tuple[str, Actor]], kind: str = "") -> ElementCount:
        """Hits of all actors there were and were read, or of those of one kind."""
        wanted = [key for key in keys if kind in ("", kinds[key])]
        own = [actor for actor in read if kind in ("", actor.kind)]
        known, taken = {key for key, _ in hits}, {actor.id for _, actor in hits}
        missed = tuple(key for key in wanted if key not in known)
        spurious = tuple(f"{a.name} ({a.kind})" for a in own if a.id not in taken)
        return ElementCount(len(hits), len(own), len(wanted), missed, spurious)

    return (
        count(hits),
        ElementCount(len(right), len(hits), len(hits), (), tuple(wrong)),
        count([pair for pair in right if pair[1].kind == "place"], "place"),
    )


def _fit(marks: Sequence[GoldMark], actor: Actor) -> float:
    """How many mentions of an actor are marks; pronouns only break ties."""
    return sum(
        0.01 if mention.form in PRONOUNS else 1.0
        for mention in actor.mentions
        if any(same_span(bounds(mention.span), (m.start, m.end)) for m in marks)
    )


def day(value: str | None) -> str | None:
    """A value without its time of day."""
    return value.partition("T")[0] if value else None


def _times(reading: GoldReading) -> ElementCount:
    marks = [mark for mark in reading.excerpt.marks if mark.key[0] == "@"]
    read = [
        (bounds(mention.span), day(actor.value), mention.text)
        for local in reading.maps
        for actor in local.actors
        if actor.kind == "time"
        for mention in actor.mentions
    ]

    def same(mark: GoldMark, item: tuple[tuple[int, int], str | None, str]) -> bool:
        value = None if mark.key == "@-" else day(mark.key[1:])
        fits = mark.key == "@?" or value == item[1]
        return fits and overlap((mark.start, mark.end), item[0]) > 0

    return matched_count(marks, read, same, lambda mark: mark.key == "@?")


def _given(reading: GoldReading) -> dict[str, ElementCount]:
    """The counts of roles, and of states in the chunk that tells them."""
    whose = [
        (local, actor, reading.refers(actor) or actor.name)
        for local in reading.maps
        for actor in local.actors
        if actor.kind != "time" and not reading.is_incidental(actor)
    ]
    actors = reading.excerpt.file.actors.items()
    roles = [Given(key, role) for key, one in actors for role in one.roles]
    told = ((s, reading.chunk_of(s.start)) for s in reading.excerpt.states)
    states = [Given(s.actor, s.text, chunk, s.optional) for s, chunk in told]
    read = {
        "roles": [Given(who, r.text) for _, actor, who in whose for r in actor.roles],
        "states": [
            Given(who, state.text, local.chunk)
            for local, actor, who in whose
            for state in actor.states
            if state.source == "stated"
        ],
    }

    def same(gold: Given, item: Given) -> bool:
        there = gold.actor == item.actor and gold.chunk == item.chunk
        return there and alike_phrases(gold.text, item.text)

    found = {}
    for name, gold in (("roles", roles), ("states", states)):
        said, optional = list(dict.fromkeys(read[name])), attrgetter("optional")
        found[name] = matched_count(gold, said, same, optional, again=True)
    return found


def invented_count(reading: GoldReading) -> ElementCount:
    """Dates that no gold time bears out, and places whose name the text lacks."""
    marks = [m.key[1:] for m in reading.excerpt.marks if m.key[0] == "@"]
    values = [day(value) or "" for value in marks if value not in "?-"]
    values += [reading.excerpt.file.time or ""]
    text = fold(reading.excerpt.text)

    def borne_out(value: str) -> bool:
        """Whether a gold time is the value or finer; the value's year may be open."""
        tail = value[1:] if value.startswith("--") else None
        return any(
            v.startswith(value) or (tail is not None and v[4:].startswith(tail))
            for v in filter(None, values)
        )

    dates = sorted({v for t in reading.workspace.times if (v := day(t.value))})
    places = sorted({fold(p.name) for p in reading.workspace.places if p.name})
    wrong = [date for date in dates if not borne_out(date)]
    wrong += [place for place in places if place not in text]
    total = len(dates) + len(places)
    return ElementCount(len(wrong), total, total, (), tuple(wrong))

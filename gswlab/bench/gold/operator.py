"""The operator against the gold, element by element, whatever the reconciler does.

Everything is compared in the chunk it was read in: actors and places by their mentions,
times by span and value, roles and states by whom they are given to, verb phrases by
where they stand; arguments and effects belong to a verb phrase that was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gswlab.bench.gold.counts import Count, pairs, tally
from gswlab.bench.gold.excerpt import GoldPhrase, Mark
from gswlab.bench.gold.reading import (
    PRONOUNS,
    Reading,
    alike,
    bounds,
    overlap,
    same_span,
)
from gswlab.bench.judge import fold
from gswlab.core.nouns import Actor, LocalMap, VerbPhrase

# Verb phrases against the gold, with who takes part and what changes.

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


def happenings(reading: Reading) -> dict[str, Count]:
    """The counts of verb phrases, their arguments and their effects."""
    matched = _phrases(reading)
    return {
        "verb_phrases": matched.tallied,
        "arguments": _arguments(reading, matched),
        "effects": _effects(reading, matched),
    }


class Matched(NamedTuple):
    """Verb phrases found, with the gold one each of them is, and the wrong ones."""

    tallied: Count
    found: list[tuple[GoldPhrase, LocalMap, VerbPhrase]]
    wrong: list[tuple[LocalMap, VerbPhrase]]


def _phrases(reading: Reading) -> Matched:
    gold = reading.excerpt.phrases
    read = [
        (local, phrase)
        for local in reading.maps
        for phrase in local.verb_phrases
        if not phrase.implied and phrase.predicate not in BEING
    ]
    weights = np.array([[_weight(g, phrase) for _, phrase in read] for g in gold])
    matched = dict(pairs(weights.reshape(len(gold), len(read))))
    wanted = [i for i, g in enumerate(gold) if not g.optional]
    taken = set(matched.values())
    wrong = [pair for j, pair in enumerate(read) if j not in taken]
    hits = [(gold[i], *read[matched[i]]) for i in wanted if i in matched]
    count = Count(
        len(hits),
        len(hits) + len(wrong),
        len(wanted),
        tuple(_shown(gold[i]) for i in wanted if i not in matched),
        tuple(_said(reading, phrase) for _, phrase in wrong),
    )
    return Matched(count, hits, wrong)


def _weight(gold: GoldPhrase, phrase: VerbPhrase) -> float:
    """Whether a verb phrase is the gold's; of several, the one that begins there."""
    if gold.negated != phrase.negated or not _same_base(gold, phrase.predicate):
        return 0.0
    near = [s for s in phrase.spans if overlap(bounds(s), (gold.start, gold.end))]
    weight = max((1 / (1 + abs(s.start - gold.start)) for s in near), default=-1.0) + 1
    return weight * (0.5 if gold.optional else 1.0)


def _same_base(gold: GoldPhrase, predicate: str) -> bool:
    first = fold(predicate).removesuffix("する").partition(" ")[0]
    bases = [fold(base).removesuffix("する").partition(" ")[0] for base in gold.bases]
    return first in bases


def _shown(gold: GoldPhrase) -> str:
    return f"{'not ' if gold.negated else ''}{gold.bases[0]} @{gold.start}"


def _said(reading: Reading, phrase: VerbPhrase) -> str:
    start, end = bounds(phrase.spans[0]) if phrase.spans else (0, 0)
    text = " ".join(reading.excerpt.text[start:end].split())
    return f"{'not ' if phrase.negated else ''}{phrase.predicate} [{text}]"


def _arguments(reading: Reading, phrases: Matched) -> Count:
    """Agents and patients; a recipient or place may be the gold's patient."""
    gold, read = list[Filled](), list[Filled]()
    found = {id(g) for g, _, _ in phrases.found}
    for each in reading.excerpt.phrases:
        if not each.optional and id(each) not in found:
            gold += _wanted(each)
    for each, local, phrase in phrases.found:
        wanted = _wanted(each)
        gold += wanted
        patients = {one.actor for one in wanted if one.slot == "patient"}
        for slot, who in _filled(reading, local, phrase):
            if slot not in ("agent", "patient"):
                if who not in patients:
                    continue
                slot = "patient"
            read.append(Filled(_shown(each), slot, who))
    return tally(gold, list(dict.fromkeys(read)), Filled.__eq__)


def _wanted(gold: GoldPhrase) -> list[Filled]:
    slots = [("agent", who) for who in gold.agents]
    slots += [("patient", who) for who in gold.patients]
    return [Filled(_shown(gold), slot, who) for slot, who in slots]


def _filled(
    reading: Reading, local: LocalMap, phrase: VerbPhrase
) -> Iterator[tuple[str, str]]:
    actors = {actor.id: actor for actor in local.actors}
    for argument in phrase.arguments:
        actor = actors.get(argument.actor or "")
        if actor and actor.kind != "time" and not reading.is_incidental(actor):
            yield argument.slot, reading.refers(actor) or actor.name


def _effects(reading: Reading, phrases: Matched) -> Count:
    gold = [
        Turned(_shown(each), actor, (*after, *each.bases))
        for each in reading.excerpt.phrases
        for actor, after in each.effects
    ]
    told = [(_shown(g), local, p) for g, local, p in phrases.found]
    told += [(_said(reading, p), local, p) for local, p in phrases.wrong]
    read = [
        Turned(name, reading.refers(actor) or actor.name, (effect.after,))
        for name, local, phrase in told
        for effect in phrase.effects
        for actor in local.actors
        if actor.id == effect.actor and not reading.is_incidental(actor)
    ]

    def same(one: Turned, item: Turned) -> bool:
        same_place = one.phrase == item.phrase and one.actor == item.actor
        return same_place and any(alike(after, item.after[0]) for after in one.after)

    return tally(gold, read, same, again=True)


class Given(NamedTuple):
    """A role or state, the gold actor it is given to (else its own name), its chunk."""

    actor: str
    text: str
    chunk: str = ""
    optional: bool = False


def elements(reading: Reading) -> dict[str, Count]:
    """The counts of every element of one excerpt."""
    found = [_actors(reading, local) for local in reading.maps]
    return {
        "actors": sum((actors for actors, _, _ in found), Count()),
        "kinds": sum((kinds for _, kinds, _ in found), Count()),
        "places": sum((places for _, _, places in found), Count()),
        "times": _times(reading),
        "roles": _roles(reading),
        "states": _states(reading),
        **happenings(reading),
    }


def _named(local: LocalMap) -> Iterator[Actor]:
    """Actors of a chunk that are more than a pronoun, times apart."""
    for actor in local.actors:
        forms = {mention.form for mention in actor.mentions}
        if actor.kind != "time" and forms - PRONOUNS:
            yield actor


def _actors(reading: Reading, local: LocalMap) -> tuple[Count, Count, Count]:
    """Actors, their kinds, and places of one chunk."""
    read = [a for a in _named(local) if not reading.is_incidental(a)]
    marks: dict[str, list[Mark]] = {}
    for mark in reading.inside(local.chunk):
        if not mark.pronoun:
            marks.setdefault(mark.key, []).append(mark)
    keys = list(marks)
    kinds = {key: reading.excerpt.file.actors[key].kind for key in keys}
    weights = np.array([[_fit(marks[key], actor) for actor in read] for key in keys])
    matched = pairs(weights.reshape(len(keys), len(read)))
    hits = [(keys[i], read[j]) for i, j in matched]
    right = [(key, actor) for key, actor in hits if actor.kind == kinds[key]]
    wrong = [
        f"{a.name}: {a.kind} for {kinds[k]}" for k, a in hits if (k, a) not in right
    ]
    places = [(key, actor) for key, actor in right if actor.kind == "place"]
    return (
        _count(hits, keys, read),
        Count(len(right), len(hits), len(hits), (), tuple(wrong)),
        _count(
            places,
            [key for key in keys if kinds[key] == "place"],
            [actor for actor in read if actor.kind == "place"],
        ),
    )


def _count(
    hits: Sequence[tuple[str, Actor]], keys: Sequence[str], read: Sequence[Actor]
) -> Count:
    known, taken = {key for key, _ in hits}, {actor.id for _, actor in hits}
    missed = tuple(key for key in keys if key not in known)
    spurious = tuple(f"{a.name} ({a.kind})" for a in read if a.id not in taken)
    return Count(len(hits), len(read), len(keys), missed, spurious)


def _fit(marks: Sequence[Mark], actor: Actor) -> float:
    """How many mentions of an actor are marks; pronouns only break ties."""
    return sum(
        0.01 if mention.form in PRONOUNS else 1.0
        for mention in actor.mentions
        if any(same_span(bounds(mention.span), (m.start, m.end)) for m in marks)
    )


def day(value: str | None) -> str | None:
    """A value without its time of day."""
    return value.partition("T")[0] if value else None


def _times(reading: Reading) -> Count:
    marks = [mark for mark in reading.excerpt.marks if mark.key[0] == "@"]
    read = [
        (bounds(mention.span), day(actor.value), mention.text)
        for local in reading.maps
        for actor in local.actors
        if actor.kind == "time"
        for mention in actor.mentions
    ]

    def same(mark: Mark, item: tuple[tuple[int, int], str | None, str]) -> bool:
        value = None if mark.key == "@-" else day(mark.key[1:])
        fits = mark.key == "@?" or value == item[1]
        return fits and overlap((mark.start, mark.end), item[0]) > 0

    return tally(marks, read, same, lambda mark: mark.key == "@?")


def _roles(reading: Reading) -> Count:
    actors = reading.excerpt.file.actors
    gold = [Given(key, role) for key, a in actors.items() for role in a.roles]
    read = [
        Given(who, role.text)
        for _, actor, who in _whose(reading)
        for role in actor.roles
    ]
    return tally(gold, list(dict.fromkeys(read)), _same_given, again=True)


def _states(reading: Reading) -> Count:
    gold = [
        Given(s.actor, s.text, reading.chunk_of(s.start), s.optional)
        for s in reading.excerpt.states
    ]
    read = [
        Given(who, state.text, local.chunk)
        for local, actor, who in _whose(reading)
        for state in actor.states
        if state.source == "stated"
    ]
    read = list(dict.fromkeys(read))
    return tally(gold, read, _same_given, lambda one: one.optional, again=True)


def _whose(reading: Reading) -> Iterator[tuple[LocalMap, Actor, str]]:
    """The actors of every chunk with the gold actor each means, incidental ones not."""
    for local in reading.maps:
        for actor in local.actors:
            if actor.kind != "time" and not reading.is_incidental(actor):
                yield local, actor, reading.refers(actor) or actor.name


def _same_given(gold: Given, item: Given) -> bool:
    there = gold.actor == item.actor and gold.chunk == item.chunk
    return there and alike(gold.text, item.text)


def invented(reading: Reading) -> Count:
    """Dates that no gold time bears out, and places whose name the text lacks."""
    marks = [m.key[1:] for m in reading.excerpt.marks if m.key[0] == "@"]
    values = [day(value) or "" for value in marks if value not in "?-"]
    values += [reading.excerpt.file.time or ""]
    text = fold(reading.excerpt.text)
    dates = sorted({v for t in reading.workspace.times if (v := day(t.value))})
    places = sorted({fold(p.name) for p in reading.workspace.places if p.name})
    wrong = [d for d in dates if not any(_bears_out(v, d) for v in values if v)]
    wrong += [place for place in places if place not in text]
    total = len(dates) + len(places)
    return Count(len(wrong), total, total, (), tuple(wrong))


def _bears_out(gold: str, value: str) -> bool:
    """A value is that of the gold, or a coarser form of it: its year may be open."""
    open_year = value.startswith("--") and gold[4:].startswith(value[1:])
    return gold.startswith(value) or open_year

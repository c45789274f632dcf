"""Verb phrases against the gold, with who takes part and what changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gswlab.bench.gold.alike import alike, overlap
from gswlab.bench.gold.counts import Count, pairs, tally
from gswlab.bench.gold.excerpt import GoldPhrase
from gswlab.bench.gold.reading import Reading, bounds
from gswlab.bench.judge import fold
from gswlab.core.nouns import LocalMap, VerbPhrase

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

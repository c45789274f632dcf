"""Gold excerpts: what the operator finds, and whom the reconciler takes for whom.

The operator is held to the gold element by element, in the chunk it was read in: actors
and places by their mentions, times by span and value, roles and states by whom they are
given to, verb phrases by where they stand. `experiments/texts/gold/README.md` has the
rules of matching and both halves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from operator import attrgetter, eq
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gswlab.bench.coreference import (
    Ratio,
    adjusted_rand,
    best_pairs,
    by_label,
    coreference_shares,
    pooled,
    shares,
)
from gswlab.bench.folder import digest_of_data
from gswlab.bench.gold.counts import ElementCount, matched_count
from gswlab.bench.gold.reading import (
    PRONOUNS,
    GoldAnchor,
    GoldExcerpt,
    GoldMark,
    GoldPhrase,
    GoldReading,
    Recorder,
    alike_phrases,
    bounds,
    load_excerpts,
    overlap,
    paired_mentions,
    plain_document,
    reading_of,
    same_span,
    wordings_of,
)
from gswlab.bench.judge import fold
from gswlab.bench.statistics import Interval
from gswlab.bench.task import MarkedTexts, TextLine, World, laid, workspace_of
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.document import Document
from gswlab.core.nouns import Actor, Chunk, LocalMap, Mention, Place, Time, VerbPhrase
from gswlab.text.chunks import chunks

# The operator, whatever the reconciler does.

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


# What the reconciler believes: homonyms, times, places and states.


@dataclass(frozen=True)
class Merges:
    """Which workspace actor holds which gold mentions of one excerpt."""

    reading: GoldReading

    @cached_property
    def links(self) -> list[tuple[str, str, bool]]:
        """For each mention found: the gold actor, the workspace's, a pronoun or not."""
        owner: dict[Mention, str] = {}
        for actor in self.reading.workspace.actors:
            if actor.kind != "time":
                for mention in actor.mentions:
                    owner.setdefault(mention, actor.id)
        found = paired_mentions(list(owner), self.reading.actor_marks)
        return [
            (mark.key, owner[mention], mark.pronoun or mention.form in PRONOUNS)
            for mention, mark in found
        ]

    def labels(self, pronouns: bool) -> tuple[list[str], list[str]]:
        """Gold and workspace actor of the mentions, pronouns included or not."""
        kept = [link for link in self.links if pronouns or not link[2]]
        return [gold for gold, _, _ in kept], [read for _, read, _ in kept]

    @cached_property
    def main(self) -> dict[str, str]:
        """The workspace actor that holds most mentions of each gold actor."""
        votes: dict[str, Counter[str]] = {}
        for gold, read, is_one in self.links:
            votes.setdefault(gold, Counter())[read] += 1 if is_one else 100
        return {key: max(count, key=lambda k: count[k]) for key, count in votes.items()}


def coreference(reading: GoldReading) -> dict[str, ElementCount]:
    """The counts of everything the reconciler answers for, merging itself apart."""
    merges = Merges(reading)
    return {
        "homonyms": homonyms(merges),
        "propagation": propagation(merges),
        "propagation_late": propagation(merges, late=True),
        "timelines": timelines(merges),
        "conflicts": conflicts(merges),
    }


def homonyms(merges: Merges) -> ElementCount:
    """Pairs of one name that share a workspace actor: `found` counts the wrong."""
    held: dict[str, set[str]] = {}
    for gold, read in zip(*merges.labels(pronouns=False), strict=True):
        held.setdefault(gold, set()).add(read)
    pairs = merges.reading.excerpt.file.homonyms
    both = [pair for pair in pairs if held.keys() >= set(pair)]
    wrong = [f"{a} = {b}" for a, b in both if held[a] & held[b]]
    return ElementCount(len(wrong), len(both), len(both), (), tuple(wrong))


def propagation(merges: Merges, late: bool = False) -> ElementCount:
    """Times and places that hold for actors told so elsewhere: how many do."""
    workspace, marks = merges.reading.workspace, merges.reading.actor_marks
    told = merges.reading.excerpt.file.propagation
    kept = [shared for shared in told if shared.late or not late]
    facts = [(shared, actor) for shared in kept for actor in shared.actors]

    def holds(anchor: Time | Place, actor: str | None) -> bool:
        return actor in {workspace.resolve(a) for a in anchor.actors}

    def coupled(shared: GoldAnchor, actor: str) -> bool:
        one = merges.main.get(actor)
        if shared.kind == "time":
            times = (time for time in workspace.times if holds(time, one))
            return shared.value in [day(time.value) for time in times]
        home = merges.main.get(shared.value, "none")
        names = {fold(m.text) for m in marks if m.key == shared.value}
        places = [place for place in workspace.places if holds(place, one)]
        homes = [workspace.resolve(place.actor or "") for place in places]
        return home in homes or any(fold(p.name or "") in names for p in places)

    missed = [fact for fact in facts if not coupled(*fact)]
    shown = tuple(f"{who}: {shared.value}" for shared, who in missed)
    return ElementCount(len(facts) - len(missed), len(facts), len(facts), shown)


def timelines(merges: Merges) -> ElementCount:
    """Changes of state held in their order, the state before not again after."""
    timelines = merges.reading.excerpt.file.timelines
    told = [pair for timeline in timelines for pair in timeline.items()]
    changes = [(actor, *pair) for actor, states in told for pair in pairwise(states)]

    def changed(actor: str, old: str, new: str) -> bool:
        if actor not in merges.main:
            return False
        held = [s.text for s in merges.reading.workspace.get(merges.main[actor]).states]
        before = [i for i, text in enumerate(held) if _is_one(old, text)]
        after = [i for i, text in enumerate(held) if _is_one(new, text)]
        there = bool(before and after)
        return there and before[-1] < after[-1] and before[0] < after[0]

    missed = [change for change in changes if not changed(*change)]
    shown = tuple(map(" ".join, missed))
    return ElementCount(len(changes) - len(missed), len(changes), len(changes), shown)


def conflicts(merges: Merges) -> ElementCount:
    """State conflicts recorded, against those the text holds."""
    workspace = merges.reading.workspace
    told = merges.reading.excerpt.file.conflicts
    gold = [pair for conflict in told for pair in conflict.items()]
    read = [c for c in merges.reading.conflicts if c.kind == "state_conflict"]
    found: set[int] = set()
    missed = []
    for actor, (one, two) in gold:
        hits = {
            i
            for i, c in enumerate(read)
            if workspace.resolve(c.subject) == merges.main.get(actor)
            and any(
                alike_phrases(one, a) and alike_phrases(two, b)
                for a, b in ((c.kept, c.other), (c.other, c.kept))
            )
        }
        found |= hits
        missed += [] if hits else [f"{actor}: {one} / {two}"]
    alarms = [c.reason for i, c in enumerate(read) if i not in found]
    right, counts = len(gold) - len(missed), (tuple(missed), tuple(alarms))
    return ElementCount(right, right + len(alarms), len(gold), *counts)


def _is_one(wordings: str, text: str) -> bool:
    return any(alike_phrases(each, text) for each in wordings_of(wordings))


def all_counts(reading: GoldReading) -> dict[str, ElementCount]:
    """Every count of one excerpt, by the path of its figures."""
    operator = {f"operator.{k}": count for k, count in operator_counts(reading).items()}
    rest = {f"reconciler.{k}": count for k, count in coreference(reading).items()}
    return {**operator, "operator.invented": invented_count(reading), **rest}


# What is told by one share alone; what must be 0 is counted, not divided.
_ALONE = {"kinds": "accuracy", "timelines": "accuracy"}
_ALONE |= {"propagation": "recall", "propagation_late": "recall"}
_NONE = {"operator.invented": "count", "reconciler.homonyms": "wrong_merges"}


def gold_shares(reading: GoldReading) -> dict[str, Ratio]:
    """Every share of one excerpt by its path; those of several add up."""
    found = dict[str, Ratio]()
    for path, count in all_counts(reading).items():
        whole = count.found, count.gold
        if path in _NONE:
            found[path] = whole
        elif alone := _ALONE.get(path.rpartition(".")[2]):
            found[f"{path}.{alone}"] = whole
        else:
            found |= shares(path, (count.found, count.read), whole)
    for path, pronouns in (("merge", False), ("coreference", True)):
        gold, read = Merges(reading).labels(pronouns)
        told = coreference_shares(by_label(gold), by_label(read))
        for side in ("precision", "recall"):
            found[f"reconciler.{path}.bcubed_{side}"] = told[f"b_cubed.{side}"]
        found[f"reconciler.{path}.adjusted_rand"] = adjusted_rand(gold, read), 1
    return found


def gold_scores(readings: Sequence[GoldReading]) -> Mapping[str, Interval | int]:
    """Every figure over excerpts, by its path; what must be 0 is a plain count."""
    rows = [gold_shares(reading) for reading in readings]
    table: dict[str, Interval | int] = {}
    for path, figure in pooled(rows).items():
        name = path.replace(".", "/")
        if path in _NONE:
            count, of = map(sum, zip(*(row[path] for row in rows), strict=True))
            table |= {f"{name}/{_NONE[path]}": int(count), f"{name}/of": int(of)}
        else:
            table[name] = figure
    return table


_COMMAND = "python -m gswlab run experiment=gold dataset.folder=DIR"
_ELEMENTS = ("actors", "times", "places", "states", "verb_phrases")


@dataclass
class Gold(MarkedTexts):
    """The excerpts of `folder`, each read by a memory of its own."""

    folder: str | None = field(default=None, metadata=PATH)
    texts: ClassVar = "excerpts"

    @cached_property
    def excerpts(self) -> tuple[GoldExcerpt, ...]:
        """The excerpts with their gold, which no memory gets."""
        return load_excerpts(existing_file(self.folder, "dataset.folder", _COMMAND))

    def document(self) -> Document:
        """All excerpts one after the other."""
        return laid("gold", [[TextLine(each.text)] for each in self.excerpts])[0]

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """An excerpt each; nothing is asked."""
        read = ((one.name, chunks(plain_document(one))) for one in self.excerpts)
        return tuple(World(name, each, (None,)) for name, each in read)

    def told(self, memory: Any, world: World) -> tuple[Document, Sequence[Chunk]]:
        """The excerpt alone; what its operator finds of each chunk is kept."""
        workspace_of(memory, _COMMAND)
        memory.operator = Recorder(memory.operator)
        return plain_document(self._excerpt(world)), world.chunks

    def examined(self, memory: Any, world: World) -> dict[str, Any]:
        """The shares of an excerpt, by the local maps and what is believed at last."""
        steps = tuple(memory.past.steps())
        return {"shares": gold_shares(reading_of(self._excerpt(world), memory, steps))}

    def _excerpt(self, world: World) -> GoldExcerpt:
        return self.excerpts[self.worlds.index(world)]

    def hashes(self) -> dict[str, str]:
        """The content hash of the gold."""
        return {
            "gold": digest_of_data([one.file.model_dump() for one in self.excerpts])
        }

    def headline(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """F1 of each element that the operator finds, and of who is who."""
        line = {name: scores[name] for name in ("config", "memory", self.texts)}
        found = {name: scores["operator"][name] for name in _ELEMENTS}
        line |= {name: each["f1"] for name, each in found.items()}
        return line | {"merge": scores["reconciler"]["merge"]["bcubed_f1"]}

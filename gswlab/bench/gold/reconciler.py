"""What the reconciler believes against the gold: homonyms, times, places and states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gswlab.bench.gold.counts import ElementCount, adjusted_rand, b_cubed
from gswlab.bench.gold.operator import day
from gswlab.bench.gold.reading import (
    PRONOUNS,
    GoldAnchor,
    GoldReading,
    alike_phrases,
    paired_mentions,
    wordings_of,
)
from gswlab.bench.judge import fold
from gswlab.bench.statistics import Interval, bootstrap, interval
from gswlab.core.nouns import Mention, Place, Time


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


def merging(readings: Sequence[GoldReading], pronouns: bool) -> dict[str, Interval]:
    """B-cubed of all mentions and mean adjusted Rand; excerpts are drawn whole."""
    labels = [Merges(reading).labels(pronouns) for reading in readings]
    scored = [b_cubed(gold, read) for gold, read in labels]
    source = [i for i, (gold, _) in enumerate(labels) for _ in gold]
    precision, recall = (np.concatenate(part) for part in zip(*scored, strict=True))

    def f1(drawn: NDArray[np.intp]) -> float:
        one, two = precision[drawn].mean(), recall[drawn].mean()
        return float(2 * one * two / (one + two))

    return {
        "bcubed_precision": interval(list(precision), source),
        "bcubed_recall": interval(list(recall), source),
        "bcubed_f1": bootstrap(len(source), f1, source),
        "adjusted_rand": interval([adjusted_rand(*pair) for pair in labels]),
    }


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

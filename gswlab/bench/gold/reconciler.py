"""What the reconciler believes against the gold: homonyms, times, places and states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gswlab.bench.gold.counts import Count, adjusted_rand, b_cubed
from gswlab.bench.gold.excerpt import Shared, parted
from gswlab.bench.gold.operator import day
from gswlab.bench.gold.reading import PRONOUNS, Reading, alike, paired
from gswlab.bench.judge import fold
from gswlab.bench.statistics import Interval, bootstrap, interval
from gswlab.core.nouns import Mention, Place, Time

# Which workspace actor holds which gold mentions: the reconciler's merging scored.


class Merges:
    """Which workspace actor holds which gold mentions of one excerpt."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    @cached_property
    def links(self) -> list[tuple[str, str, bool]]:
        """For each mention found: the gold actor, the workspace's, a pronoun or not."""
        owner: dict[Mention, str] = {}
        for actor in self.reading.workspace.actors:
            if actor.kind != "time":
                for mention in actor.mentions:
                    owner.setdefault(mention, actor.id)
        found = paired(list(owner), self.reading.actor_marks)
        return [
            (mark.key, owner[mention], mark.pronoun or mention.form in PRONOUNS)
            for mention, mark in found
        ]

    def labels(self, pronouns: bool) -> tuple[list[str], list[str]]:
        """Gold and workspace actor of the mentions, pronouns included or not."""
        kept = [
            (gold, read) for gold, read, is_one in self.links if pronouns or not is_one
        ]
        return [gold for gold, _ in kept], [read for _, read in kept]

    @cached_property
    def main(self) -> dict[str, str]:
        """The workspace actor that holds most mentions of each gold actor."""
        votes: dict[str, Counter[str]] = {}
        for gold, read, is_one in self.links:
            votes.setdefault(gold, Counter())[read] += 1 if is_one else 100
        return {key: max(count, key=lambda k: count[k]) for key, count in votes.items()}


def merging(readings: Sequence[Reading], pronouns: bool) -> dict[str, Interval]:
    """B-cubed over all mentions and the excerpts' mean adjusted Rand, with intervals.

    Args:
        readings: the excerpts read; whole excerpts are drawn.
        pronouns: whether pronouns are among the mentions.
    """
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


def coreference(reading: Reading) -> dict[str, Count]:
    """The counts of everything the reconciler answers for, merging itself apart."""
    merges = Merges(reading)
    return {
        "homonyms": homonyms(merges),
        "propagation": propagation(merges),
        "propagation_late": propagation(merges, late=True),
        "timelines": timelines(merges),
        "conflicts": conflicts(merges),
    }


def homonyms(merges: Merges) -> Count:
    """Pairs of one name that share a workspace actor: `found` counts the wrong."""
    held: dict[str, set[str]] = {}
    for gold, read in zip(*merges.labels(pronouns=False), strict=True):
        held.setdefault(gold, set()).add(read)
    both = [
        pair
        for pair in merges.reading.excerpt.file.homonyms
        if all(one in held for one in pair)
    ]
    wrong = [f"{a} = {b}" for a, b in both if held[a] & held[b]]
    return Count(len(wrong), len(both), len(both), (), tuple(wrong))


def propagation(merges: Merges, late: bool = False) -> Count:
    """Times and places that hold for actors told so elsewhere: how many do."""
    facts = [
        (shared, actor)
        for shared in merges.reading.excerpt.file.propagation
        for actor in shared.actors
        if shared.late or not late
    ]
    missed = [f for f in facts if not _coupled(merges, *f)]
    shown = tuple(f"{who}: {shared.value}" for shared, who in missed)
    return Count(len(facts) - len(missed), len(facts), len(facts), shown)


def _coupled(merges: Merges, shared: Shared, actor: str) -> bool:
    workspace = merges.reading.workspace
    one = merges.main.get(actor)
    if shared.kind == "time":
        values = [day(t.value) for t in workspace.times if _holds(merges, t, one)]
        return shared.value in values
    places = [place for place in workspace.places if _holds(merges, place, one)]
    marks = merges.reading.actor_marks
    names = {fold(m.text) for m in marks if m.key == shared.value}
    return any(
        workspace.resolve(place.actor or "") == merges.main.get(shared.value, "none")
        or fold(place.name or "") in names
        for place in places
    )


def _holds(merges: Merges, anchor: Time | Place, actor: str | None) -> bool:
    return actor in {merges.reading.workspace.resolve(a) for a in anchor.actors}


def timelines(merges: Merges) -> Count:
    """Changes of state held in their order, the state before not again after."""
    changes = [
        (actor, old, new)
        for timeline in merges.reading.excerpt.file.timelines
        for actor, states in timeline.items()
        for old, new in pairwise(states)
    ]
    missed = [change for change in changes if not _changed(merges, *change)]
    shown = tuple(" ".join(change) for change in missed)
    return Count(len(changes) - len(missed), len(changes), len(changes), shown)


def _changed(merges: Merges, actor: str, old: str, new: str) -> bool:
    if actor not in merges.main:
        return False
    held = [s.text for s in merges.reading.workspace.get(merges.main[actor]).states]
    before = [i for i, text in enumerate(held) if _is_one(old, text)]
    after = [i for i, text in enumerate(held) if _is_one(new, text)]
    return bool(before and after) and before[-1] < after[-1] and before[0] < after[0]


def conflicts(merges: Merges) -> Count:
    """State conflicts recorded, against those the text holds."""
    gold = [
        (actor, pair)
        for conflict in merges.reading.excerpt.file.conflicts
        for actor, pair in conflict.items()
    ]
    read = [c for c in merges.reading.conflicts if c.kind == "state_conflict"]
    found: set[int] = set()
    missed = []
    for actor, (one, two) in gold:
        hits = {
            i
            for i, c in enumerate(read)
            if merges.reading.workspace.resolve(c.subject) == merges.main.get(actor)
            and _are(one, two, c.kept, c.other)
        }
        found |= hits
        missed += [] if hits else [f"{actor}: {one} / {two}"]
    alarms = [c.reason for i, c in enumerate(read) if i not in found]
    right = len(gold) - len(missed)
    return Count(right, right + len(alarms), len(gold), tuple(missed), tuple(alarms))


def _is_one(wordings: str, text: str) -> bool:
    return any(alike(each, text) for each in parted(wordings))


def _are(one: str, two: str, kept: str, other: str) -> bool:
    return any(
        alike(one, a) and alike(two, b) for a, b in ((kept, other), (other, kept))
    )

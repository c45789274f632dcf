"""Which workspace actor holds which gold mentions: the reconciler's merging scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gswlab.bench.gold.clusters import adjusted_rand, b_cubed
from gswlab.bench.gold.reading import PRONOUNS, Reading, paired
from gswlab.bench.statistics import Interval, bootstrap, interval
from gswlab.core.nouns import Mention


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

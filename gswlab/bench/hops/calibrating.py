"""Prices beside completeness: what a calibration of thresholds is fitted on."""

from __future__ import annotations

from typing import Protocol

from gswlab.bench.hops.dataset import Hops
from gswlab.core.nouns import Evidence
from gswlab.gedig.record import KIND


class Recalling(Protocol):
    """What is needed of a `Lab` over a pool that was read."""

    @property
    def dataset(self) -> Hops:
        """The questions, their gold, and the pool that was read."""

    def recall(self, question: str) -> Evidence:
        """What the memory hands over, with the price of each step in its trace."""


def completeness(lab: Recalling) -> list[tuple[float, bool]]:
    """Of each price of each question: g_min, and whether all gold was held by then.

    The first price of a question is left out: nothing is held yet.
    """
    world, found = lab.dataset.searched, []
    for question in lab.dataset.questions:
        left = set(world.gold(question))
        for number, event in enumerate(lab.recall(question.question).trace):
            if number and event.kind == KIND:
                found.append((float(str(event.data["g_min"])), not left))
            left -= {world.row(span) for span in event.spans}
    return found

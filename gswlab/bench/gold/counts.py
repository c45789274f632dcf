"""Counts of what was found of an element: one-to-one, what is optional left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import TypeVar

import numpy as np

from gswlab.bench.coreference import best_pairs

_Gold = TypeVar("_Gold")
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class ElementCount:
    """What was found of an element in one excerpt; the lists are for reading errors."""

    found: int = 0
    read: int = 0
    gold: int = 0
    missed: tuple[str, ...] = ()
    spurious: tuple[str, ...] = ()

    def __add__(self, other: ElementCount) -> ElementCount:
        return ElementCount(*map(add, astuple(self), astuple(other)))


def matched_count(
    gold: Sequence[_Gold],
    items: Sequence[_Item],
    same: Callable[[_Gold, _Item], bool],
    optional: Callable[[_Gold], bool] = lambda _: False,
    again: bool = False,
) -> ElementCount:
    """One-to-one matching of what was read with the gold.

    `optional` gold neither helps nor hurts; with `again` an item that is a gold already
    found is left out, not wrong.
    """
    table = np.array([[same(g, item) for item in items] for g in gold], dtype=float)
    # what must be found is served before what may be
    rank = np.array([[0.5 if optional(g) else 1.0] for g in gold])
    matched = best_pairs(table.reshape(len(gold), len(items)) * rank.reshape(-1, 1))
    wanted = [i for i, g in enumerate(gold) if not optional(g)]
    found = {i: j for i, j in matched if i in set(wanted)}
    free = {j for i, j in matched if i not in found}
    if again and len(gold):
        free |= {j for j in range(len(items)) if table[:, j].any()}
    free -= set(found.values())
    spurious = sorted(set(range(len(items))) - free - set(found.values()))
    missed = tuple(str(gold[i]) for i in wanted if i not in found)
    wrong, right = tuple(str(items[j]) for j in spurious), len(found)
    return ElementCount(right, right + len(wrong), len(wanted), missed, wrong)

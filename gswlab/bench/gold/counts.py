"""Counts of what was found, and precision, recall and F1 of them over excerpts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gswlab.bench.statistics import Interval, bootstrap


def _contingency(
    gold: Sequence[Hashable], read: Sequence[Hashable]
) -> tuple[NDArray[np.int_], NDArray[np.intp], NDArray[np.intp]]:
    """How many mentions each gold actor shares with each read one, and their rows."""
    codes = [{key: i for i, key in enumerate(dict.fromkeys(s))} for s in (gold, read)]
    rows = np.array([codes[0][key] for key in gold], dtype=np.intp)
    columns = np.array([codes[1][key] for key in read], dtype=np.intp)
    table = np.zeros((len(codes[0]), len(codes[1])), dtype=int)
    np.add.at(table, (rows, columns), 1)
    return table, rows, columns


def b_cubed(
    gold: Sequence[Hashable], read: Sequence[Hashable]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """B-cubed precision and recall of each mention (Bagga and Baldwin 1998)."""
    table, rows, columns = _contingency(gold, read)
    shared = table[rows, columns]
    return shared / table.sum(axis=0)[columns], shared / table.sum(axis=1)[rows]


def adjusted_rand(gold: Sequence[Hashable], read: Sequence[Hashable]) -> float:
    """Pairs of mentions put together alike, above chance (Hubert and Arabie 1985).

    >>> adjusted_rand("aab", "xxy"), round(adjusted_rand("aabb", "xyxy"), 2)
    (1.0, -0.5)
    """
    table, _, _ = _contingency(gold, read)
    both, ours, theirs = (
        float((n * (n - 1) // 2).sum())
        for n in (table, table.sum(axis=1), table.sum(axis=0))
    )
    total = len(gold) * (len(gold) - 1) / 2
    chance = ours * theirs / total if total else 0.0
    most = (ours + theirs) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


_Gold = TypeVar("_Gold")
_Item = TypeVar("_Item")


def best_pairs(weights: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairing of rows with columns of the largest total weight; 0 is no pair."""
    from scipy.optimize import linear_sum_assignment  # slow to import

    if not weights.size:
        return []
    rows, columns = linear_sum_assignment(weights, maximize=True)
    found = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(row, column) for row, column in found if weights[row, column] > 0]


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


def count_figures(counts: Sequence[ElementCount]) -> dict[str, Interval]:
    """Precision, recall and F1 of all excerpts, drawn whole; `n` counts items."""
    table = np.array([(c.found, c.read, c.gold) for c in counts], dtype=float)
    read, gold = (int(n) for n in table.sum(axis=0)[1:])

    def figure(*of: int, n: int) -> Interval:
        """What was found over the mean of the columns `of`."""

        def ratio(drawn: NDArray[np.intp]) -> float:
            total = table[drawn].sum(axis=0)
            below = total[list(of)].mean()
            return float(total[0] / below) if below else float("nan")

        spread = bootstrap(len(table), ratio)
        return Interval(spread.mean, spread.low, spread.high, n)

    precision, recall = figure(1, n=read), figure(2, n=gold)
    return {"precision": precision, "recall": recall, "f1": figure(1, 2, n=gold)}

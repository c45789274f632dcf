"""Two groupings of the same mentions compared: B-cubed and the adjusted Rand index.

>>> precision, recall = b_cubed([0, 0, 0, 1], [7, 7, 8, 8])
>>> precision.round(2).tolist(), recall.round(2).tolist()
([1.0, 1.0, 0.5, 0.5], [0.67, 0.67, 0.33, 1.0])
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray


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
    """B-cubed precision and recall of each mention (Bagga and Baldwin 1998).

    Args:
        gold: whom each mention means.
        read: whom it was taken for; labels need not be alike.
    """
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

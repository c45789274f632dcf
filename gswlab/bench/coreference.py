"""Shares of texts taken together; MUC, B-cubed, CEAF-e and Rand of their mentions.

A mention is anything hashable. One that only one side has costs what it costs in the
reference scorer (Pradhan and others, ACL 2014), and a cluster of one counts. The CoNLL
score is the mean of the first three.

>>> key, read = [{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "f"}]
>>> coreference_shares(key, read)["muc.recall"]
(1.0, 3.0)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gswlab.bench.statistics import Interval, bootstrap

Ratio: TypeAlias = tuple[float, float]  # so many, of so many
CONLL = ("muc", "b_cubed", "ceaf_e")


def shares(path: str, read: Ratio, gold: Ratio) -> dict[str, Ratio]:
    """Precision and recall to be: fractions whose sums over texts are divided."""
    return {f"{path}.precision": read, f"{path}.recall": gold}


def coreference_shares(
    key: Sequence[Collection[Hashable]], read: Sequence[Collection[Hashable]]
) -> dict[str, Ratio]:
    """The three measures of one text."""
    both = np.zeros((len(key), len(read)))
    home = {mention: j for j, cluster in enumerate(read) for mention in cluster}
    for i, mention in ((i, m) for i, cluster in enumerate(key) for m in cluster):
        if mention in home:
            both[i, home[mention]] += 1
    gold, made = (np.array([*map(len, side)], float) for side in (key, read))
    all_read, all_gold = float(made.sum()), float(gold.sum())
    # MUC (Vilain 1995): a cluster of n has n - 1 links, cut once for each part of it.
    links = float(both.sum() - (both > 0).sum())
    found = shares("muc", (links, all_read - len(read)), (links, all_gold - len(key)))
    # B-cubed (Bagga and Baldwin 1998): of each mention, how much of its cluster.
    of_read, of_gold = (float((both**2 / n).sum()) for n in (made, gold[:, None]))
    found |= shares("b_cubed", (of_read, all_read), (of_gold, all_gold))
    # CEAF-e (Luo 2005, phi 4): clusters paired one to one by their Dice likeness.
    alike = 2 * both / np.add.outer(gold, made)
    right = float(sum(alike[pair] for pair in best_pairs(alike)))
    return found | shares("ceaf_e", (right, len(made)), (right, len(gold)))


def by_label(labels: Iterable[Hashable]) -> list[list[int]]:
    """Clusters of the numbers that bear the same label."""
    found = defaultdict[Hashable, list[int]](list)
    for number, label in enumerate(labels):
        found[label].append(number)
    return [*found.values()]


def pairs_alike(labels: Iterable[Hashable]) -> int:
    """How many pairs bear the same label."""
    return sum(n * (n - 1) // 2 for n in Counter(labels).values())


def adjusted_rand(gold: Sequence[Hashable], read: Sequence[Hashable]) -> float:
    """Pairs of mentions put together alike, above chance (Hubert and Arabie 1985).

    >>> adjusted_rand("aab", "xxy"), round(adjusted_rand("aabb", "xyxy"), 2)
    (1.0, -0.5)
    """
    both = pairs_alike(zip(gold, read, strict=True))
    ours, theirs = pairs_alike(gold), pairs_alike(read)
    total = len(gold) * (len(gold) - 1) / 2
    chance = ours * theirs / total if total else 0.0
    most = (ours + theirs) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def best_pairs(weights: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairing of rows with columns of the largest total weight; 0 is no pair."""
    from scipy.optimize import linear_sum_assignment  # slow to import

    if not weights.size:
        return []
    rows, columns = linear_sum_assignment(weights, maximize=True)
    found = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(row, column) for row, column in found if weights[row, column] > 0]


def pooled(rows: Sequence[Mapping[str, Ratio]]) -> dict[str, Interval]:
    """Every share of texts taken together, by its path; texts are drawn whole.

    Where a path has precision and recall, F1 is between them; `n` counts what a share
    is of.
    """
    column = {path: i for i, path in enumerate(rows[0])}
    table = np.array([[row[path] for path in column] for row in rows], dtype=float)

    def figure(path: str, drawn: NDArray[np.intp]) -> float:
        if path in column:
            above, below = table[drawn, column[path]].sum(axis=0)
            return float(above / below) if below else float("nan")
        if "conll" in path:
            parts = [figure(path.replace("conll", name), drawn) for name in CONLL]
            return sum(parts) / len(parts)
        sides = [path.replace("f1", name) for name in ("precision", "recall")]
        found = np.array([figure(side, drawn) for side in sides])
        if np.isnan(found).all():
            return float("nan")  # nothing was there and nothing was read
        precision, recall = np.nan_to_num(found)
        both = precision + recall
        return float(2 * precision * recall / both) if both else 0.0

    paths = list[str]()
    for path in column:
        whole = path.replace("recall", "precision") in column
        paths += [path, *([path.replace("recall", "f1")] if whole else [])]
    paths += [path.replace("muc", "conll") for path in paths]
    found = {}
    for path in dict.fromkeys(paths):
        spread = bootstrap(len(rows), partial(figure, path))
        of = column[path.replace("f1", "recall").replace("conll", CONLL[0])]
        n = int(table[:, of, 1].sum())
        found[path] = Interval(spread.mean, spread.low, spread.high, n)
    return found

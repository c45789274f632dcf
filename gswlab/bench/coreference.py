"""MUC, B-cubed and CEAF-e of clusters of mentions, and their mean, the CoNLL score.

What a book adds to each is four sums, so that books are added before anything is
divided (Pradhan and others, ACL 2014). Mentions are anything hashable; one that only
one side has costs what it costs in the reference scorer, singletons count.

>>> key, read = [{"a", "b", "c"}, {"d", "e", "f", "g"}], [{"a", "b"}, {"c", "d"}]
>>> muc(key, read + [{"f", "g", "h", "i"}])
Sums(right_read=2.0, read=5.0, right_gold=2.0, gold=5.0)
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gswlab.bench.gold.counts import best_pairs

Clusters: TypeAlias = Sequence[Collection[Hashable]]


class Sums(NamedTuple):
    """What is right of what was read, and of what there is: two fractions to be."""

    right_read: float = 0.0
    read: float = 0.0
    right_gold: float = 0.0
    gold: float = 0.0

    def shares(self) -> tuple[float, float, float]:
        """Precision, recall and F1; 0 where nothing was to be divided."""
        precision = self.right_read / self.read if self.read else 0.0
        recall = self.right_gold / self.gold if self.gold else 0.0
        both = precision + recall
        return precision, recall, 2 * precision * recall / both if both else 0.0


def muc(key: Clusters, read: Clusters) -> Sums:
    """Links that join clusters, and those that the other side lacks (Vilain 1995)."""
    return Sums(*_links(read, key), *_links(key, read))


def _links(clusters: Clusters, others: Clusters) -> tuple[float, float]:
    """The links of `clusters` that `others` have too, and all of them."""
    home = {mention: i for i, other in enumerate(others) for mention in other}
    parts = (len({home.get(m, (m,)) for m in cluster}) for cluster in clusters)
    links = sum(len(cluster) - 1 for cluster in clusters)
    return float(sum(map(len, clusters)) - sum(parts)), float(links)


def cluster_b_cubed(key: Clusters, read: Clusters) -> Sums:
    """Of each mention, how much of its cluster is shared (Bagga and Baldwin 1998)."""
    return Sums(*_shared(read, key), *_shared(key, read))


def _shared(clusters: Clusters, others: Clusters) -> tuple[float, float]:
    both = _overlaps(clusters, others)
    sizes = np.array([len(cluster) for cluster in clusters], float)
    return float((both**2 / sizes[:, None]).sum()), float(sizes.sum())


def ceaf_e(key: Clusters, read: Clusters) -> Sums:
    """Clusters paired one to one, by their Dice likeness (Luo 2005, phi 4)."""
    both = _overlaps(key, read)
    sizes = [np.array([len(cluster) for cluster in side]) for side in (key, read)]
    alike = 2 * both / np.add.outer(*sizes)
    right = float(sum(alike[pair] for pair in best_pairs(alike)))
    return Sums(right, float(len(read)), right, float(len(key)))


def _overlaps(one: Clusters, two: Clusters) -> NDArray[np.float64]:
    table = np.zeros((len(one), len(two)))
    home = {mention: j for j, cluster in enumerate(two) for mention in cluster}
    for i, cluster in enumerate(one):
        for mention in cluster:
            if mention in home:
                table[i, home[mention]] += 1
    return table


CONLL = {"muc": muc, "b_cubed": cluster_b_cubed, "ceaf_e": ceaf_e}


def conll(sums: Sequence[Sums]) -> tuple[float, float, float]:
    """The means of precision, recall and F1 of the three measures."""
    shares = np.array([each.shares() for each in sums])
    return tuple(shares.mean(axis=0).tolist())

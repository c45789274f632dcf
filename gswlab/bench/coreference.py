"""MUC, B-cubed and CEAF-e of clusters of mentions; the CoNLL score is their mean.

A mention is anything hashable. One that only one side has costs what it costs in the
reference scorer (Pradhan and others, ACL 2014), and a cluster of one counts.

>>> key, read = [{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "f"}]
>>> coreference_shares(key, read)["muc.recall"]
(1.0, 3.0)
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TypeAlias

import numpy as np

from gswlab.bench.gold.counts import best_pairs

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

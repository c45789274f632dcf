"""A gauge that reads: how open it is where the support of an answer lies.

The outcomes are "in what is held" and, for each passage that is not, "there". Their
weights are a posterior that some reader of the texts gives; what is held has settled
its own. An edit that brings passages in moves their weights to what is settled: the
entropy falls, and by what it falls is the gain. Unlike the released entropy, which
measures degree, it is made of nothing but what texts say.

    >>> before = Support(0.2, (0.6, 0.1))
    >>> round(told(before, before.bringing([0])), 2)
    0.45
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from gswlab.gedig.entropy import clearing


@dataclass(frozen=True)
class Support:
    """Weights of where support lies: in what is held, and in each passage that is not.

    Both sides of an edit have the same passages in the same order; one that is held
    weighs 0 there.
    """

    settled: float
    open: Sequence[float]

    def bringing(self, places: Iterable[int]) -> Support:
        """What it would be with some of the passages held, by their places."""
        new = {*places}
        settled = self.settled + sum(self.open[n] for n in new)
        left = enumerate(self.open)
        return Support(settled, tuple(0.0 if n in new else p for n, p in left))

    @property
    def complete(self) -> float:
        """The share of the weight that is settled."""
        return self.settled / (self.settled + sum(self.open))


def each(support: Support) -> list[float]:
    """The gain of bringing in each passage alone, as `told` has it, all at once.

    Two outcomes become one and the sum stays, so that of the entropy only their three
    terms change.

    >>> support = Support(0.2, (0.6, 0.1))
    >>> abs(each(support)[0] - told(support, support.bringing([0]))) < 1e-12
    True
    """
    open_ = np.asarray(support.open, np.float64)
    total = support.settled + open_.sum()
    if not len(open_) or not total > 0:
        return [0.0] * len(open_)
    joined = xlogy(support.settled + open_, support.settled + open_)
    gains = joined - xlogy(support.settled, support.settled) - xlogy(open_, open_)
    found: list[float] = (gains / total / np.log(len(open_) + 1)).tolist()
    return found


def told(before: Support, after: Support) -> float:
    """The gain of an edit: by how much it is clearer where support lies, in [-1, 1]."""
    return clearing((before.settled, *before.open), (after.settled, *after.open))

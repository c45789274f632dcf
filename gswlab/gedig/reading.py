"""A gauge that reads: how open it is where the support of an answer lies.

The outcomes are "in what is held" and, for each passage that is not, "there". Their
weights are a posterior that some reader of the texts gives; what is held has settled
its own. An edit that brings a passage in moves that passage's weight to what is settled
and, where the passage names others, the weights of these: the entropy falls, and what
it falls by is the gain. Unlike the released entropy, which measures degree, it is made
of nothing but what texts say.

    >>> round(told(Support(0.2, (0.6, 0.1)), Support(0.8, (0.0, 0.1))), 2)
    0.45
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gswlab.gedig.entropy import clearing


@dataclass(frozen=True)
class Support:
    """Weights of where support lies: in what is held, and in each passage that is not.

    Both sides of an edit have the same passages in the same order; one that is held
    weighs 0 there.
    """

    settled: float
    open: Sequence[float]

    @classmethod
    def of(
        cls, posterior: Sequence[float], held: Iterable[int], prior: float
    ) -> Support:
        """What is held of a posterior is settled, beside a `prior`: what nobody asks.

        >>> Support.of([0.5, 0.25], held=[0], prior=0.5)
        Support(settled=1.0, open=(0.0, 0.25))
        """
        kept = {*held}
        settled = prior + sum(posterior[row] for row in kept)
        left = enumerate(posterior)
        return cls(settled, tuple(0.0 if row in kept else p for row, p in left))

    @property
    def complete(self) -> float:
        """The share of the weight that is settled."""
        return self.settled / (self.settled + sum(self.open))


def told(before: Support, after: Support) -> float:
    """The gain of an edit: by how much it is clearer where support lies, in [-1, 1]."""
    return clearing((before.settled, *before.open), (after.settled, *after.open))

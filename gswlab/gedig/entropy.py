"""What an edit tells, as a share of what there was to know. Positive is gain.

The paper's text calls a fall of entropy a gain; the published code adds the growth of
it (`after - before`). Both are kept apart by name and one sign holds everywhere: the
gauge subtracts a gain.

- `choice`: the published linkset entropy. A gain is more to choose from.
- `clearing`: of a distribution over answers or evidence that the edit makes sharper.
  A gain is less doubt, as in the paper's text. This is the one that reads.
- `local`: the released code's entropy over neighbours' features, kept to repeat its
  rows: near-uniform, it measures degree and hardly any text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from gswlab.gedig.edit import FloatArray, Vertex


def entropy(weights: Iterable[float]) -> float:
    """Shannon entropy, in nats, of positive weights made to sum to one.

    >>> round(entropy([1, 1, 0]), 4)
    0.6931
    """
    held = [weight for weight in weights if weight > 0]
    total = sum(held)
    return -sum(w / total * math.log(w / total) for w in held)


def choice(weights: Sequence[float], query: float = 1.0) -> float:
    """Gain in choice when the query joins the items that are linked.

    (H(items + query) - H(items)) / ln(number after).

    >>> [round(choice([1.0] * n), 4) for n in (1, 2, 3)]
    [1.0, 0.3691, 0.2075]
    """
    items = list(weights) or [1.0]
    after = [*items, query if query > 0 else 1.0]
    return (entropy(after) - entropy(items)) / math.log(len(after))


def clearing(before: Sequence[float], after: Sequence[float]) -> float:
    """Gain in certainty: (H(before) - H(after)) / ln(number of outcomes), in [-1, 1].

    Both are weights over the same outcomes, in the same order.

    >>> clearing([1, 1, 1, 1], [1, 0, 0, 0]), clearing([1, 1], [1, 1])
    (1.0, 0.0)
    """
    outcomes = max(len(before), len(after))
    if outcomes < 2:
        return 0.0
    return (entropy(before) - entropy(after)) / math.log(outcomes)


def local(
    ball: Sequence[Vertex],
    near: Callable[[Vertex], Iterable[Vertex]],
    features: Callable[[Vertex], FloatArray | None],
    query: FloatArray | None = None,
) -> float:
    """Mean entropy, in nats, of the likeness among each node's neighbours.

    Of a node the rows are its own features, its neighbours' and `query`; their matrix
    of (cosine + 1) / 2 is read as one distribution. Nodes without features count none.
    """
    if not ball:
        return 0.0
    sums = 0.0
    for node in ball:
        rows = [row for n in (node, *near(node)) if (row := features(n)) is not None]
        rows += [query] if query is not None else []
        if len(rows) > 1:
            norms = np.linalg.norm(rows, axis=1, keepdims=True)
            unit = np.array(rows) / np.where(norms > 0, norms, 1.0)
            sums += entropy(((unit @ unit.T + 1) / 2).ravel())
    return sums / len(ball)


# A gauge that reads: how open it is where the support of an answer lies.


@dataclass(frozen=True)
class SupportWeights:
    """Weights of where support lies: in what is held, and in each passage that is not.

    Both sides of an edit have the same passages in the same order; one that is held
    weighs 0 there.
    """

    settled: float
    open: Sequence[float]

    def bringing(self, places: Iterable[int]) -> SupportWeights:
        """What it would be with some of the passages held, by their places."""
        new = {*places}
        settled = self.settled + sum(self.open[n] for n in new)
        left = enumerate(self.open)
        return SupportWeights(settled, tuple(0.0 if n in new else p for n, p in left))


def support_gains(support: SupportWeights) -> list[float]:
    """The gain of bringing in each passage alone, all at once.

    Two outcomes become one and the sum stays, so that of the entropy only their three
    terms change.

    >>> held = SupportWeights(0.2, (0.6, 0.1))
    >>> alone = support_gain(held, held.bringing([0]))
    >>> abs(support_gains(held)[0] - alone) < 1e-12
    True
    """
    open_ = np.asarray(support.open, np.float64)
    total = support.settled + open_.sum()
    if not len(open_) or not total > 0:
        return [0.0] * len(open_)
    joined = xlogy(support.settled + open_, support.settled + open_)
    gains = joined - xlogy(support.settled, support.settled) - xlogy(open_, open_)
    return list(map(float, gains / total / np.log(len(open_) + 1)))


def support_gain(before: SupportWeights, after: SupportWeights) -> float:
    """The gain of an edit: by how much it is clearer where support lies, in [-1, 1]."""
    return clearing((before.settled, *before.open), (after.settled, *after.open))

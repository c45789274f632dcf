"""Bootstrap 95 % intervals: seeded, and clustered where observations share a source.

>>> interval([1.0, 1.0, 1.0])
Interval(mean=1.0, low=1.0, high=1.0, n=3)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000  # as published
Statistic = Callable[[NDArray[np.intp]], float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % bootstrap interval and the observations behind it."""

    mean: float
    low: float
    high: float
    n: int

    def to_dict(self) -> dict[str, float | int]:
        """As written to `scores.json`: four decimals."""
        low, high = round(self.low, 4), round(self.high, 4)
        return {"mean": round(self.mean, 4), "low": low, "high": high, "n": self.n}


def interval(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> Interval:
    """The mean of `values`; with `clusters`, whole clusters are drawn together.

    >>> interval([0.0, 1.0], clusters=["book", "book"])
    Interval(mean=0.5, low=0.5, high=0.5, n=2)
    """
    array = np.asarray(values, dtype=float)
    return bootstrap(len(array), lambda drawn: float(array[drawn].mean()), clusters)


def bootstrap(
    n: int,
    statistic: Statistic,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
) -> Interval:
    """`statistic` of indices 0..n-1, and its percentiles over resampled indices.

    A resample on which the statistic is undefined (nan) is left out.
    """
    if n == 0:
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    draws = _resamples(n, clusters, np.random.default_rng(seed))
    drawn = np.array([statistic(indices) for indices in draws])
    point = statistic(np.arange(n))
    if np.isnan(drawn).all():
        return Interval(point, point, point, n)
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Interval(point, float(low), float(high), n)


def _resamples(
    n: int, clusters: Sequence[Hashable] | None, rng: np.random.Generator
) -> list[NDArray[np.intp]]:
    if clusters is None:
        return list(rng.integers(0, n, size=(RESAMPLES, n)))
    members: dict[Hashable, list[int]] = {}
    for index, key in enumerate(clusters):
        members.setdefault(key, []).append(index)
    groups = [np.array(group, dtype=np.intp) for group in members.values()]
    picks = rng.integers(0, len(groups), size=(RESAMPLES, len(groups)))
    return [np.concatenate([groups[pick] for pick in row]) for row in picks]

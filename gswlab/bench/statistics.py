"""Bootstrap 95 % intervals and paired tests, seeded and clustered.

Observations that share a source are drawn, or exchanged, together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray


def clusters(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """A number a row; rows that share gold, however indirectly, have the same."""
    shared: nx.Graph[object] = nx.Graph()
    for number, row in enumerate(rows):
        shared.add_edges_from((("row", number), chapter) for chapter in row["gold"])
        shared.add_node(("row", number))
    parts = enumerate(nx.connected_components(shared))
    home = {node: part for part, nodes in parts for node in nodes}
    return [home["row", number] for number in range(len(rows))]


RESAMPLES = 1000  # as published
Statistic = Callable[[NDArray[np.intp]], Any]


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
    """The mean of `values`; with `clusters`, whole clusters are drawn together."""
    array = np.asarray(values, dtype=float)
    alike = clusters is None  # every draw is of one length: all are one table

    def mean(drawn: NDArray[np.intp]) -> Any:
        return array[drawn].mean(axis=-1)

    return bootstrap(len(array), mean, clusters, at_once=alike)


def bootstrap(
    n: int,
    statistic: Statistic,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    at_once: bool = False,
) -> Interval:
    """`statistic` of 0..n-1; its percentiles over resamples where it is no nan.

    `at_once` hands it all resamples of one length together, a row each.
    """
    if n == 0:
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    rng = np.random.default_rng(seed)
    draws: Any
    if clusters is None:
        draws = rng.integers(0, n, size=(RESAMPLES, n))
    else:
        members: dict[Hashable, list[int]] = {}
        for index, key in enumerate(clusters):
            members.setdefault(key, []).append(index)
        groups = [np.array(group, dtype=np.intp) for group in members.values()]
        picks = rng.integers(0, len(groups), size=(RESAMPLES, len(groups)))
        draws = (np.concatenate([groups[pick] for pick in row]) for row in picks)
    known: dict[bytes, Any] = {}

    def once(drawn: NDArray[np.intp]) -> Any:
        """Few rows are drawn alike again and again."""
        if (key := drawn.tobytes()) not in known:
            known[key] = statistic(drawn)
        return known[key]

    each = statistic(draws) if at_once else map(once, draws)
    drawn, point = np.array([*each]), float(statistic(np.arange(n)))
    if np.isnan(drawn).all():
        return Interval(point, point, point, n)
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Interval(point, float(low), float(high), n)


def paired(
    one: Sequence[float],
    other: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
) -> Interval:
    """The mean difference `one` - `other`, question by question."""
    pairs = zip(one, other, strict=True)
    return interval([mine - theirs for mine, theirs in pairs], clusters)


def permutation(
    one: Sequence[float],
    other: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    draws: int = 10_000,
) -> float:
    """Two-sided p of no difference, by exchanging the two systems, a cluster at a time.

    The observed arrangement counts as one of those drawn, so that p is never 0.
    """
    gap = np.asarray(one, dtype=float) - np.asarray(other, dtype=float)
    keys = range(len(gap)) if clusters is None else clusters
    home = {key: n for n, key in enumerate(dict.fromkeys(keys))}
    sums = np.bincount([home[key] for key in keys], weights=gap, minlength=len(home))
    signs = np.random.default_rng(0).integers(0, 2, size=(draws, len(sums))) * 2 - 1
    # A sum of many thirds differs in its last digits with the order of its terms.
    extreme = np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9
    return float((extreme.sum() + 1) / (draws + 1))


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """p values of several comparisons made at once, adjusted (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted, worst = [0.0] * len(values), 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        worst = max(worst, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = worst
    return tuple(adjusted)

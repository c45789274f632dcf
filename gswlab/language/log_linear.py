"""Log-linear scorers: tables of learned weights as readable text, and their sums.

A table has a row a feature: its name, then `class weight` cells. A score is the sum of
the weights of what holds, times its value: the whole reason for a decision is data.
Lines that start with `#` are the source and licence. Tables are made by
`experiments/recipes/who.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from gswlab.language.language import rows

TABLES = Path(__file__).parent  # who scores texts on held-out tables names their folder


@dataclass(frozen=True)
class LogLinear:
    """Weights by feature and class; `classes` in the order in which equals win."""

    classes: tuple[str, ...]
    weights: Mapping[str, Mapping[str, float]]

    def scores(self, features: Mapping[str, float]) -> dict[str, float]:
        """The sum of weight times value, class by class."""
        sums = dict.fromkeys(self.classes, 0.0)
        for feature, value in features.items():
            for name, weight in self.weights.get(feature, {}).items():
                sums[name] += weight * value
        return sums

    def odds(self, features: Mapping[str, float]) -> dict[str, float]:
        """The probability of each class: exponentials that sum to one."""
        scores = self.scores(features)
        most = max(scores.values())
        raised = {name: exp(score - most) for name, score in scores.items()}
        whole = sum(raised.values())
        return {name: part / whole for name, part in raised.items()}


@cache
def log_linear(name: str) -> LogLinear:
    """The scorer of `language/<name>`; its first row names the classes."""
    return of_rows(rows(TABLES / name))


def of_rows(table: Iterable[tuple[str, ...]]) -> LogLinear:
    """A scorer of rows: the first names the classes, others a feature's weights."""
    first, *rest = table
    cells = {f: dict(cell.split(" ") for cell in c) for f, *c in rest}
    weights = {f: {n: float(w) for n, w in c.items()} for f, c in cells.items()}
    return LogLinear(tuple(first), weights)

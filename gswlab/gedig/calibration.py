"""Thresholds from a train set: how often a price meant that nothing was missing.

A price is a number; whether what was held at that price was complete is known for train
questions alone. A calibrator (scikit-learn's) turns prices into the probability that
the evidence is complete, and a threshold is the price from which that probability has
reached a target. How far to believe it is shown by its reliability on other questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gswlab.core.errors import GswlabError
from gswlab.gedig.gates import Fixed

Method = Literal["isotonic", "logistic"]
Numbers = NDArray[np.float64]
_GRID = 1000


@dataclass(frozen=True)
class Reliability:
    """Of questions in groups of equal size: what was said, what was so, how many."""

    said: tuple[float, ...]
    so: tuple[float, ...]
    n: int

    @property
    def error(self) -> float:
        """The mean gap of what was said and what was so."""
        return float(np.mean(np.abs(np.subtract(self.said, self.so))))


@dataclass(frozen=True)
class Calibration:
    """The probability that evidence is complete, by the price of going on.

    >>> prices = [0.1, 0.2, 0.3, 0.4]
    >>> fitted = Calibration.of(prices, [False, False, True, True])
    >>> fitted([0.1, 0.4]).tolist(), fitted.threshold(0.9) < 0.31
    ([0.0, 1.0], True)
    """

    method: Method
    prices: tuple[float, ...]
    _model: Any = field(repr=False, compare=False)

    @classmethod
    def of(
        cls,
        prices: Sequence[float],
        complete: Sequence[bool],
        method: Method = "isotonic",
    ) -> Calibration:
        """Fitted on train questions.

        Raises:
            GswlabError: all of them were complete, or none was.
        """
        outcomes = np.asarray(complete, float)
        if len({*outcomes}) < 2:
            problem = f"{len(outcomes)} prices, {int(outcomes.sum())} of them complete"
            rule = "a calibration needs both complete evidence and incomplete"
            raise GswlabError(problem, rule)
        column = np.asarray(prices, float)
        model = _fitted(method, column, outcomes)
        return cls(method, tuple(sorted(map(float, prices))), model)

    def __call__(self, prices: Sequence[float]) -> Numbers:
        """The probability of each price."""
        column = np.asarray(prices, float)
        if self.method == "isotonic":
            return np.asarray(self._model.predict(column), float)
        return np.asarray(self._model.predict_proba(column[:, None])[:, 1], float)

    def threshold(self, target: float) -> float:
        """The first price, from the incomplete end on, that reaches a probability.

        Where none does, the price of the highest.
        """
        grid = np.linspace(self.prices[0], self.prices[-1], _GRID)
        said = self(list(grid))
        if said[-1] < said[0]:
            grid, said = grid[::-1], said[::-1]
        reached = np.flatnonzero(said >= min(target, said.max()))
        return float(grid[reached[0]])

    def thresholds(self, target: float, ag: float) -> Fixed:
        """Gates with DG where evidence is complete with that probability."""
        return Fixed(ag=ag, dg=self.threshold(target))

    def reliability(
        self, prices: Sequence[float], complete: Sequence[bool], groups: int = 8
    ) -> Reliability:
        """What it says of questions it was not fitted on, beside what was so."""
        from sklearn.calibration import calibration_curve

        said = np.clip(self(prices), 0.0, 1.0)
        so, mean = calibration_curve(
            np.asarray(complete, int), said, n_bins=groups, strategy="quantile"
        )
        return Reliability(tuple(map(float, mean)), tuple(map(float, so)), len(said))


def _fitted(method: Method, prices: Numbers, complete: Numbers) -> Any:
    try:
        from sklearn.isotonic import IsotonicRegression
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        rule, command = "it is in the extra notebook", 'pip install "gswlab[notebook]"'
        problem = "calibrating needs scikit-learn"
        raise GswlabError(problem, rule, command) from error
    if method == "logistic":
        return LogisticRegression(C=100.0).fit(prices[:, None], complete)
    rising = IsotonicRegression(out_of_bounds="clip", increasing="auto")
    return rising.fit(prices, complete)

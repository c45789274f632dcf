"""Two gates on one gauge: AG asks for more, DG lets an edit or an answer pass.

One definition for all uses: AG fires when the price on the spot is above its threshold
(`g0 > ag`), DG when the best price of all hops is at or below its own (`g_min <= dg`).
What a fire does is its user's: every fire is an event of the trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from gswlab.core.errors import GswlabError
from gswlab.gedig.edit import FloatArray
from gswlab.gedig.gauge import Price

_STEP = 0.5  # of the spread of prices that an online threshold moves at most


@dataclass(frozen=True)
class Fired:
    """Which gates a price opened."""

    ag: bool
    dg: bool


class Thresholds(Protocol):
    """Where the two thresholds are; an online controller learns from each price."""

    @property
    def ag(self) -> float:
        """The threshold of AG: a g0 above it fires."""

    @property
    def dg(self) -> float:
        """The threshold of DG: a g_min at or below it fires."""

    def seen(self, price: Price) -> None:
        """Learn from a price, after the gates have judged it."""


@dataclass(frozen=True)
class Fixed:
    """Thresholds that stay. The paper's text has 0.5 and 0.3.

    >>> Fixed().ag, Fixed().dg
    (0.5, 0.3)
    """

    ag: float = 0.5
    dg: float = 0.3

    def seen(self, price: Price) -> None:
        """Nothing is learnt."""


def percentiles(prices: Sequence[Price], ag: float = 50, dg: float = 30) -> Fixed:
    """Thresholds at percentiles of a calibration set: of g0 for AG, of g_min for DG.

    With `ag=50` half of such prices fire AG; with `dg=30` three in ten fire DG.

    Raises:
        GswlabError: there is no price to calibrate on.
    """
    if not prices:
        rule = "percentiles are of the prices of a train set"
        raise GswlabError("no price was given to calibrate on", rule)
    spot, best = ([getattr(p, name) for p in prices] for name in ("g0", "g_min"))
    return Fixed(float(np.percentile(spot, ag)), float(np.percentile(best, dg)))


@dataclass
class Online:
    """A threshold of AG that holds the rate at which it fires, whatever comes.

    Stochastic approximation of a quantile (Robbins and Monro): after each price the
    threshold moves up by `step * (1 - rate)` if AG fired, else down by `step * rate`,
    so that over any stretch the rate of fires differs from `rate` by at most the way
    the threshold went, over `step` times its length. `step` is half the spread of the
    prices seen (mean absolute deviation from a running mean). DG's stays.
    """

    rate: float = 0.45
    start: Fixed = field(default_factory=Fixed)
    _at: float = field(default=0.0, init=False)
    _mean: float = field(default=0.0, init=False)
    _spread: float = field(default=0.0, init=False)
    _count: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if not 0 < self.rate < 1:
            rule = "a share of prices above 0 and below 1"
            raise GswlabError(f"gate.rate is {self.rate}", rule, "gate.rate=0.45")
        self._at = self.start.ag

    @property
    def ag(self) -> float:
        """Where AG's threshold is now."""
        return self._at

    @property
    def dg(self) -> float:
        """Where DG's threshold stays."""
        return self.start.dg

    def seen(self, price: Price) -> None:
        """Move the threshold towards the rate."""
        # the running mean and spread: plain at first, then of the last hundred
        self._count = min(self._count + 1, 100)
        self._mean += (price.g0 - self._mean) / self._count
        self._spread += (abs(price.g0 - self._mean) - self._spread) / self._count
        way = 1 - self.rate if price.g0 > self._at else -self.rate
        self._at += way * _STEP * self._spread


def fire(price: Price, thresholds: Thresholds) -> Fired:
    """Which gates a price opens."""
    return Fired(price.g0 > thresholds.ag, price.g_min <= thresholds.dg)


def judge(price: Price, thresholds: Thresholds) -> tuple[Fired, Fixed]:
    """Which gates a price opens, where they stood; what is online moves on by it."""
    fired, stood = fire(price, thresholds), Fixed(thresholds.ag, thresholds.dg)
    thresholds.seen(price)
    return fired, stood


# Thresholds from a train set: how often a price meant that nothing was missing.

CalibrationMethod = Literal["isotonic", "logistic"]


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

    method: CalibrationMethod
    prices: tuple[float, ...]
    _model: Any = field(repr=False, compare=False)

    @classmethod
    def of(
        cls,
        prices: Sequence[float],
        complete: Sequence[bool],
        method: CalibrationMethod = "isotonic",
    ) -> Calibration:
        """Fitted on train questions.

        Raises:
            GswlabError: all of them were complete, or none was.
        """
        try:
            from sklearn.isotonic import IsotonicRegression
            from sklearn.linear_model import LogisticRegression
        except ImportError as error:
            rule = "it is in the extra notebook"
            command = 'pip install "gswlab[notebook]"'
            problem = "calibrating needs scikit-learn"
            raise GswlabError(problem, rule, command) from error
        outcomes = np.asarray(complete, float)
        if len({*outcomes}) < 2:
            problem = f"{len(outcomes)} prices, {int(outcomes.sum())} of them complete"
            rule = "a calibration needs both complete evidence and incomplete"
            raise GswlabError(problem, rule)
        column = np.asarray(prices, float)
        model: Any
        if method == "logistic":
            model = LogisticRegression(C=100.0).fit(column[:, None], outcomes)
        else:
            rising = IsotonicRegression(out_of_bounds="clip", increasing="auto")
            model = rising.fit(column, outcomes)
        return cls(method, tuple(sorted(map(float, prices))), model)

    def __call__(self, prices: Sequence[float]) -> FloatArray:
        """The probability of each price."""
        column = np.asarray(prices, float)
        if self.method == "isotonic":
            return np.asarray(self._model.predict(column), float)
        return np.asarray(self._model.predict_proba(column[:, None])[:, 1], float)

    def threshold(self, target: float) -> float:
        """The first price, from the incomplete end on, that reaches a probability.

        Where none does, the price of the highest.
        """
        grid = np.linspace(self.prices[0], self.prices[-1], 1000)
        said = self(list(grid))
        if said[-1] < said[0]:
            grid, said = grid[::-1], said[::-1]
        reached = np.flatnonzero(said >= min(target, said.max()))
        return float(grid[reached[0]])

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

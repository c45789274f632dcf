"""The posterior that a passage supports an answer, given what is held already.

A logistic model of the numbers of a `Sight`. Its weights were fitted on HotpotQA's
training questions, own and pooled paragraphs (`experiments/gedig_weights.py`): another
fit is another setting.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gswlab.errors import GswlabError
from gswlab.memory.gedig.field import FEATURES, Numbers


@dataclass(frozen=True)
class Relevance:
    """A weight a number of `FEATURES`, and the bias."""

    weights: tuple[float, ...] = (0.0,) * len(FEATURES)
    bias: float = 0.0

    def __post_init__(self) -> None:
        if len(self.weights) != len(FEATURES):
            rule = f"one for each of {', '.join(FEATURES)}"
            raise GswlabError(f"relevance has {len(self.weights)} weights", rule)

    def __call__(self, told: Numbers) -> Numbers:
        """The probability of each passage.

        >>> Relevance()(np.zeros((2, len(FEATURES)))).tolist()
        [0.5, 0.5]
        """
        odds = told @ np.asarray(self.weights) + self.bias
        found: Numbers = 1 / (1 + np.exp(-odds))
        return found

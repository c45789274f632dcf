"""The posterior that a passage supports an answer, given what is held already.

A logistic model of the numbers of a `Sight`. Its weights were fitted on HotpotQA's
training questions, own and pooled paragraphs (`experiments/gedig_weights.py`): another
fit is another setting.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gswlab.core.errors import GswlabError
from gswlab.memory.gedig.field import FEATURES, Numbers


@dataclass(frozen=True)
class Relevance:
    """A weight a number of `FEATURES`, and the bias.

    >>> first = np.eye(len(FEATURES))[:1]  # a passage that has the best words alone
    >>> Relevance()(first).round(3).tolist()
    [0.016]
    """

    weights: tuple[float, ...] = (
        2.525, 4.638, 1.808, -4.293, 6.906, -2.848, -0.227, 2.796, 6.323, 0.971,
        0.561, -0.101, -0.787, -0.266, 3.248, 1.546, -2.996, -3.722,
    )  # fmt: skip
    bias: float = -6.632

    def __post_init__(self) -> None:
        if len(self.weights) != len(FEATURES):
            rule = f"one for each of {', '.join(FEATURES)}"
            raise GswlabError(f"relevance has {len(self.weights)} weights", rule)

    def __call__(self, told: Numbers) -> Numbers:
        """The probability of each passage."""
        odds = told @ np.asarray(self.weights) + self.bias
        found: Numbers = 1 / (1 + np.exp(-odds))
        return found

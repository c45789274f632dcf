"""Three signatures by which a memory fails, in every run's scores.

================== ================================================================
recall_by_cues     strict recall of the answerable questions, by how many of date,
                   place, person and kind of event a question gives (1 to 4);
                   null where no question gives so many, or the dataset marks none
invented           places and dates that summaries and answers print and the text
                   lacks (`gswlab.bench.invented`); it must be 0
tokens_and_chapters Spearman's rank correlation of a question's evidence tokens with
                   the chapters that match it; null where either is the same for all
================== ================================================================

A run without questions has `invented` alone. A memory that hands over the same amount
whatever is asked has a correlation of nothing; one that finds what matches, near 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gswlab.bench.scoring import Indices, Scored, mean_of, strict_of
from gswlab.bench.statistics import bootstrap

CUES = (1, 2, 3, 4)


def cues_given(cue: str) -> int:
    """How many cues a completed cue pattern gives.

    >>> cues_given("({April 09, 2026}, *, {Ann Ray}, *)"), cues_given("")
    (2, 0)
    """
    return cue.count("{")


def recall_by_cues(rows: Sequence[Scored]) -> dict[str, Any]:
    """Mean strict recall with its interval by number of cues, or None."""
    asked = [row for row in rows if row.verdict.gold]
    return {
        str(number): mean_of(
            [row for row in asked if cues_given(row.question.cue) == number],
            strict_of,
            "recall",
        )
        for number in CUES
    }


def tokens_and_chapters(
    tokens: Sequence[int], matching: Sequence[int]
) -> dict[str, float | int] | None:
    """Spearman's rho with its interval; None where it is undefined.

    >>> tokens_and_chapters([5, 5, 5], [0, 1, 2]) is None
    True
    """
    pairs = np.array([tokens, matching], dtype=float)

    def rho(drawn: Indices) -> float:
        return _spearman(pairs[:, drawn])

    if math.isnan(_spearman(pairs)):
        return None
    return bootstrap(pairs.shape[1], rho).to_dict()


def _spearman(pairs: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    from scipy.stats import spearmanr  # slow to import, and most commands score nothing

    if pairs.shape[1] < 2 or any(len(np.unique(row)) < 2 for row in pairs):
        return float("nan")
    return float(spearmanr(*pairs).statistic)

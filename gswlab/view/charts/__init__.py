"""Figures and tables of results: vector files, the same bytes each time."""

from gswlab.view.charts.comparison import (
    accuracy_by_cues,
    accuracy_by_tokens,
    cost_by_question,
    error_anatomy,
    pareto,
    recall_at_k,
    scaling,
)

__all__ = [
    "accuracy_by_cues",
    "accuracy_by_tokens",
    "cost_by_question",
    "error_anatomy",
    "pareto",
    "recall_at_k",
    "scaling",
]

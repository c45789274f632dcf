"""The weights by which messages are recalled, fitted on LoCoMo's conversations 1 and 2.

python experiments/recipes/recall_weights.py FILE > gswlab/memgpt/weights.tsv

A logistic regression over every message for every question that has evidence
(categories 1 to 4): is the message evidence? Features are standardised to fit and the
weights given for raw ones. `STRENGTH` (of the ridge penalty) was chosen by fitting on
one conversation and testing on the other. The second column is fitted without vectors.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gswlab.bench.locomo import load_locomo
from gswlab.memgpt.ranking import MESSAGE_FEATURES, Ranker
from gswlab.models.vectors.embedder import Embedder
from gswlab.models.vectors.minilm import MiniLM

STRENGTH = 1 / 0.03
Floats = NDArray[np.float64]


def examples(file: Path, embedder: Embedder | None) -> tuple[Floats, Floats]:
    """A row a message and question: its features, and whether it is evidence."""
    features, wanted = [], []
    for world in load_locomo(file, kept=range(1, 3))[1]:
        ranker = Ranker(world.chunks, embedder)
        for question in world.questions:
            if question.gold and not question.absent:
                features.append(ranker.features(question.question))
                wanted.append([chunk.id in question.gold for chunk in world.chunks])
    return np.concatenate(features), np.concatenate(wanted).astype(float)


def fitted(features: Floats, wanted: Floats) -> Floats:
    """Weights of raw features, and the constant last."""
    mean, spread = features.mean(0), features.std(0)
    spread[spread == 0] = np.inf  # a feature that never differs weighs nothing
    rows = np.column_stack([(features - mean) / spread, np.ones(len(features))])

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits, ridge = rows @ weights, np.append(weights[:-1], 0)
        told = np.logaddexp(0, logits) - wanted * logits
        slope = rows.T @ (1 / (1 + np.exp(-logits)) - wanted) + STRENGTH * ridge
        return told.sum() + STRENGTH / 2 * (ridge @ ridge), slope

    start = np.append(np.zeros(features.shape[1]), -5.0)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights = found.x[:-1] / spread
    return np.append(weights, found.x[-1] - weights @ mean)


if __name__ == "__main__":
    file = Path(sys.argv[1])
    both = [fitted(*examples(file, embedder)) for embedder in (MiniLM(), None)]
    print("# What a feature of gswlab.memgpt.ranking weighs, in log odds, with")
    print("# vectors and without: fitted by recipes/recall_weights.py on LoCoMo's")
    print("# conversations 1 and 2.")
    print("feature\twith_vectors\twithout")
    for name, *pair in zip((*MESSAGE_FEATURES, "constant"), *both, strict=True):
        print(f"{name}\t{pair[0]:.4f}\t{pair[1]:.4f}")

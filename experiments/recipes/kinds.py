"""Fit the weights by which kinds of event compete, on books of our own.

Reads each book once, without a model call, and fits the six weights of
`gswlab.gsw.reconciler.event_types.WEIGHTS` as a choice model: the probability of a
label is the softmax of its weighted features; the likelihood of the gold labels is
maximised with a small penalty. A book named after `--check` is only scored. A number is
the seed of a generated book (never 1, the one that is reported).

    python recipes/kinds.py harbour orchard terraces foundry saltmarsh cloister \
        larch beacon lantern kestrel marrow tessera --check quarry 11 12 15
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from gswlab.gsw.reconciler.event_types import WEIGHTS, Competition, Matrix
from gswlab.lab import config
from gswlab.language.stems import content_stems
from gswlab.models.vectors.embedder import by_words

BOOKS = Path(__file__).resolve().parents[1] / "texts" / "books"
PENALTY = 0.002
CHAPTERS = 100  # of a generated book


@dataclass(frozen=True)
class Book:
    """Features (episodes, labels, 6) and, by episode, the columns that are gold."""

    features: Matrix
    gold: tuple[tuple[int, ...], ...]

    def right(self, weights: Matrix) -> tuple[int, int, int]:
        """Episodes whose best label is gold; with a gold label at all; all."""
        best = (self.features @ weights).argmax(axis=1)
        found = [int(m) in g for m, g in zip(best, self.gold, strict=True)]
        return sum(found), sum(map(bool, self.gold)), len(self.gold)

    def loss(self, weights: Matrix) -> float:
        """Mean negative log likelihood of the gold labels."""
        scores = self.features @ weights
        logs = scores - np.logaddexp.reduce(scores, axis=1)[:, None]
        terms = [-np.logaddexp.reduce(logs[n, g]) for n, g in enumerate(self.gold) if g]
        return float(np.mean(terms))


def book(name: str) -> Book:
    """One of our books, read to its end, its labels and features."""
    if name.isdigit():
        made = f"dataset.chapters={CHAPTERS}", f"dataset.seed={name}"
        lab = config.open("experiment=generated", *made)
        content = {n: gold.kind[0] for n, gold in lab.dataset.load_tuples().items()}
    else:
        lab = config.open("dataset=text", f"dataset.file={BOOKS / name / 'book.json'}")
        events = json.loads((BOOKS / name / "events.json").read_text("utf-8"))
        content = {event["chapter"]: event["content"] for event in events}
    memory = lab.blank()
    for chunk in lab.chunks:
        memory.partial_fit(chunk)
    memory.finish()
    competition = Competition(memory.workspace.episodes, by_words(memory.embedder))
    parts = competition.features(competition.kinds)
    stems = [frozenset(kind.stems) for kind in competition.kinds]
    wanted = [
        frozenset(content_stems(content[e.chapter])) for e in competition.episodes
    ]
    gold = tuple(tuple(m for m, s in enumerate(stems) if w <= s) for w in wanted)
    return Book(np.stack([parts[key] for key in WEIGHTS], axis=-1), gold)


def fitted(books: list[Book]) -> Matrix:
    """The weights that explain the gold labels best."""
    start = np.array(list(WEIGHTS.values()))
    bounds = [(0.0, 8.0)] * len(start)

    def loss(weights: Matrix) -> float:
        fit = float(np.mean([book.loss(weights) for book in books]))
        return fit + PENALTY * float(weights @ weights)

    best: Matrix = minimize(loss, start, method="L-BFGS-B", bounds=bounds).x
    return best


def main() -> None:
    """Print the fitted weights, and what they and the present ones get right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("books", nargs="+")
    parser.add_argument("--check", nargs="*", default=[])
    names = parser.parse_args()
    read = {name: book(name) for name in (*names.books, *names.check)}
    weights = fitted([read[name] for name in names.books])
    for name, weight in zip(WEIGHTS, weights, strict=True):
        print(f"{name:12} now {WEIGHTS[name]:.2f}  fitted {weight:.2f}")
    present = np.array(list(WEIGHTS.values()))
    for name, one in read.items():
        print(f"{name:12} now {one.right(present)}  fitted {one.right(weights)}")


if __name__ == "__main__":
    main()

"""The weights of `memory=gedig`'s posterior and its thresholds, from train questions.

    python experiments/recipes/gedig_weights.py ../shared/data/hotpotqa/train100.json

For each question, in the world of its own paragraphs and in the pool of all: what is
held is the first list's beginning, or a walk along links from there, and of every
passage that is seen and not held the gold says whether it supports an answer. Printed
are the fitted weights (`gswlab.gedig.passages.field`); the area under recall against
tokens by four-fold cross-validation; and prices beside completeness, which thresholds
are calibrated on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, log
from random import Random

import numpy as np
from sklearn.linear_model import LogisticRegression

from gswlab.bench.hotpotqa import Pool, load_hops
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.passages.episode import Gate, GateDecision, Retrieval
from gswlab.gedig.passages.field import PASSAGE_FEATURES, PassageField, Relevance, Sight
from gswlab.gedig.passages.gates import Chance, Gauged, Rounds
from gswlab.gedig.thresholds import Calibration, Fixed
from gswlab.lab.config import _cache
from gswlab.models.vectors.minilm import MiniLM

FOLDS, WALKS, SEEN, EXAMPLES = 4, 6, 60, 1000.0


@dataclass
class Case:
    """A question's sight and the rows of its gold, -1 for a paragraph without text."""

    sight: Sight
    gold: frozenset[int]
    number: int


def cases(path: str, world_of: str) -> list[Case]:
    """All questions of a file in one of the two worlds."""
    questions = load_hops(path)
    world, embedder = Pool.of(questions), MiniLM(cache=_cache("vectors"))
    pool = PassageField.of(list(world.chunks), embedder) if world_of == "pool" else None
    found = []
    for number, question in enumerate(questions):
        rows = world.rows(question)
        field = pool or PassageField.of([world.chunks[row] for row in rows], embedder)
        place = {row: n for n, row in enumerate(rows)} if pool is None else {}
        gold = (place.get(g, g if pool else -1) for g in world.gold(question))
        sight = Sight(field, question.question)
        found.append(Case(sight, frozenset(gold), number))
    return found


def rough(sight: Sight) -> Sequence[int]:
    """Rows by a score that nothing was fitted for, as `memory=linked` has it."""
    score = 0.65 * sight.words + 0.35 * sight.near + 0.5 * sight.titled
    return [int(row) for row in np.argsort(-score, kind="stable")]


def held(case: Case) -> Iterator[list[int]]:
    """What may be held when the next passage is chosen."""
    order, rng = rough(case.sight), Random(case.number)
    yield from (list(order[:count]) for count in range(4))
    for _ in range(WALKS):
        walk = [order[0]]
        for _ in range(rng.randrange(3)):
            tied = [r for r in case.sight.field.tied(walk[-1]) if r not in walk]
            rest = [row for row in order if row not in walk]
            if tied and rng.random() < 0.6:
                walk.append(min(tied, key=order.index))
            elif rest:
                walk.append(rest[min(len(rest) - 1, int(rng.expovariate(1.0)))])
        yield walk


def fitted(cases: Sequence[Sequence[Case]]) -> Relevance:
    """The logistic weights over several worlds, each of them counting alike."""
    told, gold, weight = [], [], []
    for world in cases:
        numbers, is_gold, share = zip(
            *(each for c in world for each in examples(c)), strict=True
        )
        total = sum(map(sum, share))
        told += numbers
        gold += is_gold
        weight += [np.asarray(each) * EXAMPLES / total for each in share]
    x, y, w = map(np.concatenate, (told, gold, weight))
    scale = x.std(axis=0) + 1e-9
    model = LogisticRegression(max_iter=5000).fit(x / scale, y, sample_weight=w)
    weights = tuple(float(value) for value in (model.coef_[0] / scale).round(3))
    return Relevance(weights, round(float(model.intercept_[0]), 3))


def examples(case: Case) -> Iterator[tuple[np.ndarray, list[bool], list[float]]]:
    """Numbers, gold and weight of the passages seen in each state of a question."""
    states = list(held(case))
    for state in states:
        tied = [row for at in state for row in case.sight.field.tied(at)]
        seen = dict.fromkeys([*rough(case.sight)[:SEEN], *tied])
        if rows := [row for row in seen if row not in state]:
            numbers = case.sight.told(state, rows)
            share = [1 / len(states)] * len(rows)
            yield numbers, [row in case.gold for row in rows], share


def played(
    case: Case, relevance: Relevance, gate: Gate, budget: int = 1500
) -> tuple[Retrieval, list[GateDecision]]:
    """An episode under a gate."""
    episode = Retrieval(case.sight, relevance, (), budget)
    episode.order = np.argsort(-episode.prior, kind="stable").tolist()
    made: list[GateDecision] = []
    while not made or made[-1].action != "answer":
        decision = gate.decide(episode)
        edit = decision.price.edit if decision.price else episode.edit(decision.rows)
        episode.bring(decision.rows, edit)
        episode.step += 1
        made.append(decision)
    return episode, made


def area(case: Case, episode: Retrieval) -> float:
    """The area under recall against tokens, as `gswlab.bench.measures` has it."""
    at, under = 0, 0.0
    for row in episode.held:
        at += case.sight.field.tokens[row]
        if row in case.gold and at < 1500:
            under += log(1500 / max(300, at))
    return under / log(5) / len(case.gold)


def gauged(lam: float, ag: float, settled: float = 0.5) -> Gauged:
    """Our gate under settings, its DG off: it spends what it is given."""
    return Gauged(Gauge(lam=lam, hops=1), Fixed(ag, inf), settled=settled)


GATES: dict[str, Gate] = {
    "never": Rounds(0), "rounds=1": Rounds(1), "rounds=2": Rounds(2),
    "rounds=3": Rounds(3), "always": Rounds(10**6), "random": Chance(0.5),
    **{f"gedig lam={lam} ag={ag}": gauged(lam, ag)
       for lam in (5, 10, 15, 20) for ag in (-inf, -1.0, -0.5)},
    "gedig AG off": gauged(15, inf),
}  # fmt: skip


def main(path: str) -> None:
    """Print everything."""
    worlds = {name: cases(path, name) for name in ("own", "pool")}
    relevance = fitted(list(worlds.values()))
    print("weights")
    for name, weight in zip(PASSAGE_FEATURES, relevance.weights, strict=True):
        print(f"  {name:15}{weight:8.3f}")
    print(f"  {'bias':15}{relevance.bias:8.3f}")
    print(relevance)
    folds = [
        fitted([[c for c in w if c.number % FOLDS != n] for w in worlds.values()])
        for n in range(FOLDS)
    ]
    for world, known in worlds.items():
        for name, gate in GATES.items():
            areas = [
                area(case, played(case, folds[case.number % FOLDS], gate)[0])
                for case in known
            ]
            print(f"{world:5}{name:24}{np.mean(areas):.4f}")
    prices, complete = completeness(worlds["own"], folds)
    calibration = Calibration.of(prices, complete)
    for target in (0.7, 0.8, 0.9):
        print(f"complete with {target}: theta_dg {calibration.threshold(target):.3f}")


def completeness(
    known: Sequence[Case], folds: Sequence[Relevance]
) -> tuple[list[float], list[bool]]:
    """The price of each offer, and whether all of the gold was held by then."""
    prices: list[float] = []
    complete: list[bool] = []
    for case in known:
        _, made = played(case, folds[case.number % FOLDS], gauged(15, -1.0))
        kept: set[int] = set()
        for decision in made:
            if decision.price is not None and kept:
                prices.append(decision.price.g_min)
                complete.append(case.gold <= kept)
            kept |= set(decision.rows)
    return prices, complete


if __name__ == "__main__":
    main(*sys.argv[1:])

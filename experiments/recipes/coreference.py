"""Weights of who is whom: what `who.py` learns of every decision of the reconciler.

A text is read as always; at each actor of a chunk the table of the candidate step is
noted, with which candidates the gold says it is, and so is that of each pronoun within
its chunk. The weights are the most likely ones, held to those that were once set by
hand (`coreference.tsv` beside this file) as strongly as `HELD` says. A score of 0.6
merges as ever: of candidates and nobody, each has the exponential of `SHARP` times its
score as its share. Texts are read by the weights set by hand, and for the columns of
`AGAIN` once more, by what the others of them taught.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gswlab.core.nouns import Actor, Chunk, LocalMap
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator import coreference as coref
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler import align
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import MergeVerdict, align_all, kept_apart
from gswlab.gsw.reconciler.rules import Decider, RulesReconciler
from gswlab.language.language import rows
from gswlab.language.log_linear import LogLinear, log_linear, of_rows
from gswlab.language.pipeline import Token

SHARP = 8.0
THRESHOLD = 0.6
SMALL = 0.01  # the least weight kept
# The columns that are learned, and how far each leans to merging. Elsewhere what books
# teach lowers a figure of another text, and the weights set by hand stand.
LEARNED = {"nominal": 0.0, "he_she_here": 0.0, "we": 0.0, "we_said": 0.1}
LEARNED |= {"they": 0.1, "they_here": 0.05}
# Who speaks where the text does not tell is told of the surest only: a wrong "I" takes
# all that is said along.
LEARNED |= {"i": -0.3}
# Whom "we" means hangs on what earlier ones were taken for: learned of decisions as
# learned weights make them. Of "he" and "she" that has fewer right.
AGAIN = ("we", "we_said")
# A pronoun within its chunk is learned of passages of other genres too, and texts of
# ours count as much as all books. Elsewhere passages teach little, and lower what
# novels have right of "we". Whom "he" and "she" mean is held closely to what was set by
# hand: what novels teach of it finds fewer people in minutes and encyclopedias.
OWN = {"here": 15, "elsewhere": 3}  # times that a text of our own counts
HELD, CLOSELY = 5.0, {"he_she_here": 800.0}
# As strongly as was set by hand: what breaks ties (a lead over the runner-up is the
# bar's to ask), and that who is spoken of in a quotation is seldom "he" outside it.
FIXED = {"last spoken of", "other voice"}
Gold = Callable[[int, int], str | None]  # whom these characters of the text mention
Choice = tuple[list[Mapping[str, float]], list[bool]]  # candidates, and which are right
Decisions = Mapping[str, Sequence[Choice]]  # of a text, by column


def meant(gold: Gold, one: Actor | Member) -> str | None:
    """The entity that most names and nouns of an actor mean, else its pronouns."""
    told, called = Counter[str](), Counter[str]()
    for mention in one.mentions:
        if entity := gold(mention.span.start, mention.span.end):
            plain = mention.form in ("pronoun", "narrator")
            (told if plain else called)[entity] += 1
    told = called or told
    return max(sorted(told), key=told.__getitem__, default=None)


@dataclass
class Watched(Mapping[str, MergeVerdict]):
    """Notes each decision's table as it is made; has no verdict on any."""

    scene: ChunkContext
    gold: Gold
    found: dict[str, list[Choice]]

    def get(self, key: str, default: Any = None) -> Any:
        """No verdict; the table of this actor is noted."""
        new = next(a for a in self.scene.local.actors if a.id == key)
        if (who := meant(self.gold, new)) is not None:
            column, scored = align.candidates(self.scene, new)
            apart = kept_apart(self.scene, new)
            free = [(old, f) for old, f in scored if f and old.id not in apart]
            if free:
                right = [meant(self.gold, old) == who for old, _ in free]
                self.found[column].append(([f for _, f in free], right))
        return default

    def __getitem__(self, key: str) -> MergeVerdict:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


@dataclass
class Watching(Decider):
    """The rules, watched."""

    gold: Gold = lambda start, end: None
    found: dict[str, list[Choice]] = field(default_factory=dict)

    def align(self) -> None:
        """Decide who is who, as always."""
        align_all(self.scene, Watched(self.scene, self.gold, self.found))


def choices(
    chunks: Sequence[Chunk], gold: Gold, table: LogLinear
) -> dict[str, list[Choice]]:
    """Every decision of a text as it is read by a table, column by column."""
    found = defaultdict[str, list[Choice]](list)

    class Reconciler(RulesReconciler):
        def reconcile(
            self, workspace: Workspace, local: LocalMap, chunk: Chunk
        ) -> Step:
            scene = self.scene(workspace, local, chunk)
            return self.decided(Watching(scene, gold=gold, found=found))

    def watched(
        cast: Cast, token: Token, gender: str
    ) -> list[tuple[Member, dict[str, float]]]:
        span, scored = cast.parsed.over([token]), as_always(cast, token, gender)
        if scored and (who := gold(span.start, span.end)):
            right = [meant(gold, member) == who for member, _ in scored]
            found[coref.HERE[gender]].append(([f for _, f in scored], right))
        return scored

    as_always, memory = coref.antecedents, GSW(SpacyOperator(), Reconciler())
    with patch.object(coref, "antecedents", watched), by(table):
        for chunk in chunks:
            memory.partial_fit(chunk)
    return dict(found)


@contextmanager
def by(table: LogLinear) -> Iterator[None]:
    """Decisions by these weights, whatever was learned since."""

    def scorer(name: str) -> LogLinear:
        return table if name == "en/coreference.tsv" else log_linear(name)

    one, other = (patch.object(m, "log_linear", scorer) for m in (align, coref))
    with one, other:
        yield


def prior() -> LogLinear:
    """The weights once set by hand."""
    return of_rows(rows(Path(__file__).with_suffix(".tsv")))


def fitted(
    told: Sequence[Choice], prior: Mapping[str, float], held: float, least: int = 8
) -> dict[str, float]:
    """The most likely weights of one column, held to the prior."""
    every = [table for tables, _ in told for table in tables]
    met = Counter(f for table in every for f, value in table.items() if value)
    names = sorted({f for f in met if met[f] >= least} | prior.keys())
    column = {name: i for i, name in enumerate(names)}
    start = np.array([prior.get(name, 0.0) for name in names])
    fixed = FIXED & prior.keys()
    free = np.array([met[name] >= least and name not in fixed for name in names])
    sizes = [len(tables) for tables, _ in told]
    matrix = np.zeros((sum(sizes), len(names)))
    for i, table in enumerate(every):
        for f, v in table.items():
            if f in column:
                matrix[i, column[f]] = v
    right = np.array([one for _, own in told for one in own])
    of = np.repeat(np.arange(len(told)), sizes)
    nobody = np.array([not any(own) for _, own in told])

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = SHARP * (matrix @ weights - THRESHOLD)
        raised = np.exp(np.minimum(scores, 50))
        whole = 1 + np.bincount(of, raised, len(told))
        good = nobody + np.bincount(of, raised * right, len(told))
        good, away = np.maximum(good, 1e-30), weights - start
        slope = raised / whole[of] - right * raised / good[of]
        value = float(np.log(whole / good).sum() + held * away @ away / 2)
        return value, (SHARP * slope @ matrix + held * away) * free

    # What speaks for a merge by hand may come to say nothing, never the opposite.
    signs = [(0.0 if w > 0 else None, 0.0 if w < 0 else None) for w in start]
    closely = {"maxiter": 20_000, "maxfun": 40_000, "ftol": 0.0, "gtol": 1e-6}
    told = {"jac": True, "method": "L-BFGS-B", "options": closely}
    best = minimize(loss, start, bounds=signs, **told)
    return dict(zip(names, map(float, best.x), strict=True))


class Taught(NamedTuple):
    """What texts teach: novels, gold excerpts, passages of other genres."""

    books: list[Decisions]
    excerpts: list[Decisions]
    passages: list[Decisions]

    def of(self, column: str, where: str) -> list[Choice]:
        """The decisions of a column, as often as each counts."""
        own = [*self.excerpts, *(self.passages if where == "here" else ())]
        texts = [*self.books, *(text for text in own for _ in range(OWN[where]))]
        return [choice for text in texts for choice in text.get(column, ())]


def learned(taught: Taught) -> str:
    """The table of all columns as text, of the decisions of every text."""
    known = prior()
    weights = defaultdict[str, list[str]](list)
    for column in known.classes:
        best = {f: c[column] for f, c in known.weights.items() if column in c}
        if column in LEARNED:
            where = "here" if column.endswith("_here") else "elsewhere"
            best = fitted(taught.of(column, where), best, CLOSELY.get(column, HELD))
        best |= {"any": best.get("any", 0.0) + LEARNED.get(column, 0.0)}
        for name, weight in best.items():
            if abs(weight) >= SMALL:
                weights[name].append(f"{column} {weight:.2f}")
    lines = ["\t".join([name, *cells]) for name, cells in sorted(weights.items())]
    return "\n".join(["\t".join(known.classes), *lines]) + "\n"

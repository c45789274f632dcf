"""Weights: how sure it is that a sentence says what a question asks.

    python recipes/answers.py weights     writes gswlab/language/en/answers.tsv
    python recipes/answers.py bars        a row a bar: experiments/results/answers.csv

Learned of every reading that the nearest sentences have of the type a question asks
for: right are those that say an answer of the table, in its sentence. Questions are our
own, with and without an answer, on the passages that may be looked at (`texts/genres`,
`asked`, `fresh`, `taught`; in `taught` sentences answer by themselves, so that it says
nothing of days at the head of an entry). `bars` scores each fifth of the passages with
weights learned without it. Three minutes. (Questions of FairytaleQA's train stories
beside them, ten times as many, changed nothing at the bar that is used.)
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from operator import itemgetter
from pathlib import Path

import genres
import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from table import commit

import gswlab
from gswlab.core.nouns import Answer, Item
from gswlab.language.log_linear import LogLinear
from gswlab.qa.question.asked_for import answer_type
from gswlab.qa.readers.grounds import near_sentences, supported
from gswlab.qa.readers.typed import QuestionWords

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "gswlab" / "language" / "en" / "answers.tsv"
KINDS = "age", "duration", "happening", "identity", "number", "place", "reason", "time"
FOLDS = 5
STRENGTH = 0.05  # of the evidence, against weights near zero
HEADS = "bar", "right", "wrong", "answerable", "false", "unanswerable", "commit"
HEAD = """\
# source: learned by experiments/recipes/answers.py from questions on our own texts; MIT
"""


@dataclass
class Example:
    """A question, and each reading with what speaks for it and whether it is right."""

    passage: str
    kind: str
    answerable: bool
    readings: list[tuple[Mapping[str, float], bool]]


def example(
    passage: str,
    question: str,
    near: Sequence[Item],
    is_right: Callable[[str, Item], bool] | None,
) -> Example | None:
    """What a question teaches; `is_right` judges a reading, None where none can be."""
    kind = answer_type(question)
    if kind not in KINDS:
        return None
    asked = QuestionWords(question)
    held = [
        (features, bool(is_right and is_right(reading.text, item)))
        for item, one in near_sentences(near)
        for reading, features in supported(asked, one)
    ]
    return Example(passage, kind, is_right is not None, held)


def ours() -> Iterator[Example]:
    """Our questions on passages that may be looked at."""
    untold = genres.table_of(genres.TEXTS / "asked" / "unanswered.tsv")
    untold = [row | {"answers": ""} for row in untold]
    for name, is_reported in genres.IS_REPORTED.items():
        folder = genres.TEXTS / name
        rows = genres.table_of(folder / "questions.tsv")
        every = rows + (untold if name in ("genres", "asked") else [])
        for passage in dict.fromkeys(row["passage"] for row in rows):
            if not is_reported(passage):
                yield from _of(folder, [r for r in every if r["passage"] == passage])


def _of(folder: Path, rows: Sequence[genres.Row]) -> Iterator[Example]:
    """The questions of one passage, asked of a memory that has read it."""
    passage = rows[0]["passage"]
    with tempfile.TemporaryDirectory() as where:
        file = f"dataset.file={folder / passage}.txt"
        lab = gswlab.open("experiment=read", file, f"run.dir={where}/run")
        lab.run()
        for row in rows:
            found = lab.recall(row["question"]).items
            near = [item for item in found if item.near is not None]
            if folder.name == "taught":
                near = [replace(item, under=("", ())) for item in near]
            judge = _judge_of(row) if row["answers"] else None
            place = f"{folder.name}/{passage}"
            if one := example(place, row["question"], near, judge):
                yield one


def _judge_of(row: genres.Row) -> Callable[[str, Item], bool]:
    def is_right(text: str, item: Item) -> bool:
        answer = Answer((text,), False, (), item.spans, "")
        return genres.is_right(answer, row) and genres.is_cited(answer, row)

    return is_right


def learned(examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """The weights of each feature, type by type: what all share and what it has."""
    rows, right = [], []
    for one in examples:
        for features, is_right in one.readings:
            own = {f"{name}\t{one.kind}": v for name, v in features.items()}
            rows.append({**features, **own})
            right.append(is_right)
    vectoriser = DictVectorizer()
    matrix = np.asarray(vectoriser.fit_transform(rows).todense())
    names = [*vectoriser.get_feature_names_out()]
    # a type's own column is as wide as the feature's over all types
    shared = {n: matrix[:, i].std() for i, n in enumerate(names) if "\t" not in n}
    scale = np.array([max(shared[name.split("\t")[0]], 0.05) for name in names])
    fit = LogisticRegression(C=STRENGTH, max_iter=2000, tol=1e-6)
    fit.fit(matrix / scale, right)
    found = dict(zip(names, fit.coef_[0] / scale, strict=True))
    start = float(fit.intercept_[0])
    table: dict[str, dict[str, float]] = {}
    for name in sorted(shared):
        for kind in KINDS:
            value = found[name] + found.get(f"{name}\t{kind}", 0.0)
            value += start if name == "any" else 0.0
            if (name == "any" or f"{name}\t{kind}" in found) and round(value, 2):
                table.setdefault(name, {})[kind] = round(value, 2)
    return table


def write(table: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """A row a feature, a column a type of answer."""
    lines = ["\t".join(KINDS)]
    for name, cells in table.items():
        told = (f"{kind} {weight:.2f}" for kind, weight in cells.items())
        lines.append("\t".join((name, *told)))
    path.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


def surest(
    one: Example, table: Mapping[str, Mapping[str, float]]
) -> tuple[float, bool] | None:
    """How sure the best reading of a question is, and whether it is right."""
    scorer = LogLinear(KINDS, table)
    scored = [
        (1 / (1 + exp(-scorer.scores(held)[one.kind])), right)
        for held, right in one.readings
    ]
    return max(scored, key=itemgetter(0), default=None)


def main(command: str) -> None:
    """Write the weights, or what each bar would answer."""
    own = [*ours()]
    if command == "weights":
        write(learned(own), TABLE)
        return
    passages = sorted({one.passage for one in own})
    found = []
    for fold in range(FOLDS):
        held = {*passages[fold::FOLDS]}
        table = learned([one for one in own if one.passage not in held])
        told = (one for one in own if one.passage in held)
        found += [(one.answerable, surest(one, table) or (0.0, False)) for one in told]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(HEADS)
    many, made_by = sum(answerable for answerable, _ in found), commit()
    for bar in np.arange(0.3, 0.9, 0.05):
        told = [(answerable, right) for answerable, (p, right) in found if p >= bar]
        right = sum(right for _, right in told)
        false = sum(not answerable for answerable, _ in told)
        wrong = len(told) - right - false
        counts = right, wrong, many, false, len(found) - many
        out.writerow((f"{bar:.2f}", *counts, made_by))


if __name__ == "__main__":
    if sys.argv[1:] not in (["weights"], ["bars"]):
        sys.exit(__doc__)
    main(sys.argv[1])

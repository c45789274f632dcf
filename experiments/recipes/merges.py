"""Where merging stands, and where the dial moves it: `merges.py FOLDER INTO CSV SVG`.

Every fifth LitBank book that is not set aside is read once for each value of
`reconciler.merge_bias`, with weights learned without these (INTO/fold0, as `litbank.py`
has it). Counted are pairs of
mentions taken for one: of two names, and with a noun in them. Beside it rules that
others merge by, on the mentions that the reading without bias has found.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from litbank import read_by
from matplotlib import rcParams
from matplotlib.figure import Figure
from rapidfuzz import fuzz
from table import commit
from who import FOLDS

from gswlab.bench.coreference import pairs_alike
from gswlab.bench.litbank import litbank_book, set_aside
from gswlab.bench.marks import Compared
from gswlab.models.vectors.minilm import encode_all

HEADS = ("form", "setting", "precision", "recall")
BIASES = (-0.4, -0.2, 0.0, 0.2, 0.4)
Job = tuple[Path, str, Path]
Said = tuple[str, str, str, str]  # form, text, actor read, entity of the gold
Counts = Counter[tuple[str, str, str]]  # form, setting, and which pairs


def mentions(job: Job, bias: float) -> list[Said]:
    """The names and nouns that a reading shares with the gold."""
    folder, name, tables = job
    book = litbank_book(folder, name)
    both = Compared(book.gold, read_by(tables, book.text, bias), book.syntax)
    pairs = ((both.read[i], both.gold[j]) for i, j in both.pairs.items())
    return [
        (one.form, book.text[one.start : one.end], one.entity, gold.entity)
        for one, gold in pairs
        if one.form != "pronoun" and one.kind
    ]


def clustered(
    texts: Iterable[str], alike: Callable[[str, str], bool]
) -> dict[str, str]:
    """Each text's first like it, over any others between them."""
    first = {text: text for text in texts}

    def root(text: str) -> str:
        while first[text] != text:
            text = first[text]
        return text

    for one, two in combinations(sorted(first), 2):
        if alike(one, two):
            first[root(two)] = root(one)
    return {text: root(text) for text in first}


def _jaccard(one: str, two: str) -> bool:
    a, b = set(one.split()), set(two.split())
    return len(a & b) >= 0.9 * len(a | b)


def rivals(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """What each rule of others makes of texts, in lower case."""
    known = sorted(set(texts))
    vectors = dict(zip(known, encode_all(known), strict=True))

    def near(least: float) -> Callable[[str, str], bool]:
        return lambda a, b: float(np.dot(vectors[a], vectors[b])) >= least

    rules: dict[str, Callable[[str, str], bool]] = {
        "equal in lower case": lambda a, b: a == b,
        "Jaccard of tokens >= 0.9": _jaccard,
        "cosine >= 0.85": near(0.85),
        "cosine >= 0.95": near(0.95),
        "fuzzy >= 90": lambda a, b: fuzz.ratio(a, b) >= 90,
    }
    return {name: clustered(known, rule) for name, rule in rules.items()}


def counted(setting: str, labels: Sequence[tuple[str, str, str]]) -> Counts:
    """Pairs read, in the gold and in both; of (form, read, gold)."""
    found = Counts()
    for what, label in (
        ("read", lambda m: m[1]), ("gold", lambda m: m[2]), ("both", lambda m: m[1:]),
    ):  # fmt: skip
        names = pairs_alike(label(m) for m in labels if m[0] == "name")
        found["names", setting, what] = names
        found["nominals", setting, what] = pairs_alike(map(label, labels)) - names
    return found


def book(job: Job) -> Counts:
    """All pairs of a book, setting by setting."""
    found = Counts()
    for bias in BIASES:
        read = mentions(job, bias)
        labels = [(form, actor, gold) for form, _, actor, gold in read]
        found += counted(f"merge_bias {bias:+.1f}", labels)
        if not bias:
            texts = [text.lower() for _, text, *_ in read]
            for name, made in rivals(texts).items():
                other = [
                    (form, made[text], gold)
                    for text, (form, *_, gold) in zip(texts, read, strict=True)
                ]
                found += counted(name, other)
    return found


def draw(rows: Sequence[tuple[str, str, float, float]], path: Path) -> None:
    """Precision against recall: the dial as a line, others' rules as points."""
    rcParams["svg.hashsalt"] = "gswlab"  # the same bytes each time
    figure = Figure(figsize=(9, 4), layout="constrained")
    for axis, form in zip(figure.subplots(1, 2), ("names", "nominals"), strict=True):
        own = [row for row in rows if row[0] == form]
        dial = [row for row in own if row[1].startswith("merge_bias")]
        axis.plot([r[3] for r in dial], [r[2] for r in dial], "o-", label="merge_bias")
        for _, setting, precision, recall in own[len(dial) :]:
            axis.plot(recall, precision, "s", label=setting)
        axis.set(title=f"Pairs of {form} taken for one", xlabel="recall")
        axis.set_ylabel("precision")
        axis.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def main(folder: Path, into: Path, table: Path, drawn: Path) -> None:
    """Write the table and the figure."""
    names = sorted(p.stem for p in (folder / "coref" / "tsv").glob("*.ann"))
    kept = [name for name in names if name not in set_aside(names)]
    jobs = [(folder, name, into / "fold0") for name in kept[::FOLDS]]
    with Pool() as pool:
        found = sum(pool.map(book, jobs, chunksize=1), Counts())
    settings = list(dict.fromkeys(setting for _, setting, _ in found))
    settings.sort(key=lambda s: not s.startswith("merge_bias"))
    rows = list[tuple[str, str, float, float]]()
    for form in ("names", "nominals"):
        for setting in settings:
            both, read, gold = (
                found[form, setting, w] for w in ("both", "read", "gold")
            )
            rows.append((form, setting, round(both / read, 4), round(both / gold, 4)))
    with table.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow((*HEADS, "books", "commit"))
        out.writerows((*row, len(jobs), commit()) for row in rows)
    told = [dict(zip(HEADS, row, strict=True)) for row in rows]
    data = json.dumps(told, indent=1) + "\n"
    table.with_suffix(".json").write_text(data, encoding="utf-8")
    draw(rows, drawn)


if __name__ == "__main__":
    main(*(Path(given).resolve() for given in sys.argv[1:5]))

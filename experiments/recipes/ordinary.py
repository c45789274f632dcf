"""Kinds of event in ordinary chapters: how many has a kind that its text does not name?

    python recipes/ordinary.py DATA > CSV
    python recipes/ordinary.py DATA --texts INTO

A hundred chapters, the first 500 words or so of 50 stories of FairytaleQA and of 50 of
LitBank's books, of the parts that may be learned from. Two readers who saw nothing of a
workspace wrote down what each chapter names or shows to take place
(`texts/ordinary/labels.tsv`). A kind is invented where neither has one that holds its
words or is held by them. `--texts` writes the chapters, to be labelled anew.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from litbank import read_alone
from sklearn.metrics import cohen_kappa_score
from table import commit

from gswlab.bench.litbank import litbank_book, set_aside
from gswlab.bench.statistics import interval
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.language.stems import content_stems
from gswlab.models.vectors.minilm import MiniLM

LABELS = Path(__file__).resolve().parents[1] / "texts" / "ordinary" / "labels.tsv"
EACH = 50  # chapters of either set
WORDS = 500


def opening(paragraphs: list[str]) -> str:
    """Whole paragraphs until there are enough words; of a longer one its beginning."""
    text = ""
    for paragraph in paragraphs:
        if len(text.split()) < WORDS:
            text += ("\n\n" if text else "") + paragraph
    end = text.find(". ", len(" ".join(text.split()[: WORDS + 100])))
    return text[: end + 1] if end > 0 else text


def chapters(data: Path) -> Iterator[tuple[str, str]]:
    """Each chapter's name and text."""
    stories = data / "fairytaleqa" / "section-stories" / "train"
    for name in sorted(set_aside((p.name for p in stories.glob("*.csv")), EACH)):
        with (stories / name).open(encoding="utf-8", newline="") as file:
            yield (
                name.removesuffix("-story.csv"),
                opening([row["text"] for row in csv.DictReader(file)]),
            )
    books = data / "litbank"
    names = {path.stem for path in (books / "coref" / "tsv").glob("*.ann")}
    for name in sorted(set_aside(names - set_aside(names), EACH)):
        yield name, opening(litbank_book(books, name).text.split("\n"))


def kinds(text: str) -> list[str]:
    """The kinds of event that a workspace has of a text read alone."""
    workspace, _ = read_alone(text, RulesReconciler(embedder=MiniLM()))
    return [e.kind.value for e in workspace.episodes if e.kind]


def is_named(kind: str, labels: Iterable[str]) -> bool:
    """Whether a label holds the words of a kind, or is held by them."""
    stems = set(content_stems(kind))
    told = [set(content_stems(label)) for label in labels]
    return any(stems <= one or one <= stems for one in told if one)


def labels() -> dict[str, tuple[list[str], list[str]]]:
    """What either reader found in each chapter."""
    found: dict[str, dict[str, list[str]]] = {}
    with LABELS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            said = [kind for kind in row["kinds"].split("; ") if kind]
            found.setdefault(row["chapter"], {})[row["reader"]] = said
    return {name: (told["1"], told["2"]) for name, told in found.items()}


def main() -> None:
    """Print the table, or write the chapters."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--texts", type=Path, help="write the chapters here")
    given = parser.parse_args()
    found = dict(chapters(given.data))
    if given.texts:
        given.texts.mkdir(parents=True)
        for name, text in found.items():
            (given.texts / f"{name}.txt").write_text(text, encoding="utf-8")
        return
    told, made = labels(), {name: kinds(text) for name, text in found.items()}
    odd = {
        n: [k for k in of if not is_named(k, chain(*told[n]))] for n, of in made.items()
    }
    for name in filter(made.get, made):
        print(name, made[name], told[name], odd[name], sep="\t", file=sys.stderr)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["run", "figure", "value", "low", "high", "n", "commit"])
    for figure, of in ("chapters with a kind", made), ("with an invented one", odd):
        row = interval([float(bool(some)) for some in of.values()]).to_dict()
        out.writerow(["gsw", figure, *row.values(), commit()])
    both = zip(*(map(bool, pair) for pair in told.values()), strict=True)
    agreed = round(float(cohen_kappa_score(*map(list, both))), 4)
    out.writerow(
        ["readers", "kappa of a kind or none", agreed, "", "", len(told), commit()]
    )


if __name__ == "__main__":
    main()

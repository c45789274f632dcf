"""LitBank, each book read by weights that have not seen it: `litbank.py FOLDER INTO`.

INTO holds the tables of every fold (`who.py folds FOLDER INTO`); with `--set-aside` the
ten books set aside are read too, by the package's own tables, which never saw them.
Prints every figure with its interval over books.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Mapping
from multiprocessing import Pool
from pathlib import Path

from table import commit
from who import FOLDS, TABLES

from gswlab.bench.coreference import pooled
from gswlab.bench.litbank import book_shares, litbank_book, set_aside
from gswlab.bench.marks import Marks, seen
from gswlab.core.nouns import Chunk
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.language import log_linear
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

Job = tuple[Path, str, Path]  # folder, book, and the folder of the tables
Shares = Mapping[str, tuple[int, int] | tuple[float, float]]


def read_alone(
    text: str, reconciler: RulesReconciler
) -> tuple[Workspace, tuple[Chunk, ...]]:
    """What a memory of its own believes of a text, and the chunks it read."""
    memory, read = GSW(SpacyOperator(), reconciler), chunks(document_of(text))
    for chunk in read:
        memory.partial_fit(chunk)
    memory.finish()
    return memory.workspace, read


def read_by(tables: Path, text: str, merge_bias: float = 0.0) -> Marks:
    """Who is who in a text, read alone by the weights of a folder."""
    log_linear.TABLES = tables
    log_linear.log_linear.cache_clear()
    return seen(*read_alone(text, RulesReconciler(merge_bias=merge_bias)))


def shares(job: Job) -> Shares:
    """Every share of one book, read by a memory of its own."""
    folder, name, tables = job
    book = litbank_book(folder, name)
    return book_shares(book, read_by(tables, book.text))


def table(half: str, jobs: Iterable[Job]) -> None:
    """Print every figure of one half of the books."""
    with Pool() as pool:
        rows = pool.map(shares, jobs, chunksize=1)
    out = csv.writer(sys.stdout, lineterminator="\n")
    for path, figure in pooled(rows).items():
        mean, low, high, _ = figure.to_dict().values()
        out.writerow((half, path, mean, low, high, len(rows), commit()))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("into", type=Path)
    parser.add_argument("--set-aside", action="store_true", help="the ten, too")
    given = parser.parse_args()
    names = sorted(p.stem for p in (given.folder / "coref" / "tsv").glob("*.ann"))
    held, into = set_aside(names), given.into.resolve()
    kept = [name for name in names if name not in held]
    folds = [into / f"fold{i % FOLDS}" for i in range(len(kept))]
    print("half,figure,value,low,high,books,commit")
    jobs = zip([given.folder] * len(kept), kept, folds, strict=True)
    table("cross_validated", jobs)
    if given.set_aside:
        table("set_aside", [(given.folder, name, TABLES) for name in sorted(held)])


if __name__ == "__main__":
    main()

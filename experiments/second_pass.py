"""A second pass measured: `python experiments/second_pass.py gold dev` or `generated`.

`gold` scores who is who in the annotated excerpts before and after (B-cubed, wrong
homonyms); `generated` the answers of books made here, by dial. One CSV line a figure.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from table import commit

import gswlab
from gswlab.bench import runner
from gswlab.bench.generate.dials import Dials
from gswlab.bench.gold import Reading, load, read_excerpt
from gswlab.bench.gold.coreference import homonyms
from gswlab.bench.gold.merges import Merges, merging
from gswlab.memory.gsw import GSW
from gswlab.operator.spacy import SpacyOperator
from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.second_pass import Direction, SecondPass

HERE = Path(__file__).parent / "gold"
HEADS = ("set", "direction", "figure", "value", "low", "high", "n", "commit")
SEEDS, STRENGTHS = (1, 2, 3), (0.0, 0.5, 1.0)
BOOK = ("experiment=generated", "dataset.chapters=20", "dataset.cap=1")
Row = tuple[object, ...]


def gold(half: str) -> Iterator[Row]:
    """Who is who before, and after a pass in either direction."""
    memory = GSW(SpacyOperator(), RulesReconciler())
    read = [read_excerpt(excerpt, memory) for excerpt in load(HERE / half)]
    yield from _scored(half, "before", read)
    for direction in get_args(Direction):
        yield from _scored(half, direction, [_again(one, direction) for one in read])


def _again(reading: Reading, direction: Direction) -> Reading:
    workspace = reading.workspace
    for step in SecondPass(RulesReconciler(), reading.chunks, direction).steps(
        workspace
    ):
        workspace = workspace.apply(step)
    return replace(reading, workspace=workspace)


def _scored(half: str, direction: str, read: Sequence[Reading]) -> Iterator[Row]:
    for pronouns in (True, False):
        forms = "all mentions" if pronouns else "names and nouns"
        for name, figure in merging(read, pronouns).items():
            yield half, direction, f"{name}, {forms}", *figure.to_dict().values()
    wrong = sum(homonyms(Merges(one)).found for one in read)
    yield half, direction, "wrong homonyms", wrong, "", "", len(read)


def generated(folder: str) -> Iterator[Row]:
    """Strict F1 of 20-chapter books before and after, all dials at one strength."""
    for strength in STRENGTHS:
        for seed in SEEDS:
            dials = [f"dataset.dials.{name}={strength}" for name in Dials.names()]
            given = (*BOOK, f"dataset.seed={seed}", f"run.parent={folder}")
            lab = gswlab.open(*given, *dials)
            runner.read_all(lab)
            yield from _replayed(lab, f"dials {strength}, seed {seed}")


def _replayed(lab: gswlab.Lab, name: str) -> Iterator[Row]:
    for direction in get_args(Direction):
        given = f"run.dir={lab.folder.path}-{direction}"
        found = lab.fork(len(lab.journal), given).replay(direction)
        yield name, direction, "settled", len(found.settled), "", "", ""
        if found.before and found.after and (gap := found.after.against(found.before)):
            strict = found.before.figures["strict_f1"]
            yield name, direction, "strict_f1 before", strict, "", "", gap.n
            yield name, direction, "strict_f1 gained", *gap.to_dict().values()


def main(arguments: Sequence[str]) -> None:
    """Print the table of `gold HALF...` or of `generated`."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    what, *halves = arguments or ["gold"]
    if what == "gold":
        for half in halves or ["dev"]:
            table.writerows((*row, made) for row in gold(half))
        return
    with tempfile.TemporaryDirectory() as folder:
        for row in generated(folder):
            table.writerow((*row, made))
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

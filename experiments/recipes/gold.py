"""Gold excerpts read and scored: `python experiments/recipes/gold.py dev set_aside`.

Prints a table of both halves; `--errors` lists, for dev alone, what was missed and what
was wrong, by element and excerpt.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from table import commit

from gswlab.bench.gold import all_counts, gold_scores
from gswlab.bench.gold.reading import GoldReading, load_excerpts, read_excerpt
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler

TEXTS = Path(__file__).resolve().parents[1] / "texts" / "gold"
DEV, SET_ASIDE = "dev", "set_aside"


def readings(half: str) -> list[GoldReading]:
    """The excerpts of a half, each read by a memory that has read nothing else."""
    memory = GSW(SpacyOperator(), RulesReconciler())
    return [read_excerpt(excerpt, memory) for excerpt in load_excerpts(TEXTS / half)]


def rows(half: str, read: Sequence[GoldReading]) -> Iterator[tuple[object, ...]]:
    """Every figure of a half: value, interval, n."""
    for path, figure in gold_scores(read).items():
        if isinstance(figure, int):
            yield half, path, figure, "", "", ""
        else:
            yield half, path, *figure.to_dict().values()


def errors(read: Sequence[GoldReading]) -> Iterator[str]:
    """What was missed (-) and wrong (+), element by element."""
    counts = [(one.excerpt.name, all_counts(one)) for one in read]
    for path in counts[0][1]:
        yield f"\n{path}"
        for name, count in ((name, all_[path]) for name, all_ in counts):
            yield f"  {name}: {count.found} of {count.gold}, read {count.read}"
            yield from (f"    - {one}" for one in count.missed)
            yield from (f"    + {one}" for one in count.spurious)


def main(arguments: Sequence[str]) -> None:
    """Print the table, or the errors of dev."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("halves", nargs="*", default=[DEV], choices=[DEV, SET_ASIDE])
    parser.add_argument("--errors", action="store_true", help="list those of dev")
    given = parser.parse_args(arguments)
    if given.errors:
        if SET_ASIDE in given.halves:
            parser.error("errors of set_aside are never listed: it measures, no more")
        print("\n".join(errors(readings(DEV))))
        return
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("half", "figure", "value", "low", "high", "n", "commit"))
    made = commit()
    for half in given.halves:
        table.writerows((*row, made) for row in rows(half, readings(half)))


if __name__ == "__main__":
    main(sys.argv[1:])

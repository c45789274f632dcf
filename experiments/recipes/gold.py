"""Gold excerpts read and scored: `python experiments/recipes/gold.py dev set_aside`.

Prints a table of the parts named; `--errors` lists what was missed and what was wrong,
by element and excerpt, of those that may be looked at. Of `later` and `kept` only who
and what is there, when and where is annotated, and only that is scored.
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
LOOKED_AT, MEASURING = ("dev", "later"), ("set_aside", "kept")
WHOLE = ("dev", "set_aside")  # annotated with states, roles and verb phrases too
MARKED = [
    "actors",
    "kinds",
    "places",
    "times",
    "invented",
    "homonyms",
    "merge",
    "coreference",
]


def readings(part: str) -> list[GoldReading]:
    """The excerpts of a part, each read by a memory that has read nothing else."""
    memory = GSW(SpacyOperator(), RulesReconciler())
    return [read_excerpt(excerpt, memory) for excerpt in load_excerpts(TEXTS / part)]


def rows(part: str, read: Sequence[GoldReading]) -> Iterator[tuple[object, ...]]:
    """Every figure of a part: value, interval, n."""
    for path, figure in gold_scores(read).items():
        if part not in WHOLE and path.split("/")[1] not in MARKED:
            continue
        if isinstance(figure, int):
            yield part, path, figure, "", "", ""
        else:
            yield part, path, *figure.to_dict().values()


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
    """Print the table, or the errors of what may be looked at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = [*LOOKED_AT, *MEASURING]
    parser.add_argument("parts", nargs="*", default=["dev"], choices=parts)
    parser.add_argument("--errors", action="store_true", help="list what went wrong")
    given = parser.parse_args(arguments)
    if given.errors:
        for part in given.parts:
            if part in MEASURING:
                parser.error(f"errors of {part} are never listed: it measures, no more")
            print("\n".join(errors(readings(part))))
        return
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("half", "figure", "value", "low", "high", "n", "commit"))
    made = commit()
    for part in given.parts:
        table.writerows((*row, made) for row in rows(part, readings(part)))


if __name__ == "__main__":
    main(sys.argv[1:])

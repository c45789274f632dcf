"""Gold excerpts: what the operator finds, and whom the reconciler takes for whom.

`experiments/texts/gold/README.md` has the rules of matching and both halves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gswlab.bench.gold.counts import ElementCount, count_figures
from gswlab.bench.gold.operator import invented_count, operator_counts
from gswlab.bench.gold.reading import GoldReading
from gswlab.bench.gold.reconciler import coreference, merging
from gswlab.bench.statistics import Interval


def all_counts(reading: GoldReading) -> dict[str, ElementCount]:
    """Every count of one excerpt, by the path of its figures."""
    operator = {f"operator/{k}": count for k, count in operator_counts(reading).items()}
    rest = {f"reconciler/{k}": count for k, count in coreference(reading).items()}
    return {**operator, "operator/invented": invented_count(reading), **rest}


def gold_scores(readings: Sequence[GoldReading]) -> Mapping[str, Interval | int]:
    """Every figure over excerpts, by its path; what must be 0 is a plain count."""
    counts = [all_counts(reading) for reading in readings]
    table: dict[str, Interval | int] = {}
    for path in counts[0]:
        table |= _rows(path, [count[path] for count in counts])
    for path, pronouns in (("merge", False), ("coreference", True)):
        for name, figure in merging(readings, pronouns).items():
            table[f"reconciler/{path}/{name}"] = figure
    return table


def _rows(path: str, counts: Sequence[ElementCount]) -> dict[str, Interval | int]:
    name = path.rpartition("/")[2]
    if name in ("invented", "homonyms"):
        key = "wrong_merges" if name == "homonyms" else "count"
        whole = sum(counts, ElementCount())
        return {f"{path}/{key}": whole.found, f"{path}/of": whole.gold}
    found = count_figures(counts)
    if name == "kinds":
        return {f"{path}/accuracy": found["precision"]}
    if name == "timelines":
        return {f"{path}/accuracy": found["recall"]}
    if name.startswith("propagation"):
        return {f"{path}/recall": found["recall"]}
    return {f"{path}/{key}": figure for key, figure in found.items()}

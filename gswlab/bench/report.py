"""Figures of any task: means and shares of rows, with intervals, and how they print."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gswlab.bench.statistics import bootstrap, clusters, interval
from gswlab.core.display import Displayed

if TYPE_CHECKING:
    import pandas as pd


AnswerRow = Mapping[str, Any]  # of `answers.jsonl` or `walks.jsonl`


def means(
    rows: Sequence[AnswerRow], names: Sequence[str], shared: bool = True
) -> dict[str, Any]:
    """Means over the rows that have a figure; with `shared` gold, drawn together."""
    found = {}
    for name in names:
        if kept := [row for row in rows if row.get(name) is not None]:
            values = [float(row[name]) for row in kept]
            found[name] = interval(values, clusters(kept) if shared else None).to_dict()
    return found


def share(
    rows: Sequence[AnswerRow],
    above: str,
    below: str,
    homes: Sequence[Hashable] | None = None,
) -> dict[str, float | int]:
    """What one count is of another, of all rows together; rows are drawn whole."""
    one = np.array([row[above] for row in rows], float)
    all_ = np.array([row[below] for row in rows], float)

    def ratio(drawn: Any) -> float:
        return float(one[drawn].sum() / max(all_[drawn].sum(), 1))

    return bootstrap(len(rows), ratio, homes).to_dict()


def grouped_figures(rows: Sequence[AnswerRow], key: str) -> dict[str, list[AnswerRow]]:
    """The rows of each value of a key, in the order of their first."""
    parts: dict[str, list[AnswerRow]] = {}
    for row in rows:
        parts.setdefault(row[key], []).append(row)
    return parts


_SOME = 5  # figures in one line


class Scores(dict[str, Any], Displayed):
    """What `lab.run()` returns: figures by name, intervals within."""

    def to_frame(self) -> pd.DataFrame:
        """One row a figure, by its name and those it stands under."""
        import pandas as pd

        rows = list(flat(self))
        return pd.DataFrame(rows, columns=["figure", "value"]).set_index("figure")

    def __repr__(self) -> str:
        told = [f"{name} {value}" for name, value in flat(self)]
        more = [f"and {len(told) - _SOME} more"] if len(told) > _SOME else []
        return f"Scores({', '.join([*told[:_SOME], *more])})"


def flat(found: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, str]]:
    """Every figure by its path, in words; an interval is one figure.

    >>> list(flat({"strict": {"f1": 0.25}}))
    [('strict.f1', '0.25')]
    """
    for key, value in found.items():
        if isinstance(value, Mapping) and "mean" in value:
            mean, low, high = (value[name] for name in ("mean", "low", "high"))
            yield under + key, f"{mean} [{low}, {high}] n={value['n']}"
        elif isinstance(value, Mapping):
            yield from flat(value, f"{under}{key}.")
        else:
            yield under + key, str(value)

"""One figure of the paper: which tables it is drawn from, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd

from gswlab.core.errors import GswlabError
from gswlab.view.kit.chart import Chart

WHOSE = ("run", "memory", "reader", "config", "settings", "n", "commit")


class Plate(NamedTuple):
    """A figure by its name; `draw` takes the tables of `needs`, in that order.

    >>> Plate("cues", ("epbench_comparison",), print).needs
    ('epbench_comparison',)
    """

    name: str
    needs: tuple[str, ...]
    draw: Callable[..., Chart]
    width: float | None = None


def dots(frame: pd.DataFrame, label: str, figure: str = "value") -> pd.DataFrame:
    """Rows as `forest` takes them: a label, a figure and its interval, and whose it is.

    Raises:
        GswlabError: no row has the figure.
    """
    own = "" if f"{figure}_low" not in frame else f"{figure}_"
    names = {f"{own}low": "low", f"{own}high": "high", figure: "value"}
    if figure.endswith("_mean"):  # difference_mean stands in difference_low to _high
        stem = figure.removesuffix("mean")
        names = {f"{stem}low": "low", f"{stem}high": "high", figure: "value"}
    kept = [name for name in (*WHOSE, *names) if name in frame]
    found = frame.dropna(subset=[figure])[kept].rename(columns=names)
    rest = [name for name in ("low", "high") if name not in found]
    found = found.assign(**dict.fromkeys(rest, float("nan")))
    found.insert(0, "label", frame.loc[found.index, label].astype(str))
    return filled(found, figure)


def filled(rows: pd.DataFrame, what: Any) -> pd.DataFrame:
    """The rows, or the error that there is none to draw."""
    if len(rows):
        return rows
    rule = "a figure is drawn from its own recipe's table"
    raise GswlabError(f"no row of the table has {what}", rule)

"""Every table of the paper by name: run tables in cells a person reads, with intervals.

A cell is a figure with its 95 % interval; the CSV beside a table has the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd
from plates import tsv_rows

from gswlab.view.figures.series import filled_plate
from gswlab.view.figures.tables import spread

_GSW = "GSW (arXiv 2511.07587)"


class Sheet(NamedTuple):
    """A table by its name, as its row of `sheets.tsv` has it.

    `needs` are tables by name, `kind` says how it is made of them; `rows`, `columns`
    and `value` are for that: names of columns, or of a paper and its table.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    kind: str
    rows: str
    columns: str
    value: str

    def made(self, table: pd.DataFrame, *more: pd.DataFrame) -> pd.DataFrame:
        """The table, set from those it needs.

        Raises:
            GswlabError: no row of a table is what it shows.
        """
        names = self.columns.split()
        match self.kind:
            case "runs":
                return _runs(names, table)
            case "plain":
                return table[[name for name in names if name in table]]
            case "wide":
                return _wide(self.rows.split(), self.columns, self.value, table)
            case "settings":  # of some measures that worlds.py wrote, a row a run
                kept = filled_plate(table[table["measure"].isin(names)], names)
                kept = kept[~kept["setting"].isin(("median", "p95", "most", "p"))]
                told = kept.rename(columns={"mean": "value"})
                return _wide(self.rows.split(), "setting", "value", told)
            case "published":
                return _published(self.rows, self.columns, table)
        return _MADE[self.kind](table, *more)


def _runs(columns: Sequence[str], table: pd.DataFrame) -> pd.DataFrame:
    """A row a run: what it is, then these figures with their intervals."""
    keys = [k for k in ("chapters", "world", "memory", "run", "n") if k in table]
    keys = [k for k in keys if table[k].notna().any()]
    if "memory" in keys and "run" in keys:
        keys.remove("run" if table["memory"].is_unique else "memory")
    ends = ("", "_low", "_high")
    found = [f"{c.removesuffix('_mean') if e else c}{e}" for c in columns for e in ends]
    kept = [name for name in (*keys, *found, "config") if name in table]
    return table[kept].dropna(axis="columns", how="all")


def _wide(
    rows: Sequence[str], columns: str, value: str, table: pd.DataFrame
) -> pd.DataFrame:
    """Long rows as a table of cells; what tells rows apart stands before them."""
    known = table.assign(**{name: table[name].astype(str) for name in (*rows, columns)})
    return spread(known, rows, columns, value).reset_index()


def _epbench(table: pd.DataFrame) -> pd.DataFrame:
    parts = table["figure"].str.rsplit("/", n=1, expand=True)
    told = table.assign(figure=parts[0].str.replace("/", " "), measure=parts[1])
    return _wide(["figure"], "measure", "value", told.dropna(subset=["measure"]))


def _plots(table: pd.DataFrame) -> pd.DataFrame:
    told = table[(table["kind"] == "all") & (table["plots"] == "all")]
    told = told[told["figure"].isin(("evidence_tokens", "accuracy", "recall ms"))]
    k = told["k"].map(lambda hops: "" if hops != hops else f"{hops:.0f}")
    return _wide(("run", "k"), "figure", "value", told.assign(k=k))


def _published(paper: str, name: str, table: pd.DataFrame) -> pd.DataFrame:
    told = table[(table["paper"] == paper) & (table["table"] == name)]
    wide = told.pivot_table(index="row", columns="column", values="value", sort=False)
    return wide.reset_index()


def _beside(runs: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Systems of ours and of the paper, whatever both have."""
    ours = runs[["memory", "reader", "n", "strict_f1", "strict_f1_low",
                 "strict_f1_high", "evidence_tokens"]]  # fmt: skip
    cells = {
        name: _published(_GSW, name, published).set_index("row")
        for name in ("EpBench-20 strict", "EpBench-200 strict", "tokens and cost")
    }
    rows = [
        {"memory": f"{row} (published, {name.removesuffix(' strict')})",
         "reader": "GPT-4o", "strict_f1": table.loc[row, "f1, overall"],
         "evidence_tokens": cells["tokens and cost"]["context tokens per query"].get(
             row if "200" in name else "")}
        for name, table in cells.items() if name.endswith("strict")
        for row in table.index
    ]  # fmt: skip
    return pd.concat([ours, pd.DataFrame(rows)], ignore_index=True)


_MADE: Mapping[str, Callable[..., pd.DataFrame]] = {
    "epbench": _epbench,
    "books": lambda table: _wide(
        ["run"],
        "figure",
        "value",
        table[table["figure"].str.startswith("strict/overall/")],
    ),
    "plots": _plots,
    "beside": _beside,
}
SHEETS: tuple[Sheet, ...] = tuple(Sheet(**row) for row in tsv_rows("sheets"))

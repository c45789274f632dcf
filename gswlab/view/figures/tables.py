"""Every table of the paper by name: run tables in cells a person reads, with intervals.

A cell is a figure with its 95 % interval; the CSV beside a table has the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from gswlab.bench.statistics import Interval
from gswlab.core.errors import GswlabError
from gswlab.view.figures.series import filled_plate, tsv_rows

if TYPE_CHECKING:
    from gswlab.bench.bill import Running


_Scores = Mapping[str, Interval | Mapping[str, float] | float | None]


def figures(source: str | Path | _Scores, *levels: str) -> pd.DataFrame:
    """A result table (CSV), or figures by name, one row each.

    A figure is an `Interval`, what `scores.json` has of one, a count, or None where it
    is undefined; `levels` are columns for the parts of its name between slashes.
    """
    if isinstance(source, Mapping):
        rows: list[dict[str, Any]] = []
        for name, found in source.items():
            known: Any = found.to_dict() if isinstance(found, Interval) else found
            known = known if isinstance(known, Mapping) else {"mean": known}
            rows.append({"figure": name, "value": known["mean"], **known})
        frame = pd.DataFrame(rows, columns=["figure", "value", "low", "high", "n"])
    else:
        table = Path(source)
        if not table.is_file():
            rule = "a recipe of experiments/README.md makes it"
            recipe = f"{table.with_suffix('.sh')}"
            raise GswlabError(f"there is no table {table}", rule, recipe)
        frame = pd.read_csv(table)
    if levels:
        frame[list(levels)] = frame.figure.str.split("/", expand=True)
    return frame


def told_rows(frame: pd.DataFrame, value: str = "value") -> pd.Series[str]:
    """Each row's `value` with its interval and n; as it is where it has none.

    The interval stands in `low` and `high`, or in columns named after `value`.
    """
    own = f"{value}_" if f"{value}_low" in frame else ""
    names = (value, f"{own}low", f"{own}high", "n")
    rows = frame.reindex(columns=list(names)).astype(float)
    return rows.apply(lambda row: _cell(*(row[name] for name in names)), axis=1)


def _cell(value: float, low: float, high: float, n: float) -> str:
    if value != value:
        return "–"  # nothing was there to be scored
    if low != low:
        return f"{value:,.6g}"
    digits = 3 if abs(value) <= 1 else 1
    bounds = ", ".join(f"{bound:.{digits}f}" for bound in (low, high))
    return f"{value:.{digits}f} [{bounds}] n={n:.0f}"


def spread(
    frame: pd.DataFrame, rows: str | Sequence[str], columns: str, value: str = "value"
) -> pd.DataFrame:
    """`told` of every figure by row and column, both in the order of the table."""
    index = [rows] if isinstance(rows, str) else list(rows)
    cells = frame.assign(told=told_rows(frame, value))
    wide = cells.pivot(index=index, columns=columns, values="told")
    lines = cells[index].drop_duplicates()
    ordered = lines.merge(wide, left_on=index, right_index=True).set_index(index)
    return ordered[list(cells[columns].unique())].fillna("")


def signatures(scores: Mapping[str, Any]) -> pd.DataFrame:
    """The three failure signatures of a run, from its `scores.json`."""
    cues = scores["recall_by_cues"].items()
    named = {f"recall, {n} of 4 cues given": one for n, one in cues}
    named["invented places and dates"] = _invented(scores)
    named["tokens with chapters, rho"] = scores["tokens_and_chapters"]
    return spread(figures(named).assign(run="this run"), "figure", "run")


def compared(labs: Mapping[str, Running]) -> pd.DataFrame:
    """Runs that have answered their questions, a line each: what they are worth."""
    lines = []
    for name, lab in labs.items():
        scores = lab.folder.read_json("scores.json")
        named = {
            "strict F1": scores["strict"]["overall"]["f1"],
            "evidence tokens": scores["evidence_tokens"],
            "invented": _invented(scores),
        }
        lines.append(figures(named).assign(run=name))
    return spread(pd.concat(lines), "run", "figure")


def _invented(scores: Mapping[str, Any]) -> int:
    return int(scores["invented"]["invented"])


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

"""Every figure of the paper by name: the committed tables it is drawn from, and how.

`plates.tsv` has a row a figure. Most are a forest of some rows, or lines over settings;
what another needs of its own is here.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from gswlab.bench.hotpotqa import TOKENS
from gswlab.view.figures.comparison import (
    accuracy_by_cues,
    accuracy_by_tokens,
    cost_by_question,
    dials,
    error_anatomy,
    recall_at_k,
    scaling,
)
from gswlab.view.figures.series import (
    RunTable,
    banded,
    by_run,
    dots,
    filled_plate,
    forest,
    kept,
    read_series,
)
from gswlab.view.kit.chart import Chart, chart, styled

_Frame = pd.DataFrame
# runs that several figures are of; `rows` name them with an @
_RUNS = {
    "LINES": ["gedig", "never", "always", "rounds_1", "random_fires", "random_follows"],
    "SYSTEMS": ["serial", "serial_published", "parallel", "graph", "dense", "bm25",
                "gsw", "long_context", "closed_book"],
    "TIMES": ["median", "p95", "most", "p"],
}  # fmt: skip


def tsv_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a table beside this file, with the tables that each `needs` apart."""
    text = Path(__file__).with_name(f"{name}.tsv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", restval="")
    return [{**row, "needs": tuple(row["needs"].split(", "))} for row in rows]


class Plate(NamedTuple):
    """A figure by its name, as its row has it.

    `needs` are tables by name. `rows` says which rows of the first are drawn, and after
    an arrow what is made of their columns; `theirs` says the same of the last table,
    for what papers report, with a `label` of its own. Of a forest, `label` names a
    line, `figure` what is drawn of it (several: each with its name), `by` tells dots of
    a line apart and `log` is from where the axis is logarithmic (0: all of it); of
    lines, `label` has the runs. Another figure has a `title` of its own: what is said
    here stands behind it.
    """

    name: str
    needs: tuple[str, ...]
    kind: str
    title: str
    xlabel: str
    label: str
    figure: str
    by: str
    limits: str
    rows: str
    theirs: str
    log: str
    width: float | None

    def draw(self, table: _Frame, *more: _Frame) -> Chart:
        """The figure, drawn from the tables it needs.

        Raises:
            GswlabError: no row of a table is what it draws.
        """
        known = [*table.columns]
        table = _chosen(table, self.rows)
        match self.kind:
            case "lines":
                told = self.label.split(), self.title, self.xlabel, self.figure
                return accuracy_by_setting(table, *told)
            case "times":
                return _milliseconds(self.title, self.by, self.xlabel, table, known)
            case "forest":
                return self._forest(table, *more)
        drawn = _DRAWN[self.kind](table, *more)
        drawn.title += self.title
        return drawn

    def _forest(self, table: _Frame, *more: _Frame) -> Chart:
        parts = []
        for figure in self.figure.split("; ") if self.figure else ["value"]:
            column, _, name = figure.partition("=")
            rows = dots(table, self.label, column)
            if self.by:
                rows = rows.assign(**{self.by: name or table[self.by]})
            parts.append(rows)
        if self.theirs:
            theirs = _chosen(more[-1], self.theirs)
            rows = dots(theirs, "label")
            parts.append(rows.assign(**{self.by: theirs[self.by]}))
        rows = pd.concat(parts, ignore_index=True)
        if self.by:  # a dot that several runs have made is drawn once
            rows = rows.drop_duplicates(["label", self.by])
        title = self.title.format(**table.iloc[0])
        low, high = map(float, self.limits.split() or (0, 0))
        limits = (low, high) if self.limits else None
        drawn = forest(rows, title, self.xlabel, self.by, limits)
        axis = drawn.figure.axes[0]
        if self.log == "0":
            axis.set_xscale("log")
        elif self.log:
            axis.set_xscale("symlog", linthresh=float(self.log))
        return drawn


def _chosen(table: _Frame, rows: str) -> _Frame:
    """Rows that a condition holds of, then the columns that are made of theirs."""
    condition, _, made = rows.partition("->")
    known = {**_RUNS, "share": _share, "named": _named}
    names: dict[str, Any] = {"local_dict": known, "engine": "python"}
    if condition.strip():
        table = filled_plate(table.query(condition.strip(), **names), condition.strip())
    for one in filter(None, map(str.strip, made.split(";"))):
        table = table.eval(one, **names)
    return table


def _share(column: pd.Series[float]) -> pd.Series[str]:
    """`, 10%` behind what it is a share of; nothing where there is none."""
    return column.map(lambda share: "" if share != share else f", {share:.0%}")


# What tells an explorer, or a gate, from others, in words.
_AGENTS = {
    "agent=gedig agent.gates.ag=1000 agent.gates.dg=-1000": "gates never",
    "agent=gedig agent.gates.ag=1000": "AG never",
    "agent=gedig agent.gates.ag=-1000": "AG always",
    "agent=gedig agent.gates.dg=-1000": "DG never",
    "agent=gedig agent.gates.dg=1000": "DG always",
    "agent=gedig agent.gauge.lam=0": "gauge without gain",
    "agent=gedig agent.shuffled=true": "gauge shuffled",
    "agent=gedig": "gauge and gates",
    "agent=dfs": "depth first",
    "agent=oracle": "shortest way",
    "agent=published": "as published",
    # gates over paragraphs
    "ag_off": "AG never",
    "ag_always": "AG always",
    "dg_on": "AG and DG on",
    "no_gain": "gauge without gain",
    "first_order": "always, first order kept",
    "random_fires": "at random, as often as AG",
    "random_follows": "at random, as often as links",
    "paper": "the paper's thresholds",
    "released": "the released code",
    "rounds_1": "1 round",
    "rounds_2": "2 rounds",
    "rounds_3": "3 rounds",
}


def _named(column: pd.Series[Any]) -> pd.Series[str]:
    """Explorers and gates by names that a reader knows."""
    plain = column.str.removeprefix("agent=").str.replace("_", " ")
    return column.map(_AGENTS).fillna(plain)


def _milliseconds(
    title: str, by: str, size: str, rows: _Frame, known: list[str]
) -> Chart:
    """Medians by the size of what is held, a line a value of `by`."""
    drawn, axis = chart(title)
    lines = rows.sort_values(size, kind="stable").groupby(by, sort=False)
    for style, (name, own) in styled(lines):
        values = own[size], own["median_ms"].astype(float)
        axis.plot(*values, label=str(name), markersize=4, linewidth=1, **style)
    axis.set(xscale="log", yscale="log", xlabel=size, ylabel="ms, median")
    return drawn.done(data=rows[known])


def reliability(table: _Frame) -> Chart:
    """What calibrations said against what was so; on the diagonal they are right."""
    drawn, axis = chart("Is evidence complete as often as is said?")
    axis.plot([0, 1], [0, 1], color="#999999", linewidth=1, zorder=0)
    for style, (name, rows) in styled(table.groupby("method", sort=False)):
        look = {"markersize": 4, "linewidth": 1, **style}
        label = f"{name} (n = {rows['prices'].iloc[0]})"
        axis.plot(rows["said"], rows["so"], label=label, **look)
    axis.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="said", ylabel="so")
    return drawn.done(data=table.rename(columns={"prices": "n"}))


def _plots_tokens(table: _Frame) -> Chart:
    """Accuracy against tokens, a point a system, k = 1."""
    parts = []
    for figure in ("evidence_tokens", "accuracy"):
        own = table[table["figure"] == figure].set_index("run")
        told = own.reindex(_RUNS["SYSTEMS"])
        names = {"value": figure, "low": f"{figure}_low", "high": f"{figure}_high"}
        parts.append(told[list(names)].rename(columns=names))
    runs = pd.concat([*parts, told[["n", "reader", "commit"]]], axis=1)
    return accuracy_by_tokens(runs.rename_axis("memory").reset_index())


def accuracy_by_setting(
    table: RunTable,
    runs: Sequence[str],
    title: str,
    label: str,
    measure: str = "accuracy",
) -> Chart:
    """A measure, from 0 to 1, of those `runs` there are, by setting, 95 % intervals.

    `recipes/worlds.py` wrote the table: run, measure, setting, mean, low, high.
    `label` says what the settings count.
    """
    told = read_series(table, "setting")
    told = told[(told["measure"] == measure) & (told["setting"] != "all")]
    told = told[told["run"].isin(list(runs))]
    settings = list(dict.fromkeys(told["setting"].astype(str)))
    runs = [name for name in runs if (told["run"] == name).any()]
    own = {name: told[told["run"] == name] for name in runs}
    rows = {n: o.set_index(o["setting"].astype(str)) for n, o in own.items()}
    ends = ["mean", "low", "high"]
    drawn, _ = banded(
        title,
        ((n, rows[n].reindex(settings)[ends].T.values.tolist()) for n in runs),
        range(len(settings)),
        settings,
        ylim=(0, 1.03),
        xlabel=label,
        ylabel=measure.replace("_", " "),
    )
    return drawn.done(data=told)


def f1_by_tokens(table: pd.DataFrame) -> Chart:
    """Strict F1 of one book against all that a reader read, a line a memory.

    Of its units the one with the best mean; who has one budget alone is a dot, and the
    whole book as text is drawn across.
    """
    drawn, axis = chart("Strict F1 against tokens read")
    whole = table["budget"].astype(str) == "all"
    lines: dict[str, pd.DataFrame] = {}
    for name, own in table[~whole & (table["memory"] != "closed_book")].groupby(
        "memory", sort=False
    ):
        units = own.groupby(own["unit"].fillna(""))["strict_f1"]
        best = own[own["unit"].fillna("") == units.mean().idxmax()]
        said = f"{name}, by {best['unit'].iloc[0]}" if len(units) > 1 else str(name)
        # where not one unit goes into a budget nothing was read: no point of a curve
        lines[said] = best[best["tokens"] > 0].sort_values("tokens")
    for style, (name, own) in styled(lines.items()):
        at, low, high = (own[f"strict_f1{end}"] for end in ("", "_low", "_high"))
        axis.plot(own["tokens"], at, label=name, markersize=4, linewidth=1, **style)
        axis.fill_between(own["tokens"], low, high, color=style["color"], alpha=0.12)
    for value in table[whole]["strict_f1"]:
        axis.axhline(value, color="#777777", linestyle=":", label="whole book as text")
    axis.set(xscale="log", ylim=(0, 1.02), ylabel="strict F1")
    ticks = (50, 100, 250, 500, 1000, 2000, 4000)
    axis.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.minorticks_off()
    axis.set_xlabel("tokens that the reader was given a question")
    return drawn.done(data=table)


def recall_by_tokens(runs: RunTable, figure: str = "recall") -> Chart:
    """Gold paragraphs among the first so many tokens, with intervals, a line a run.

    `figure` stands before the `@` of `recall@300t`; it may be `em` or `f1`.
    """
    told = read_series(runs, f"{figure}@{TOKENS[0]}t")
    points = [most for most in TOKENS if f"{figure}@{most}t" in told]
    figures = [f"{figure}@{most}t" for most in points]
    drawn, axis = banded(
        f"{_WORDS[figure]} against context tokens",
        by_run(told, figures),
        points,
        [f"{most:,}" for most in points],
        xscale="log",
        xlabel="context tokens",
        ylabel=_WORDS[figure].lower(),
    )
    axis.minorticks_off()
    return drawn.done(data=kept(told, *figures))


_WORDS = {
    "recall": "Recall of gold paragraphs", "em": "Exact match", "f1": "Answer F1",
}  # fmt: skip


_SCALE = ("strict F1", "reading, seconds", "question, median, ms", "peak memory, MB")
_DRAWN: dict[str, Callable[..., Chart]] = {
    "cues_20": accuracy_by_cues,
    "cues_200": partial(accuracy_by_cues, book="EpBench-200"),
    "cues_2000": partial(accuracy_by_cues, book="EpBench-2000"),
    "tokens": accuracy_by_tokens,
    "cost": cost_by_question,
    "anatomy": error_anatomy,
    "dials": dials,
    "scale": partial(scaling, figures=_SCALE),
    "recall": recall_at_k,
    "gates": lambda t: recall_by_tokens(t.assign(memory=t["run"])),
    "reliability": reliability,
    "plots_tokens": _plots_tokens,
    "curve": f1_by_tokens,
}

PLATES: tuple[Plate, ...] = tuple(
    Plate(**{**row, "width": float(row["width"]) if row["width"] else None})
    for row in tsv_rows("plates")
)

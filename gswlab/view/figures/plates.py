"""Every figure of the paper by name: the committed tables it is drawn from, and how.

`plates.tsv` has a row a figure. Most are a forest of some rows, or lines over settings;
what another needs of its own is here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pandas as pd

from gswlab.gedig.thresholds import Reliability
from gswlab.view.figures.comparison import (
    accuracy_by_cues,
    accuracy_by_tokens,
    cost_by_question,
    error_anatomy,
    recall_at_k,
    scaling,
)
from gswlab.view.figures.series import (
    accuracy_by_setting,
    dots,
    filled_plate,
    forest,
    recall_by_tokens,
    reliability,
    tsv_rows,
)
from gswlab.view.kit import fonts
from gswlab.view.kit.chart import RULES, Chart, chart, dials_figure, styled

_Frame = pd.DataFrame


class Plate(NamedTuple):
    """A figure by its name, as its row has it.

    `needs` are tables by name. `rows` says which rows of the first are drawn: a
    condition, or the name of a function that makes them. Of a forest, `label` names a
    line, `figure` what is drawn of it, `by` tells dots of a line apart and `log` is
    from where the axis is logarithmic (0: all of it); of lines, `label` has the runs.
    Another figure has a `title` of its own: what is said here stands behind it.
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
    log: str
    width: float | None

    def draw(self, table: _Frame, *more: _Frame) -> Chart:
        """The figure, drawn from the tables it needs.

        Raises:
            GswlabError: no row of a table is what it draws.
        """
        if self.rows in _ROWS:
            table = _ROWS[self.rows](table)
        elif self.rows:
            table = filled_plate(table.query(self.rows), self.rows)
        if self.kind == "lines":
            told = self.label.split(), self.title, self.xlabel, self.figure
            return accuracy_by_setting(table, *told)
        if self.kind != "forest":
            drawn = _DRAWN[self.kind](table, *more)
            drawn.title += self.title
            return drawn
        rows = dots(table, self.label, self.figure or "value")
        if self.by:
            rows = rows.assign(**{self.by: table[self.by]})
        low, high = map(float, self.limits.split() or (0, 0))
        limits = (low, high) if self.limits else None
        drawn = forest(rows, self.title, self.xlabel, self.by, limits)
        axis = drawn.figure.axes[0]
        if self.log == "0":
            axis.set_xscale("log")
        elif self.log:
            axis.set_xscale("symlog", linthresh=float(self.log))
        return drawn


def _milliseconds(title: str, by: str, size: str, rows: _Frame) -> Chart:
    """Medians by the size of what is held, a line a value of `by`."""
    drawn, axis = chart(title)
    for style, (name, own) in styled(rows.groupby(by, sort=False)):
        values = own[size], own["median_ms"].astype(float)
        axis.plot(*values, label=str(name), markersize=4, linewidth=1, **style)
    axis.set(xscale="log", yscale="log", xlabel=size, ylabel="ms, median")
    return drawn.done(data=rows)


_SCALE = ("strict F1", "reading, seconds", "question, median, ms", "peak memory, MB")


def _gold(table: _Frame) -> _Frame:
    ends = ("/f1", "/accuracy", "/bcubed_f1", "/adjusted_rand")
    alone = table["figure"].str.contains("propagation")
    told = table[table["figure"].str.endswith(ends) | alone]
    what = told["figure"].str.replace("/", " ").str.replace("_", " ")
    return told.assign(what=what, half=told["half"].str.replace("_", " "))


def _dials(table: _Frame) -> Chart:
    from matplotlib import rc_context

    panels: dict[str, list[dict[str, str]]] = {}
    for row in table.astype(str).to_dict("records"):
        panels.setdefault(row["dial"], []).append({str(k): v for k, v in row.items()})
    title = "Error against each dial of the generator"
    ends = [f"{d} at 1: {rows[-1]['error']}" for d, rows in panels.items()]
    with rc_context({**RULES, "figure.labelsize": "medium"}):
        fonts.use()
        figure = dials_figure(panels)
    figure.legends[0].set_loc("outside lower right")
    return Chart(figure, title, f"{title}. {'; '.join(ends)}.", table)


LINES = ("gedig", "never", "always", "rounds_1", "random_fires", "random_follows")


def _gedig(published: _Frame, table: str) -> _Frame:
    own = published["paper"] == "geDIG (Miyauchi)"
    return published[own & (published["table"] == table)]


def _answers(world: str, runs: _Frame, published: _Frame) -> Chart:
    """Exact match and F1, the papers' figures below, grey."""
    names = {"EM": "exact match", "F1": "F1"}
    parts = [dots(runs, "run", c.lower()).assign(figure=n) for c, n in names.items()]
    theirs = _gedig(published, "HotpotQA dev")
    theirs = theirs[theirs["column"].isin(names)]
    theirs = theirs.assign(row=theirs["row"] + " (published)")
    parts.append(dots(theirs, "row").assign(figure=theirs["column"].map(names)))
    rows = pd.concat(parts, ignore_index=True)
    title = f"HotpotQA, {world}: answers"
    return forest(rows, title, "share of the questions", "figure", (0, 1))


def _index(table: _Frame) -> Chart:
    count = ", ".join(f"{n:,}" for n in sorted(table["paragraphs"].unique()))
    names = {"index_seconds": "indexing, s", "peak_mb": "peak, MB"}
    rows = pd.concat(dots(table, "memory", f).assign(what=n) for f, n in names.items())
    drawn = forest(rows, f"Indexing {count} paragraphs", "s or MB, log", "what")
    drawn.figure.axes[0].set_xscale("symlog", linthresh=1)
    return drawn


def _reliability(table: _Frame) -> Chart:
    known = {}
    for method, rows in table.groupby("method", sort=False):
        said, so = tuple(rows["said"]), tuple(rows["so"])
        n = int(rows["prices"].iloc[0])
        known[str(method)] = Reliability(n=n, said=said, so=so)
    drawn = reliability(known)
    drawn.data = table.rename(columns={"prices": "n"})
    return drawn


def _mazes(generator: str, place: str, table: _Frame) -> _Frame:
    """Rows of one kind of maze, goal hidden, the agent without its word."""
    own = table[(table["generator"] == generator) & (table["goal"] == "hidden")]
    own = filled_plate(own[own["place"] == place], f"goal {place}")
    agent = own["agent"].str.removeprefix("agent=").str.replace(" agent.", ", ")
    agent = agent.str.replace("gates.", "").str.replace("gauge.", "")
    world = own["size"].astype(str) + " cells" + _loops(own)
    return own.assign(agent=agent, world=world)


def _loops(table: _Frame) -> pd.Series[str]:
    return table["loops"].map(lambda share: "" if share != share else f", {share:.0%}")


def _success(table: _Frame, published: _Frame) -> Chart:
    """Mazes solved within the cap, the paper's own figures beside."""
    told = _mazes("published", "corner", table)
    told = told[~told["agent"].str.contains(",")].drop_duplicates(["agent", "world"])
    rows = dots(told, "agent", "success").assign(world=told["world"])
    cells = _gedig(published, "maze")
    cells = cells[cells["column"] == "success"].assign(label="published")
    size = cells["row"].str.split("x").str[0]
    theirs = dots(cells, "label").assign(world=size + " cells (published)")
    both = pd.concat([rows, theirs], ignore_index=True)
    title = "Mazes solved within the cap, goal hidden in the corner"
    return forest(both, title, "share of the mazes", "world", (0, 1.02))


def _rewired(table: _Frame) -> _Frame:
    names = {"published": "perfect mazes", "correct": "mazes with loops"}
    kind = table["generator"].map(names) + _loops(table)
    size = table["size"].astype(str) + " cells"
    told = table.assign(what=kind + ", " + table["graph"], size=size)
    return filled_plate(told[told["gates"].isna()], "mazes rewired")


def _speed(table: _Frame) -> Chart:
    """Milliseconds of a price by the size of the graph."""
    whole = table[~table["what"].str.contains("maze of")]
    names = (whole["code"] + ", " + whole["what"]).rename("name")
    ordered = whole.assign(name=names).sort_values(["name", "nodes"])
    drawn = _milliseconds("Milliseconds of a price", "name", "nodes", ordered)
    drawn.data = whole
    return drawn


_SYSTEMS = ("serial", "serial_published", "parallel", "graph", "dense", "bm25",
            "gsw", "long_context", "closed_book")  # fmt: skip
_THEIRS = {"Long-Context": "long_context", "Hybrid-RAG": "parallel",
           "serial Hybrid-RAG": "serial"}  # fmt: skip


def _figure(table: _Frame, figure: str, plots: str = "all") -> _Frame:
    """Rows of one figure, all kinds of question, k = 1 where there is a k."""
    told = table[(table["figure"] == figure) & (table["plots"] == plots)]
    told = told[(told["kind"] == "all") & told["k"].isin([1, float("nan")])]
    return filled_plate(told, figure)


def _plots_tokens(table: _Frame) -> Chart:
    """Accuracy against tokens, a point a system, k = 1."""
    parts = []
    for figure in ("evidence_tokens", "accuracy"):
        told = _figure(table, figure).set_index("run").reindex(list(_SYSTEMS))
        names = {"value": figure, "low": f"{figure}_low", "high": f"{figure}_high"}
        parts.append(told[list(names)].rename(columns=names))
    runs = pd.concat([*parts, told[["n", "reader", "commit"]]], axis=1)
    return accuracy_by_tokens(runs.rename_axis("memory").reset_index())


def _published(table: _Frame, published: _Frame) -> Chart:
    """Tokens of a prompt, a plot of the paper's size and the paper's own."""
    large = "lighthouse_ja"  # a plot as large as the paper's
    ours = _figure(table, "evidence_tokens", large)
    ours = ours[ours["run"].isin(_THEIRS.values())]
    paper = "serial Hybrid-RAG (Kondo and Oda)"
    theirs = published[published["paper"] == paper]
    theirs = theirs[theirs["column"] == "mean tokens"]
    theirs = theirs.assign(run=theirs["row"].map(_THEIRS))
    ours = dots(ours, "run").assign(of="plot of ours")
    theirs = dots(theirs, "run").assign(of="the paper's (published)")
    both = pd.concat([ours, theirs], ignore_index=True)
    return forest(both, "Tokens handed over, k = 1", "tokens a question", "of")


def _by_k(table: _Frame) -> Chart:
    told = table[(table["plots"] == "all") & (table["kind"] == "all")]
    told = told.dropna(subset=["k"]).rename(columns={"figure": "measure"})
    told = told.assign(setting=told["k"].astype(int), mean=told["value"])
    return accuracy_by_setting(told, _SYSTEMS[:4], "Accuracy by k", "hops, k")


def _kinds(table: _Frame) -> _Frame:
    told = table[(table["figure"] == "accuracy") & (table["plots"] == "all")]
    told = told[told["k"].isin([1, float("nan")]) & told["run"].isin(_SYSTEMS)]
    return told[told["kind"] != "all"]


def _ablations(table: _Frame) -> _Frame:
    told = _figure(table, "accuracy")
    return told[~told["run"].isin(_SYSTEMS[1:])]


def _settings(table: _Frame) -> _Frame:
    """Accuracy of every run, a row a kind of question."""
    times = ("median", "p95", "most", "p")
    told = table[(table["measure"] == "accuracy") & ~table["setting"].isin(times)]
    kind = told["setting"].astype(str)
    return told.rename(columns={"mean": "value"}).assign(kind=kind)


def _document(table: _Frame) -> _Frame:
    told = table[table["run"].str.startswith("document_")]
    told = told[(told["measure"] == "accuracy") & (told["setting"] == "all")]
    return told.rename(columns={"mean": "value"})


def _storage(table: _Frame) -> Chart:
    """Milliseconds of a search by the number of messages."""
    told = table[table["p95_ms"].notna()]
    title = "Recall storage, milliseconds of a search"
    return _milliseconds(title, "figure", "messages", told)


_DRAWN: dict[str, Callable[..., Chart]] = {
    "cues_20": accuracy_by_cues,
    "cues_200": partial(accuracy_by_cues, book="EpBench-200"),
    "cues_2000": partial(accuracy_by_cues, book="EpBench-2000"),
    "tokens": accuracy_by_tokens,
    "cost": cost_by_question,
    "anatomy": error_anatomy,
    "dials": _dials,
    "scale": partial(scaling, figures=_SCALE),
    "recall": recall_at_k,
    "answers_own": partial(_answers, "own paragraphs"),
    "answers_pool": partial(_answers, "pooled paragraphs"),
    "index": _index,
    "gates": lambda t: recall_by_tokens(t.assign(memory=t["run"])),
    "reliability": _reliability,
    "success": _success,
    "speed": _speed,
    "plots_tokens": _plots_tokens,
    "plots_published": _published,
    "plots_k": _by_k,
    "storage": _storage,
}
_ROWS: dict[str, Callable[[_Frame], _Frame]] = {
    "gold": _gold,
    "chains": lambda t: t.assign(what=t["field"] + " " + t["figure"]),
    "gauged": lambda t: t.rename(columns={"strict_f1": "value"}),
    "rewiring": lambda t: t.assign(
        what=t["rewiring"] + ", " + t["questions"].astype(str)
    ),
    "mazes": partial(_mazes, "correct", "every"),
    "rewired": _rewired,
    "kinds": _kinds,
    "ablations": _ablations,
    "long_document": _document,
    "settings": _settings,
}

PLATES: tuple[Plate, ...] = tuple(
    Plate(**{**row, "width": float(row["width"]) if row["width"] else None})
    for row in tsv_rows("plates")
)

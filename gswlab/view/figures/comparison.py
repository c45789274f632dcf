"""The figures of a comparison, from tables of runs and the papers' cells beside them.

A table of runs is what `python -m gswlab collect DIR --layout csv` writes, or the frame
that `gswlab.bench.collect.collect` returns; the papers' cells are
`results/published.csv`. A chart is drawn once and saved as it is in the notebook.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pandas as pd

from gswlab.bench.anatomy import STAGES
from gswlab.bench.collect import apart
from gswlab.bench.epbench import BINS
from gswlab.bench.hotpotqa import DEPTHS
from gswlab.view.figures import series
from gswlab.view.figures.series import RunTable
from gswlab.view.kit.chart import DOTS, HATCHES, STYLES, Chart, chart, panelled, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_GSW = "GSW (arXiv 2511.07587)"
_GREY = "#777777"  # of what a paper reports
_WORDS = {
    "strict_f1": "strict F1",
    "f1": "answer F1",
    "accuracy": "accuracy",
    "recall@5": "recall@5",
}


def accuracy_by_cues(
    runs: RunTable, published: RunTable, book: str = "EpBench-20"
) -> Chart:
    """Strict F1 by how many chapters match a question, the paper's bins in grey.

    `book` says whose published table stands beside: `EpBench-20`, `-200` or `-2000`.
    """
    told = series.read_series(runs, "strict_f1@1")
    bins = {f"strict_f1@{b}": b for b in BINS if f"strict_f1@{b}" in told}
    drawn, axis = series.banded(
        "Strict F1 by number of matching chapters",
        series.by_run(told, [*bins]),
        range(len(bins)),
        [*bins.values()],
        ylim=(0, 1.02),
        xlabel="chapters that match",
        ylabel="strict F1",
    )
    data = [series.kept(told, *bins)]
    cells = series.published_cells(published, _GSW, f"{book} strict")
    for dotted, (name, paper) in styled(cells.items(), DOTS):
        cues = {f: f"f1, {b} cue{'' if b == '1' else 's'}" for f, b in bins.items()}
        values = {f: paper.get(cue, float("nan")) for f, cue in cues.items()}
        look = {"color": _GREY, **dotted}
        _line(axis, f"{name} (published)", list(values.values()), look)
        data.append(_published(name, **values))
    return drawn.done(data=pd.concat(data, ignore_index=True))


def accuracy_by_tokens(runs: RunTable, published: RunTable | None = None) -> Chart:
    """Accuracy against the tokens a reader is handed; a line joins the best trades.

    The paper's systems, on EpBench-200, are hollow: other books, another reader.
    """
    told = series.read_series(runs, "evidence_tokens")
    accuracy = next((name for name in ("strict_f1", "f1") if name in told), "accuracy")
    drawn, axis = chart(f"{_WORDS[accuracy]} against evidence tokens")
    points = []
    for style, (name, row) in styled(series.named_runs(told)):
        points.append((row["evidence_tokens"], row[accuracy]))
        ends = [[abs(row[accuracy] - row[f"{accuracy}_{e}"])] for e in ("low", "high")]
        look = {"color": style["color"], "marker": style["marker"], "label": name}
        axis.errorbar(*points[-1], yerr=ends, linestyle="", capsize=2, **look)
    points.sort(key=lambda point: (point[0], -point[1]))
    ahead = accumulate((score for _, score in points), max, initial=-1.0)
    best = [p for p, most in zip(points, ahead, strict=False) if p[1] > most]
    axis.plot(*zip(*best, strict=True), color="#999999", zorder=0)
    data = [series.kept(told, accuracy, "evidence_tokens")]
    if published is not None:
        tokens = series.published_cells(published, _GSW, "tokens and cost")
        scores = series.published_cells(published, _GSW, "EpBench-200 strict")
        for dotted, (name, cells) in styled(tokens.items(), DOTS):
            at = cells["context tokens per query"], scores[name]["f1, overall"]
            look = {"color": _GREY, "marker": dotted["marker"], "linestyle": ""}
            axis.plot(*at, label=f"{name} (published, 200)", **look)
            theirs = {"evidence_tokens": at[0], accuracy: at[1]}
            data.append(_published(f"{name}, EpBench-200", **theirs))
    axis.set_xscale("symlog", linthresh=10)
    axis.set(xlim=(-1, None), ylim=(0, 1.02))
    axis.set(xlabel="evidence tokens a question", ylabel=_WORDS[accuracy])
    return drawn.done(data=pd.concat(data, ignore_index=True))


def cost_by_question(runs: RunTable, published: RunTable) -> Chart:
    """What the evidence of a question costs to read, at the price the paper names."""
    told = series.read_series(runs, "evidence_tokens")
    cells = series.published_cells(published, _GSW, "tokens and cost")
    tokens, cost = "context tokens per query", "cost per query"
    price = max(row[cost] / row[tokens] for row in cells.values() if row[tokens] > 1e5)
    ours = told.assign(usd=1000 * price * told["evidence_tokens"])
    theirs = [_published(name, usd=1000 * row[cost]) for name, row in cells.items()]
    both = pd.concat([ours, *theirs], ignore_index=True).sort_values("usd")
    label = f"USD for 1,000 questions, at {price * 1e6:.2f} a million tokens"
    rows = series.dots(both, "memory", "usd")
    drawn = series.forest(rows, "Cost of a question's evidence", label)
    drawn.figure.axes[0].set_xscale("symlog", linthresh=0.01)
    return drawn


def recall_at_k(runs: RunTable) -> Chart:
    """Gold paragraphs among the first 2, 5 and 10 recalled, with intervals."""
    told = series.read_series(runs, "recall@5")
    figures = {f"recall@{k}": str(k) for k in DEPTHS}
    drawn, _ = series.banded(
        "Paragraph recall",
        series.by_run(told, [*figures]),
        range(len(figures)),
        [*figures.values()],
        ylim=(0, 1.02),
        xlabel="paragraphs k",
        ylabel="recall@k",
    )
    return drawn.done(data=series.kept(told, *figures))


def error_anatomy(runs: RunTable) -> Chart:
    """Which stage each answer that is not all right is blamed on, a bar a run."""
    told = series.read_series(runs, "wrong").dropna(subset=["wrong"])
    told = series.filled_plate(told, "whose fault an answer is")
    drawn, axis = chart("Whose fault a wrong answer is")
    left = [0.0] * len(told)
    for style, (hatch, stage) in styled(zip(HATCHES, STAGES, strict=True)):
        width = told[stage].astype(float).tolist()
        look = {"color": style["color"], "hatch": hatch, "edgecolor": "white"}
        axis.barh(range(len(told)), width, left=left, label=stage, **look)
        left = [a + b for a, b in zip(left, width, strict=True)]
    axis.set_yticks(range(len(told)), [name for name, _ in series.named_runs(told)])
    axis.set_xlabel("answers that are not all right")
    return drawn.done(data=series.kept(told, "wrong", *STAGES))


def side_by_side(runs: RunTable) -> Chart:
    """The first figure that a table of runs has, a run a line, in its interval."""
    told = series.read_series(runs, "run")
    known = [name for name in (*_WORDS, "mean_steps") if name in told]
    figure = known[0] if known else "strict_f1"
    told = series.read_series(told, figure)
    names = told[apart(told) or ["run"]].fillna("").astype(str).agg(" ".join, axis=1)
    shared = set.intersection(*({*name.split()} for name in names)) - {*names}
    labels = [" ".join(w for w in name.split() if w not in shared) for name in names]
    rows = series.dots(told.assign(label=labels), "label", figure)
    title, limits = _WORDS.get(figure, figure), (0, 1) if figure in _WORDS else None
    return series.forest(rows, f"{title}, run by run", title, limits=limits)


def scaling(table: RunTable, figures: Sequence[str]) -> Chart:
    """Figures of `results/scale.csv` by the number of chapters, a panel each."""
    told = series.read_series(table, "chapters")
    drawn, axes = panelled("What a longer book costs", len(figures))
    for axis, name in zip(axes, figures, strict=True):
        rows = told[told["figure"] == name].sort_values("chapters")
        _line(axis, name, rows["value"].tolist(), STYLES[0])
        axis.set_xticks(range(len(rows)), [f"{n:,}" for n in rows["chapters"]])
        axis.set(ylim=(0, 1.1 * rows["value"].max()), xlabel="chapters")
        axis.set_title(name, fontsize=8)
    return drawn.done(legend=False, data=told[told["figure"].isin(list(figures))])


def dials(table: pd.DataFrame) -> Chart:
    """Error against the strength of each dial of the generator, with 95 % intervals.

    The columns are dial, strength, questions, error, low, high.
    """
    panels = [*table.groupby("dial", sort=False)]
    columns = min(4, len(panels))
    lines = -(-len(panels) // columns)
    drawn, axes = panelled("Error against each dial of the generator", columns, lines)
    drawn.figure.set_size_inches(1.8 * columns + 0.6, 1.7 * lines + 0.8)
    for (name, rows), axis in zip(panels, axes, strict=False):
        for style, (about, told) in styled(rows.groupby("questions")):
            x, look = told["strength"], {"markersize": 3, "linewidth": 1, **style}
            axis.plot(x, told["error"], label=str(about), **look)
            look = {"color": style["color"], "alpha": 0.2, "linewidth": 0}
            axis.fill_between(x, told["low"], told["high"], **look)
        axis.set(xlim=(0, 1), ylim=(0, 1))
        axis.set_title(str(name), fontsize=8)
    for axis in axes[len(panels) :]:
        axis.set_axis_off()
    named = axes[0].get_legend_handles_labels()
    drawn.figure.legend(*named, loc="outside lower right", frameon=False)
    drawn.figure.supxlabel("share of chapters touched", fontsize=8)
    drawn.figure.supylabel("error (1 − strict F1)", fontsize=8)
    ends = table.groupby("dial", sort=False)["error"].last()
    said = [f"{dial} at 1: {error}" for dial, error in ends.items()]
    return drawn.done(legend=False, data=table, said=said)


def _published(name: str, **figures: float) -> pd.DataFrame:
    """A row of a paper, beside rows of ours."""
    return pd.DataFrame([{"memory": f"{name} (published)", **figures}])


def _line(axis: Axes, name: str, values: Sequence[float], look: dict[str, Any]) -> None:
    axis.plot(range(len(values)), values, label=name, markersize=4, linewidth=1, **look)

"""Figures of memories over books: EpBench, generated and annotated texts."""

from __future__ import annotations

from functools import partial

import pandas as pd

from gswlab.view import fonts
from gswlab.view.charts.chart import Chart
from gswlab.view.charts.comparison import (
    accuracy_by_cues,
    accuracy_by_tokens,
    cost_by_question,
    error_anatomy,
    scaling,
)
from gswlab.view.charts.figures import RULES, dials_figure
from gswlab.view.charts.forest import forest
from gswlab.view.charts.plates.plate import Plate, dots, filled

_SIZES = {200: "EpBench-200", 2000: "EpBench-2000"}
_SCALE = ("strict F1", "reading, seconds", "question, median, ms", "peak memory, MB")
_AGAINST = "strict F1, memory less GSW"


def _differences(runs: pd.DataFrame) -> Chart:
    rows = dots(runs, "memory", "difference_mean")
    return forest(rows, "What GSW is ahead by", _AGAINST)


def _sized(chapters: int, runs: pd.DataFrame) -> pd.DataFrame:
    return filled(runs[runs["chapters"] == chapters], f"{chapters} chapters")


def _cues(chapters: int, runs: pd.DataFrame, published: pd.DataFrame) -> Chart:
    told = _sized(chapters, runs)
    drawn = accuracy_by_cues(told, published, _SIZES[chapters])
    drawn.title += f", a generated book of {chapters:,} chapters"
    return drawn


def _tokens(chapters: int, runs: pd.DataFrame) -> Chart:
    return accuracy_by_tokens(_sized(chapters, runs))


def _anatomy(runs: pd.DataFrame) -> Chart:
    filled(runs.dropna(subset=["wrong"]), "whose fault an answer is")
    return error_anatomy(runs)


def _own_books(table: pd.DataFrame) -> Chart:
    rows = dots(table[table["figure"] == "strict/overall/f1"], "run")
    return forest(rows, "Strict F1 on books of our own", "strict F1", limits=(0, 1))


def _switches(table: pd.DataFrame) -> Chart:
    own = table[(table["book"] == "together") & (table["mechanism"] != "default")]
    rows = dots(own, "mechanism", "difference")
    return forest(
        rows, "What each mechanism is worth", "strict F1, against the default"
    )


def _gold(table: pd.DataFrame) -> Chart:
    ends = ("/f1", "/accuracy", "/bcubed_f1", "/adjusted_rand")
    alone = table["figure"].str.contains("propagation")
    told = table[table["figure"].str.endswith(ends) | alone]
    told = told.assign(what=told["figure"].str.replace("/", " ").str.replace("_", " "))
    rows = dots(told, "what").assign(half=told["half"].str.replace("_", " "))
    return forest(rows, "Annotated excerpts", "share", "half", (0, 1))


def _chains(table: pd.DataFrame) -> Chart:
    told = table.assign(what=table["field"] + " " + table["figure"])
    rows = dots(told, "what").assign(chain=told["chain"])
    return forest(rows, "Audits of annotated chains", "share", "chain", (0, 1.02))


def _gauged(table: pd.DataFrame) -> Chart:
    rows = dots(table.rename(columns={"strict_f1": "value"}), "mechanism")
    return forest(rows, "The gauge on the workspace", "strict F1", limits=(0, 1))


def _dials(table: pd.DataFrame) -> Chart:
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


def _scaling(table: pd.DataFrame) -> Chart:
    return scaling(table, _SCALE)


_EPBENCH = ("epbench_comparison", "published")
PLATES = (
    Plate("epbench20_cues", _EPBENCH, accuracy_by_cues),
    Plate("epbench20_tokens", _EPBENCH, accuracy_by_tokens),
    Plate("epbench20_cost", _EPBENCH, cost_by_question),
    Plate("epbench20_differences", _EPBENCH[:1], _differences),
    Plate("epbench20_anatomy", _EPBENCH[:1], _anatomy),
    *(
        Plate(f"generated_{n}_cues", ("generated_comparison", "published"),
              partial(_cues, n)) for n in _SIZES
    ),
    *(
        Plate(f"generated_{n}_tokens", ("generated_comparison",), partial(_tokens, n))
        for n in _SIZES
    ),
    Plate("own_books", ("own_books",), _own_books),
    Plate("switches", ("switches",), _switches),
    Plate("gold", ("gold",), _gold),
    Plate("chains", ("chains",), _chains),
    Plate("gauged", ("gauged",), _gauged),
    Plate("gauged_recall", ("gauged_recall",), _gauged),
    Plate("dials", ("dials",), _dials, 6.75),
    Plate("scale", ("scale",), _scaling, 6.75),
)  # fmt: skip

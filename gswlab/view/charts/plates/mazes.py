"""Figures of mazes and of what a price takes."""

from __future__ import annotations

import pandas as pd

from gswlab.view.charts.chart import Chart, chart
from gswlab.view.charts.forest import forest
from gswlab.view.charts.plates.plate import Plate, dots, filled
from gswlab.view.charts.styles import styled

_PAPER = "geDIG (Miyauchi)"
_KINDS = {"published": "perfect mazes", "correct": "mazes with loops"}


def _told(table: pd.DataFrame, generator: str, place: str) -> pd.DataFrame:
    """Rows of one kind of maze, goal hidden, the agent without its word."""
    kept = table[(table["generator"] == generator) & (table["goal"] == "hidden")]
    kept = filled(kept[kept["place"] == place], f"goal {place}")
    agent = kept["agent"].str.removeprefix("agent=").str.replace(" agent.", ", ")
    kept = kept.assign(agent=agent.str.replace("gates.", "").str.replace("gauge.", ""))
    loops = kept["loops"].map(lambda share: "" if share != share else f", {share:.0%}")
    return kept.assign(world=kept["size"].astype(str) + " cells" + loops)


def _success(table: pd.DataFrame, published: pd.DataFrame) -> Chart:
    """Mazes solved within the cap, the paper's own figures beside."""
    told = _told(table, "published", "corner")
    told = told[~told["agent"].str.contains(",")].drop_duplicates(["agent", "world"])
    rows = dots(told, "agent", "success").assign(world=told["world"])
    cells = published[(published["paper"] == _PAPER) & (published["table"] == "maze")]
    cells = cells[cells["column"] == "success"].assign(label="published")
    theirs = dots(cells, "label").assign(
        world=cells["row"].str.split("x").str[0] + " cells (published)"
    )
    both = pd.concat([rows, theirs], ignore_index=True)
    title = "Mazes solved within the cap, goal hidden in the corner"
    return forest(both, title, "share of the mazes", "world", (0, 1.02))


def _steps(table: pd.DataFrame) -> Chart:
    told = _told(table, "correct", "every")
    rows = dots(told, "agent", "mean_steps").assign(world=told["world"])
    title = "Steps to a goal hidden anywhere, mazes with loops, in expectation"
    drawn = forest(rows, title, "steps, log", "world")
    drawn.figure.axes[0].set_xscale("log")
    return drawn


def _differences(table: pd.DataFrame) -> Chart:
    told = _told(table, "correct", "every")
    rows = dots(told, "agent", "difference").assign(world=told["world"])
    title = "Steps beside those of the gauge, mazes with loops"
    drawn = forest(rows, title, "steps, agent less gauge, log both ways", "world")
    drawn.figure.axes[0].set_xscale("symlog", linthresh=10)
    return drawn


def _rewired(table: pd.DataFrame) -> Chart:
    loops = table["loops"].map(lambda share: "" if share != share else f", {share:.0%}")
    told = table.assign(
        what=table["generator"].map(_KINDS) + loops + ", " + table["graph"]
    )
    told = filled(told[told["gates"].isna()], "mazes rewired")
    size = told["size"].astype(str) + " cells"
    rows = dots(told, "what", "edges").assign(size=size)
    title = "Edges held of a maze before and after rewiring"
    return forest(rows, title, "edges", "size")


def _speed(table: pd.DataFrame) -> Chart:
    """Milliseconds of a price by the size of the graph."""
    drawn, axis = chart("Milliseconds of a price")
    whole = table[~table["what"].str.contains("maze of")]
    names = whole["code"] + ", " + whole["what"]
    for style, (name, rows) in styled(whole.groupby(names)):
        ordered = rows.sort_values("nodes")
        values = ordered["nodes"], ordered["median_ms"]
        axis.plot(*values, label=str(name), markersize=4, linewidth=1, **style)
    axis.set(xscale="log", yscale="log", xlabel="nodes", ylabel="ms, median")
    return drawn.done(data=whole)


PLATES = (
    Plate("maze_success", ("maze", "published"), _success),
    Plate("maze_steps", ("maze",), _steps),
    Plate("maze_differences", ("maze",), _differences),
    Plate("maze_rewiring", ("maze_rewiring",), _rewired),
    Plate("gauge_speed", ("gauge_speed",), _speed),
)

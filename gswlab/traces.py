"""The trace of a run folder: of a maze, of a question to its memory, of its steps."""

from __future__ import annotations

from pathlib import Path

from gswlab.core.errors import GswlabError
from gswlab.lab import config
from gswlab.lab.config import walked_before
from gswlab.view.charts.figures import FORMATS
from gswlab.view.gauge.chart import gauge_chart
from gswlab.view.gauge.maze import film
from gswlab.view.gauge.page import write_gauge_page
from gswlab.view.gauge.trace import GaugeTrace, of_events, of_steps


def trace_of(
    folder: str | Path, question: str | None = None, seed: int | None = None
) -> GaugeTrace:
    """What a run's gauge said.

    Of mazes the walk of a `seed` (else the first), walked again as it was; of a run
    over a text what a `question` makes its memory do, or else what reading did.

    Raises:
        GswlabError: the folder holds no run, or nothing of it was priced.
    """
    course = walked_before(Path(folder))
    if course is not None:
        number = course.mazes.numbers[0] if seed is None else seed
        return film(course.mazes, number, course.config.build("agent"))
    lab = config.reopen(folder)
    if question is None:
        trace = of_steps(lab.journal.steps(), str(Path(folder).name))
    else:
        trace = of_events(lab.memory.recall(question, lab.budget).trace, question)
    if not trace.prices:
        rule = "memory=gedig or gsw_gauged prices recall, reconciler=gauged reading"
        asked = "" if question is None else f" for {question!r}"
        raise GswlabError(f"nothing was priced{asked} in {folder}", rule)
    return trace


def write_trace(trace: GaugeTrace, path: str | Path) -> Path:
    """A trace as a page, or as a figure where `path` ends as one."""
    if Path(path).suffix in FORMATS:
        return gauge_chart(trace).save(path)
    return write_gauge_page(trace, path)

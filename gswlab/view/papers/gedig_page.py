"""The trace of a gauge as one page: time, prices, the plane, the scene, in one file.

- Offline and by the keyboard, like the page of a run (`gswlab.view.run.page`).
- What the sliders show is weighed in the page from recorded terms; nothing is run.
- Everything drawn is also a table, which reads without scripts.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.lab import config
from gswlab.view.kit.page import Page, described
from gswlab.view.papers import gedig_trace as traces
from gswlab.view.papers.gedig_maze import film
from gswlab.view.run.words import worded

if TYPE_CHECKING:
    pass


_SCRIPTS = tuple(
    f"papers/{name}.js"
    for name in ("gauge", "gauge_scene", "gauge_charts", "gauge_page")
)
_MOVED = ("kind", "frames", "held", "open", "nodes", "edges")  # what a script moves
_READ = (  # of a price, by a script
    *("terms", "gamma", "theta_ag", "theta_dg", "action", "gate", "reason"),
    *("nodes", "edges"),
)
_TOLD = {  # of a price, elsewhere in the page
    *_READ,
    *("g0", "g_min", "hop", "cost", "gain", "shorter", "lam", "ag", "dg"),
    *("kept", "labels", "gone"),
}


def gauge_page(trace: traces.GaugeTrace) -> Page:
    """The page of a trace."""
    prices = [
        {
            **{key: _named(one.data.get(key)) for key in (*_READ, "to")},
            "beat": beat,
            "lam": one.lam,
            "kept": traces.kept_edit(one),
            "more": worded({k: v for k, v in one.data.items() if k not in _TOLD}),
        }
        for beat, one in trace.prices
    ]
    moved = {name: trace.scene[name] for name in _MOVED if name in trace.scene}
    beats = [traces.named_nodes(beat.label) for beat in trace.beats]
    return described(
        f"{trace.title}: the gauge, step by step",
        "papers/gauge.html",
        ("papers/gauge.css",),
        _SCRIPTS,
        trace.caption,
        1150,
        data={"beats": beats, "prices": prices, "scene": moved},
        title=trace.title,
        trace=trace,
        named=traces.named_nodes,
        case_of=traces.case_of,
    )


def _named(value: Any) -> Any:
    """A value as a page may show it: text is cut, a cell of a maze stays numbers."""
    if isinstance(value, list | tuple):
        return [*map(_named, value)]
    return traces.named_nodes(value) if isinstance(value, str) else value


def trace_of(
    folder: str | Path, question: str | None = None, seed: int | None = None
) -> traces.GaugeTrace:
    """What a run's gauge said.

    Of mazes the walk of a `seed` (else the first), walked again as it was; of a run
    over a text what a `question` makes its memory do, or else what reading did.

    Raises:
        GswlabError: the folder holds no run, or nothing of it was priced.
    """
    course = config.walked_before(Path(folder))
    if course is not None:
        number = course.mazes.numbers[0] if seed is None else seed
        return film(course.mazes, number, course.config.build("agent"))
    lab = config.reopen(folder)
    if question is None:
        trace = traces.of_steps(lab.journal.steps(), Path(folder).name)
    else:
        events = lab.memory.recall(question, lab.budget).trace
        trace = traces.of_events(events, question)
    if not trace.prices:
        rule = "memory=gedig or gsw_gauged prices recall, reconciler=gauged reading"
        asked = "" if question is None else f" for {question!r}"
        raise GswlabError(f"nothing was priced{asked} in {folder}", rule)
    return trace

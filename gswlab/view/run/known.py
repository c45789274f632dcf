"""Events read back as what this package writes; a memory of your own may write others.

An event may have a name that is ours and a layout that is not. Then it is told in words
as it is (`gswlab.view.run.events`), and nothing is drawn of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gswlab.core.nouns import Chunk, TraceEvent
from gswlab.core.step import Step
from gswlab.gedig.record import Priced, read
from gswlab.memgpt.window_trace import Moment, moments
from gswlab.view.gauge.trace import GaugeTrace, of_steps

OTHER = (AttributeError, KeyError, TypeError, ValueError)  # than the layout we know


def windows(steps: Sequence[Step], chunks: Iterable[Chunk]) -> dict[int, Moment]:
    """The window after each step that has one, by the step's index."""
    try:
        return {moment.index: moment for moment in moments(steps, chunks)}
    except OTHER:
        return {}


def prices(events: Iterable[TraceEvent]) -> list[Priced]:
    """The prices among the events of a step."""
    try:
        return read(events)
    except OTHER:
        return []


def gauge(steps: Sequence[Step], title: str) -> GaugeTrace:
    """What the gauge of a run said of its edits."""
    try:
        return of_steps(steps, title)
    except OTHER:
        return GaugeTrace(title, ())

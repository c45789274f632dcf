"""A trace of the gauge as data of a page: prices over time, and what they were put on.

- A `Beat` is a moment one can stop at: a step of a walk, a decision on a question, a
  chunk of a text. A price belongs to the beat that it moved.
- The scene is what the prices are about: a maze (`gswlab.view.gauge.maze`), or else the
  graph that the priced edits make, each node where it stays.
- Prices carry their terms, so the page weighs them again with other settings; the path
  stays the recorded one, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gswlab.core.nouns import TraceEvent
from gswlab.core.step import Step
from gswlab.gedig.record import Priced, read
from gswlab.gedig.thresholds import fire
from gswlab.view.gauge.graph import graph_of, kept, named

GATES = ("ag", "dg")
_DRAWN = {  # keys that a page has another place for
    *("g0", "g_min", "hop", "cost", "gain", "shorter", "terms", "lam", "gamma"),
    *("theta_ag", "theta_dg", "ag", "dg", "action", "gate", "reason", "kept"),
    *("nodes", "labels", "edges", "gone"),
}
CASES = ("integrate", "explore on", "redundant")


class Beat(NamedTuple):
    """A moment: its name, and the prices it was moved by, in their order."""

    label: str
    prices: tuple[Priced, ...]


@dataclass(frozen=True)
class GaugeTrace:
    """What a page or a figure of the gauge shows; `scene` is drawn beside the prices.

    >>> GaugeTrace("empty", ()).prices
    []
    """

    title: str
    beats: tuple[Beat, ...]
    scene: Mapping[str, Any] = field(default_factory=dict)

    @property
    def prices(self) -> list[tuple[int, Priced]]:
        """All prices, each with the number of its beat."""
        return [(n, one) for n, beat in enumerate(self.beats) for one in beat.prices]

    @property
    def caption(self) -> str:
        """One sentence: how many prices, how many gates fired."""
        if not self.prices:
            return "No edit was priced: no gauge moves what is shown"
        ag, dg = (sum(fires(one, gate) for _, one in self.prices) for gate in GATES)
        return f"{len(self.prices)} priced edits: AG fires at {ag}, DG at {dg}"


def again(
    trace: GaugeTrace,
    lam: float | None = None,
    ag: float | None = None,
    dg: float | None = None,
) -> GaugeTrace:
    """The same trace weighed anew, as the page's sliders do; the path stays as it was.

    >>> again(GaugeTrace("empty", ()), lam=0.5).caption
    'No edit was priced: no gauge moves what is shown'
    """

    def weighed(one: Priced) -> Priced:
        return replace(
            one,
            lam=one.lam if lam is None else lam,
            theta_ag=one.theta_ag if ag is None else ag,
            theta_dg=one.theta_dg if dg is None else dg,
        )

    beats = (Beat(b.label, tuple(map(weighed, b.prices))) for b in trace.beats)
    return replace(trace, beats=tuple(beats))


def fires(priced: Priced, gate: str) -> bool:
    """Whether a gate fires on a price that it acts on: in a maze one of them does."""
    acting = priced.data.get("gate", gate) == gate
    return acting and bool(getattr(fire(priced.price, priced.thresholds), gate))


def case_of(priced: Priced) -> str:
    """Which of the paper's three cases an edit is.

    It is integrated where DG fires (some hop's gain pays for the cost). Where only AG
    fires it is dear on the spot and pays nowhere: explore on. Where neither fires it is
    redundant: not dear enough to ask for more, and it tells too little to be worth it.
    """
    fired = fire(priced.price, priced.thresholds)
    return CASES[0] if fired.dg else CASES[1] if fired.ag else CASES[2]


def of_events(events: Iterable[TraceEvent], title: str) -> GaugeTrace:
    """The trace of one question's evidence: a beat a price.

    >>> of_events((), "a question").beats
    ()
    """
    prices = read(events)
    beats = tuple(Beat(f"decision {n}", (one,)) for n, one in enumerate(prices, 1))
    return _with_graph(title, beats)


def of_steps(steps: Iterable[Step], title: str) -> GaugeTrace:
    """The trace of a run, a beat a step of its journal."""
    beats = tuple(
        Beat(step.chunk or step.note or f"step {step.index}", tuple(read(step.events)))
        for step in steps
    )
    return _with_graph(title, beats)


def _with_graph(title: str, beats: tuple[Beat, ...]) -> GaugeTrace:
    trace = GaugeTrace(title, beats)
    return replace(trace, scene=graph_of(trace.prices))


def payload(trace: GaugeTrace) -> dict[str, Any]:
    """The data of a page."""
    return {
        "title": named(trace.title),
        "beats": [named(beat.label) for beat in trace.beats],
        "prices": [_price(beat, one) for beat, one in trace.prices],
        "scene": dict(trace.scene),
    }


def _price(beat: int, priced: Priced) -> dict[str, Any]:
    data = priced.data
    return {
        "beat": beat,
        "terms": [[t.cost, t.gain, t.shorter] for t in priced.terms],
        "lam": priced.lam,
        "gamma": priced.gamma,
        "ag": priced.theta_ag,
        "dg": priced.theta_dg,
        "gate": data.get("gate"),
        "action": named(priced.action),
        "reason": named(data.get("reason", "")),
        "kept": kept(priced),
        "more": {k: _shown(v) for k, v in data.items() if k not in _DRAWN},
        **{side: _shown(data.get(side, ())) for side in ("nodes", "edges", "gone")},
    }


def _shown(value: Any) -> Any:
    """Nodes and edges by names that a page may show; a cell stays its numbers."""
    if isinstance(value, (tuple, list)):
        return [_shown(one) for one in value]
    plain = value is None or isinstance(value, int | float)
    return value if plain else named(value)

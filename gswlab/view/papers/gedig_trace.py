"""A trace of the gauge as data of a page: prices over time, and what they were put on.

- A `Beat` is a moment one can stop at: a step of a walk, a decision on a question, a
  chunk of a text. A price belongs to the beat that it moved.
- The scene is what the prices are about: a maze (`papers.gedig_maze`), or else the
  graph that the priced edits make, each node where it stays.
- Prices carry their terms, so the page weighs them again with other settings; the path
  stays the recorded one, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gswlab.core.nouns import Chunk, TraceEvent, short
from gswlab.core.step import Step
from gswlab.gedig import PRICED
from gswlab.gedig.record import Priced, recorded_prices
from gswlab.gedig.thresholds import fire
from gswlab.view.kit.page import rendered
from gswlab.view.run.events_as_graph import OTHER_LAYOUT
from gswlab.view.run.parts import PAPERS, AtStep, PaperPart
from gswlab.view.run.stage import positions
from gswlab.view.run.words import worded

# actions after which the edit is no part of what is held
LEFT_OUT = frozenset(
    {"hold", "reject", "answer", "stop", "leave", "search", "back", "known way"}
)
NODES = 400  # that a graph draws at most, the first ones
_LONGEST = 400  # characters of a name
GATES = ("ag", "dg")
CASES = ("integrate", "explore on", "redundant")
WIDE, HIGH, EDGE = 720.0, 96.0, 10.0
_LINES = (("g0", "on the spot", "#0072b2", ""), ("g_min", "at best", "#b24a86", "5 3"))


def graph_of(prices: Sequence[tuple[int, Priced]]) -> dict[str, Any]:
    """The graph that priced edits make: nodes with a place, edges from a beat on.

    An edit that was held or rejected is drawn dashed while it is the one looked at.
    """
    names: dict[str, str] = {}
    born: dict[str, int] = {}
    edges: dict[tuple[str, str], int] = {}
    for beat, priced in prices:
        data = priced.data
        added = [named_nodes(node) for node in data.get("nodes", ())]
        names |= dict(zip(added, map(str, data.get("labels", ())), strict=False))
        pairs = [(named_nodes(a), named_nodes(b)) for a, b in data.get("edges", ())]
        for node in (*added, *(end for pair in pairs for end in pair)):
            born.setdefault(node, beat)
        for pair in pairs if kept_edit(priced) else ():
            edges.setdefault(pair, beat)
    drawn = dict(list(born.items())[:NODES])
    lines = {pair: n for pair, n in edges.items() if {*pair} <= {*drawn}}
    places = positions(drawn, lines) if drawn else {}
    xs, ys = ([spot[n] for spot in places.values()] for n in (0, 1))
    left, top = min([0, *xs]) - 90, min([0, *ys]) - 40
    return {
        "kind": "graph",
        "room": (left, top, max([300, *xs]) - left + 90, max([200, *ys]) - top + 50),
        "nodes": {
            node: [*places[node], short(names.get(node, node)), since]
            for node, since in drawn.items()
        },
        "edges": [[a, b, n] for (a, b), n in lines.items()],
    }


def named_nodes(node: object) -> str:
    """A node by the name that a page may show; it is its id there too."""
    return short(str(node), _LONGEST)


def kept_edit(priced: Priced) -> bool:
    """Whether the edit became a part of what its user holds."""
    return bool(priced.data.get("kept", priced.action not in LEFT_OUT))


class Beat(NamedTuple):
    """A moment: its name, and the prices it was moved by, in their order."""

    label: str
    prices: tuple[Priced, ...]


@dataclass(frozen=True)
class GaugeTrace:
    """What a page or a figure of the gauge shows: prices, and a scene beside them."""

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


def again(trace: GaugeTrace, lam: float) -> GaugeTrace:
    """The same trace weighed by another λ, as the page does; the path stays as it was.

    >>> again(GaugeTrace("empty", ()), lam=0.5).caption
    'No edit was priced: no gauge moves what is shown'
    """
    beats = [
        Beat(beat.label, tuple(replace(one, lam=lam) for one in beat.prices))
        for beat in trace.beats
    ]
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
    """The trace of one question's evidence: a beat a price."""
    prices = recorded_prices(events)
    beats = tuple(Beat(f"decision {n}", (one,)) for n, one in enumerate(prices, 1))
    return _with_graph(title, beats)


def of_steps(steps: Iterable[Step], title: str) -> GaugeTrace:
    """The trace of a run, a beat a step of its journal."""
    beats = []
    for step in steps:
        label = step.chunk or step.note or f"step {step.index + 1}"
        beats.append(Beat(label, tuple(recorded_prices(step.events))))
    return _with_graph(title, tuple(beats))


def _with_graph(title: str, beats: tuple[Beat, ...]) -> GaugeTrace:
    trace = GaugeTrace(title, beats)
    return replace(trace, scene=graph_of(trace.prices))


def gauge_strip(steps: Sequence[Step], title: str, first: int) -> str:
    """Prices over the steps from `first` on; nothing where nothing was priced."""
    try:
        trace = of_steps(steps, title)
    except OTHER_LAYOUT:
        return ""
    told = [(beat - first, one) for beat, one in trace.prices if beat >= first]
    if not told:
        return ""
    last = max(len(trace.beats) - first - 1, 1)
    values = [v for _, one in told for v in (one.price.g0, one.price.g_min)]
    low, high = min(values), max(values)

    def x(beat: int) -> float:
        return EDGE + (WIDE - 2 * EDGE) * beat / last

    def y(value: float) -> float:
        return HIGH - EDGE - (HIGH - 2 * EDGE) * (value - low) / ((high - low) or 1.0)

    size = {"wide": WIDE, "high": HIGH, "edge": EDGE, "last": last}
    facts = {"told": trace.caption, "prices": told, "lines": _LINES, "fires": fires}
    return rendered("papers/strip.html", x=x, y=y, **facts, **size)


def gauge_tables(steps: Sequence[Step], chunks: Sequence[Chunk]) -> AtStep:
    """The prices of a step, a row an edit, the thresholds beside them."""

    def table(k: int) -> str:
        try:
            prices = recorded_prices(steps[k].events)
        except OTHER_LAYOUT:
            prices = []
        facts = {"prices": prices, "worded": worded, "fires": fires, "gates": GATES}
        return rendered("papers/prices.html", **facts) if prices else ""

    return table


PAPERS.append(PaperPart(PRICED, gauge_tables, strip=gauge_strip))

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
from dataclasses import dataclass, field
from functools import cached_property
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
_LEFT_OUT = {"hold", "reject", "answer", "stop", "leave", "search", "back", "known way"}
NODES = 400  # that a graph draws at most, the first ones
_LONGEST = 400  # characters of a name
CASES = ("integrate", "explore on", "redundant")


class Beat(NamedTuple):
    """A moment: its name, and the prices it was moved by, in their order."""

    label: str
    prices: tuple[Priced, ...]


@dataclass(frozen=True)
class GaugeTrace:
    """What a page or a figure of the gauge shows: prices, and a scene beside them."""

    title: str
    beats: tuple[Beat, ...]
    maze: Mapping[str, Any] = field(default_factory=dict)

    @property
    def prices(self) -> list[tuple[int, Priced]]:
        """All prices, each with the number of its beat."""
        return [(n, one) for n, beat in enumerate(self.beats) for one in beat.prices]

    @property
    def caption(self) -> str:
        """One sentence: how many prices, how many gates fired."""
        if not self.prices:
            return "No edit was priced: no gauge moves what is shown"
        ag, dg = (sum(fires(p, gate) for _, p in self.prices) for gate in ("ag", "dg"))
        return f"{len(self.prices)} priced edits: AG fires at {ag}, DG at {dg}"

    @cached_property
    def scene(self) -> Mapping[str, Any]:
        """The maze, or the graph of priced edits: nodes placed, edges from a beat on.

        An edit that was held or rejected is drawn dashed while it is the one looked at.
        """
        if self.maze:
            return self.maze
        names: dict[str, str] = {}
        born: dict[str, int] = {}
        edges: dict[tuple[str, str], int] = {}
        for beat, priced in self.prices:
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
        size = max([300, *xs]) - left + 90, max([200, *ys]) - top + 50
        nodes = {n: [*places[n], short(names.get(n, n)), drawn[n]] for n in drawn}
        held = [[a, b, n] for (a, b), n in lines.items()]
        return {
            "kind": "graph", "room": (left, top, *size), "nodes": nodes, "edges": held,
        }  # fmt: skip


def named_nodes(node: object) -> str:
    """A node by the name that a page may show; it is its id there too."""
    return short(str(node), _LONGEST)


def kept_edit(priced: Priced) -> bool:
    """Whether the edit became a part of what its user holds."""
    return bool(priced.data.get("kept", priced.action not in _LEFT_OUT))


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
    prices = enumerate(recorded_prices(events), 1)
    return GaugeTrace(title, tuple(Beat(f"decision {n}", (one,)) for n, one in prices))


def of_steps(steps: Iterable[Step], title: str) -> GaugeTrace:
    """The trace of a run, a beat a step of its journal."""
    beats = (
        Beat(step.chunk or step.note or f"step {step.index + 1}", _prices(step))
        for step in steps
    )
    return GaugeTrace(title, tuple(beats))


def _prices(step: Step) -> tuple[Priced, ...]:
    """The prices of a step; events of this kind in another layout are none."""
    try:
        return tuple(recorded_prices(step.events))
    except OTHER_LAYOUT:
        return ()


def gauge_strip(steps: Sequence[Step], title: str, first: int) -> str:
    """Prices over the steps from `first` on; nothing where nothing was priced."""
    trace = of_steps(steps, title)
    prices = [(beat - first, one) for beat, one in trace.prices if beat >= first]
    last = max(len(trace.beats) - first - 1, 1)
    facts = {"told": trace.caption, "prices": prices, "last": last, "fires": fires}
    return rendered("papers/strip.html", **facts) if prices else ""


def gauge_tables(steps: Sequence[Step], chunks: Sequence[Chunk]) -> AtStep:
    """The prices of a step, a row an edit, the thresholds beside them."""

    def table(k: int) -> str:
        facts = {"prices": _prices(steps[k]), "worded": worded, "fires": fires}
        return rendered("papers/prices.html", **facts)

    return table


PAPERS.append(PaperPart(PRICED, gauge_tables, strip=gauge_strip))

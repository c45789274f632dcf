"""What the gauge said of an edit and what its gates caused, as an event of a trace.

One layout for mazes, questions and workspaces, so that one view draws them all. An
event of kind `priced` has

=================== ================================================================
g0, g_min, hop      the price on the spot, the best one, and the hops of that one
cost, gain, shorter the three terms at that hop
terms               (cost, gain, shorter) of every hop, the spot first
lam, gamma          how the gauge weighed them
theta_ag, theta_dg  the thresholds as they were, None where no gate was asked
ag, dg              which gates fired
action              what that caused, in a word or a few
nodes, edges, gone  the edit that was priced
=================== ================================================================

and what else its user adds (`at`, `gate`, `labels` of the nodes, `reason`, ...). No
number is rounded: weighed again, the terms give the same price to the last bit, here
and in a browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from gswlab.core.nouns import JSON, Span, TraceEvent
from gswlab.gedig import PRICED
from gswlab.gedig.edit import Edit, Vertex
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.thresholds import Fixed, Thresholds, fire


def priced(
    price: Price,
    gauge: Gauge,
    thresholds: Thresholds,
    action: str,
    spans: tuple[Span, ...] = (),
    more: Mapping[str, JSON] | None = None,
) -> TraceEvent:
    """The event of a price, its gates as `thresholds` stand now."""
    best, fired, edit = price.terms[price.hop], fire(price, thresholds), price.edit
    data: dict[str, JSON] = {"g0": price.g0, "g_min": price.g_min, "hop": price.hop}
    data |= {"cost": best.cost, "gain": best.gain, "shorter": best.shorter}
    data["terms"] = tuple((t.cost, t.gain, t.shorter) for t in price.terms)
    data |= {"lam": gauge.lam, "gamma": gauge.gamma}
    data |= {"theta_ag": thresholds.ag, "theta_dg": thresholds.dg}
    data |= {"ag": fired.ag, "dg": fired.dg, "action": action}
    data["nodes"] = tuple(map(_plain, edit.nodes))
    for name, edges in (("edges", edit.edges), ("gone", edit.gone)):
        data[name] = tuple(tuple(map(_plain, edge)) for edge in edges)
    return TraceEvent(PRICED, data | dict(more or {}), spans)


def _plain(node: Vertex) -> JSON:
    """A cell of a maze as its numbers, anything else by its name."""
    return tuple(map(int, node)) if isinstance(node, tuple) else str(node)


@dataclass(frozen=True)
class Priced:
    """An event read back: `again` weighs its terms with another gauge."""

    terms: tuple[Terms, ...]
    lam: float
    gamma: float
    theta_ag: float | None
    theta_dg: float | None
    action: str
    data: Mapping[str, Any]

    @classmethod
    def of(cls, event: TraceEvent) -> Priced:
        """The price that an event tells of."""
        data: Mapping[str, Any] = event.data
        lam, gamma = float(data["lam"]), float(data["gamma"])
        ag, dg = (
            None if data[name] is None else float(data[name])
            for name in ("theta_ag", "theta_dg")
        )
        terms = tuple(Terms(*map(float, one)) for one in data["terms"])
        return cls(terms, lam, gamma, ag, dg, str(data["action"]), data)

    def again(self, gauge: Gauge) -> Price:
        """The price of the same edit by another weighing."""
        return gauge.price(Edit(), self.terms)

    @property
    def price(self) -> Price:
        """The price as it was."""
        return self.again(Gauge(lam=self.lam, gamma=self.gamma))

    @property
    def thresholds(self) -> Fixed:
        """The thresholds as they stood; one that was not asked lets nothing pass."""
        return Fixed(
            inf if self.theta_ag is None else self.theta_ag,
            -inf if self.theta_dg is None else self.theta_dg,
        )


def recorded_prices(events: Iterable[TraceEvent]) -> list[Priced]:
    """Those of some events that are prices."""
    return [Priced.of(event) for event in events if event.kind == PRICED]

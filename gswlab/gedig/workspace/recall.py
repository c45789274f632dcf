"""A gauge at a memory's recall: it goes on while the gauge says that it pays.

What would be handed over is gone through in its order. Taking one more item is an edit:
it costs its share of the token budget, and it tells something about which item holds
the answer. That is a posterior over the items by their nearness to the question; an
item taken joins those that are held, which leaves one thing fewer to doubt. The first
item is always taken: an answer rests on something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gswlab.core.budget import tokens_of
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import JSON, Evidence, Item, TraceEvent
from gswlab.gedig.edit import Edit
from gswlab.gedig.entropy import clearing
from gswlab.gedig.gauge import Gauge, Terms
from gswlab.gedig.record import priced
from gswlab.gedig.thresholds import Fixed, fire
from gswlab.models.vectors.embedder import Embedder, query_vector

SHARPNESS = 10.0  # of the posterior: a cosine of 0.1 more is e times as likely


@dataclass(frozen=True)
class RecallGauge:
    """A gauge as the gate of a recall (`memory=gsw_gauged`).

    DG decides: where it fires the next item is taken, else recall stops there.
    """

    embedder: Embedder | None = None
    gauge: Gauge = field(default_factory=lambda: Gauge(hops=0))
    gates: Fixed = field(default_factory=lambda: Fixed(0.0, 0.0))

    def passed(self, question: str, found: Evidence, budget: int) -> Evidence:
        """Evidence as far as it pays, the prices in its trace.

        Raises:
            GswlabError: there is no embedder to say how near an item is.
        """
        if len(found.items) < 2:
            return found
        if self.embedder is None:
            rule = "the gauge at recall weighs items by their meaning"
            raise GswlabError("memory=gsw_gauged has no embedder", rule, "memory=gsw")
        likely = posterior(question, found.items, self.embedder)
        taken, events = 1, list[TraceEvent]()
        for item in found.items[1:]:
            held, left = sum(likely[:taken]), list(likely[taken:])
            gain = clearing([held, *left], [held + left[0], *left[1:]])
            before, after = found.items[:taken], found.items[: taken + 1]
            cost = (tokens_of(after) - tokens_of(before)) / budget
            name = f"item {taken + 1}"
            edit = Edit((name,), (("question", name),))
            price = self.gauge.price(edit, [Terms(cost, gain, 0.0)])
            goes_on = fire(price, self.gates).dg
            more: dict[str, JSON] = {"gate": "dg", "labels": (item.text[:80],)}
            more["kept"] = goes_on
            action = "go on" if goes_on else "stop"
            event = priced(price, self.gauge, self.gates, action, item.spans, more)
            events.append(event)
            if not goes_on:
                break
            taken += 1
        items = found.items[:taken]
        tokens = found.tokens if taken == len(found.items) else tokens_of(items)
        return replace(found, items=items, tokens=tokens, trace=(*found.trace, *events))


def posterior(
    question: str, items: Sequence[Item], embedder: Embedder
) -> tuple[float, ...]:
    """How likely each item is to hold the answer, by its nearness to the question."""
    rows = embedder.embed([item.text for item in items])
    near = SHARPNESS * (rows @ query_vector(question, embedder))
    weights = np.exp(near - near.max())
    return tuple(map(float, weights / weights.sum()))

"""`gate=paper`: the loop of the paper's figure 1, as drawn and with its constants.

A round retrieves `width` passages and prices them all at once, as one edit of the
question's graph. Then

    g0 > theta_AG       retrieve again
    g_min <= theta_DG   answer
    neither             retrieve again

and a question that has had `rounds` more rounds answers, `forced`. lambda is 0.3, theta
0.5 and 0.3, hops 3 (the paper's text; its runs had others). The gain is the text's too,
less doubt, read off the posterior; its public code is `gate=released`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from gswlab.core.errors import checked
from gswlab.gedig.gates import Fired, Fixed, Thresholds, fire
from gswlab.gedig.gauge import PRESETS, Gauge, Price
from gswlab.gedig.reading import told
from gswlab.memory.gedig.episode import Decision, Episode


@dataclass
class FigureOne:
    """Retrieve, price, and retrieve again or answer."""

    gauge: Gauge = field(default_factory=lambda: PRESETS["paper"])
    thresholds: Thresholds = field(default_factory=lambda: Fixed(ag=0.5, dg=0.3))
    width: int = 5
    rounds: int = 3
    settled: float = 0.5

    def __post_init__(self) -> None:
        checked(self.width, Annotated[int, Field(ge=1)], "gate.width")
        checked(self.rounds, Annotated[int, Field(ge=0)], "gate.rounds")

    def decide(self, episode: Episode) -> Decision:
        """One round: bring in, price, decide."""
        rows = self.retrieved(episode)
        price = self.priced(episode, rows)
        fired = fire(price, self.thresholds)
        stand = Fixed(self.thresholds.ag, self.thresholds.dg)
        self.thresholds.seen(price)
        again, why = self.again(fired)
        if not again:
            return Decision("answer", rows, price, self.gauge, stand, why)
        if episode.step >= self.rounds or not rows:
            why = "no round is left" if rows else "nothing is left to retrieve"
            return Decision("answer", rows, price, self.gauge, stand, why, forced=True)
        return Decision("retrieve", rows, price, self.gauge, stand, why)

    def again(self, fired: Fired) -> tuple[bool, str]:
        """Whether to retrieve again, and which branch of the figure says so."""
        if fired.ag:
            return True, "AG: what came is dear"
        if fired.dg:
            return False, "DG: what is held is enough"
        return True, "neither gate fired"

    def retrieved(self, episode: Episode) -> tuple[int, ...]:
        """The likeliest passages of the list and of what links lead to."""
        seen = list(dict.fromkeys([*episode.listed(episode.seen), *episode.tied]))
        weights = episode.posterior(seen) if seen else ()
        ranked = sorted(range(len(seen)), key=lambda n: -weights[n])
        return tuple(seen[n] for n in ranked[: self.width])

    def priced(self, episode: Episode, rows: Sequence[int]) -> Price:
        """What a round costs and tells, as one edit."""
        others = [r for r in episode.listed(episode.seen) if r not in rows]
        support = episode.support([*rows, *others], self.settled)
        gain = told(support, support.bringing(range(len(rows))))
        return self.gauge(episode.graph, episode.edit(rows), gain, len(rows))

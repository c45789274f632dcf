"""Gates that decide passage by passage: ours, parts of it, and what it is held against.

All choose from the same two offers, the next passage of the first list and the
likeliest one that a link leads to. Ours reads the first list anew at every step, those
it is held against take it in its order.

- AG fires where the first is dear (g0 > theta_AG): links are looked along, and the
  cheaper of the two is the offer.
- DG fires where the offer is worth its price (g_min <= theta_DG): it is brought in.
  Where DG does not fire, nothing more is, and the question is answered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, Field

from gswlab.core.errors import checked
from gswlab.gedig.entropy import each, told
from gswlab.gedig.gauge import PRESETS, Gauge, Price, Terms
from gswlab.gedig.passages.episode import Decision, Episode
from gswlab.gedig.thresholds import Fired, Fixed, Online, Thresholds, fire
from gswlab.language.language import language_of
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import no_reply
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.text.chunks import titled

Reads = Literal["all", "similarity", "structure"]


@dataclass
class Gauged:
    """AG and DG on the gauge that reads.

    A passage costs its tokens, in halves of a mean one's; its gain is by how much it is
    clearer where support lies. At no hop the gauge reads the first list, by the cues
    that are open; at one hop what links lead to, knowing that they do.

    Args:
        gauge: weighs the terms; its hops and norm are not used.
        thresholds: of g0 for AG, of g_min for DG.
        reads: `similarity` has the cosine in the place of the gain, `structure` the
            number of ties and no text at all: what each part does by itself.
        settled: weight of what nobody asks, beside the posterior.
        least: passages brought in before DG may end it.
    """

    gauge: Gauge = field(default_factory=lambda: Gauge(lam=15.0, hops=1))
    thresholds: Thresholds = field(default_factory=lambda: Fixed(-1.0, 0.3))
    reads: Reads = "all"
    settled: float = 0.5
    least: int = 1

    def decide(self, episode: Episode) -> Decision:
        """The cheapest on offer, where it is worth its price."""
        rows = episode.listed(episode.seen)
        if not rows:
            return Decision("answer", reason="no room is left", forced=True)
        offers = [self._cheapest(episode, rows, links=False)]
        price = self._price(episode, offers)
        if fire(price, self.thresholds).ag and (tied := episode.tied):
            offers.append(self._cheapest(episode, tied, links=True))
            price = self._price(episode, offers)
        fired = fire(price, self.thresholds)
        # as they stand now: an online threshold moves on
        stand = Fixed(self.thresholds.ag, self.thresholds.dg)
        told_of = price, self.gauge, stand
        self.thresholds.seen(price)
        if not fired.dg and len(episode.held) >= self.least:
            return Decision("answer", (), *told_of, "nothing is worth its price")
        row = (offers[price.hop].row,)
        if price.hop:
            return Decision("follow", row, *told_of, "a link leads to what is cheaper")
        return Decision("take", row, *told_of, "the cheapest of the first list")

    def _price(self, episode: Episode, offers: Sequence[Offer]) -> Price:
        """A hop an offer: the first list lies at none, a link one further."""
        terms = tuple(offer.terms for offer in offers)
        series = tuple(self.gauge.weighed(each) for each in terms)
        best = series.index(min(series))
        edit = episode.edit((offers[best].row,), linked=best > 0)
        return Price(edit, terms, series)

    def _cheapest(self, episode: Episode, rows: Sequence[int], *, links: bool) -> Offer:
        """The offer of the lowest price among passages; of equals the first."""
        halves = 2 * episode.field.mean
        costs = [episode.field.tokens[row] / halves for row in rows]
        gains = self._gains(episode, rows, links=links)
        offers = [
            Offer(row, Terms(cost, gain, 0.0))
            for row, cost, gain in zip(rows, costs, gains, strict=True)
        ]
        return min(offers, key=lambda offer: self.gauge.weighed(offer.terms))

    def _gains(
        self, episode: Episode, rows: Sequence[int], *, links: bool
    ) -> Sequence[float]:
        if self.reads == "similarity":
            return [float(episode.sight.near[row]) for row in rows]
        if self.reads == "structure":
            kept = {*episode.held}
            ties = [len(kept & episode.field.tied(row).keys()) for row in rows]
            return [count / (1 + count) if links else 0.0 for count in ties]
        support = episode.support(rows, self.settled, links=links)
        return each(support)


class Offer(NamedTuple):
    """A passage that may be brought in, and what it costs and brings."""

    row: int
    terms: Terms


@dataclass
class Held(Online):
    """An online threshold that goes on from question to question of a run.

    It learns from every decision, in their order; a run that was interrupted learns
    anew from there.
    """

    SHARED: ClassVar = ("thresholds learn across questions", "gate=online")


_Rate = Annotated[float, Field(ge=0, le=1)]
_Count = Annotated[int, Field(ge=0)]


@dataclass
class Rounds:
    """A fixed number of rounds along links, then the first list to the end.

    The `width` best passages first, then `rounds` times as many by their links. None is
    `never`, more than there are passages `always`.
    """

    rounds: int = 1
    width: int = 1

    def __post_init__(self) -> None:
        checked(self.rounds, _Count, "gate.rounds")
        checked(self.width, Annotated[int, Field(ge=1)], "gate.width")

    def decide(self, episode: Episode) -> Decision:
        """By the number of passages held, whatever they say."""
        held = len(episode.held)
        due = self.width <= held < self.width * (1 + self.rounds)
        return either(episode, due, f"round {held // self.width}")


@dataclass
class Chance:
    """Looks along a link with a chance of `rate`, whatever was read.

    The draws depend on the seed and on the question alone.
    """

    rate: float = 0.45
    seed: int = 0

    def __post_init__(self) -> None:
        checked(self.rate, _Rate, "gate.rate")

    def decide(self, episode: Episode) -> Decision:
        """A draw for each decision after the first."""
        words = f"{self.seed} {' '.join(episode.sight.cues)}"
        key = hashlib.sha256(f"{words} {episode.step}".encode()).hexdigest()
        drawn = int(key[:8], 16) / 16**8
        return either(episode, drawn < self.rate, "drawn")


def either(episode: Episode, follow: bool, why: str) -> Decision:
    """The link, where there is one and it is wanted; else the first list's next."""
    spot = episode.spot
    if spot is None:
        return Decision("answer", reason="no room is left", forced=True)
    link = episode.link if follow and episode.held else None
    if link is None:
        return Decision("take", (spot,), reason=why)
    return Decision("follow", (link,), reason=why)


# `gate=paper`: the loop of the paper's figure 1, as drawn and with its constants.


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


# `gate=self`: a model is asked whether what is held is enough, and what is missing.

STAGE = "enough"
_LONGEST = 200  # tokens of a reply


class EnoughReply(BaseModel):
    """What is missing, and where to look for it."""

    missing: Annotated[str, Field(max_length=600)]
    next: Literal["answer", "link", "list"]


@dataclass
class Judged:
    """Reads on until `model` says that it is enough."""

    model: Model
    calls: int = 6

    def __post_init__(self) -> None:
        checked(self.calls, Annotated[int, Field(ge=1)], "gate.calls")

    def decide(self, episode: Episode) -> Decision:
        """The first passage unasked; then what the model says.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        if not episode.held:
            return either(episode, follow=False, why="nothing is held yet")
        if episode.step > self.calls:
            return Decision("answer", reason="no call is left", forced=True)
        try:
            said = self._asked(episode)
        except ModelError as failure:
            return either(episode, follow=False, why=no_reply(failure))
        if said.next == "answer":
            return Decision("answer", reason="the model misses nothing")
        return either(episode, said.next == "link", f"missing: {said.missing}")

    def _asked(self, episode: Episode) -> EnoughReply:
        question = episode.sight.question
        chunks = [episode.field.chunks[row] for row in episode.held]
        evidence = "\n\n".join(map(titled, chunks))
        words = prompt(STAGE, language_of(question))
        turns = words.turns(question=question, evidence=evidence)
        ask = Ask(turns, STAGE, schema=EnoughReply, max_tokens=_LONGEST)
        reply: EnoughReply = self.model.ask(ask).value
        return reply

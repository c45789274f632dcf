"""Gates that decide passage by passage: ours, parts of it, and what it is held against.

All choose from the same two offers, the next passage of the first list and the
likeliest one that a link leads to. Ours reads the first list anew at every step; those
it is held against do so with `order=again`, else take it in its order.

- AG fires where the first is dear (g0 > theta_AG): links are looked along, and the
  cheaper of the two is the offer.
- DG fires where the offer is worth its price (g_min <= theta_DG): it is brought in.
  Where DG does not fire, nothing more is, and the question is answered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import BaseModel, Field

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.errors import checked
from gswlab.core.nouns import Chunk
from gswlab.gedig.edit import Edit
from gswlab.gedig.entropy import support_gain, support_gains
from gswlab.gedig.gauge import PRESETS, Gauge, Price, Terms
from gswlab.gedig.passages.episode import GateDecision, Retrieval
from gswlab.gedig.thresholds import Fixed, Online, Thresholds, fire, judge
from gswlab.language.language import language_of
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import ask_size, no_reply
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.text.chunks import titled

_Count, _Positive = Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)]
ListOrder = Literal["first", "again"]
_Offer: TypeAlias = tuple[int, Terms]  # a passage, and what it costs and brings
_NO_ROOM = GateDecision("answer", reason="no room is left", forced=True)


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
    """

    gauge: Gauge = field(default_factory=lambda: Gauge(lam=15.0, hops=1))
    thresholds: Thresholds = field(default_factory=lambda: Fixed(-1.0, 0.3))
    reads: Literal["all", "similarity", "structure"] = "all"
    settled: float = 0.5

    def decide(self, episode: Retrieval) -> GateDecision:
        """The cheapest on offer, where it is worth its price."""
        rows = episode.listed(episode.seen)
        if not rows:
            return _NO_ROOM
        offers = [self._cheapest(episode, rows, links=False)]
        price = self._price(episode, offers)
        if fire(price, self.thresholds).ag and (tied := episode.tied):
            offers.append(self._cheapest(episode, tied, links=True))
            price = self._price(episode, offers)
        fired, stood = judge(price, self.thresholds)
        told_of = price, self.gauge, stood
        if not fired.dg and episode.held:
            return GateDecision("answer", (), *told_of, "nothing is worth its price")
        row, _ = offers[price.hop]
        if price.hop:
            why = "a link leads to what is cheaper"
            return GateDecision("follow", (row,), *told_of, why)
        return GateDecision("take", (row,), *told_of, "the cheapest of the first list")

    def _price(self, episode: Retrieval, offers: Sequence[_Offer]) -> Price:
        """A hop an offer: the first list lies at none, a link one further."""
        rows, terms = zip(*offers, strict=True)
        hop = self.gauge.price(Edit(), terms).hop
        return self.gauge.price(episode.edit((rows[hop],), linked=hop > 0), terms)

    def _cheapest(
        self, episode: Retrieval, rows: Sequence[int], *, links: bool
    ) -> _Offer:
        """The offer of the lowest price among passages; of equals the first."""
        gains: Sequence[float]
        if self.reads == "similarity":
            gains = [float(episode.sight.near[row]) for row in rows]
        elif self.reads == "structure":
            kept = {*episode.held}
            ties = [len(kept & episode.field.tied(row).keys()) for row in rows]
            gains = [count / (1 + count) if links else 0.0 for count in ties]
        else:
            gains = support_gains(episode.support(rows, self.settled, links=links))
        halves = 2 * episode.field.mean
        offers = [
            (row, Terms(episode.field.tokens[row] / halves, gain, 0.0))
            for row, gain in zip(rows, gains, strict=True)
        ]
        return min(offers, key=lambda offer: self.gauge.weighed(offer[1]))


@dataclass
class OnlineAcross(Online):
    """An online threshold that goes on from question to question of a run.

    It learns from every decision, in their order; a run that was interrupted learns
    anew from there.
    """

    SHARED: ClassVar = ("thresholds learn across questions", "gate=online")


@dataclass
class Rounds:
    """A fixed number of rounds along links, then the first list to the end.

    The `width` best passages first, then `rounds` times as many by their links. None is
    `never`, more than there are passages `always`.
    """

    rounds: int = 1
    width: int = 1
    order: ListOrder = "first"

    def __post_init__(self) -> None:
        checked(self.rounds, _Count, "gate.rounds")
        checked(self.width, _Positive, "gate.width")

    def decide(self, episode: Retrieval) -> GateDecision:
        """By the number of passages held, whatever they say."""
        held = len(episode.held)
        due = self.width <= held < self.width * (1 + self.rounds)
        return either(episode, due, f"round {held // self.width}", self.order)


@dataclass
class Chance:
    """Looks along a link with a chance of `rate`, whatever was read.

    The draws depend on the seed and on the question alone.
    """

    rate: float = 0.45
    seed: int = 0
    order: ListOrder = "first"

    def __post_init__(self) -> None:
        checked(self.rate, Annotated[float, Field(ge=0, le=1)], "gate.rate")

    def decide(self, episode: Retrieval) -> GateDecision:
        """A draw for each decision after the first."""
        words = f"{self.seed} {' '.join(episode.sight.cues)}"
        key = hashlib.sha256(f"{words} {episode.step}".encode()).hexdigest()
        drawn = int(key[:8], 16) / 16**8
        return either(episode, drawn < self.rate, "drawn", self.order)


def either(
    episode: Retrieval, follow: bool, why: str, order: ListOrder = "first"
) -> GateDecision:
    """The link, where there is one and it is wanted; else the first list's next.

    Read `again`, the next is the likeliest by what is held, its links left aside.
    """
    next_ = episode.listed(1 if order == "first" else episode.seen)
    if not next_:
        return _NO_ROOM
    if len(next_) > 1:
        next_ = [next_[int(np.argmax(episode.posterior(next_, links=False)))]]
    if follow and (tied := episode.tied):
        likeliest = tied[int(np.argmax(episode.posterior(tied)))]
        return GateDecision("follow", (likeliest,), reason=why)
    return GateDecision("take", (*next_,), reason=why)


# `gate=paper`: the loop of the paper's figure 1, as drawn and with its constants.


@dataclass
class FigureOne:
    """Retrieve, price, and retrieve again or answer."""

    gauge: Gauge = field(default_factory=lambda: PRESETS["paper"])
    thresholds: Thresholds = field(default_factory=lambda: Fixed(ag=0.5, dg=0.3))
    width: int = 5
    rounds: int = 3

    def __post_init__(self) -> None:
        checked(self.width, _Positive, "gate.width")
        checked(self.rounds, _Count, "gate.rounds")

    def decide(self, episode: Retrieval) -> GateDecision:
        """One round: bring in, price, decide."""
        # 1. the likeliest passages of the list and of what links lead to
        listed = episode.listed(episode.seen)
        seen = list(dict.fromkeys([*listed, *episode.tied]))
        weights = episode.posterior(seen) if seen else ()
        ranked = sorted(range(len(seen)), key=lambda n: -weights[n])
        rows = tuple(seen[n] for n in ranked[: self.width])
        # 2. what they cost and tell, as one edit
        others = [row for row in listed if row not in rows]
        support = episode.support([*rows, *others], settled=0.5)
        gain = support_gain(support, support.bringing(range(len(rows))))
        price = self.gauge(episode.graph, episode.edit(rows), gain, len(rows))
        # 3. which branch of the figure that is
        fired, stood = judge(price, self.thresholds)
        told_of = rows, price, self.gauge, stood
        if fired.dg and not fired.ag:
            return GateDecision("answer", *told_of, "DG: what is held is enough")
        if episode.step >= self.rounds or not rows:
            why = "no round is left" if rows else "nothing is left to retrieve"
            return GateDecision("answer", *told_of, why, forced=True)
        why = "AG: what came is dear" if fired.ag else "neither gate fired"
        return GateDecision("retrieve", *told_of, why)


# `gate=self`: a model is asked whether what is held is enough, and what is missing.


_REPLY, _ROOM = 200, 300  # tokens of a reply; of a question, at most about


class EnoughReply(BaseModel):
    """What is missing, and where to look for it."""

    missing: Annotated[str, Field(max_length=600)]
    next: Literal["answer", "link", "list"]


@dataclass
class ModelGate:
    """Reads on until `model` says that it is enough."""

    model: Model
    calls: int = 6

    def __post_init__(self) -> None:
        checked(self.calls, _Positive, "gate.calls")

    def decide(self, episode: Retrieval) -> GateDecision:
        """The first passage unasked; then what the model says.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        if not episode.held:
            return either(episode, follow=False, why="nothing is held yet")
        if episode.step > self.calls:
            return GateDecision("answer", reason="no call is left", forced=True)
        question = episode.sight.question
        chunks = episode.field.chunks
        evidence = "\n\n".join(titled(chunks[row]) for row in episode.held)
        words = prompt("enough", language_of(question))
        turns = words.turns(question=question, evidence=evidence)
        ask = Ask(turns, "enough", schema=EnoughReply, max_tokens=_REPLY)
        try:
            said: EnoughReply = self.model.ask(ask).value
        except ModelError as failure:
            return either(episode, follow=False, why=no_reply(failure))
        if said.next == "answer":
            return GateDecision("answer", reason="the model misses nothing")
        return either(episode, said.next == "link", f"missing: {said.missing}")

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that asking costs: all calls of all questions, in a full window."""
        read = ask_size("enough", EnoughReply) + _ROOM + budget
        return self.model.most(questions * self.calls, read, _REPLY)

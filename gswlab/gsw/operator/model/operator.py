"""The operator that asks a model (arXiv 2511.07587, section 3 and its appendix).

Three stages a chunk: where the passage stands in its chapter; who is in it, what they
do and what is left open; who shares a place or a time. All announced chunks are asked
at once, stage by stage; what a chunk becomes depends on it, its chapter and the
settings. `grounding` keeps what the passage has the words of; the rest is an event of
the step, and so is a stage that fails: without the operator's reply a map is empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import get_args

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model import stages
from gswlab.gsw.operator.model.grounding import GroundedReply
from gswlab.gsw.operator.model.map import mapped
from gswlab.gsw.operator.model.stages import (
    ContextReply,
    CouplingReply,
    OperatorReply,
    PromptVariant,
    StageAsk,
    StageOutcome,
)
from gswlab.models.model import Model

_Asks = Mapping[Chunk, StageAsk | None]


@dataclass
class LLMOperator:
    """Text to `LocalMap` by a model's reading, held to the words of the text.

    `variant` is `episodic`, for what happens, or `factual`, for what is so (an
    encyclopaedia). Without `context` the operator reads a chunk by itself; without
    `coupling` nobody shares a place or time but by a verb phrase.

    >>> LLMOperator(Model(model="some-model"), coupling=False).variant
    'episodic'
    """

    model: Model
    variant: PromptVariant = "episodic"
    context: bool = True
    coupling: bool = True
    _documents: dict[str, Document] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _ready: dict[Chunk, dict[str, StageOutcome]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.variant not in get_args(PromptVariant):
            rule = " or ".join(get_args(PromptVariant))
            command = "python -m gswlab run operator.variant=episodic"
            raise GswlabError(f"operator.variant is {self.variant!r}", rule, command)

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Ask all that these chunks need, many at a time.

        Raises:
            StoppedError: the budget is spent; what came before is in the cassette.
        """
        self._documents[document.id] = document
        self._ready |= self.ask([c for c in chunks if c not in self._ready])

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The map of one chunk; relative days count from the workspace's last."""
        made = self._ready.get(chunk) or self.ask([chunk])[chunk]
        events = tuple(chain(*(a.events for a in made.values())))
        reply = made["operator"].value(OperatorReply)
        if reply is None:
            return LocalMap(chunk.id, events=events)
        groups = made["coupling"].value(CouplingReply) if "coupling" in made else None
        told = mapped(chunk, workspace, reply, groups.groups if groups else ())
        return replace(told, events=(*events, *told.events))

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        abouts, reading, coupling = self._foreseen(document, chunks)
        cost = self.model.estimate(asking.ask for asking in abouts or reading)
        if abouts:
            read = stages.longest(reading) + stages.CONTEXT
            cost = cost.plus(self.model.most(len(chunks), read))
        # the actors listed are of a reply, so no more than its tokens
        read = stages.longest(coupling) + self.model.max_tokens
        return cost.plus(self.model.most(len(coupling), read, stages.COUPLING))

    def likely(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """What reading costs if all of it is as some of it is."""
        some = stages.sample(chunks)
        asks = chain(*self._foreseen(document, some))
        share = len(chunks) / max(len(some), 1)
        return self.model.likely(each.ask for each in asks).times(share)

    def _foreseen(
        self, document: Document, chunks: Sequence[Chunk]
    ) -> tuple[list[StageAsk], list[StageAsk], list[StageAsk]]:
        """What these chunks are asked by stage, as far as no reply is needed for it."""
        self._documents[document.id] = document
        reading = [stages.operator_ask(chunk, self.variant, None) for chunk in chunks]
        coupling = [stages.coupling_ask(chunk, ()) for chunk in chunks if self.coupling]
        return [*filter(None, map(self._about, chunks))], reading, coupling

    def ask(self, chunks: Sequence[Chunk]) -> dict[Chunk, dict[str, StageOutcome]]:
        """What each stage asked of each chunk, and the reply: all chunks at once."""
        abouts = asked(self.model, {c: self._about(c) for c in chunks})
        known = {c: a.value(ContextReply) for c, a in abouts.items()}
        asks = {c: stages.operator_ask(c, self.variant, known.get(c)) for c in chunks}
        replies = asked(self.model, asks)
        groups = asked(self.model, {c: self._together(c, replies[c]) for c in chunks})
        made = {"context": abouts, "operator": replies, "coupling": groups}
        return {c: {s: of[c] for s, of in made.items() if c in of} for c in chunks}

    def _about(self, chunk: Chunk) -> StageAsk | None:
        """Where a chunk stands, asked where its chapter is known."""
        document = self._documents.get(chunk.document) if self.context else None
        return stages.context_ask(chunk, document) if document else None

    def _together(self, chunk: Chunk, reply: StageOutcome) -> StageAsk | None:
        """Who shares what, asked of two actors of the passage or more."""
        said = reply.value(OperatorReply) if self.coupling else None
        known = GroundedReply(said, chunk).ids if said else {}
        actors = [a for a in said.actors if a.id in known] if said else []
        return stages.coupling_ask(chunk, actors) if len(actors) > 1 else None


def asked(model: Model, asks: _Asks) -> dict[Chunk, StageOutcome]:
    """The outcomes of asks by their chunks, many at a time."""
    wanted = {chunk: asking for chunk, asking in asks.items() if asking}
    outcomes = model.ask_all(asking.ask for asking in wanted.values())
    pairs = zip(wanted.items(), outcomes, strict=True)
    return {c: StageOutcome(asking, said, model) for (c, asking), said in pairs}

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
from gswlab.core.nouns import Chunk, LocalMap, TraceEvent
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model import stages
from gswlab.gsw.operator.model.grounding import ground
from gswlab.gsw.operator.model.map import (
    Phrases,
    add_dates,
    cast_of,
    links_of,
    shared_votes,
)
from gswlab.gsw.operator.model.stages import (
    ContextReply,
    CouplingReply,
    GroupReply,
    OperatorReply,
    PromptVariant,
    StageAsk,
    StageOutcome,
)
from gswlab.gsw.operator.parse import parse
from gswlab.gsw.operator.questions import find_questions
from gswlab.gsw.operator.roles import add_effects
from gswlab.gsw.operator.rules import SpacyOperator, rules_of
from gswlab.language.dates.basis import basis
from gswlab.models.model import Model


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

    def rehearsing(self) -> LLMOperator:
        """One with the same replies at hand, to be read once more from this one."""
        twin = replace(self)
        twin._documents, twin._ready = self._documents, dict(self._ready)
        return twin

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The map of one chunk; relative days count from the workspace's last."""
        made = self._ready.pop(chunk, None) or self.ask([chunk])[chunk]
        events = tuple(chain(*(a.events(self.model) for a in made.values())))
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
        self._documents[document.id] = document
        abouts = list(filter(None, map(self._about, chunks)))
        reading = [stages.operator_ask(chunk, self.variant, None) for chunk in chunks]
        cost = self.model.estimate(asking.ask for asking in abouts or reading)
        if abouts:
            read = stages.longest(reading) + stages.CONTEXT
            cost = cost.plus(self.model.most(len(chunks), read))
        coupling = [stages.coupling_ask(chunk, ()) for chunk in chunks if self.coupling]
        # the actors listed are of a reply, so no more than its tokens
        read = stages.longest(coupling) + self.model.max_tokens
        return cost.plus(self.model.most(len(coupling), read, stages.COUPLING))

    def likely(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """What reading costs if in some of it there are the actors that rules find."""
        self._documents[document.id] = document
        asks: list[StageAsk | None] = []
        some, reads = stages.sample(chunks), SpacyOperator()
        for chunk in some:
            about = self._about(chunk)
            known = ContextReply(context=chunk.text[:150], situation="")
            asks += [about, stages.operator_ask(chunk, self.variant, about and known)]
            actors = reads.extract(chunk, Workspace()).actors if self.coupling else ()
            cast = [stages.named_actor(a.id, a.kind, a.name) for a in actors]
            asks += [stages.coupling_ask(chunk, cast)] if len(cast) > 1 else []
        share = len(chunks) / max(len(some), 1)
        return self.model.likely(a.ask for a in asks if a).times(share)

    def ask(self, chunks: Sequence[Chunk]) -> dict[Chunk, dict[str, StageOutcome]]:
        """What each stage asked of each chunk, and the reply: all chunks at once."""
        abouts = self._asked({c: self._about(c) for c in chunks})
        known = {c: a.value(ContextReply) for c, a in abouts.items()}
        asks = {c: stages.operator_ask(c, self.variant, known.get(c)) for c in chunks}
        replies = self._asked(asks)
        groups = self._asked({c: self._together(c, replies[c]) for c in chunks})
        made = {"context": abouts, "operator": replies, "coupling": groups}
        return {c: {s: of[c] for s, of in made.items() if c in of} for c in chunks}

    def _about(self, chunk: Chunk) -> StageAsk | None:
        """Where a chunk stands, asked where its chapter is known."""
        document = self._documents.get(chunk.document) if self.context else None
        return stages.context_ask(chunk, document) if document else None

    def _together(self, chunk: Chunk, reply: StageOutcome) -> StageAsk | None:
        """Who shares what, asked of two actors of the passage or more."""
        said = reply.value(OperatorReply) if self.coupling else None
        known = ground(said, chunk.text).ids if said else {}
        actors = [a for a in said.actors if a.id in known] if said else []
        return stages.coupling_ask(chunk, actors) if len(actors) > 1 else None

    def _asked(
        self, asks: Mapping[Chunk, StageAsk | None]
    ) -> dict[Chunk, StageOutcome]:
        wanted = {chunk: asking for chunk, asking in asks.items() if asking}
        outcomes = self.model.ask_all(asking.ask for asking in wanted.values())
        pairs = zip(wanted.items(), outcomes, strict=True)
        return {c: StageOutcome(asking, said) for (c, asking), said in pairs}


def mapped(
    chunk: Chunk,
    workspace: Workspace,
    reply: OperatorReply,
    groups: Sequence[GroupReply] = (),
) -> LocalMap:
    """A reply as a map of its chunk; what the chunk does not say is an event.

    The rules are its floor: dates that it leaves out, what verbs do to whom, and what
    they make a reader expect are there as in a map that no model has drawn.
    """
    parsed = parse(chunk, basis(chunk, workspace))
    rules, found = rules_of(parsed.language), ground(reply, chunk.text)
    cast = cast_of(parsed, found, rules.is_name)
    add_dates(cast)
    told = Phrases(cast, found, reply.verb_phrases)
    phrases = tuple(
        phrase if phrase.implied else add_effects(cast, (), [phrase])[0]
        for phrase in told.phrases
    )
    expected = (q for q in find_questions(cast, phrases) if q.predicted)
    first = len(told.questions) + 1
    later = (replace(q, id=f"q{n}") for n, q in enumerate(expected, first))
    read = len(found.refused)
    links = tuple(links_of(cast, found, groups))
    refused = {"operator": found.refused[:read], "coupling": found.refused[read:]}
    return LocalMap(
        chunk=chunk.id,
        actors=cast.actors(),
        verb_phrases=phrases,
        questions=(*told.questions.values(), *later),
        links=links,
        relations=tuple(told.relations()),
        apart=told.apart(),
        votes=(*rules.votes(parsed, cast), *shared_votes(links)),
        terms=rules.terms(parsed, cast),
        events=tuple(
            TraceEvent("refused", {"stage": stage, "errors": tuple(errors)})
            for stage, errors in refused.items()
            if errors
        ),
    )

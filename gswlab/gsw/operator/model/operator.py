"""The operators that ask a model (arXiv 2511.07587, section 3 and its appendix).

Three stages a chunk, all announced chunks at once: where the passage stands in its
chapter; who is in it, what they do and what is left open; who shares a place or a time.
What the passage has no words for is an event of the step, and so is a stage that fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from gswlab.core.budget import count_tokens
from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.errors import checked
from gswlab.core.nouns import Chunk, LocalMap, Vote
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model import stages
from gswlab.gsw.operator.model.map import mapped
from gswlab.gsw.operator.model.stages import HeldPassage, find_words
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.models.ask_trace import Asking, HeardReply, ask_size, hear
from gswlab.models.model import Model

_NAMED = 1.0  # weight of words that name a kind
_SAID = 3.0  # weight of a kind that a model gives: more than one label of the text


@dataclass
class LLMOperator:
    """Text to `LocalMap` by a model's reading, held to the words of the text.

    `variant` is `episodic`, for what happens, or `factual`, for what is so (an
    encyclopaedia). Without `context` the operator reads a chunk by itself; without
    `coupling` nobody shares a place or time but by a verb phrase.
    """

    model: Model
    variant: stages.PromptVariant = "episodic"
    context: bool = True
    coupling: bool = True

    def __post_init__(self) -> None:
        checked(self.variant, stages.PromptVariant, "operator.variant")
        self._documents = dict[str, Document]()
        self._ready = dict[Chunk, list[HeardReply]]()

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Ask all that these chunks need, many at a time."""
        self._documents[document.id] = document
        self._ready |= self._ask([c for c in chunks if c not in self._ready])

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The map of one chunk; relative days count from the workspace's last."""
        made = self._ready.get(chunk) or self._ask([chunk])[chunk]
        events = tuple(event for heard in made for event in heard.events)
        reply = next(filter(None, (h.value(stages.OperatorReply) for h in made)), None)
        if reply is None:
            return LocalMap(chunk.id, events=events)
        coupled = filter(None, (heard.value(stages.CouplingReply) for heard in made))
        groups = [group for each in coupled for group in each.groups]
        told = mapped(chunk, workspace, reply, groups)
        return replace(told, events=(*events, *told.events))

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        self._documents[document.id] = document
        most = partial(stages.most, self.model, chunks)
        about = [*filter(None, map(self._about, chunks))]
        first = about or [stages.operator_ask(c, self.variant, None) for c in chunks]
        cost = self.model.estimate(asking.ask for asking in first)
        if about:
            asked = ask_size(f"operator_{self.variant}", stages.OperatorReply)
            cost = cost.plus(most(asked + stages.CONTEXT))
        if self.coupling:  # the actors listed are of a reply, no more than its tokens
            asked = ask_size("spacetime", stages.CouplingReply) + self.model.max_tokens
            cost = cost.plus(most(asked, stages.COUPLING))
        return cost

    def _ask(self, chunks: Sequence[Chunk]) -> dict[Chunk, list[HeardReply]]:
        """What each stage asked of each chunk, and the reply: all chunks at once."""
        abouts = hear(self.model, {c: self._about(c) for c in chunks})
        known = {c: a.value(stages.ContextReply) for c, a in abouts.items()}
        asks = {c: stages.operator_ask(c, self.variant, known.get(c)) for c in chunks}
        replies = hear(self.model, asks)
        groups = hear(self.model, {c: self._together(c, replies[c]) for c in chunks})
        made = abouts, replies, groups
        return {c: [of[c] for of in made if c in of] for c in chunks}

    def _about(self, chunk: Chunk) -> Asking | None:
        """Where a chunk stands, asked where its chapter is known, and more than it."""
        document = self._documents.get(chunk.document) if self.context else None
        around = stages.chapter_around(chunk, document) if document else ()
        if not "".join(around).strip():
            return None
        shown = {"chapter": chunk.text.join(around), "passage": chunk.text}
        asked = "context", chunk, stages.ContextReply, stages.CONTEXT
        return stages.ask(*asked, **shown)

    def _together(self, chunk: Chunk, reply: HeardReply) -> Asking | None:
        """Who shares a place or a time, asked of two actors of the passage or more."""
        said = reply.value(stages.OperatorReply) if self.coupling else None
        held, lines = HeldPassage(chunk), list[str]()
        for actor in said.actors if said else ():
            if any(map(held.places, (actor.name, *actor.mentions))):
                pairs = ((r.role, ", ".join(r.states)) for r in actor.roles)
                told = filter(None, (": ".join(filter(None, pair)) for pair in pairs))
                line = f"{actor.id} {actor.name} ({actor.kind}) {'; '.join(told)}"
                lines.append(" ".join(line.split()))
        shown = {"actors": "\n".join(lines), "passage": chunk.text}
        asked = "coupling", chunk, stages.CouplingReply, stages.COUPLING
        return stages.ask(*asked, **shown) if len(lines) > 1 else None


@dataclass(frozen=True)
class RulesThenLLMOperator(SpacyOperator):
    """Rules, and a model's word on the kind of a chapter whose words name none."""

    model: Model = field(kw_only=True)
    _named: set[tuple[str, int | None]] = field(default_factory=set, init=False)
    _said: dict[Chunk, HeardReply] = field(default_factory=dict, init=False)

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Ask of the chapters that end here without a name for their kind, at once."""
        super().prepare(document, chunks)
        asks = dict[Chunk, Asking]()
        for chunk in chunks:
            votes = super().extract(chunk, Workspace()).votes
            chapter = chunk.document, chunk.chapter
            if any(v.field == "kind" and v.weight >= _NAMED for v in votes):
                self._named.add(chapter)
            around = stages.chapter_around(chunk, document)
            if chapter not in self._named and not around[1].strip():
                asked = "occasion", chunk, stages.OccasionReply, stages.CONTEXT
                asks[chunk] = stages.ask(*asked, chapter=chunk.text.join(around))
        self._said.update(hear(self.model, asks))

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The rules' map of a chunk, and a model's word on the kind as a vote."""
        local, heard = super().extract(chunk, workspace), self._said.get(chunk)
        if heard is None:
            return local
        votes, heard.refused, said = local.votes, [], heard.value(stages.OccasionReply)
        if said and (kind := said.kind.strip().lower()):
            shown = str(heard.asking.ask.messages[-1]["content"])
            if find_words(shown, said.quote):
                spans = tuple(HeldPassage(chunk).places(said.quote)[:1])
                why = f"inferred: {self.model.model} reads it off {said.quote!r}"
                votes = (*votes, Vote("kind", kind, _SAID, why, spans))
            else:
                heard.refused.append(f"quote: {said.quote!r} is not in the chapter")
        return replace(local, votes=votes, events=(*local.events, *heard.events))

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost: a call a chapter."""
        ends = list({chunk.chapter: chunk for chunk in chunks}.values())
        around = ("".join(stages.chapter_around(end, document)) for end in ends)
        longest = max(map(count_tokens, around), default=0)
        asked = ask_size("occasion", stages.OccasionReply) + longest
        return stages.most(self.model, ends, asked, stages.CONTEXT)

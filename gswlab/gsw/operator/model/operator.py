"""The operators that ask a model (arXiv 2511.07587, section 3 and its appendix).

Three stages a chunk: where the passage stands in its chapter; who is in it, what they
do and what is left open; who shares a place or a time. All announced chunks are asked
at once, stage by stage; what a chunk becomes depends on it, its chapter and the
settings. `map` keeps what the passage has the words of; the rest is an event of
the step, and so is a stage that fails: without the operator's reply a map is empty.

Another lets rules read, and a model is asked of what they are unsure of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from operator import attrgetter
from typing import Annotated, TypeAlias

from pydantic import Field

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.errors import checked
from gswlab.core.nouns import Chunk, LocalMap, Vote
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model import stages
from gswlab.gsw.operator.model.grounding import HeldPassage, find_words
from gswlab.gsw.operator.model.map import mapped
from gswlab.gsw.operator.model.stages import (
    ContextReply,
    CouplingReply,
    OccasionReply,
    OperatorReply,
    PromptVariant,
)
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.models.ask_trace import Asking, HeardReply, hear
from gswlab.models.model import Model


@dataclass
class LLMOperator:
    """Text to `LocalMap` by a model's reading, held to the words of the text.

    `variant` is `episodic`, for what happens, or `factual`, for what is so (an
    encyclopaedia). Without `context` the operator reads a chunk by itself; without
    `coupling` nobody shares a place or time but by a verb phrase.
    """

    model: Model
    variant: PromptVariant = "episodic"
    context: bool = True
    coupling: bool = True

    def __post_init__(self) -> None:
        checked(self.variant, PromptVariant, "operator.variant")
        self._documents = dict[str, Document]()
        self._ready = dict[Chunk, dict[str, HeardReply]]()

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
        return _read(chunk, workspace, made)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        self._documents[document.id] = document
        first = [*filter(None, map(self._about, chunks))]
        reading = [stages.operator_ask(chunk, self.variant, None) for chunk in chunks]
        cost = self.model.estimate(asking.ask for asking in first or reading)
        if first:
            read = stages.longest(f"operator_{self.variant}", OperatorReply, chunks)
            cost = cost.plus(self.model.most(len(chunks), read + stages.CONTEXT))
        # the actors listed are of a reply, so no more than its tokens
        read = stages.longest("spacetime", CouplingReply, chunks)
        each = read + self.model.max_tokens, stages.COUPLING
        return cost.plus(self.model.most(len(chunks) * self.coupling, *each))

    def ask(self, chunks: Sequence[Chunk]) -> dict[Chunk, dict[str, HeardReply]]:
        """What each stage asked of each chunk, and the reply: all chunks at once."""
        abouts = hear(self.model, {c: self._about(c) for c in chunks})
        known = {c: a.value(ContextReply) for c, a in abouts.items()}
        asks = {c: stages.operator_ask(c, self.variant, known.get(c)) for c in chunks}
        replies = hear(self.model, asks)
        groups = hear(self.model, {c: self._together(c, replies[c]) for c in chunks})
        made = {"context": abouts, "operator": replies, "coupling": groups}
        return {c: {s: of[c] for s, of in made.items() if c in of} for c in chunks}

    def _about(self, chunk: Chunk) -> Asking | None:
        """Where a chunk stands, asked where its chapter is known."""
        document = self._documents.get(chunk.document) if self.context else None
        around = stages.chapter_around(chunk, document) if document else ""
        if not around.replace(chunk.text, "").strip():  # the chunk is all there is
            return None
        shown = {"chapter": around, "passage": chunk.text}
        return stages.stage_ask("context", chunk, ContextReply, shown, stages.CONTEXT)

    def _together(self, chunk: Chunk, reply: HeardReply) -> Asking | None:
        """Who shares what, asked of two actors of the passage or more."""
        said = reply.value(OperatorReply) if self.coupling else None
        every, held = said.actors if said else [], HeldPassage(chunk)
        known = [a for a in every if any(map(held.places, (a.name, *a.mentions)))]
        return stages.coupling_ask(chunk, known) if len(known) > 1 else None


def _read(
    chunk: Chunk, workspace: Workspace, made: Mapping[str, HeardReply]
) -> LocalMap:
    """What came of the stages of a chunk, by their names, as its map."""
    events = tuple(chain(*(outcome.events for outcome in made.values())))
    reply = made["operator"].value(OperatorReply)
    if reply is None:
        return LocalMap(chunk.id, events=events)
    groups = made["coupling"].value(CouplingReply) if "coupling" in made else None
    told = mapped(chunk, workspace, reply, groups.groups if groups else ())
    return replace(told, events=(*events, *told.events))


_UNNAMED = 4.0  # worth of a kind that no words name, in people without a name
_NAMED = 1.0  # weight of words that name a kind
_SAID = 3.0  # weight of a kind that a model gives: more than one label of the text


_Doubt: TypeAlias = tuple[float, tuple[Chunk, str], Asking]


@dataclass
class RulesThenLLMOperator:
    """Rules, and a model's help where they doubt, at most `calls` times a chapter."""

    model: Model
    calls: int = 1
    parses: str | None = field(default=None, repr=False, metadata={"path": True})

    def __post_init__(self) -> None:
        checked(self.calls, Annotated[int, Field(ge=0)], "operator.calls")
        self._rules = SpacyOperator(self.parses)
        self._said = dict[tuple[Chunk, str], HeardReply]()
        self._spent = Counter[tuple[str, int | None]]()

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Choose what to ask of these chunks, and ask it, all at once.

        Raises:
            StoppedError: the budget is spent; what came before is in the cassette.
        """
        chosen = dict[tuple[Chunk, str], Asking]()
        for key, own in groupby(chunks, attrgetter("document", "chapter")):
            doubts = sorted(self._doubts(document, [*own]), key=lambda d: -d[0])
            best = doubts[: self.calls - self._spent[key]]
            self._spent[key] += len(best)
            chosen |= {what: asking for _, what, asking in best}
        self._said |= hear(self.model, chosen)

    def _doubts(self, document: Document, chunks: Sequence[Chunk]) -> Iterator[_Doubt]:
        """What of a chapter rules are unsure of: how much is in doubt, and the ask."""
        maps = [self._rules.extract(chunk, Workspace()) for chunk in chunks]
        for chunk, local in zip(chunks, maps, strict=True):
            # people who go unnamed, and verbs that have nobody
            people = [a for a in local.actors if a.kind == "person"]
            worth = sum(all(m.form == "pronoun" for m in a.mentions) for a in people)
            told = local.verb_phrases
            worth += sum(not any(a.actor for a in v.arguments) for v in told)
            if worth:
                asking = stages.operator_ask(chunk, "episodic", None)
                yield worth, (chunk, "operator"), asking
        votes = (vote for local in maps for vote in local.votes)
        named = any(v.field == "kind" and v.weight >= _NAMED for v in votes)
        last, end = chunks[-1], stages.chapter_of(chunks[-1], document).end
        if not named and not document.text[last.span.end : end].strip():
            shown = {"chapter": stages.chapter_around(last, document)}
            asked_of = "occasion", last, OccasionReply, shown, stages.CONTEXT
            yield _UNNAMED, (last, "occasion"), stages.stage_ask(*asked_of)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The rules' map of a chunk, or a model's over it, and its word on the kind."""
        local = self._rules.extract(chunk, workspace)
        if outcome := self._said.get((chunk, "operator")):
            told = _read(chunk, workspace, {"operator": outcome})
            local = told if told.actors else replace(local, events=told.events)
        if outcome := self._said.get((chunk, "occasion")):
            votes = tuple(self._votes(chunk, outcome))
            events = (*local.events, *outcome.events)
            local = replace(local, votes=(*local.votes, *votes), events=events)
        return local

    def _votes(self, chunk: Chunk, outcome: HeardReply) -> Iterator[Vote]:
        """A kind as a vote, inferred; of the words that show it, if they are here."""
        said, outcome.refused = outcome.value(OccasionReply), []
        if not said or not (kind := said.kind.strip().lower()):
            return
        held = HeldPassage(chunk, outcome.refused)
        if not find_words(str(outcome.asking.ask.messages[-1]["content"]), said.quote):
            held.refuse("quote", f"{said.quote!r} is not in the chapter")
            return
        spans = tuple(held.places(said.quote)[:1])
        reason = f"inferred: {self.model.model} reads it off {said.quote!r}"
        yield Vote("kind", kind, _SAID, reason, spans)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost: all calls of each chapter."""
        chapters = len({chunk.chapter for chunk in chunks})
        read = stages.longest("operator_episodic", OperatorReply, chunks)
        read += stages.CHAPTER
        return self.model.most(min(chapters * self.calls, 2 * len(chunks)), read)

"""Rules read, and a model is asked of what they are unsure of, the best of it first.

Two things are asked: the kind of event of a chapter that names none, and a reading of
a chunk in which people go unnamed or things are done by nobody. A chapter has so many
`calls`: they go where most is in doubt of what was announced. What a model says of the
kind is one more vote; its reading of a chunk has the rules as its floor, and a failed
ask leaves the rules' map as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Annotated, NamedTuple

from pydantic import Field

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.errors import checked
from gswlab.core.nouns import Chunk, LocalMap, Span, Vote
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model import stages
from gswlab.gsw.operator.model.grounding import find_words
from gswlab.gsw.operator.model.operator import LLMOperator, asked
from gswlab.gsw.operator.model.stages import OccasionReply, StageOutcome, occasion_ask
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.models.model import Model

_UNNAMED = 4.0  # worth of a kind that no words name, in people without a name
_NAMED = 1.0  # weight of words that name a kind
_SAID = 3.0  # weight of a kind that a model gives: more than one label of the text


class Doubt(NamedTuple):
    """How much is in doubt, of which chunk, and whether it is the chapter's kind."""

    worth: float
    chunk: Chunk
    kind: bool


@dataclass
class RulesThenLLMOperator:
    """Rules, and a model's help where they doubt, at most `calls` times a chapter.

    >>> RulesThenLLMOperator(Model(model="some-model"), calls=2).calls
    2
    """

    model: Model
    calls: int = 1
    parses: str | None = field(default=None, repr=False, metadata={"path": True})

    def __post_init__(self) -> None:
        checked(self.calls, Annotated[int, Field(ge=0)], "operator.calls")
        self._rules = SpacyOperator(self.parses)
        self._reads = LLMOperator(self.model, context=False, coupling=False)
        self._doubted, self._kinds = set[Chunk](), dict[Chunk, StageOutcome]()
        self._spent = Counter[tuple[str, int | None]]()

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Choose what to ask of these chunks, and ask it, all at once.

        Raises:
            StoppedError: the budget is spent; what came before is in the cassette.
        """
        chosen: list[Doubt] = []
        for key, own in groupby(chunks, attrgetter("document", "chapter")):
            doubts = sorted(self._doubts(document, [*own]), key=lambda d: -d.worth)
            best = doubts[: self.calls - self._spent[key]]
            self._spent[key] += len(best)
            chosen += best
        kinds = {d.chunk: occasion_ask(d.chunk, document) for d in chosen if d.kind}
        self._kinds |= asked(self.model, kinds)
        reads = [doubt.chunk for doubt in chosen if not doubt.kind]
        self._doubted |= set(reads)
        self._reads.prepare(document, reads)

    def _doubts(self, document: Document, chunks: Sequence[Chunk]) -> Iterator[Doubt]:
        """What of a chapter rules are unsure of."""
        maps = [self._rules.extract(chunk, Workspace()) for chunk in chunks]
        for chunk, local in zip(chunks, maps, strict=True):
            if worth := unsure(local):
                yield Doubt(worth, chunk, kind=False)
        votes = (vote for local in maps for vote in local.votes)
        named = any(v.field == "kind" and v.weight >= _NAMED for v in votes)
        if stages.ends_chapter(chunks[-1], document) and not named:
            yield Doubt(_UNNAMED, chunks[-1], kind=True)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The rules' map of a chunk, or a model's over it, and its word on the kind."""
        local = self._rules.extract(chunk, workspace)
        if chunk in self._doubted:
            told = self._reads.extract(chunk, workspace)
            local = told if told.actors else replace(local, events=told.events)
        if outcome := self._kinds.get(chunk):
            votes = tuple(self._votes(chunk, outcome))
            events = (*local.events, *outcome.events)
            local = replace(local, votes=(*local.votes, *votes), events=events)
        return local

    def _votes(self, chunk: Chunk, outcome: StageOutcome) -> Iterator[Vote]:
        """A kind as a vote, inferred; of the words that show it, if they are here."""
        said, outcome.refused = outcome.value(OccasionReply), []
        if not said or not (kind := said.kind.strip().lower()):
            return
        if not find_words(str(outcome.asking.ask.messages[-1]["content"]), said.quote):
            outcome.refuse("quote", f"{said.quote!r} is not in the chapter")
            return
        at, places = chunk.span.start, find_words(chunk.text, said.quote)[:1]
        spans = tuple(Span(chunk.document, at + a, at + b) for a, b in places)
        reason = f"inferred: {self.model.model} reads it off {said.quote!r}"
        yield Vote("kind", kind, _SAID, reason, spans)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost: all calls of each chapter."""
        chapters = len({chunk.chapter for chunk in chunks})
        reading = [stages.operator_ask(chunk, "episodic", None) for chunk in chunks]
        reading += [occasion_ask(chunk, document) for chunk in chunks[:1]]
        read = stages.longest(reading) + stages.CHAPTER
        return self.model.most(min(chapters * self.calls, 2 * len(chunks)), read)


def unsure(local: LocalMap) -> float:
    """How many people of a map go unnamed, and how many verbs have nobody.

    >>> unsure(LocalMap("c"))
    0.0
    """
    people = [a for a in local.actors if a.kind == "person"]
    unnamed = sum(all(m.form == "pronoun" for m in a.mentions) for a in people)
    alone = sum(not any(a.actor for a in v.arguments) for v in local.verb_phrases)
    return float(unnamed + alone)

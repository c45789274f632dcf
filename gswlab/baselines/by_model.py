"""What the published graph memories ask a model for, beside their answer.

One ask a chunk for entities and triples (`extractor=llm`); a report a community and
the points of one (GraphRAG), keywords of two levels (LightRAG), which facts bear on a
question (HippoRAG 2). The papers' tasks in words of our own (`baselines/prompts`); what
a reply says is held against what it was given, and a failed ask leaves the rules'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, Field

from gswlab.baselines.triples import Entity, Extraction, Extractor, Triple
from gswlab.core.budget import count_tokens
from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk
from gswlab.language.language import language_of
from gswlab.models.ask import Ask
from gswlab.models.ask_trace import Asking, HeardReply, ask_size, hear
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.text.sentences import sentences

_Name = Annotated[str, Field(max_length=80)]
_Line = Annotated[str, Field(max_length=400)]
_ROOM = 400  # tokens of a question and what is shown beside it, at most about


class EntityReply(BaseModel):
    """A name of the passage, and the kind of thing that it is."""

    name: _Name
    kind: Annotated[str, Field(max_length=24)]


class TripleReply(BaseModel):
    """Who does or is what to whom, and the words of the passage that say it."""

    subject: _Name
    predicate: _Name
    object: _Name
    quote: _Line


class OpenIEReply(BaseModel):
    """What a passage names and says."""

    entities: list[EntityReply] = Field(max_length=30)
    triples: list[TripleReply] = Field(max_length=40)


class ReportReply(BaseModel):
    """A report of a community: what it is, and what is found of it."""

    title: _Name
    summary: _Line
    findings: list[_Line] = Field(max_length=8)


class PointReply(BaseModel):
    """What a report says to a question, and how much that helps, 0 to 100."""

    text: _Line
    score: Annotated[int, Field(ge=0, le=100)]


class PointsReply(BaseModel):
    """All that a report says to a question."""

    points: list[PointReply] = Field(max_length=8)


class KeywordsReply(BaseModel):
    """What a question names (low), and what it is about (high)."""

    low: list[_Name] = Field(max_length=8)
    high: list[_Name] = Field(max_length=8)


class FactsReply(BaseModel):
    """The facts that bear on a question, by their numbers."""

    facts: list[int] = Field(max_length=4)


@dataclass
class ModelExtractor(Extractor):
    """Entities and triples by a model's reading; and a model for what is asked later.

    >>> ModelExtractor(Model(model="some-model")).by
    'model'
    """

    model: Model
    _ready: dict[str, HeardReply] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def by(self) -> str:
        """Who does what the papers' model does."""
        return "model"

    def hear(
        self, stage: str, schema: type[BaseModel], every: Sequence[dict[str, str]]
    ) -> list[HeardReply]:
        """The outcomes of asks of one stage, made at once: the values of each prompt.

        Raises:
            StoppedError: cancelled, or the budget is spent.
        """
        said = [prompt(stage, language_of(" ".join(v.values()))) for v in every]
        pairs = zip(said, every, strict=True)
        asks = (Asking(s, Ask(s.turns(**v), stage, schema=schema)) for s, v in pairs)
        return [*hear(self.model, dict(enumerate(asks))).values()]

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Ask at once what these chunks say."""
        new = [t for t in dict.fromkeys(c.text for c in chunks) if t not in self._ready]
        heard = self.hear("openie", OpenIEReply, [{"passage": text} for text in new])
        self._ready |= dict(zip(new, heard, strict=True))

    def read(self, chunk: Chunk) -> Extraction:
        """What of a reply the chunk has the words of; the rest is refused."""
        text = chunk.text
        asked = [{"passage": text}]
        heard = self._ready.pop(text, None)
        heard = heard or self.hear("openie", OpenIEReply, asked)[0]
        if (reply := heard.value(OpenIEReply)) is None:
            return Extraction(events=heard.events)
        entities, triples, refused = list[Entity](), list[Triple](), heard.refused
        for n, one in enumerate(reply.entities):
            places = _places(text, one.name)
            entities += [Entity(one.name, one.kind, places)] if places else []
            refused += [] if places else [f"entities.{n}: {one.name!r} is not there"]
        bounds = sentences(text, language_of(text)) or [(0, len(text))]
        for n, said in enumerate(reply.triples):
            if not (places := _places(text, said.quote)):
                refused.append(f"triples.{n}: {said.quote!r} is not there")
                continue
            at = next(((a, b) for a, b in bounds if a <= places[0][0] < b), bounds[0])
            triples.append(Triple(said.subject, said.predicate, said.object, *at))
        return Extraction(tuple(entities), tuple(triples), heard.events)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading costs: a call a chunk."""
        longest = max((count_tokens(chunk.text) for chunk in chunks), default=0)
        return self.model.most(len(chunks), ask_size("openie", OpenIEReply) + longest)

    def most(self, stage: str, schema: type[BaseModel], calls: int, read: int) -> Cost:
        """The most that so many later asks cost, each shown `read` tokens."""
        return self.model.most(calls, ask_size(stage, schema) + _ROOM + read)


def _places(text: str, said: str) -> tuple[tuple[int, int], ...]:
    """Where a text has these words, letter by letter but for their case."""
    wanted, plain = said.strip().casefold(), text.casefold()
    if not wanted or len(plain) != len(text):
        return ()
    found, at = list[tuple[int, int]](), plain.find(wanted)
    while at >= 0:
        found.append((at, at + len(wanted)))
        at = plain.find(wanted, at + len(wanted))
    return tuple(found)

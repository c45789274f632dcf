"""What each stage asks of a chunk, and what came of asking.

Limits are those of the paper's run (its appendix on prompts): a short context, and a
bounded coupling; the operator's own reply may be as long as the model's longest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from gswlab.core.budget import count_tokens
from gswlab.core.document import Document
from gswlab.core.nouns import ActorKind, Chunk, Slot, TraceEvent
from gswlab.language.language import language_of
from gswlab.models.ask import Ask, ModelError, Reply, instruction
from gswlab.models.ask_trace import asked_event, failed
from gswlab.models.model import Model
from gswlab.models.prompt import Prompt, prompt

# What a model is asked to reply with, bounded so that a small one comes to an end.

_Id: TypeAlias = Annotated[str, Field(max_length=8)]
_Words: TypeAlias = Annotated[str, Field(max_length=80)]
_Sentence: TypeAlias = Annotated[str, Field(max_length=240)]
PhraseTelling: TypeAlias = Literal[
    "explicit", "implied", "negated", "planned", "hypothetical", "reported"
]


class ContextReply(BaseModel):
    """Where a passage stands in its chapter."""

    context: _Sentence
    situation: _Words


class RoleReply(BaseModel):
    """A role, empty where the states have none, and the states in it."""

    role: _Words
    states: list[_Words] = Field(max_length=3)


class InferredReply(BaseModel):
    """A role that no word of the passage is, and the words that it follows from."""

    role: _Words
    quote: _Sentence


class ActorReply(BaseModel):
    """Who or what is spoken of, and in which words of the passage."""

    id: _Id
    kind: ActorKind
    name: _Words
    mentions: list[_Words] = Field(max_length=6)
    roles: list[RoleReply] = Field(max_length=3)
    inferred: list[InferredReply] = Field(default=[], max_length=2)


class QuestionReply(BaseModel):
    """A slot of a verb phrase: actors or a quote fill it, or nothing does yet."""

    slot: Slot
    text: _Sentence
    actors: list[_Id] = Field(max_length=6)
    quote: _Words


class PhraseReply(BaseModel):
    """What somebody does, in base form, with the words that tell or imply it."""

    predicate: Annotated[str, Field(max_length=40)]
    told: PhraseTelling
    quote: _Sentence
    questions: list[QuestionReply] = Field(max_length=8)


class OperatorReply(BaseModel):
    """The map of one passage."""

    actors: list[ActorReply] = Field(max_length=20)
    verb_phrases: list[PhraseReply] = Field(max_length=12)


class GroupReply(BaseModel):
    """Actors that share a place or a time; `value` is what the passage calls it."""

    kind: Literal["space", "time"]
    actors: list[_Id] = Field(max_length=12)
    value: _Words | None


class CouplingReply(BaseModel):
    """Who is where and when together."""

    groups: list[GroupReply] = Field(max_length=8)


class OccasionReply(BaseModel):
    """What kind of event a chapter is about, and the words that show it."""

    kind: _Words
    quote: _Sentence


PromptVariant = Literal["episodic", "factual"]
_Value = TypeVar("_Value", bound=BaseModel)
_CHAPTER = 20_000  # characters around a passage: a book without chapters is one
_SOME = 40  # chunks that are read to see what reading all of them costs
CHAPTER = 8000  # tokens of it, at most about
CONTEXT, COUPLING = 300, 1000  # tokens; a sentence of Japanese is more of them


class StageAsk(NamedTuple):
    """An ask and the prompt it was written with."""

    prompt: Prompt
    ask: Ask


@dataclass(frozen=True)
class StageOutcome:
    """An ask and its outcome: a reply, or the failure to give one."""

    asking: StageAsk
    outcome: Reply | ModelError

    def value(self, kind: type[_Value]) -> _Value | None:
        """The object that was asked for, None where the ask failed."""
        said = self.outcome.value if isinstance(self.outcome, Reply) else None
        return said if isinstance(said, kind) else None

    def events(self, model: Model) -> Iterator[TraceEvent]:
        """That it was asked, and why it failed if it did."""
        stage = self.asking.ask.stage
        yield asked_event(stage, self.asking.prompt, model)
        if isinstance(self.outcome, ModelError):
            yield failed(stage, self.outcome)


def context_ask(chunk: Chunk, document: Document) -> StageAsk | None:
    """Where a chunk stands in its chapter; None where the chunk is all there is."""
    around = chapter_around(chunk, document)
    if not around.replace(chunk.text, "").strip():
        return None
    words = prompt("context", language_of(chunk.text))
    turns = words.turns(chapter=around, passage=chunk.text)
    return StageAsk(words, Ask(turns, "context", chunk.id, ContextReply, CONTEXT))


def occasion_ask(chunk: Chunk, document: Document) -> StageAsk:
    """What kind of event the chapter of a chunk is about."""
    words = prompt("occasion", language_of(chunk.text))
    turns = words.turns(chapter=chapter_around(chunk, document))
    return StageAsk(words, Ask(turns, "occasion", chunk.id, OccasionReply, CONTEXT))


def ends_chapter(chunk: Chunk, document: Document) -> bool:
    """Whether nothing of its chapter follows a chunk."""
    spans = (chapter.span for chapter in document.chapters)
    ends = [s.end for s in spans if s.start <= chunk.span.start < s.end]
    return not document.text[chunk.span.end : min(ends, default=None)].strip()


def chapter_around(chunk: Chunk, document: Document) -> str:
    """The chapter, as much of it as fits on either side of a chunk."""
    start, end = chunk.span.start, chunk.span.end
    spans = (chapter.span for chapter in document.chapters)
    here = [span for span in spans if span.start <= start and end <= span.end]
    side = max(0, _CHAPTER - (end - start)) // 2
    first = max([start - side, *(span.start for span in here)])
    last = min([end + side, *(span.end for span in here)])
    return document.text[max(0, first) : last]


def operator_ask(
    chunk: Chunk, variant: PromptVariant, about: ContextReply | None
) -> StageAsk:
    """Tasks 1 to 6 of the paper's operator in one ask, one object in reply."""
    words = prompt(f"operator_{variant}", language_of(chunk.text))
    known = [chunk.title, chunk.speaker, chunk.time, about.situation if about else ""]
    turns = words.turns(
        context=about.context if about else "",
        situation="; ".join(filter(None, known)),
        passage=chunk.text,
    )
    return StageAsk(words, Ask(turns, "operator", chunk.id, OperatorReply))


def coupling_ask(chunk: Chunk, actors: Sequence[ActorReply]) -> StageAsk:
    """Which of a passage's actors share a place or a time."""
    lines = []
    for actor in actors:
        pairs = ((r.role, ", ".join(r.states)) for r in actor.roles)
        told = filter(None, (": ".join(filter(None, pair)) for pair in pairs))
        line = f"{actor.id} {actor.name} ({actor.kind}) {'; '.join(told)}"
        lines.append(" ".join(line.split()))
    words = prompt("spacetime", language_of(chunk.text))
    turns = words.turns(actors="\n".join(lines), passage=chunk.text)
    return StageAsk(words, Ask(turns, "coupling", chunk.id, CouplingReply, COUPLING))


def named_actor(id_: str, kind: ActorKind, name: str) -> ActorReply:
    """An actor of whom nothing is said but its name."""
    return ActorReply(id=id_, kind=kind, name=name[:80], mentions=[], roles=[])


def sample(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Some forty chunks: chapters as they are, from all over the text."""
    chapters = [list(own) for _, own in groupby(chunks, attrgetter("chapter"))]
    apart = max(1, -(-len(chunks) // _SOME))
    found = [chunk for chapter in chapters[::apart] for chunk in chapter]
    return found[: 2 * _SOME]


def longest(asks: Iterable[StageAsk]) -> int:
    """The tokens of the longest of these asks."""
    most = 0
    for ask in (asking.ask for asking in asks):
        texts = [message["content"] for message in ask.messages]
        texts += [instruction(ask.schema)] if ask.schema else []
        most = max(most, sum(map(count_tokens, texts)))
    return most

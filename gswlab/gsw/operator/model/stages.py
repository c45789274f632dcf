"""What each stage asks of a chunk, with the limits of the paper's appendix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.budget import count_tokens
from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import ActorKind, Chunk, Slot, Span
from gswlab.language.language import language_of
from gswlab.models.ask import Ask
from gswlab.models.ask_trace import Asking, ask_size
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

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
_CHAPTER = 20_000  # characters around a passage: a book without chapters is one
CONTEXT, COUPLING = 300, 1000  # tokens; a sentence of Japanese is more of them


def stage_ask(
    stage: str,
    chunk: Chunk,
    schema: type[BaseModel],
    shown: Mapping[str, str],
    longest: int | None = None,
    name: str = "",
) -> Asking:
    """A stage's prompt (of another `name`, if so) in the chunk's language, filled."""
    words = prompt(name or stage, language_of(chunk.text))
    return Asking(words, Ask(words.turns(**shown), stage, chunk.id, schema, longest))


def operator_ask(
    chunk: Chunk, variant: PromptVariant, about: ContextReply | None
) -> Asking:
    """Tasks 1 to 6 of the paper's operator in one ask, one object in reply."""
    known = [chunk.title, chunk.speaker, chunk.time, about.situation if about else ""]
    shown = {
        "context": about.context if about else "",
        "situation": "; ".join(filter(None, known)),
        "passage": chunk.text,
    }
    name = f"operator_{variant}"
    return stage_ask("operator", chunk, OperatorReply, shown, name=name)


def chapter_around(chunk: Chunk, document: Document) -> tuple[str, str]:
    """What of a chunk's chapter stands before it and after, as much as may be shown."""
    at, text = chunk.span, document.text
    spans = (c.span for c in document.chapters)
    here = (s for s in spans if s.start <= at.start < s.end)
    whole = next(here, Span(document.id, 0, len(text)))
    side = max(0, _CHAPTER - (at.end - at.start)) // 2
    before = text[max(whole.start, at.start - side) : at.start]
    return before, text[at.end : min(whole.end, at.end + side)]


def most(
    model: Model,
    chunks: Sequence[Chunk],
    name: str,
    schema: type[BaseModel],
    more: int,
    wrote: int | None = None,
) -> Cost:
    """The most that a prompt about each chunk costs, with so many tokens beside it."""
    chunk = max((count_tokens(chunk.text) for chunk in chunks), default=0)
    return model.most(len(chunks), ask_size(name, schema) + chunk + more, wrote)

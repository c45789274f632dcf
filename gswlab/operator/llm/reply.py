"""What a model is asked to reply with, bounded so that a small one comes to an end.

Ids are the reply's own; whatever they name is looked up in the reply and the passage
(`grounding`), so that no reply can speak of another chunk.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.nouns import ActorKind, Slot

Id: TypeAlias = Annotated[str, Field(max_length=8)]
Words: TypeAlias = Annotated[str, Field(max_length=80)]
Sentence: TypeAlias = Annotated[str, Field(max_length=240)]
Telling: TypeAlias = Literal[
    "explicit", "implied", "negated", "planned", "hypothetical", "reported"
]


class ContextReply(BaseModel):
    """Where a passage stands in its chapter."""

    context: Sentence
    situation: Words


class RoleReply(BaseModel):
    """A role, empty where the states have none, and the states in it."""

    role: Words
    states: list[Words] = Field(max_length=3)


class ActorReply(BaseModel):
    """Who or what is spoken of, and in which words of the passage."""

    id: Id
    kind: ActorKind
    name: Words
    mentions: list[Words] = Field(max_length=6)
    roles: list[RoleReply] = Field(max_length=3)


class QuestionReply(BaseModel):
    """A slot of a verb phrase: actors or a quote fill it, or nothing does yet."""

    slot: Slot
    text: Sentence
    actors: list[Id] = Field(max_length=6)
    quote: Words


class PhraseReply(BaseModel):
    """What somebody does, in base form, with the words that tell or imply it."""

    predicate: Annotated[str, Field(max_length=40)]
    told: Telling
    quote: Sentence
    questions: list[QuestionReply] = Field(max_length=8)


class OperatorReply(BaseModel):
    """The map of one passage."""

    actors: list[ActorReply] = Field(max_length=20)
    verb_phrases: list[PhraseReply] = Field(max_length=12)


class GroupReply(BaseModel):
    """Actors that share a place or a time; `value` is what the passage calls it."""

    kind: Literal["space", "time"]
    actors: list[Id] = Field(max_length=12)
    value: Words | None


class CouplingReply(BaseModel):
    """Who is where and when together."""

    groups: list[GroupReply] = Field(max_length=8)

"""What a model is asked to reply with about a chunk and its workspace."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

Id: TypeAlias = Annotated[str, Field(max_length=16)]
Sentence: TypeAlias = Annotated[str, Field(max_length=240)]


class Aligned(BaseModel):
    """Whether a new actor is one of the workspace, and why."""

    new_actor_id: Id
    workspace_actor_id: Id | None
    status: Literal["merged", "new", "ambiguous"]
    candidates: list[Id] = Field(max_length=3)
    comment: Sentence


class SameActor(BaseModel):
    """Verdicts on the actors that the rules leave open."""

    entity_alignment: list[Aligned] = Field(max_length=24)


class Answer(BaseModel):
    """What the chunk answers to an open question."""

    question_id: Id
    answer_text: Sentence
    answer_entity_id: Id | None


class QuestionResolution(BaseModel):
    """Answers to questions left open; those without one are left out."""

    answers: list[Answer] = Field(max_length=24)


class Support(BaseModel):
    """The nouns that an answer rests on."""

    actors: list[Id] = Field(max_length=6)
    events: list[Id] = Field(max_length=6)
    spacetime: list[Id] = Field(max_length=6)


class ResolvedQuery(BaseModel):
    """An open question that the chunk answers, wholly or in part."""

    query_id: Id
    status: Literal["answered", "partially_answered"]
    answer: Sentence
    answer_entity_id: Id | None
    support: Support


class UnresolvedQuery(BaseModel):
    """An open question that stays so, and why."""

    query_id: Id
    status: Literal["unanswered", "contradictory", "insufficient_information"]
    reason: Sentence


class Reconciled(BaseModel):
    """The whole reply of the reconciler: three tasks, three keys."""

    entity_alignment: list[Aligned] = Field(max_length=32)
    resolved_queries: list[ResolvedQuery] = Field(max_length=16)
    unresolved_queries: list[UnresolvedQuery] = Field(max_length=16)

"""What a model is asked to reply with about a chunk and its workspace.

The word beside a type is what a field is held against: `said` by the chunk, a `time` or
`place` that is known, or the nouns an id may be of, by the first letters of their ids.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

Id: TypeAlias = Annotated[str, Field(max_length=16)]
Words: TypeAlias = Annotated[str, Field(max_length=80)]
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

    question_id: Annotated[Id, "q"]
    answer_text: Sentence
    answer_entity_id: Annotated[Id | None, "a"]


class QuestionResolution(BaseModel):
    """Answers to questions left open; those without one are left out."""

    answers: list[Answer] = Field(max_length=24)


class ActorUpdate(BaseModel):
    """A role that the chunk gives an actor, in its words."""

    id: Annotated[Id, "a"]
    role: Annotated[Words, "said"]


class EventUpdate(BaseModel):
    """When or where the chunk says that something happened."""

    id: Annotated[Id, "v"]
    time: Annotated[Words | None, "time"]
    place: Annotated[Words | None, "place"]
    quote: Annotated[Sentence, "said"]


class StateUpdate(BaseModel):
    """A state in the chunk's words, in a role and since a time where it says so."""

    actor_id: Annotated[Id, "a"]
    state: Annotated[Words, "said"]
    role: Words | None
    since: Annotated[Words | None, "time"]


class AnchorUpdate(BaseModel):
    """A time or place that actors share; `within` is the place around a place."""

    type: Literal["time", "place"]
    value: Words
    within: Annotated[Words | None, "place"]
    actors: Annotated[list[Id], Field(max_length=12), "a"]
    quote: Annotated[Sentence, "said"]


class RelationUpdate(BaseModel):
    """A tie between two nouns."""

    source: Annotated[Id, "avtp"]
    target: Annotated[Id, "avtp"]
    kind: Words
    quote: Annotated[Sentence, "said"]


class NoteUpdate(BaseModel):
    """Doubt, or two readings of which one is kept for now."""

    subject: Annotated[Id, "avtp"]
    type: Literal["note", "state_conflict", "conflicting_time_hypothesis"]
    kept: Words
    other: Words
    text: Sentence


class Updates(BaseModel):
    """What the chunk adds to the workspace."""

    actors: list[ActorUpdate] = Field(max_length=16)
    events: list[EventUpdate] = Field(max_length=12)
    states: list[StateUpdate] = Field(max_length=16)
    spacetime: list[AnchorUpdate] = Field(max_length=12)
    relations: list[RelationUpdate] = Field(max_length=12)
    notes: list[NoteUpdate] = Field(max_length=8)


class Support(BaseModel):
    """The nouns that an answer rests on."""

    actors: Annotated[list[Id], Field(max_length=6), "a"]
    events: Annotated[list[Id], Field(max_length=6), "ve"]
    spacetime: Annotated[list[Id], Field(max_length=6), "tp"]


class ResolvedQuery(BaseModel):
    """An open question that the chunk answers, wholly or in part."""

    query_id: Annotated[Id, "q"]
    status: Literal["answered", "partially_answered"]
    answer: Sentence
    answer_entity_id: Annotated[Id | None, "a"]
    support: Support


class UnresolvedQuery(BaseModel):
    """An open question that stays so, and why."""

    query_id: Annotated[Id, "q"]
    status: Literal["unanswered", "contradictory", "insufficient_information"]
    reason: Sentence


class Reconciled(BaseModel):
    """The whole reply of the reconciler: four tasks, four keys."""

    updated_workspace: Updates
    entity_alignment: list[Aligned] = Field(max_length=32)
    resolved_queries: list[ResolvedQuery] = Field(max_length=16)
    unresolved_queries: list[UnresolvedQuery] = Field(max_length=16)

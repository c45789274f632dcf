"""What a model is asked to reply with: the published keys of a step, bounded.

`step.schema.json` names the four keys and their statuses. Three fields are asked for
beside them, so that a reply can be checked: whom an ambiguous actor may be, the actor
an answer is, and the chunk's own words (`quote`).
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

    question_id: Id
    answer_text: Sentence
    answer_entity_id: Id | None


class QuestionResolution(BaseModel):
    """Answers to questions left open; those without one are left out."""

    answers: list[Answer] = Field(max_length=24)


class ActorUpdate(BaseModel):
    """A role that the chunk gives an actor, in its words."""

    id: Id
    role: Words


class EventUpdate(BaseModel):
    """When or where the chunk says that something happened."""

    id: Id
    time: Words | None
    place: Words | None
    quote: Sentence


class StateUpdate(BaseModel):
    """A state in the chunk's words, in a role and since a time where it says so."""

    actor_id: Id
    state: Words
    role: Words | None
    since: Words | None


class AnchorUpdate(BaseModel):
    """A time or place that actors share; `within` is the place around a place."""

    type: Literal["time", "place"]
    value: Words
    within: Words | None
    actors: list[Id] = Field(max_length=12)
    quote: Sentence


class RelationUpdate(BaseModel):
    """A tie between two nouns."""

    source: Id
    target: Id
    kind: Words
    quote: Sentence


class NoteUpdate(BaseModel):
    """Doubt, or two readings of which one is kept for now."""

    subject: Id
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
    """The whole reply of the reconciler: four tasks, four keys."""

    updated_workspace: Updates
    entity_alignment: list[Aligned] = Field(max_length=32)
    resolved_queries: list[ResolvedQuery] = Field(max_length=16)
    unresolved_queries: list[UnresolvedQuery] = Field(max_length=16)

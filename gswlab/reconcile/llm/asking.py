"""One ask of a reconciler: what it was told, what came of it, and what was refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel

from gswlab.core.budget import count_tokens
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Language
from gswlab.core.nouns import JSON, Chunk, TraceEvent
from gswlab.language.language import language_of
from gswlab.models.ask import Ask, ModelError, instruction
from gswlab.models.ask_trace import asked, failed
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

T = TypeVar("T", bound=BaseModel)


@dataclass
class Outcome(Generic[T]):
    """A valid reply or None, who gave it, and what of it is not believed.

    `refused` are sentences that begin with the path of what they refuse.
    """

    stage: str
    by: str
    value: T | None
    told: tuple[TraceEvent, ...]
    refused: list[str] = field(default_factory=list)

    def refuse(self, path: str, why: str) -> None:
        """Say what is not believed, and why."""
        self.refused.append(f"{path}: {why}")

    @property
    def events(self) -> tuple[TraceEvent, ...]:
        """What a step says of the ask."""
        if not self.refused:
            return self.told
        data: dict[str, JSON] = {"stage": self.stage, "errors": tuple(self.refused)}
        return (*self.told, TraceEvent("refused", data))


def ask(
    model: Model, stage: str, schema: type[T], chunk: Chunk, **values: str
) -> Outcome[T]:
    """Ask the prompt of a stage, in the chunk's language; a failure is an outcome.

    Raises:
        StoppedError: the run was cancelled, or its budget is spent.
    """
    said = prompt(stage, language_of(chunk.text))
    told = asked(stage, said, model)
    by = f"{model.model} ({stage})"
    turns = said.turns(chunk=chunk.text, **values)
    try:
        reply = model.ask(Ask(turns, stage, chunk.id, schema))
    except ModelError as failure:
        return Outcome(stage, by, None, (told, failed(stage, failure)))
    return Outcome(stage, by, reply.value, (told,))


def most(
    model: Model, chunks: Sequence[Chunk], shown: int, stages: Mapping[str, type[Any]]
) -> Cost:
    """The most that asks of these stages can cost, one of each a chunk.

    Args:
        model: whom they ask.
        chunks: what is read.
        shown: tokens that a prompt shows beside the chunk, at most.
        stages: the schema of each stage's reply.
    """
    cost, chunk = NOTHING, max((count_tokens(c.text) for c in chunks), default=0)
    for stage, schema in stages.items():
        words = (prompt(stage, language) for language in get_args(Language))
        told = max(count_tokens(f"{each.system}\n{each.user}") for each in words)
        read = told + count_tokens(instruction(schema)) + chunk + shown
        cost = cost.plus(model.most(len(chunks), read, model.max_tokens))
    return cost

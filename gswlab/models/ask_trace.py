"""What a journal keeps of an ask: with which words, of which model, and why it failed.

Only what a replayed run writes again: no seconds, no sign of the cassette.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from pydantic import BaseModel

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import JSON, TraceEvent
from gswlab.core.step import Step
from gswlab.language.language import languages
from gswlab.models.ask import Ask, ModelError, Reply, instruction
from gswlab.models.model import Model
from gswlab.models.prompt import Prompt, prompt

FAILED = "no usable reply: "  # how the reason of what came of no reply begins
EVENTS = ("asked", "failed", "refused")  # what a trace says of models
_MOST, _LONGEST = 50, 2000  # problems, and characters of one
_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value", bound=BaseModel)


def asked_event(stage: str, said: Prompt, model: Model) -> TraceEvent:
    """That a stage asked a model something.

    >>> asked_event("judge", Prompt("judge", "en", "Judge.", "{{given}}"), Model()).data
    {'stage': 'judge', 'prompt': 'judge/en', 'hash': 'e905c173d5cb', 'model': 'gpt-4o'}
    """
    words = {"prompt": f"{said.name}/{said.language}", "hash": said.hash}
    return TraceEvent("asked", {"stage": stage, **words, "model": model.model})


def failed(stage: str, failure: ModelError) -> TraceEvent:
    """That no usable reply came, with every problem and its path."""
    errors = tuple(map(_kept, failure.errors[:_MOST]))
    data: dict[str, JSON] = {"stage": stage, "reason": _kept(str(failure))}
    data |= {"errors": errors} if failure.settled else {"errors": errors, "open": True}
    return TraceEvent("failed", data)


def refusal(stage: str, errors: Sequence[str]) -> tuple[TraceEvent, ...]:
    """What of a stage's reply is not believed, each with its path; none for nothing."""
    data: dict[str, JSON] = {"stage": stage, "errors": tuple(errors)}
    return (TraceEvent("refused", data),) if errors else ()


class Asking(NamedTuple):
    """An ask and the prompt it was written with."""

    prompt: Prompt
    ask: Ask


@dataclass
class HeardReply:
    """What came of an ask: a reply or a failure, and what of it is not believed."""

    asking: Asking
    outcome: Reply | ModelError
    model: Model
    refused: list[str] = field(default_factory=list)

    def value(self, kind: type[_Value]) -> _Value | None:
        """The object that was asked for, None where the ask failed."""
        said = self.outcome.value if isinstance(self.outcome, Reply) else None
        return said if isinstance(said, kind) else None

    @property
    def events(self) -> tuple[TraceEvent, ...]:
        """That it was asked, why it failed if it did, and what was refused."""
        stage, out = self.asking.ask.stage, self.outcome
        why = (failed(stage, out),) if isinstance(out, ModelError) else ()
        asked = asked_event(stage, self.asking.prompt, self.model)
        return (asked, *why, *refusal(stage, self.refused))


def hear(model: Model, asks: Mapping[_Key, Asking | None]) -> dict[_Key, HeardReply]:
    """What came of asks, by their keys, many made at a time.

    Raises:
        StoppedError: cancelled, or the budget is spent.
    """
    wanted = {key: asking for key, asking in asks.items() if asking}
    outcomes = model.ask_all(asking.ask for asking in wanted.values())
    pairs = zip(wanted.items(), outcomes, strict=True)
    return {key: HeardReply(asking, said, model) for (key, asking), said in pairs}


def open_asks(step: Step) -> int:
    """How many of a step's asks got no usable reply and are to be asked again."""
    return sum(e.kind == "failed" and bool(e.data.get("open")) for e in step.events)


def ask_size(name: str, schema: type[BaseModel]) -> int:
    """Tokens of a prompt without values and of its schema, in the longer language."""
    words = (prompt(name, language) for language in languages())
    most = max(count_tokens(f"{each.system}\n{each.user}") for each in words)
    return most + count_tokens(instruction(schema))


def no_reply(failure: ModelError) -> str:
    """The reason of an answer or verdict that rests on no reply.

    >>> no_reply(ModelError("the server is busy"))
    'no usable reply: the server is busy'
    """
    return f"{FAILED}{_kept(str(failure))}"


def _kept(said: str) -> str:
    # a server's words may be endless, or half a character that no journal can hold
    return said[:_LONGEST].encode("utf-8", "replace").decode()

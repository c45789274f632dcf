"""What a journal keeps of an ask: with which words, of which model, and why it failed.

Only what a replayed run writes again: no seconds, no sign of the cassette.
"""

from __future__ import annotations

from pydantic import BaseModel

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import JSON, TraceEvent
from gswlab.core.step import Step
from gswlab.language.language import languages
from gswlab.models.ask import ModelError, instruction
from gswlab.models.model import Model
from gswlab.models.prompt import Prompt, prompt

FAILED = "no usable reply: "  # how the reason of what came of no reply begins
EVENTS = ("asked", "failed", "refused")  # what a trace says of models
_MOST, _LONGEST = 50, 2000  # problems, and characters of one


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

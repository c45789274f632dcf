"""What is asked of a model, and what comes of it: a reply or a failure to record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from gswlab.core.errors import GswlabError


@dataclass(frozen=True)
class Ask:
    """One question to a model; `stage` and `chunk` are for the ledger alone.

    With a `schema` the reply must be one JSON object that fits it. `tools` are the
    functions, as an OpenAI-compatible server takes them, that the model may call
    instead. `max_tokens` is the longest reply that makes sense, where that is less than
    the model's own.

    >>> Ask(({"role": "user", "content": "Who sat down?"},), stage="reader").chunk
    """

    messages: tuple[Mapping[str, str], ...]
    stage: str
    chunk: str | None = None
    schema: type[BaseModel] | None = None
    max_tokens: int | None = None
    tools: tuple[Mapping[str, Any], ...] = ()

    def then(self, reply: str, said: str) -> Ask:
        """The same conversation after a reply and an answer to it."""
        turns = ("assistant", reply), ("user", said)
        more = tuple({"role": role, "content": text} for role, text in turns)
        return replace(self, messages=self.messages + more)


@dataclass(frozen=True)
class Reply:
    """What a model said.

    `value` is the validated object where a schema was asked for; `cut` says that the
    reply ran into `max_tokens`, `replayed` that it came from the cassette. `calls` are
    the tools it called: a name and the arguments as it wrote them, unchecked.
    """

    text: str
    value: Any = None
    cut: bool = False
    replayed: bool = False
    calls: tuple[tuple[str, str], ...] = ()


class ModelError(GswlabError):
    """No usable reply to one ask: the caller records it and the run goes on.

    `errors` are all problems, each with its path; `reply` is the text that had them.
    """

    def __init__(
        self, problem: str, errors: tuple[str, ...] = (), reply: str = ""
    ) -> None:
        super().__init__(problem, "; ".join(errors[:5]))
        self.errors, self.reply = errors, reply


class StoppedError(GswlabError):
    """The run was cancelled, or its budget is spent: what it has is kept."""

    status = 3

"""JSON from a model: bounded when asked for, validated when it comes.

A small model can repeat itself in an open list until its tokens run out, so a schema
without `maxItems` and `maxLength` is refused before anything is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from gswlab.core.errors import GswlabError


@dataclass(frozen=True)
class Ask:
    """One question to a model; `stage` and `chunk` are for the ledger alone.

    With a `schema` the reply must be one JSON object that fits it. `tools` are the
    functions, as an OpenAI-compatible server takes them, that the model may call
    instead, or with `calls` has to. `max_tokens` is the longest reply that makes sense,
    where that is less than the model's own.

    >>> Ask(({"role": "user", "content": "Who sat down?"},), stage="reader").chunk
    """

    messages: tuple[Mapping[str, Any], ...]
    stage: str
    chunk: str | None = None
    schema: type[BaseModel] | None = None
    max_tokens: int | None = None
    tools: tuple[Mapping[str, Any], ...] = ()
    calls: bool = False

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
    It is `settled` where asking again would be told the same; else it stays open, and
    the command that asked asks again.
    """

    def __init__(
        self,
        problem: str,
        errors: tuple[str, ...] = (),
        reply: str = "",
        settled: bool = False,
    ) -> None:
        super().__init__(problem, "; ".join(errors[:5]))
        self.errors, self.reply, self.settled = errors, reply, settled


class StoppedError(GswlabError):
    """The run was cancelled, or its budget is spent: what it has is kept."""

    status = 3


_CLOSED = ("enum", "const", "format")


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model, refused unless its lists and strings are bounded.

    Raises:
        GswlabError: naming every list without `maxItems`, string without `maxLength`.
    """
    schema = model.model_json_schema()
    if loose := sorted(_unbounded(schema, model.__name__)):
        rule = "lists, strings and mappings asked of a model have a max_length"
        raise GswlabError(f"{', '.join(loose)} could go on for ever", rule)
    return schema


def _unbounded(node: Any, path: str) -> Iterator[str]:
    if isinstance(node, list):
        for part in node:
            yield from _unbounded(part, path)
    if not isinstance(node, dict):
        return
    kind = node.get("type")
    if kind == "array" and "maxItems" not in node:
        yield path
    if kind == "string" and "maxLength" not in node and not any(map(node.get, _CLOSED)):
        yield path
    if node.get("additionalProperties") and "maxProperties" not in node:
        yield path
    for key, part in node.items():
        named = key in ("properties", "$defs") and isinstance(part, dict)
        for name, child in part.items() if named else [("", part)]:
            yield from _unbounded(child, f"{path}.{name}" if name else path)


def parsed_reply(
    text: str, model: type[BaseModel]
) -> tuple[BaseModel | None, list[str]]:
    """The object in a reply, or every problem with the path where it is.

    Words around the object, as models without constrained output write them, go.
    """
    start, end = text.find("{"), text.rfind("}")
    body = text[start : end + 1] if 0 <= start < end else text
    try:
        return model.model_validate_json(body), []
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    paths = (".".join(str(part)[:80] for part in e["loc"]) for e in found)
    whole = "the whole reply"
    return None, [
        f"{path or whole}: {e['msg']}" for path, e in zip(paths, found, strict=True)
    ]


def instruction(model: type[BaseModel]) -> str:
    """The schema in words, for a server that cannot be held to one."""
    text = json.dumps(schema_of(model), ensure_ascii=False)
    return f"Reply with one JSON object that fits this JSON schema:\n{text}"

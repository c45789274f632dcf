"""What servers take of a request: said otherwise, one thing at a time, until they do.

"OpenAI-compatible" means many things: reasoning models want `max_completion_tokens` and
no temperature, strict schemas may have no bounds, a small server knows no schema or no
`tool_choice`. A refusal mostly names what it does not take. Where it does not, each is
tried alone, then all. What is no longer sent is checked here: bounds when a reply is
validated, a schema too, and JSON by its words in the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gswlab.models.ask import Ask, instruction

# What is said otherwise, and how a refusal names it; the first that fits is tried.
_MOVES = {
    "max_completion_tokens": r"max_(?:completion_)?tokens",
    "no temperature": "temperature",
    "no seed": r"\bseed\b",
    "no tool_choice": "tool.?choice",
    "no bounds": r"schema|grammar|\b(?:min|max)(?:Length|Items|imum|Properties)\b",
    "json_object": "schema|grammar|response_format",
    "text": "json|schema|grammar|response_format",
}
_FORMS = "no bounds", "json_object", "text"
_FULL = re.compile(r"context.(?:length|window|size)|n_ctx", re.IGNORECASE)
_BOUNDS = {
    "maxLength": "at most {} characters",
    "minLength": "at least {} characters",
    "maxItems": "at most {} items",
    "minItems": "at least {} items",
    "maximum": "at most {}",
    "minimum": "at least {}",
}
Dialect = frozenset[str]  # the moves that were made


def moves(ask: Ask, made: Collection[str]) -> tuple[str, ...]:
    """What could still be said otherwise."""
    idle = set[str]() if ask.schema else {*_FORMS}
    idle |= set() if ask.calls else {"no tool_choice"}
    return tuple(move for move in _MOVES if move not in idle | {*made})


def refused_move(refusal: str, ask: Ask, made: Collection[str]) -> str | None:
    """The move that a refusal asks for, if it names one.

    >>> said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."
    >>> refused_move(said, Ask((), "reader"), ())
    'max_completion_tokens'
    """
    found = (m for m in moves(ask, made) if re.search(_MOVES[m], refusal, re.I))
    return None if _FULL.search(refusal) else next(found, None)


def blind(refusal: str, ask: Ask, made: Dialect) -> Iterator[Dialect]:
    """What to try where a refusal names nothing: each move alone, then all of them."""
    left = () if _FULL.search(refusal) else moves(ask, made)
    yield from (made | {move} for move in left)
    if len(left) > 1:
        yield made | {*left}


def request_body(
    ask: Ask, dialect: Collection[str], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The body of a request in a dialect."""
    said = {name: value for name, value in settings.items() if value is not None}
    said["messages"] = messages = [dict(message) for message in ask.messages]
    for name in ("temperature", "seed"):
        if f"no {name}" in dialect:
            said.pop(name, None)
    if "max_completion_tokens" in dialect:
        said["max_completion_tokens"] = said.pop("max_tokens")
    if ask.tools:
        said["tools"] = [dict(tool) for tool in ask.tools]
    if ask.calls and "no tool_choice" not in dialect:
        said["tool_choice"] = "required"
    if ask.schema is None:
        return said
    if not {"json_object", "text"} & {*dialect}:
        from openai import pydantic_function_tool

        # the schema as a server's strict mode wants it
        tool: Any = pydantic_function_tool(ask.schema)["function"]
        schema = tool["parameters"]
        schema = _unbound(schema) if "no bounds" in dialect else schema
        held = {"name": tool["name"], "strict": True, "schema": schema}
        said["response_format"] = {"type": "json_schema", "json_schema": held}
        return said
    # before what changes from ask to ask: a server may know it from the one before
    messages[0]["content"] += f"\n\n{instruction(ask.schema)}"
    if "text" not in dialect:
        said["response_format"] = {"type": "json_object"}
    return said


def _unbound(node: Any) -> Any:
    """A schema without bounds, which are told in words."""
    if isinstance(node, list):
        return [_unbound(part) for part in node]
    if not isinstance(node, dict):
        return node
    told = [w.format(node[n]) for n, w in _BOUNDS.items() if type(node.get(n)) is int]
    bounds = {name for name in _BOUNDS if type(node.get(name)) is int}
    kept = {k: _unbound(v) for k, v in node.items() if k not in bounds}
    return {**kept, "description": "; ".join(told)} if told else kept

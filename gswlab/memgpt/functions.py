"""The functions a model may call: names, arguments, definitions, checks.

One table is the source of tool definitions, of the JSON form for models without tools,
of the manual and of the check of every call. What a function is for is told in the
prompt file `memgpt_functions`, in the language of the agent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from gswlab.models.prompt import prompt

_TEXT = (Annotated[str, Field(max_length=4000)], ...)
_QUERY = (Annotated[str, Field(max_length=400)], ...)
_LABEL = (Annotated[str, Field(max_length=60)], ...)
_DAY = (Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", max_length=10)], ...)
_MINUTES = (Annotated[int, Field(ge=1, le=360)], ...)
_COUNT = (Annotated[int, Field(ge=1, le=50)], 5)
_NUMBER = Annotated[int, Field(ge=0, le=10_000)]
_PAGE = (_NUMBER, 0)
_ENDING = ("send_message", "pause_heartbeats")  # they ask for no further step


class Arguments(BaseModel):
    """Arguments of a call; what is not named here is refused."""

    model_config = ConfigDict(extra="forbid")


_FIELDS: dict[str, dict[str, Any]] = {
    "send_message": {"message": _TEXT},
    "core_memory_append": {"key": _LABEL, "value": _TEXT},
    "core_memory_replace": {"key": _LABEL, "old": _TEXT, "new": _TEXT},
    "archival_memory_insert": {"content": _TEXT},
    "archival_memory_search": {"query": _QUERY, "count": _COUNT},
    "recall_memory_search": {"query": _QUERY, "count": _COUNT},
    "conversation_search": {"query": _QUERY, "page": _PAGE},
    "conversation_search_date": {"start_date": _DAY, "end_date": _DAY, "page": _PAGE},
    "page": {"number": (_NUMBER, ...)},
    "pause_heartbeats": {"minutes": _MINUTES},
}
_GOING = {"request_heartbeat": (bool, False)}
FUNCTIONS: Mapping[str, type[Arguments]] = {
    name: create_model(
        name, __base__=Arguments, **{**({} if name in _ENDING else _GOING), **fields}
    )
    for name, fields in _FIELDS.items()
}


def schema(name: str) -> dict[str, Any]:
    """The JSON schema of a function's arguments, without titles and defaults."""
    plain: dict[str, Any] = _plain(FUNCTIONS[name].model_json_schema())
    plain["required"] = list(plain["properties"])
    return plain


def _plain(node: Any) -> Any:
    if isinstance(node, list):
        return [_plain(part) for part in node]
    if not isinstance(node, dict):
        return node
    kept = {k: v for k, v in node.items() if k not in ("default", "description")}
    if not isinstance(kept.get("title"), dict):
        kept.pop("title", None)
    return {key: _plain(value) for key, value in kept.items()}


@cache
def tools(language: str = "en") -> tuple[dict[str, Any], ...]:
    """Tool definitions as an OpenAI-compatible server takes them."""
    lines = prompt("memgpt_functions", language).system.splitlines()
    told = (line.partition(": ") for line in lines if ": " in line)
    about = {name.strip("- `"): said for name, _, said in told}
    defined = []
    for name in FUNCTIONS:
        each = {"name": name, "description": about[name], "parameters": schema(name)}
        defined.append({"type": "function", "function": each})
    return tuple(defined)


@cache
def manual(language: str = "en") -> str:
    """The definitions as text: what they cost of the window is counted on it."""
    defined = (tool["function"] for tool in tools(language))
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in defined)


class CallError(Exception):
    """A call that cannot be made; its words are advice to whoever made it."""


def checked_call(name: str, given: Any) -> tuple[Arguments, str]:
    """A call's arguments as the function takes them, and a warning or "".

    Raises:
        CallError: no such function, or arguments that do not fit, each named.
    """
    if name not in FUNCTIONS:
        known = ", ".join(FUNCTIONS)
        raise CallError(f"there is no function {name[:60]!r}; there are: {known}")
    fields = ", ".join(FUNCTIONS[name].model_fields)
    if not isinstance(given, Mapping):
        raise CallError(f"arguments of {name} are one JSON object with: {fields}")
    values, warning = dict(given), ""
    asked = values.get("request_heartbeat", False)
    if name in _ENDING:
        values.pop("request_heartbeat", None)
    elif not isinstance(asked, bool):
        warning = "request_heartbeat is true or false; it was taken as false"
        values["request_heartbeat"] = False
    try:
        return FUNCTIONS[name].model_validate(values), warning
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    told = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in found[:5])
    raise CallError(f"{name} does not take this: {told}; it takes {fields}")


THOUGHT = 150  # characters that a model may think before it calls


class Action(BaseModel):
    """A reply in the JSON form; one that does not fit has a `problem` instead.

    Its schema ties each function to its own arguments. Checking it never fails: what
    is wrong goes to the model with the result of its call.
    """

    thought: str = ""
    function: str | None = None
    arguments: Any = None
    problem: str = ""

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """An object of `thought` and `call`, one form a function."""
        named = ((name, {"type": "string", "enum": [name]}) for name in FUNCTIONS)
        calls = [_object(function=one, arguments=schema(name)) for name, one in named]
        thought = {"type": "string", "maxLength": THOUGHT}
        return {"title": "Action", **_object(thought=thought, call={"anyOf": calls})}

    @classmethod
    def model_validate_json(cls, json_data: Any, **_: Any) -> Action:
        """The call in a reply, or what is wrong with it.

        >>> Action.model_validate_json('{"call": {"function": "page"}}').function
        'page'
        >>> Action.model_validate_json("I will look.").problem
        'the reply is no JSON object'
        """
        try:
            found = json.loads(json_data)
        except (ValueError, RecursionError):
            return cls(problem="the reply is no JSON object")
        call = found.get("call", found) if isinstance(found, dict) else None
        if not isinstance(call, dict) or not isinstance(call.get("function"), str):
            return cls(problem="the reply has no call with the name of a function")
        thought = str(found.get("thought") or "")[:THOUGHT]
        given = call.get("arguments", {})
        return cls(thought=thought, function=call["function"], arguments=given)


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }

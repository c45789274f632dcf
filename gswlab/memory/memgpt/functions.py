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

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gswlab.core.document import Language
from gswlab.models.prompt import prompt

Text = Annotated[str, Field(max_length=4000)]
Query = Annotated[str, Field(max_length=400)]
Label = Annotated[str, Field(max_length=60)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", max_length=10)]
Count = Annotated[int, Field(ge=1, le=50)]
PageNumber = Annotated[int, Field(ge=0, le=10_000)]
ENDING = ("send_message", "pause_heartbeats")  # they ask for no further step


class Arguments(BaseModel):
    """Arguments of a call; what is not named here is refused."""

    model_config = ConfigDict(extra="forbid")


class _Going(Arguments):
    request_heartbeat: bool = False


class _Message(Arguments):
    message: Text


class _Pause(Arguments):
    minutes: Annotated[int, Field(ge=1, le=360)]


class _Insert(_Going):
    content: Text


class _Search(_Going):
    query: Query
    count: Count = 5


class _Paged(_Going):
    query: Query
    page: PageNumber = 0


class _Days(_Going):
    start_date: Day
    end_date: Day
    page: PageNumber = 0


class _Page(_Going):
    number: PageNumber


class _Append(_Going):
    key: Label
    value: Text


class _Replace(_Going):
    key: Label
    old: Text
    new: Text


FUNCTIONS: Mapping[str, type[Arguments]] = {
    "send_message": _Message,
    "core_memory_append": _Append,
    "core_memory_replace": _Replace,
    "archival_memory_insert": _Insert,
    "archival_memory_search": _Search,
    "recall_memory_search": _Search,
    "conversation_search": _Paged,
    "conversation_search_date": _Days,
    "page": _Page,
    "pause_heartbeats": _Pause,
}


@cache
def about(language: Language) -> Mapping[str, str]:
    """What each function is for, by its name."""
    lines = prompt("memgpt_functions", language).system.splitlines()
    told = (line.partition(": ") for line in lines if ": " in line)
    return {name.strip("- `"): said for name, _, said in told}


def schema(name: str) -> dict[str, Any]:
    """The JSON schema of a function's arguments, without titles and defaults."""
    plain: dict[str, Any] = _plain(FUNCTIONS[name].model_json_schema())
    plain["required"] = list(plain["properties"])
    return plain


def _plain(node: Any) -> Any:
    if isinstance(node, dict):
        kept = {k: v for k, v in node.items() if k not in ("default", "description")}
        return {
            k: _plain(v) for k, v in kept.items() if k != "title" or isinstance(v, dict)
        }
    return [_plain(part) for part in node] if isinstance(node, list) else node


@cache
def tools(language: Language = "en") -> tuple[dict[str, Any], ...]:
    """Tool definitions as an OpenAI-compatible server takes them."""
    told = about(language)
    return tuple(
        {
            "type": "function",
            "function": {
                "name": name,
                "description": told[name],
                "parameters": schema(name),
            },
        }
        for name in FUNCTIONS
    )


@cache
def manual(language: Language = "en") -> str:
    """The definitions as text: what they cost of the window is counted on it."""
    return "\n".join(
        json.dumps(tool["function"], ensure_ascii=False) for tool in tools(language)
    )


class CallError(Exception):
    """A call that cannot be made; its words are advice to whoever made it."""


def checked(name: str, given: Any) -> tuple[Arguments, str]:
    """A call's arguments as the function takes them, and a warning or "".

    Raises:
        CallError: no such function, or arguments that do not fit, each named.
    """
    if name not in FUNCTIONS:
        known = ", ".join(FUNCTIONS)
        raise CallError(f"there is no function {name[:60]!r}; there are: {known}")
    if not isinstance(given, Mapping):
        fields = ", ".join(FUNCTIONS[name].model_fields)
        raise CallError(f"arguments of {name} are one JSON object with: {fields}")
    values, warning = dict(given), ""
    asked = values.get("request_heartbeat", False)
    if name in ENDING:
        values.pop("request_heartbeat", None)
    elif not isinstance(asked, bool):
        warning = "request_heartbeat is true or false; it was taken as false"
        values["request_heartbeat"] = False
    try:
        return FUNCTIONS[name].model_validate(values), warning
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    told = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in found[:5])
    fields = ", ".join(FUNCTIONS[name].model_fields)
    raise CallError(f"{name} does not take this: {told}; it takes {fields}")

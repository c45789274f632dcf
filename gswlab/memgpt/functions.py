"""The functions a model may call: names, arguments, definitions, checks.

One table is the source of tool definitions, of the JSON form for models without tools,
of the manual and of the check of every call. What a function is for is told in the
prompt file `memgpt_functions`, in the language of the agent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gswlab.memgpt.core_memory import Block, EditError
from gswlab.memgpt.nouns import Page
from gswlab.memgpt.policy import Decision, Result
from gswlab.models.prompt import prompt

if TYPE_CHECKING:
    from gswlab.memgpt.agent import Agent


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
def about(language: str) -> Mapping[str, str]:
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
def tools(language: str = "en") -> tuple[dict[str, Any], ...]:
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
def manual(language: str = "en") -> str:
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


# A reply in the JSON form: a thought and a call, or what is wrong with it.

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
        return deepcopy(_schema())

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


@cache
def _schema() -> dict[str, Any]:
    calls = [
        _object(
            {"function": {"type": "string", "enum": [name]}, "arguments": given},
        )
        for name, given in ((n, schema(n)) for n in FUNCTIONS)
    ]
    thought = {"type": "string", "maxLength": THOUGHT}
    return {
        "title": "Action",
        **_object({"thought": thought, "call": {"anyOf": calls}}),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


# What each function does; a call that fails says why and what to do instead.

Search = Callable[[int], Page]


class Tools:
    """The functions of one agent. `page` goes on with whatever was searched last."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._last: Search | None = None

    def call(self, decision: Decision) -> Result:
        """Make the call that was decided on; whatever is wrong with it is a result."""
        if decision.problem or decision.function is None:
            advice = "call one function; only send_message is seen by anybody"
            return Result(
                False, f"{decision.problem or 'nothing was called'}; {advice}"
            )
        try:
            given, warning = checked(decision.function, decision.arguments)
            result: Result = getattr(self, f"_{decision.function}")(given)
        except (CallError, EditError) as error:
            return Result(False, str(error))
        if warning:
            result = replace(result, text=f"{result.text}\n({warning})")
        return replace(result, heartbeat=getattr(given, "request_heartbeat", False))

    def _send_message(self, given: Any) -> Result:
        if not given.message.strip():
            raise CallError("the message is empty; say something, or do not send")
        return Result(True, "sent", data={"message": given.message})

    def _pause_heartbeats(self, given: Any) -> Result:
        main = self.agent.main
        if main.now is None:
            raise CallError("no event had a time yet, so no pause can begin")
        until = datetime.fromisoformat(main.now) + timedelta(minutes=given.minutes)
        main.paused = until.isoformat()
        return Result(True, f"timed events are ignored until {main.paused}")

    def _core_memory_append(self, given: Any) -> Result:
        core = self.agent.storage.core
        return self._edited(given.key, lambda: core.append(given.key, given.value))

    def _core_memory_replace(self, given: Any) -> Result:
        core, words = self.agent.storage.core, (given.old, given.new)
        return self._edited(given.key, lambda: core.replace(given.key, *words))

    def _edited(self, label: str, edit: Callable[[], Block]) -> Result:
        core = self.agent.storage.core
        before = core.block(label)
        after = edit()
        try:
            _ = self.agent.main.capacity
        except EditError:
            core.put(before)
            raise
        data = {"block": label, "before": before.value, "after": after.value}
        used = f"{len(after.value)} of {after.limit} characters"
        return Result(True, f"{label} now has {used}", data=data)

    def _archival_memory_insert(self, given: Any) -> Result:
        kept = self.agent.insert(given.content)
        if not kept:
            raise CallError("the content is empty; give the words to keep")
        ids = tuple(passage.key for passage in kept)
        return Result(True, f"kept as {', '.join(ids)}", data={"passages": ids})

    def _archival_memory_search(self, given: Any) -> Result:
        agent, size = self.agent, given.count * self.agent.batch
        return self._found(lambda n: agent.search_archival(given.query, size, n))

    def _recall_memory_search(self, given: Any) -> Result:
        return self._recalled(given.query, given.count * self.agent.batch, 0)

    def _conversation_search(self, given: Any) -> Result:
        size = self.agent.page * self.agent.batch
        return self._recalled(given.query, size, given.page)

    def _recalled(self, query: str, size: int, page: int) -> Result:
        return self._found(lambda n: self.agent.search_recall(query, size, n), page)

    def _conversation_search_date(self, given: Any) -> Result:
        first, last, recall = (
            given.start_date,
            given.end_date,
            self.agent.storage.recall,
        )
        if first > last:
            raise CallError(f"start_date {first} is after end_date {last}; swap them")
        size = self.agent.page * self.agent.batch
        return self._found(lambda n: recall.between(first, last, size, n), given.page)

    def _page(self, given: Any) -> Result:
        if self._last is None:
            raise CallError("nothing was searched in this turn; search first")
        return self._found(self._last, given.number)

    def _found(self, search: Search, number: int = 0) -> Result:
        self._last = search
        page = search(number)
        if number > page.last:
            raise CallError(f"there is no page {number}; the last one is {page.last}")
        return Result(True, page.header, page)

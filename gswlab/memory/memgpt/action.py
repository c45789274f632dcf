"""A reply in the JSON form: a thought and a call, or what is wrong with it."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import Any

from pydantic import BaseModel

from gswlab.memory.memgpt import functions

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
        for name, given in ((n, functions.schema(n)) for n in functions.FUNCTIONS)
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

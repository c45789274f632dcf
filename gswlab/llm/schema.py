"""JSON from a model: bounded when asked for, validated when it comes.

A small model can repeat itself in an open list until its tokens run out, so a schema
without `maxItems` and `maxLength` is refused before anything is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from gswlab.core.errors import GswlabError

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


def parsed(text: str, model: type[BaseModel]) -> tuple[BaseModel | None, list[str]]:
    """The object in a reply, or every problem with the path where it is.

    Words around the object, as models without constrained output write them, go.
    """
    start, end = text.find("{"), text.rfind("}")
    body = text[start : end + 1] if 0 <= start < end else text
    try:
        return model.model_validate_json(body), []
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    return None, [f"{_path(e['loc'])}: {e['msg']}" for e in found]


def _path(parts: tuple[int | str, ...]) -> str:
    return ".".join(str(part)[:80] for part in parts) or "the whole reply"


def instruction(model: type[BaseModel]) -> str:
    """The schema in words, for a server that cannot be held to one."""
    text = json.dumps(schema_of(model), ensure_ascii=False)
    return f"Reply with one JSON object that fits this JSON schema:\n{text}"

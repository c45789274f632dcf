"""The JSON of steps and snapshots as types that pydantic reads, strictly and at once.

A change is told by `op` and then `kind`, plain strings, and the fields of a noun by
their names; so one pass decides the exact type of every value, and an error has a path.
The types are built from the dataclasses: a new field of a noun is a new field here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, TypeVar, get_type_hints

from pydantic import Discriminator, JsonValue, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from gswlab.errors import GswlabError
from gswlab.workspace.nouns import (
    Actor,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.workspace.step import Decision, NounKind

SCHEMA_VERSION = 1
NOUNS: Mapping[NounKind, type[Noun]] = {
    "actor": Actor,
    "verb_phrase": VerbPhrase,
    "question": Question,
    "time": Time,
    "place": Place,
    "relation": Relation,
    "episode": Episode,
}
T = TypeVar("T")


def _typed(name: str, row: Mapping[Any, Any]) -> Any:
    return TypedDict(name, dict(row))  # type: ignore[operator]


def _by_kind(op: str, rows: Mapping[NounKind, Mapping[str, Any]]) -> Any:
    """A change of one `op`: a union over the kinds of noun."""
    union: Any = None
    for kind, row in rows.items():
        tags = {"op": Literal[op], "kind": Literal[kind]}
        each = _typed(f"{op}_{kind}", {**tags, **row})
        union = each if union is None else union | each
    return Annotated[union, Discriminator("kind")]


def _change_type() -> Any:
    fields = {
        kind: _typed(
            f"{kind}_fields",
            {name: NotRequired[hint] for name, hint in get_type_hints(noun).items()},
        )
        for kind, noun in NOUNS.items()
    }
    part = {kind: {"id": str, "fields": fields[kind]} for kind in NOUNS}
    drop = {"id": str, "into": NotRequired[str | None]}
    put = _by_kind("put", {kind: {"item": noun} for kind, noun in NOUNS.items()})
    union = put | _by_kind("extend", part) | _by_kind("set", part)
    union = union | _by_kind("drop", dict.fromkeys(NOUNS, drop))
    return Annotated[union, Discriminator("op")]


@cache
def step_reader() -> TypeAdapter[dict[str, Any]]:
    """Reads the JSON object of a step."""
    event = {
        "kind": str,
        "data": NotRequired[dict[str, JsonValue]],
        "spans": NotRequired[tuple[Span, ...]],
    }
    decision: Any = Annotated[Decision, Discriminator("type")]
    step = {
        "index": int,
        "chunk": str | None,
        "changes": NotRequired[list[_change_type()]],  # type: ignore[misc]
        "decisions": NotRequired[tuple[decision, ...]],
        "events": NotRequired[list[_typed("event", event)]],  # type: ignore[misc]
        "note": NotRequired[str],
        "undoes": NotRequired[int | None],
    }
    return TypeAdapter(_typed("step", step))


@cache
def workspace_reader() -> TypeAdapter[dict[str, Any]]:
    """Reads the JSON object of a snapshot."""
    nouns: dict[Any, Any] = {}
    for kind, noun in NOUNS.items():
        nouns[kind] = NotRequired[list[noun]]  # type: ignore[valid-type]
    snapshot = {
        "schema": Literal[SCHEMA_VERSION],
        "version": int,
        "nouns": _typed("nouns", nouns),
        "retired": dict[str, str | None],
        "counts": dict[str, int],
        "chunks": dict[str, int],
    }
    return TypeAdapter(_typed("snapshot", snapshot))


@cache
def reader(cls: Any) -> TypeAdapter[Any]:
    """Reads the JSON of any frozen type of the workbench."""
    return TypeAdapter(cls)


def read(adapter: TypeAdapter[T], text: str | bytes, what: str) -> T:
    """The value in `text`, or one sentence with path, value and rule."""
    try:
        return adapter.validate_json(text, strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = "".join(f".{part}" for part in first["loc"]) or "."
        value = repr(first["input"])
        raise GswlabError(
            f"this is no {what}: {value[:80]}{'...' * (len(value) > 80)} at ${path}",
            first["msg"],
        ) from None

"""Steps as JSON, in one canonical form, and back to equality.

- One spelling: sorted keys, UTF-8 as it is, no spaces, defaults left out. Equal steps
  have equal bytes, so a journal can be compared with `cmp`.
- Fields are written as the objects of their type: `{"op": "extend", "id": "a1",
  "fields": {"mentions": [...]}}`, so `Extend.items` and `Set.value` come back as the
  exact nouns they were.
- Reading is strict: an unknown key, a wrong type or another schema version is one
  `GswlabError` with the path, the value and the rule.

Arrays come back as tuples. A `float` field is always written as a float, so that a run
resumed from disk and one that never stopped write the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, reduce
from math import isfinite
from operator import attrgetter, or_
from typing import Annotated, Any, Literal, NotRequired, TypeVar, get_type_hints

from pydantic import Discriminator, JsonValue, TypeAdapter, ValidationError
from pydantic_core import to_json
from typing_extensions import TypedDict

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Span, TraceEvent
from gswlab.core.step import Change, Decision, Drop, Extend, Put, Set, Step
from gswlab.core.workspace import KIND, NOUNS

SCHEMA_VERSION = 1


def typed_dict(title: str, needed: Mapping[str, Any], /, **more: Any) -> Any:
    """What pydantic reads a mapping as: keys that are needed, and that may be there."""
    optional = {key: NotRequired[hint] for key, hint in more.items()}
    return TypedDict(title, {**needed, **optional})  # type: ignore[operator]


@cache
def _step_reader() -> TypeAdapter[dict[str, Any]]:
    ops: dict[str, list[Any]] = {"put": [], "extend": [], "set": [], "drop": []}
    for kind, noun in NOUNS.items():
        named = typed_dict(f"{kind}_fields", {}, **get_type_hints(noun))
        for op, changes in ops.items():
            told: dict[str, Any] = {"op": Literal[op], "kind": Literal[kind]}
            told |= {"item": noun} if op == "put" else {"id": str}
            told |= {"fields": named} if op in ("extend", "set") else {}
            more = {"into": str | None} if op == "drop" else {}
            changes.append(typed_dict(f"{op}_{kind}", told, **more))
    kinds = (Annotated[reduce(or_, c), Discriminator("kind")] for c in ops.values())
    change: Any = Annotated[reduce(or_, kinds), Discriminator("op")]
    decision: Any = Annotated[Decision, Discriminator("type")]
    data, spans = dict[str, JsonValue], tuple[Span, ...]
    event: Any = typed_dict("event", {"kind": str}, data=data, spans=spans)
    parts = {
        "changes": list[change],
        "decisions": tuple[decision, ...],
        "events": list[event],
    }
    own = {"index": int, "chunk": str | None}
    return TypeAdapter(typed_dict("step", own, **parts, note=str, undoes=int | None))


_reader: Any = cache(TypeAdapter)


def _read(adapter: TypeAdapter[_T], text: str | bytes, what: str) -> _T:
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


_PLAIN = (str, bool, int, type(None))
_TAGS = {"op", "type"}  # defaults that a reader needs to tell one class from another
_T = TypeVar("_T")


@cache
def _shape(cls: type) -> tuple[tuple[str, Any, bool], ...]:
    """(name, default, is a float) of each field that is written, by name."""
    hints = get_type_hints(cls) if cls is not TraceEvent else {}
    shape = []
    for f in sorted(fields(cls), key=attrgetter("name")):
        default = f.default if f.default_factory is MISSING else f.default_factory()
        tag = f.name in _TAGS
        shape.append((f.name, MISSING if tag else default, hints.get(f.name) is float))
    return tuple(shape)


def plain_data(value: Any) -> Any:
    """Nouns as JSON objects without defaults, keys in order; what is JSON stays."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, (tuple, list)):
        return [i if isinstance(i, _PLAIN) else plain_data(i) for i in value]
    if is_dataclass(value):
        cls: Any = type(value)
        found = {}
        for name, default, is_float in _shape(cls):
            item = getattr(value, name)
            if default is MISSING or item != default:
                item = float(item) if is_float else item
                # most of what a step holds: no call more for it
                found[name] = item if isinstance(item, _PLAIN) else plain_data(item)
        return found
    if isinstance(value, Mapping):
        if odd := [key for key in value if not isinstance(key, str)]:
            raise GswlabError(f"{odd[0]!r} cannot be a key of JSON", "keys are text")
        return {key: plain_data(value[key]) for key in sorted(value)}
    problem = f"{value!r} is a {type(value).__name__}, which JSON cannot hold"
    rule = "a step holds nouns, tuples, mappings, text and finite numbers"
    raise GswlabError(problem, rule)


def canonical(value: Any) -> str:
    """The one JSON text of a value.

    >>> from gswlab.core.nouns import Span
    >>> canonical(Span("本", 3, 9))
    '{"document":"本","end":9,"start":3}'
    """
    try:
        return to_json(plain_data(value)).decode()
    except ValueError as error:
        problem = f"a value cannot be written as JSON: {error}"
        raise GswlabError(problem, "text is valid Unicode") from error


def encode_step(step: Step) -> str:
    """The canonical JSON of a step; equal steps, equal bytes.

    >>> encode_step(Step(0, "book:1:0"))
    '{"chunk":"book:1:0","index":0}'
    """
    wire = {n: getattr(step, n) for n, d, _ in _shape(Step) if getattr(step, n) != d}
    if step.changes:
        wire["changes"] = [_wire(change) for change in step.changes]
    return canonical(wire)


def _wire(change: Change) -> Any:
    if isinstance(change, Put | Drop):
        return change
    value = change.items if isinstance(change, Extend) else change.value
    told = {"op": change.op, "kind": change.kind, "id": change.id}
    return {**told, "fields": {change.field: value}}


def decode(cls: type[_T], text: str | bytes) -> _T:
    """The value of type `cls` whose `canonical` JSON this is."""
    found: _T = _read(_reader(cls), text, cls.__name__)
    return found


def _change(wire: dict[str, Any]) -> Change:
    op, kind = wire["op"], wire["kind"]
    noun_id = wire["item"].id if op == "put" else wire["id"]
    if KIND.get(noun_id[:1]) != kind or not noun_id[1:].isdecimal():
        raise GswlabError(f"{noun_id!r} is no id of kind {kind}", "a1, v2, q3, ...")
    if op == "put":
        return Put(kind, wire["item"])
    if op == "drop":
        return Drop(kind, noun_id, wire.get("into"))
    if len(wire["fields"]) != 1:
        problem = f"a change of {noun_id} names {len(wire['fields'])} fields"
        raise GswlabError(problem, "one each")
    ((name, value),) = wire["fields"].items()
    if op == "set":
        return Set(kind, noun_id, name, value)
    if not isinstance(value, tuple):
        raise GswlabError(f"{name} of {noun_id} cannot be extended", "a tuple can")
    return Extend(kind, noun_id, name, value)


def _frozen(value: Any) -> Any:
    """JSON with its arrays as tuples."""
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value


def decode_step(text: str | bytes) -> Step:
    """The step of `encode_step(step)`."""
    wire = _read(_step_reader(), text, "step")
    wire["changes"] = tuple(_change(change) for change in wire.get("changes", ()))
    wire["events"] = tuple(
        TraceEvent(e["kind"], _frozen(e.get("data", {})), e.get("spans", ()))
        for e in wire.get("events", ())
    )
    return Step(**wire)

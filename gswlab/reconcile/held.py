"""An edit that waits, and how a journal keeps it: the local map as canonical JSON."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, get_type_hints

from typing_extensions import TypedDict

from gswlab.core.codec import canonical, decode
from gswlab.core.nouns import Chunk, LocalMap

_APART = ("chunk", "events")  # the events of a map are in the step that read it


@dataclass(frozen=True, slots=True)
class Held:
    """What was read off which chunk, and how often its edit was tried again."""

    local: LocalMap
    chunk: Chunk
    tries: int = 0


def written(local: LocalMap) -> str:
    """The parts of a local map as text.

    >>> written(LocalMap("book:1:0"))
    '{}'
    """
    parts = {f.name: getattr(local, f.name) for f in fields(local)}
    kept = {n: part for n, part in parts.items() if part and n not in _APART}
    return canonical(kept)


def read_back(text: str, chunk: str) -> LocalMap:
    """The local map that was written, without its events."""
    found: Any = decode(_parts(), text)
    return LocalMap(chunk, **found)


@cache
def _parts() -> type:
    hints = get_type_hints(LocalMap)
    parts = {name: hint for name, hint in hints.items() if name not in _APART}
    made: Any = TypedDict("Parts", parts, total=False)  # type: ignore[misc]
    found: type = made
    return found

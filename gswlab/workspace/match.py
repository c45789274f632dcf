"""Which nouns of two runs over one text are the same, by what the text says.

Two runs number their nouns each in its own way; names and characters they share. A
noun is recognised by its surface and the first characters it rests on; where several
are alike, the first meets the first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from gswlab.workspace.links import label, live
from gswlab.workspace.nouns import (
    Actor,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Time,
    VerbPhrase,
)
from gswlab.workspace.wire import NOUNS
from gswlab.workspace.workspace import Workspace

# the fields of nouns and of what is inside them that hold ids
HOLD_IDS = {"actor", "actors", "verb_phrase", "time", "place", "since", "refines"}
HOLD_IDS |= {"inside", "source", "target", "id", "candidate"}
_ID = re.compile("[avqtper][1-9][0-9]*")


def same_in_text(before: Workspace, after: Workspace) -> dict[str, str]:
    """Ids of `after` to those of `before` that stand for the same thing."""
    waiting: dict[Hashable, list[str]] = defaultdict(list)
    for kind in NOUNS:
        for noun in before.of(kind):
            waiting[_surface(noun, before)].append(noun.id)
    found = {}
    for kind in NOUNS:
        for noun in after.of(kind):
            if ids := waiting.get(_surface(noun, after)):
                found[noun.id] = ids.pop(0)
    return found


def _surface(noun: Noun, workspace: Workspace) -> Hashable:
    match noun:
        case Actor():
            where = noun.mentions[0].span if noun.mentions else noun.chunk
            return "actor", noun.name, where
        case VerbPhrase(predicate=text, spans=spans) | Question(text=text, spans=spans):
            return type(noun).__name__, text, spans[:1] or noun.chunk
        case Time() | Place():
            return type(noun).__name__, label(noun), noun.chapter
        case Relation():
            ends = (_end(noun.source, workspace), _end(noun.target, workspace))
            return "relation", noun.kind, *ends
        case Episode():
            return "episode", noun.document, noun.chapter, noun.order


def _end(noun_id: str, workspace: Workspace) -> str:
    found = live(workspace, noun_id)
    return noun_id if found is None else label(workspace.nouns[found])


def renamed(value: Any, name: str, ids: Mapping[str, str]) -> Any:
    """`value` of the field `name` with its ids translated, and those within it."""
    if isinstance(value, str):
        # an id without a partner must not pass for the other run's of that number
        alien = f"{value}'" if _ID.fullmatch(value) else value
        return ids.get(value, alien) if name in HOLD_IDS else value
    if isinstance(value, tuple):
        return tuple(renamed(item, name, ids) for item in value)
    if isinstance(value, Mapping):
        return {key: renamed(item, name, ids) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        new = {
            f.name: renamed(getattr(value, f.name), f.name, ids) for f in fields(value)
        }
        return replace(value, **new)
    return value

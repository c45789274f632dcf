"""Values of nouns in words: what an id stands for is said, and long values are cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from gswlab.workspace.links import label
from gswlab.workspace.nouns import Bound, Effect, Noun, Relation
from gswlab.workspace.workspace import Workspace

Namer: TypeAlias = Callable[[str], str]
SHORT = 60  # characters of a value inside a sentence


def namer(workspace: Workspace) -> Namer:
    """What the ids of a workspace are called; an id it does not know stays."""

    def called(noun_id: str) -> str:
        noun = workspace.nouns.get(workspace.resolve(noun_id))
        return label(noun) if noun else noun_id

    return called


def titled(noun: Noun, called: Namer) -> str:
    """A noun's label; a relation is told with its ends."""
    if isinstance(noun, Relation):
        ends = f"{called(noun.source)} – {called(noun.target)}"
        return f"{noun.kind.replace('_', ' ')}: {ends}"
    return label(noun)


def changed(old: Any, new: Any, was: Namer, now: Namer) -> str:
    """How a value became another: what it grew by, else both.

    >>> changed(("a",), ("a", "b"), str, str)
    '+1 (b)'
    """
    if _grew(old, new):
        texts = [shown(item, now) for item in new[len(old) :]]
        return f"+{len(texts)} ({_cut(', '.join(texts))})"
    return f"{shown(old, was)} -> {shown(new, now)}"


def _grew(old: Any, new: Any) -> bool:
    """Whether a tuple only got longer: what a timeline or mentions mostly do."""
    both = isinstance(old, tuple) and isinstance(new, tuple)
    return both and len(new) > len(old) and new[: len(old)] == old


def shown(value: Any, called: Namer) -> str:
    """A value for a sentence: who an argument means is told beside its words."""
    if value is None or value == () or value == "":
        return "unknown"
    if isinstance(value, Bound):
        return value.value
    if isinstance(value, tuple):
        return _cut(", ".join(shown(item, called) for item in value))
    if isinstance(value, Effect):
        return _cut(f"{called(value.actor)}: {value.before or '?'} → {value.after}")
    text = getattr(value, "text", None) or getattr(value, "candidate", None)
    actor = getattr(value, "actor", None)
    name = called(actor) if isinstance(actor, str) else text
    meant = f" ({name})" if text is not None and name != text else ""
    return _cut(str(value if text is None else text) + meant)


def _cut(text: str) -> str:
    return text if len(text) <= SHORT else text[: SHORT - 3] + "..."

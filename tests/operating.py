"""What the operator tests share: a text to its local map, and ways to look in."""

from __future__ import annotations

from gswlab.core.nouns import Actor, Chunk, LocalMap, Span, VerbPhrase
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.rules import SpacyOperator

START = 100  # chunks rarely begin a document: offsets must not be the chunk's own


def operate(text: str, workspace: Workspace | None = None) -> LocalMap:
    span = Span("d", START, START + len(text))
    chunk = Chunk("d:1:0", "d", 1, 0, text, span)
    return SpacyOperator().extract(chunk, workspace or Workspace())


def actor(local: LocalMap, name: str) -> Actor:
    found = [a for a in local.actors if a.name == name]
    assert len(found) == 1, [a.name for a in local.actors]
    return found[0]


def names(local: LocalMap, kind: str = "") -> list[str]:
    named = ("name", "short")
    return [
        a.name
        for a in local.actors
        if any(m.form in named for m in a.mentions) and (not kind or a.kind == kind)
    ]


def phrase(local: LocalMap, predicate: str) -> VerbPhrase:
    found = [v for v in local.verb_phrases if v.predicate == predicate]
    assert len(found) == 1, [v.predicate for v in local.verb_phrases]
    return found[0]


def slots(found: VerbPhrase) -> dict[str, str]:
    return {a.slot: a.text for a in found.arguments}


def mentions(found: Actor) -> list[str]:
    return [m.text for m in found.mentions]


def is_apart(local: LocalMap, one: str, two: str) -> bool:
    ids = {actor(local, one).id, actor(local, two).id}
    return any(set(pair) == ids for pair in local.apart)

"""Ties that stand between two names: "the Guildhall in Leeds", "Hale, known as Fox".

They are read off the few characters between two mentions, so they hold for whatever
an operator makes of the words around them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from gswlab.core.nouns import Actor, Chunk, LocalMap, Relation
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.keys import key
from gswlab.language.lexicon import words


def put_relations(scene: ChunkContext, phrases: dict[str, str]) -> None:
    """Put the chunk's ties between nouns; one of the chapter gains their spans.

    An alias is no tie between two nouns: it made them one.
    """
    ids, resolve = scene.ids | phrases, scene.workspace.resolve
    known = {(r.source, r.target, r.kind): r.id for r in scene.shelf("relation")}
    for new in scene.local.relations:
        if new.kind == "alias" or not ids.keys() >= {new.source, new.target}:
            continue
        tie = resolve(ids[new.source]), resolve(ids[new.target]), new.kind
        if tie in known:
            scene.draft.extend(known[tie], "spans", new.spans)
        else:
            known[tie] = scene.tie(*tie, new.reason, new.spans)


_FAR = 32  # characters between two mentions that a tie may take
_ALIAS = re.compile(
    r"[\s,(]*(?:(?:also|better|otherwise|commonly|sometimes|was|is)\s+)*"
    r"(?:known\s+as|called|nicknamed|alias|a\.?k\.?a\.?|dubbed|by\s+the\s+name\s+of)"
    r"\s+(?:the\s+)?[\"'“‘]?|、?(?:またの名を|通称|別名)",
    re.I,
)
_INSIDE = re.compile(r"\s+(?:in|inside|within|of)\s+(?:the\s+)?", re.I)
_COMMA = re.compile(r"\s*,\s*")


def with_stated(local: LocalMap, chunk: Chunk) -> LocalMap:
    """`local` with the aliases and the nested places its chunk's text states."""
    known = {(r.source, r.target, r.kind) for r in local.relations}
    text, base, found = chunk.text, chunk.span.start, list[Relation]()
    mentions = [(m, a) for a in local.actors for m in a.mentions]
    forms = ("name", "short")
    named = [(m, a) for m, a in mentions if m.form in forms or a.kind == "place"]
    named.sort(key=lambda pair: (pair[0].span, pair[1].id))
    for (one, a), (two, b) in pairwise(named):
        between = text[one.span.end - base : max(two.span.start - base, 0)]
        near = a.id != b.id and 0 <= two.span.start - one.span.end <= _FAR
        tie = _tie(between, a, b) if near else None
        if tie is not None and tie not in known:
            spans = (replace(one.span, end=two.span.end),)
            found.append(Relation("", *tie, "stated", spans, chunk.id))
    return replace(local, relations=(*local.relations, *found)) if found else local


def _tie(between: str, a: Actor, b: Actor) -> tuple[str, str, str] | None:
    """Source, target and kind of what the text between two names says, if anything."""
    if _ALIAS.fullmatch(between):
        return a.id, b.id, "alias"
    if a.kind != "place" or b.kind != "place":
        return None
    if between == "の":
        return b.id, a.id, "inside"
    # "Old Hall, Leeds" is nested; "Leeds, York" is a list.
    heads = words("place_head")
    first, second = (not heads.isdisjoint(key(each.name)[-1:]) for each in (a, b))
    listed = _COMMA.fullmatch(between) and first and not second
    return (a.id, b.id, "inside") if _INSIDE.fullmatch(between) or listed else None

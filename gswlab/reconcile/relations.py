"""Relations of a chunk, in workspace ids, each told once."""

from __future__ import annotations

from dataclasses import replace

from gswlab.core.nouns import Relation
from gswlab.reconcile.scene import Scene

ALIAS = "alias"


def put_relations(scene: Scene, phrases: dict[str, str]) -> None:
    """Put the chunk's ties between nouns.

    An alias is no tie between two nouns: it made them one.
    """
    ids = scene.ids | phrases
    known = {(r.source, r.target, r.kind): r.id for r in scene.shelf("relation")}
    for local in scene.local.relations:
        if local.source in ids and local.target in ids:
            ends = replace(local, source=ids[local.source], target=ids[local.target])
            put_relation(scene, ends, known)


def put_relation(
    scene: Scene, new: Relation, known: dict[tuple[str, str, str], str]
) -> None:
    """Put one tie; one of the chapter's `known` ones gains its spans."""
    source, target = (scene.workspace.resolve(end) for end in (new.source, new.target))
    tie = (source, target, new.kind)
    if new.kind == ALIAS:
        return
    if tie in known:
        scene.draft.extend(known[tie], "spans", new.spans)
        return
    known[tie] = scene.draft.new_id("relation")
    relation = replace(
        new,
        id=known[tie],
        source=source,
        target=target,
        chunk=scene.chunk.id,
        chapter=scene.chapter,
    )
    scene.draft.put("relation", relation)

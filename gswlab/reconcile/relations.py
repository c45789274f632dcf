"""Relations of a chunk, in workspace ids, each told once."""

from __future__ import annotations

from dataclasses import replace

from gswlab.reconcile.scene import Scene

ALIAS = "alias"


def put_relations(scene: Scene, phrases: dict[str, str]) -> None:
    """Put the chunk's ties between nouns; one already there gains its spans.

    An alias is no tie between two nouns: it made them one.
    """
    ids = scene.ids | phrases
    known = {(r.source, r.target, r.kind): r.id for r in scene.shelf("relation")}
    for local in scene.local.relations:
        if local.source not in ids or local.target not in ids or local.kind == ALIAS:
            continue
        source, target = (
            scene.workspace.resolve(ids[end]) for end in (local.source, local.target)
        )
        tie = (source, target, local.kind)
        if tie in known:
            scene.draft.extend(known[tie], "spans", local.spans)
            continue
        known[tie] = scene.draft.new_id("relation")
        relation = replace(
            local,
            id=known[tie],
            source=source,
            target=target,
            chunk=scene.chunk.id,
            chapter=scene.chapter,
        )
        scene.draft.put("relation", relation)

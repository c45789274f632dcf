"""Verb phrases: another mention of an occurrence enriches it and keeps its id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gswlab.reconcile.scene import Scene
from gswlab.workspace.nouns import Argument, VerbPhrase


def put_all(scene: Scene, anchors: Mapping[str, str]) -> dict[str, str]:
    """The chunk's verb phrases into the workspace: local id to the id it has there."""
    ids: dict[str, str] = {}
    for local in scene.local.verb_phrases:
        new = lifted(scene, local, anchors)
        new = replace(new, id=scene.draft.new_id("verb_phrase"))
        scene.draft.put("verb_phrase", new)
        scene.use(new)
        ids[local.id] = new.id
    return ids


def lifted(scene: Scene, local: VerbPhrase, anchors: Mapping[str, str]) -> VerbPhrase:
    """A local verb phrase in workspace ids; a reference to nothing is left out."""
    arguments = tuple(
        replace(a, actor=scene.ids.get(a.actor or "")) for a in local.arguments
    )
    effects = tuple(
        replace(e, actor=scene.ids[e.actor])
        for e in local.effects
        if e.actor in scene.ids
    )
    return replace(
        local,
        arguments=arguments,
        effects=effects,
        chunk=scene.chunk.id,
        chapter=scene.chunk.chapter,
        time=_anchor(scene, local.time, "time", arguments, anchors),
        place=_anchor(scene, local.place, "place", arguments, anchors),
    )


def _anchor(
    scene: Scene,
    named: str | None,
    slot: str,
    arguments: tuple[Argument, ...],
    anchors: Mapping[str, str],
) -> str | None:
    """The anchor of a verb phrase: the one it names, else that of its slot."""
    own = [scene.ids[named]] if named in scene.ids else []
    slots = [a.actor for a in arguments if a.slot == slot and a.actor]
    for actor_id in (*own, *slots):
        found = anchors.get(scene.workspace.resolve(actor_id))
        if found and found[0] == slot[0]:
            return found
    return None

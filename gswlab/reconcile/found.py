"""What a chunk says of times and places: its links, and the nouns nobody links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from gswlab.core.nouns import Actor, Granularity, Link, Span
from gswlab.language.names import key
from gswlab.reconcile.scene import Scene

Kind = Literal["time", "place"]
_GRANULARITY: dict[int, Granularity] = {4: "year", 7: "month", 10: "day"}


@dataclass(frozen=True, slots=True)
class Found:
    """One chunk's word about an anchor, in workspace ids."""

    kind: Kind
    value: str | None
    text: str
    spans: tuple[Span, ...]
    coupled: tuple[str, ...]
    noun: str | None = None
    granularity: Granularity = "unknown"
    basis: str | None = None


def from_links(scene: Scene) -> Iterator[Found]:
    """The groups that the chunk's links put at a time or place."""
    for link in scene.local.links:
        ids = _mapped(scene, link.actors)
        noun = _noun_of(scene, link, ids)
        value = _link_value(scene, link, noun)
        if ids:
            yield Found(
                "time" if link.kind == "time" else "place",
                value,
                link.value or "",
                link.spans,
                tuple(dict.fromkeys((*ids, *([noun] if noun else [])))),
                noun,
                link.granularity,
                link.basis,
            )


def _mapped(scene: Scene, local: Iterable[str]) -> tuple[str, ...]:
    resolve, ids = scene.workspace.resolve, scene.ids
    return tuple(dict.fromkeys(resolve(ids[i]) for i in local if i in ids))


def _noun_of(scene: Scene, link: Link, ids: tuple[str, ...]) -> str | None:
    """The actor that is the link's own time or place, if the operator says which."""
    if link.anchor in scene.ids:
        return scene.workspace.resolve(scene.ids[link.anchor or ""])
    kind = "time" if link.kind == "time" else "place"
    for actor_id in ids:
        actor = scene.actor(actor_id)
        names = {key(n) for n in (actor.name, *actor.aliases)}
        if link.value and actor.kind == kind and key(link.value) in names:
            return actor_id
    return None


def _link_value(scene: Scene, link: Link, noun: str | None) -> str | None:
    actor = scene.actor(noun) if noun else None
    if link.kind == "time":
        return link.iso or (actor.value if actor else None)
    return actor.name if actor else link.value


def from_actors(scene: Scene, linking: bool = True) -> Iterator[Found]:
    """Times and places that no link names have an anchor all the same."""
    linked = {link.anchor for link in scene.local.links if linking}
    for new in scene.local.actors:
        if new.id in linked or new.id not in scene.ids:
            continue
        actor = scene.actor(scene.ids[new.id])
        value = actor.value if new.kind == "time" else actor.name
        if value and (new.kind == "time" or _is_named_place(new, actor)):
            spans = tuple(m.span for m in new.mentions)
            fine = _GRANULARITY.get(len(value), "unknown")
            kind: Kind = "time" if new.kind == "time" else "place"
            yield Found(kind, value, new.name, spans, (actor.id,), actor.id, fine)


def _is_named_place(new: Actor, actor: Actor) -> bool:
    named = any(m.form in ("name", "short") for m in new.mentions)
    return actor.kind == "place" and named

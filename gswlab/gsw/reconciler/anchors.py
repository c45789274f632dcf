"""Shared anchors of time and place: actors coupled to one value.

- a chapter has one anchor for each value; whoever is linked to it shares it;
- a link may come before its value: a group is coupled to an anchor without one, and
  the value, when it is read, is everybody's at once;
- a value is never overwritten by none, and every reading is kept; a specific date
  refines a coarse one, a room lies inside its building.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from gswlab.core.nouns import Actor, Granularity, Link, Place, Reading, Span, Time
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.chunk_context import Scene
from gswlab.gsw.reconciler.conflicts import settle_event
from gswlab.language.names import key

# What a chunk says of times and places: its links, and the nouns nobody links.

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


_INSIDE = frozenset({"inside", "in", "within", "located_in", "part_of"})


def anchor_all(scene: Scene, propagation: bool = True) -> dict[str, str]:
    """Anchor the chunk's links, times and places: actor id to the anchor it names.

    Without `propagation` no group is coupled: each time and place has its own anchor.
    """
    named: dict[str, str] = {}
    links = tuple(from_links(scene)) if propagation else ()
    for found in (*links, *from_actors(scene, propagation)):
        anchor_id = anchor(scene, found)
        if found.noun:
            named[found.noun] = anchor_id
        if found.kind == "place" and "," in (found.value or ""):
            _within(scene, anchor_id, found)
    _nest(scene, named)
    for local in scene.local.actors:
        if local.kind in ("abstract", "work"):
            settle_event(scene, scene.workspace.resolve(scene.ids[local.id]))
    return named


def anchor(scene: Scene, found: Found) -> str:
    """Couple a group to the anchor of a value, or to the one it already shares."""
    shelf = {a.id: a for a in scene.shelf(found.kind)}
    same = [a.id for a in shelf.values() if _is_same(scene, a, found)]
    shared = [a.id for a in shelf.values() if _shares(scene, a, found)]
    blank = [i for i in shared if _value(shelf[i]) is None]
    open_ = [i for i in blank if not _is_dated(scene, shelf[i], found)]
    if found.value is None:
        filled = [i for i in shared if i not in blank]
        # Where the group was last known to be is where it still is.
        filled.sort(key=lambda i: _last_read(shelf[i]))
        target = filled[-1:] or blank[:1]
        if found.kind == "time" and found.noun:  # "a week later" is no such day
            target = [i for i in blank if found.noun in scene.coupled(shelf[i])]
    else:
        target = same[:1] or open_[:1]
    anchor_id = target[0] if target else _put(scene, found)
    _join(scene, anchor_id, [i for i in open_ if i != anchor_id])
    _read(scene, anchor_id, found)
    return anchor_id


def _is_dated(scene: Scene, noun: Any, found: Found) -> bool:
    """Whether an anchor without a value is a date of its own: "a week later".

    Another date that its actors have does not name it.
    """
    own = {scene.workspace.resolve(found.noun or "")}
    return isinstance(noun, Time) and any(
        scene.actor(i).kind == "time" for i in scene.coupled(noun) if i not in own
    )


def _last_read(noun: Any) -> int:
    return max((s.end for r in noun.readings[-1:] for s in r.spans), default=0)


def _value(noun: Any) -> str | None:
    value: str | None = noun.value if isinstance(noun, Time) else noun.name
    return value


def _is_same(scene: Scene, noun: Any, found: Found) -> bool:
    if found.value is None:
        return False
    if isinstance(noun, Time):
        return noun.value == found.value
    resolve = scene.workspace.resolve
    if found.noun and noun.actor and resolve(noun.actor) == resolve(found.noun):
        return True
    return noun.name is not None and key(noun.name) == key(found.value)


def _shares(scene: Scene, noun: Any, found: Found) -> bool:
    return not set(scene.coupled(noun)).isdisjoint(found.coupled)


def _put(scene: Scene, found: Found) -> str:
    anchor_id = scene.draft.new_id(found.kind)
    chapter = scene.chunk.chapter
    if found.kind == "time":
        scene.draft.put("time", Time(anchor_id, None, chapter=chapter))
    else:
        scene.draft.put("place", Place(anchor_id, None, chapter=chapter))
    return anchor_id


def _join(scene: Scene, anchor_id: str, blanks: Iterable[str]) -> None:
    """Anchors without a value that a group shares become this one."""
    for blank in blanks:
        lost = scene.workspace.get(blank)
        scene.draft.extend(anchor_id, "readings", lost.readings)
        scene.draft.extend(anchor_id, "actors", lost.actors)
        scene.draft.drop(blank, into=anchor_id)


def _read(scene: Scene, anchor_id: str, found: Found) -> None:
    """Note what the chunk calls an anchor; fill what was not known."""
    draft = scene.draft
    reading = Reading(found.text, found.value, scene.chunk.id, found.spans)
    draft.extend(anchor_id, "readings", (reading,))
    draft.extend(anchor_id, "actors", found.coupled)
    noun = scene.workspace.get(anchor_id)
    if found.value is None:
        return
    if isinstance(noun, Place):
        if noun.name is None:
            draft.set(anchor_id, "name", found.value)
        if noun.actor is None and found.noun:
            draft.set(anchor_id, "actor", found.noun)
        return
    if noun.value is None:
        draft.set(anchor_id, "value", found.value)
        draft.set(anchor_id, "granularity", found.granularity)
        draft.set(anchor_id, "basis", found.basis)
        _refine(scene, anchor_id)


def _refine(scene: Scene, anchor_id: str) -> None:
    """Tie a date to the finest coarser one of the chapter, and finer ones to it."""
    times = {t.id: t for t in scene.shelf("time") if t.value}
    for fine in times.values():
        coarse = [t for t in times.values() if _lies_in(fine, t)]
        if coarse and (fine.id == anchor_id or any(t.id == anchor_id for t in coarse)):
            best = max(coarse, key=lambda t: len(t.value))
            scene.draft.set(fine.id, "refines", best.id)


def _lies_in(fine: Time, coarse: Time) -> bool:
    a, b = fine.value or "", coarse.value or ""
    return len(b) < len(a) and a.startswith(b) and a[len(b)] in "-T"


def chain(workspace: Workspace, place_id: str | None) -> Iterator[str]:
    """A place and what contains it, from the inside out."""
    seen: set[str] = set()
    while place_id and (place_id := workspace.resolve(place_id)) not in seen:
        seen.add(place_id)
        yield place_id
        place: Place = workspace.get(place_id)
        place_id = place.inside


def _within(scene: Scene, anchor_id: str, found: Found) -> None:
    """ "Guildhall, Leeds" lies inside Leeds."""
    outer = (found.value or "").rpartition(",")[2].strip()
    if outer and not outer[0].islower() and not outer[0].isdigit():
        place = anchor(scene, Found("place", outer, outer, found.spans, ()))
        scene.draft.set(anchor_id, "inside", place)


def _nest(scene: Scene, named: dict[str, str]) -> None:
    """Rooms inside buildings, as far as the chunk's relations say."""
    for relation in scene.local.relations:
        if relation.kind not in _INSIDE:
            continue
        inner, outer = (
            _place_of(scene, end, named) for end in (relation.source, relation.target)
        )
        # A ring of rooms says nothing.
        if inner and outer and inner not in chain(scene.workspace, outer):
            scene.draft.set(inner, "inside", outer)


def _place_of(scene: Scene, local_id: str, named: dict[str, str]) -> str | None:
    """The anchor of a place that a relation names, put if it has none yet."""
    if local_id not in scene.ids:
        return None
    actor = scene.actor(scene.ids[local_id])
    if actor.kind != "place":
        return None
    if actor.id not in named:
        spans = tuple(m.span for m in actor.mentions[-1:])
        found = Found("place", actor.name, actor.name, spans, (actor.id,), actor.id)
        named[actor.id] = anchor(scene, found)
    return named[actor.id]

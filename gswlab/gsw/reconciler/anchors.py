"""Shared anchors of time and place: actors coupled to one value.

- a chapter has one anchor for each value; whoever is linked to it shares it, from
  before the value is read; a specific date refines a coarse one;
- a heading ("Tuesday, 9 June 1987.") holds for whoever acts below it, "It is the
  ninth of November" for the scene, "All this took place on 11 March" for what was told
  before it, up to where the story moved on to another day;
- of two days for what happened once, the day that most mentions support is kept (a
  date counts whole, a relative one half); the other stays a relation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from gswlab.core.nouns import Granularity, Note, Place, Reading, Span, Time, VerbPhrase
from gswlab.core.step import Conflict
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.actors import is_named
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.keys import key
from gswlab.language.language import language_of
from gswlab.text.sentences import sentences

_Kind = Literal["time", "place"]
_GRANULARITY: dict[int, Granularity] = {4: "year", 7: "month", 10: "day"}


@dataclass(frozen=True, slots=True)
class FoundAnchor:
    """One chunk's word about an anchor, in workspace ids."""

    kind: _Kind
    value: str | None
    text: str
    spans: tuple[Span, ...]
    coupled: tuple[str, ...]
    noun: str | None = None
    granularity: Granularity = "unknown"
    basis: str | None = None


def from_links(scene: ChunkContext) -> Iterator[FoundAnchor]:
    """The groups that the chunk's links put at a time or place."""
    for link in scene.local.links if scene.rules.propagation else ():
        cast = [scene.actor(scene.ids[i]).id for i in link.actors if i in scene.ids]
        kind: _Kind = "time" if link.kind == "time" else "place"
        # The actor that is the link's own time or place, if the operator says which.
        own = scene.ids.get(link.anchor or "")
        noun = scene.actor(own) if own else None
        if kind == "time":
            value = link.iso or (noun.value if noun else None)
        else:
            value = noun.name if noun else link.value
        coupled = tuple(dict.fromkeys((*cast, *([noun.id] if noun else []))))
        named = coupled, noun.id if noun else None, link.granularity, link.basis
        if cast:
            yield FoundAnchor(kind, value, link.value or "", link.spans, *named)


def from_actors(scene: ChunkContext) -> Iterator[FoundAnchor]:
    """Times, named places and those in or around another, that no link names."""
    linked = {link.anchor for link in scene.local.links if scene.rules.propagation}
    nested = {end for ends in _nested(scene) for end in ends}
    for new in scene.local.actors:
        if new.id in linked or new.id not in scene.ids:
            continue
        actor = scene.actor(scene.ids[new.id])
        kind: _Kind = "time" if new.kind == "time" else "place"
        value = actor.value if kind == "time" else actor.name
        named = new.id in nested or is_named(new)
        if value and (kind == "time" or (actor.kind == "place" and named)):
            spans = tuple(m.span for m in new.mentions)
            fine = _GRANULARITY.get(len(value), "unknown")
            yield FoundAnchor(kind, value, new.name, spans, (actor.id,), actor.id, fine)


_INSIDE = frozenset({"inside", "in", "within", "located_in", "part_of"})


def _nested(scene: ChunkContext) -> list[tuple[str, str]]:
    """What the chunk's relations say to lie inside what, in its own ids."""
    return [(r.source, r.target) for r in scene.local.relations if r.kind in _INSIDE]


def anchor_all(scene: ChunkContext) -> dict[str, str]:
    """Anchor the chunk's links, times and places: actor id to the anchor it names."""
    named: dict[str, str] = {}
    for found in (*from_links(scene), *from_actors(scene)):
        anchor_id = anchor(scene, found)
        if found.noun:
            named[found.noun] = anchor_id
        # "Guildhall, Leeds" lies inside Leeds.
        outer = (found.value or "").rpartition(",")[2].strip()
        listed = found.kind == "place" and "," in (found.value or "") and outer
        if listed and not outer[0].islower() and not outer[0].isdigit():
            place = anchor(scene, FoundAnchor("place", outer, outer, found.spans, ()))
            scene.draft.set(anchor_id, "inside", place)
    for ends in _nested(scene):
        inner, outside = (named.get(scene.ids.get(end, ""), "-") for end in ends)
        # A ring of rooms says nothing, nor what lies inside a day.
        places = inner[0] == outside[0] == "p"
        if places and inner not in chain(scene.workspace, outside):
            scene.draft.set(inner, "inside", outside)
    return named


def anchor(scene: ChunkContext, found: FoundAnchor) -> str:
    """Couple a group to the anchor of a value, or to the one it already shares."""
    shelf = {a.id: a for a in scene.shelf(found.kind)}
    group = set(found.coupled)
    shared = [i for i, a in shelf.items() if not group.isdisjoint(scene.coupled(a))]
    value = "value" if found.kind == "time" else "name"
    blank = [i for i in shared if getattr(shelf[i], value) is None]
    open_ = [i for i in blank if not _is_dated(scene, shelf[i], found)]
    if found.value is None:
        filled = [i for i in shared if i not in blank]
        # Where the group was last known to be is where it still is.
        last = {i: [s.end for s in shelf[i].readings[-1].spans] for i in filled}
        filled.sort(key=lambda i: max(last[i], default=0))
        target = filled[-1:] or blank[:1]
        if found.kind == "time" and found.noun:  # "a week later" is no such day
            target = [i for i in blank if found.noun in scene.coupled(shelf[i])]
    else:
        same = [i for i, a in shelf.items() if _is_same(scene, a, found)]
        target = same[:1] or open_[:1]
    anchor_id = target[0] if target else scene.draft.new_id(found.kind)
    if not target:
        new = Time if found.kind == "time" else Place
        scene.draft.put(found.kind, new(anchor_id, None, chapter=scene.chunk.chapter))
    # Anchors without a value that a group shares become this one.
    for lost in (shelf[i] for i in open_ if i != anchor_id):
        scene.draft.extend(anchor_id, "readings", lost.readings)
        scene.draft.extend(anchor_id, "actors", lost.actors)
        scene.draft.drop(lost.id, into=anchor_id)
    _read(scene, anchor_id, found)
    return anchor_id


def _is_dated(scene: ChunkContext, noun: Any, found: FoundAnchor) -> bool:
    """Whether an anchor without a value is a date of its own: "a week later"."""
    own = scene.workspace.resolve(found.noun or "")
    others = (scene.actor(i) for i in scene.coupled(noun) if i != own)
    return isinstance(noun, Time) and any(other.kind == "time" for other in others)


def _is_same(scene: ChunkContext, noun: Any, found: FoundAnchor) -> bool:
    if isinstance(noun, Time):
        return noun.value == found.value
    own = {scene.workspace.resolve(i or "-") for i in (noun.actor, found.noun)}
    same = noun.name is not None and key(noun.name) == key(found.value or "")
    return same or (len(own) == 1 and noun.actor is not None)


def _read(scene: ChunkContext, anchor_id: str, found: FoundAnchor) -> None:
    """Note what the chunk calls an anchor; fill what was not known."""
    draft = scene.draft
    reading = Reading(found.text, found.value, scene.chunk.id, found.spans)
    draft.extend(anchor_id, "readings", (reading,))
    draft.extend(anchor_id, "actors", found.coupled)
    noun = scene.workspace.get(anchor_id)
    if found.value is None:
        return
    if isinstance(noun, Place):
        draft.set(anchor_id, "name", noun.name or found.value)
        draft.set(anchor_id, "actor", noun.actor or found.noun)
        return
    if noun.value is None:
        for name in ("value", "granularity", "basis"):
            draft.set(anchor_id, name, getattr(found, name))
        # Tie a date to the finest coarser one of the chapter, and finer ones to it.
        times = {t.id: t.value for t in scene.shelf("time") if t.value}
        for fine, value in times.items():
            opens = {i: (f"{part}-", f"{part}T") for i, part in times.items()}
            coarse = {i: len(times[i]) for i in times if value.startswith(opens[i])}
            if coarse and (fine == anchor_id or anchor_id in coarse):
                scene.draft.set(fine, "refines", max(coarse, key=coarse.__getitem__))


def chain(workspace: Workspace, place_id: str | None) -> Iterator[str]:
    """A place and what contains it, from the inside out."""
    seen: set[str] = set()
    while place_id and (place_id := workspace.resolve(place_id)) not in seen:
        seen.add(place_id)
        yield place_id
        place: Place = workspace.get(place_id)
        place_id = place.inside


# Two days for what happened once: evidence decides, and nothing is lost.

HYPOTHESIS = "conflicting_time_hypothesis"
_RELATIVE = 0.5  # of the weight of a date


def settle_time(scene: ChunkContext, old_id: str, new: VerbPhrase) -> None:
    """Give an occurrence the time its mentions support, specific over coarse."""
    resolve, get = scene.workspace.resolve, scene.workspace.get
    old: VerbPhrase = get(old_id)
    if new.time is None:
        return
    kept, told = (get(v.time or new.time) for v in (old, new))
    finer = kept.id != told.id and (told.value or "").startswith(kept.value or "")
    if not old.time or finer:
        scene.draft.set(old_id, "time", told.id)
        return
    if kept.id != told.id and (not told.value or kept.value.startswith(told.value)):
        return
    ties = (r for r in scene.shelf("relation") if r.kind == HYPOTHESIS)
    lost = {resolve(tie.target): tie for tie in ties if tie.source == old_id}
    times = {i: get(i) for i in dict.fromkeys((kept.id, *lost, told.id))}
    has = {i: _evidence(scene, old, time) for i, time in times.items()}
    best = times.pop(max(has, key=has.__getitem__))  # the first of equals
    scene.draft.set(old_id, "time", best.id)
    if best.id in lost:
        scene.draft.drop(lost[best.id].id)
    for i, other in times.items():
        spans = tuple(s for r in other.readings for s in r.spans)
        if i not in lost:
            said = f"another mention says {other.value}"
            scene.tie(old_id, i, HYPOTHESIS, said, spans)
        said = f"{best.value} has {has[best.id]:g} of the evidence, "
        said += f"{other.value} has {has[i]:g}"
        said += "; the first reading stays." if has[best.id] == has[i] else "."
        named = old_id, best.id, i, said, spans
        scene.decisions.append(Conflict("conflicting_time", *named))


def _evidence(scene: ChunkContext, told: VerbPhrase, time: Time) -> float:
    """How much of an occurrence's mentions speaks for a time."""
    resolve = scene.workspace.resolve
    named = {resolve(actor) for actor in time.actors}
    times = [a.actor for a in told.arguments if a.slot == "time" and a.actor]
    count = sum(resolve(actor) in named for actor in times)
    return count * (_RELATIVE if time.basis else 1.0)


# Days and places that stand over what a chapter tells, named before it or after.

_STANDS = "stands over the chapter"
_TOP = 3  # sentences of a chapter that may head it
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|did|does|do)\b", re.I)
_NOW = re.compile(
    r"\b(?:it|today|the\s+(?:date|day))(?:\s+(?:is|was)|[’']s)\s+(?:now\s+)?(?:the\s+)?$"
    r"|(?:今日|きょう|その日|この日|日付)は$",
    re.I,
)
# 五月三日のことだった
_WAS_THEN = re.compile("の(?:[朝昼夜晩]の)?(?:こと|出来事)(?:だ|で)")
_ALL = re.compile(
    r"(?:all\s+(?:of\s+)?(?:this|that|these|it)|(?:this|it|that)\s+all|everything"
    r"|these\s+(?:events|things)|the\s+whole\s+(?:thing|affair|business))\b",
    re.I,
)
_HAPPENING = re.compile(
    r"(?:it|this|that)$|(?:the|this|that)\s+(?:\w+\s+)?(?:incident|accident|affair|events?"
    r"|business|attack|collision|theft|robbery|quarrel|tragedy)$"
    r"|(?:これ|それ|[こそ]の)?(?:出来事|事件|事故|騒ぎ)?$",
    re.I,
)
_THE = re.compile(r"(?:\b(?:the|this|that)\s+)?$", re.I)
_SAME = re.compile(r"(?:that|the\s+same|this)\b|[その同]", re.I)
_HAPPEN = frozenset({"happen", "occur", "take place", "起きる", "起こる"})


def couple_standing(scene: ChunkContext, anchors: dict[str, str]) -> None:
    """Couple who acts in the chunk, or in what it sums up, to what stands over it."""
    now = list(_now(scene))
    for actor_id, said in (*_headings(scene), *now):
        if actor_id in anchors:
            note = Note(f"{_STANDS}: {said.strip()}", (), scene.chunk.id)
            scene.draft.extend(anchors[actor_id], "notes", (note,))
    told = [scene.workspace.get(i) for i in scene.told]
    first = scene.chunk.index == 0 or now
    below = list(scene.shelf("verb_phrase")) if first else told
    for kind in ("time", "place"):
        noted = ((a.id, note.text) for a in scene.shelf(kind) for note in a.notes)
        over = [anchor for anchor, said in noted if said.startswith(_STANDS)]
        for anchor in over[-1:]:
            _couple(scene, anchor, (p for p in below if not getattr(p, kind)))
    for phrase in (p for p in told if _sums_up(scene, p)):
        for end in filter(None, (phrase.time, phrase.place)):
            _couple(scene, end, _told_before(scene, phrase))


def _headings(scene: ChunkContext) -> Iterator[tuple[str, str]]:
    """Times and places of a chunk that heads its chapter, and the words that do it."""
    text, base = scene.chunk.text, scene.chunk.span.start
    if {p.chunk for p in scene.shelf("verb_phrase")} - {scene.chunk.id}:
        return
    phrases = scene.local.verb_phrases
    acts = (p for p in phrases if any(a.slot == "agent" for a in p.arguments))
    acted = [span for phrase in acts for span in phrase.spans]
    for start, end in sentences(text, language_of(text))[:_TOP]:
        span = Span(scene.chunk.document, base + start, base + end)
        if _FINITE.search(text[start:end]) or any(map(span.holds, acted)):
            return  # where somebody does something is no heading
        for actor in scene.local.actors:
            inside = any(span.holds(m.span) for m in actor.mentions)
            if inside and actor.kind in ("time", "place"):
                yield scene.workspace.resolve(scene.ids[actor.id]), text[start:end]


def _now(scene: ChunkContext) -> Iterator[tuple[str, str]]:
    """Days that a text says it is now."""
    for actor in scene.local.actors:
        for mention in actor.mentions if actor.kind == "time" else ():
            before = scene.preceding(mention.span, 24)
            end = mention.span.end - scene.chunk.span.start
            if _NOW.search(before) or _WAS_THEN.match(scene.chunk.text, end):
                yield scene.workspace.resolve(scene.ids[actor.id]), before


def _sums_up(scene: ChunkContext, phrase: VerbPhrase) -> bool:
    """Whether a phrase speaks of what was told: "All this was", "It happened"."""
    what = _HAPPENING if phrase.predicate in _HAPPEN else _ALL
    core = (a for a in phrase.arguments if a.slot in ("agent", "patient") and a.spans)
    before = ((scene.preceding(a.spans[0], 6), a.text) for a in core)
    said = ["".join(_THE.findall(words)) + text for words, text in before]
    return any(_ALL.match(text) or what.match(text) for text in said)


def _told_before(scene: ChunkContext, summed: VerbPhrase) -> Iterator[VerbPhrase]:
    """What was told before a phrase, up to where the story moves to another day."""
    told = [p for p in scene.shelf("verb_phrase") if p.spans and p.id != summed.id]
    for phrase in sorted(told, key=lambda p: p.spans[0]):
        time: Time | None = scene.workspace.get(phrase.time) if phrase.time else None
        texts = [reading.text for reading in time.readings] if time else []
        moved = time and (time.value is not None or not all(map(_SAME.match, texts)))
        if phrase.spans[0] > summed.spans[0] or moved:
            return
        yield phrase


def _couple(scene: ChunkContext, anchor: str, told: Iterable[VerbPhrase]) -> None:
    """Couple who acts in what is told as happening."""
    said = (phrase for phrase in told if phrase.modality == "asserted")
    agents = (a.actor for p in said for a in p.arguments if a.slot == "agent")
    cast = (scene.actor(actor) for actor in agents if actor)
    acting = [a.id for a in cast if a.kind in ("person", "organisation", "abstract")]
    scene.draft.extend(anchor, "actors", acting)

"""Days and places that stand over what a chapter tells, named before it or after.

- a heading ("Tuesday, 9 June 1987.", "Minutes of the meeting held at the Hall on ...")
  holds for whoever acts below it, and "It is the ninth of November" for the scene;
- "All this took place at the school on 11 March" holds for what was told before it, up
  to where the story moved on to another day;
- what has a day or place of its own keeps it: only who is without one is coupled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gswlab.core.nouns import Note, Place, Span, Time, VerbPhrase
from gswlab.core.step import NounKind
from gswlab.gsw.reconciler.anchors import become
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.language import language_of
from gswlab.text.sentences import sentences

# What stands over a chapter: its heading, the day it says it is, who is present.

_HEADINGS = 3  # sentences at the top of a chapter that may head it
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|did|does|do)\b", re.I)
_NOW = re.compile(
    r"\b(?:it|today|the\s+(?:date|day))(?:\s+(?:is|was)|[’']s)\s+(?:now\s+)?(?:the\s+)?$"
    r"|(?:今日|きょう|その日|この日|日付)は$",
    re.I,
)
# 五月三日のことだった
_WAS_THEN = re.compile("の(?:[朝昼夜晩]の)?(?:こと|出来事)(?:だ|で)")
_PRESENT = re.compile(r"(?:\bPresent|\bIn attendance|出席者?)\s*[:：]")


def headings(scene: ChunkContext) -> Iterator[tuple[str, str]]:
    """Times and places of the chunk that head a chapter, and the words that do it."""
    if {p.chunk for p in scene.shelf("verb_phrase")} - {scene.chunk.id}:
        yield from now(scene)
        return
    text, base = scene.chunk.text, scene.chunk.span.start
    # where somebody does something is no heading
    phrases = scene.local.verb_phrases
    acts = [p for p in phrases if any(a.slot == "agent" for a in p.arguments)]
    acted = [span for phrase in acts for span in phrase.spans]
    for start, end in sentences(text, language_of(text))[:_HEADINGS]:
        span = Span(scene.chunk.document, base + start, base + end)
        if _FINITE.search(text[start:end]) or any(_within(s, span) for s in acted):
            break
        for actor in scene.local.actors:
            inside = any(_within(m.span, span) for m in actor.mentions)
            if inside and actor.kind in ("time", "place"):
                yield scene.workspace.resolve(scene.ids[actor.id]), text[start:end]
    yield from now(scene)


def _within(one: Span, two: Span) -> bool:
    return two.start <= one.start and one.end <= two.end


def now(scene: ChunkContext) -> Iterator[tuple[str, str]]:
    """Days that a text says it is now."""
    for actor in scene.local.actors:
        for mention in actor.mentions if actor.kind == "time" else ():
            before = scene.preceding(mention.span, 24)
            after = scene.chunk.text[mention.span.end - scene.chunk.span.start :]
            if _NOW.search(before) or _WAS_THEN.match(after):
                yield scene.workspace.resolve(scene.ids[actor.id]), before


def present(scene: ChunkContext) -> Iterator[str]:
    """Who is listed as present."""
    text, base = scene.chunk.text, scene.chunk.span.start
    for start, end in sentences(text, language_of(text)):
        listed = _PRESENT.search(text[start:end])
        if listed is None:
            continue
        span = Span(scene.chunk.document, base + start + listed.end(), base + end)
        for local in scene.local.actors:
            inside = any(_within(mention.span, span) for mention in local.mentions)
            if local.kind == "person" and inside:
                yield scene.workspace.resolve(scene.ids[local.id])


STANDS = "stands over the chapter"
_KINDS: tuple[NounKind, ...] = ("time", "place")
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
_HAPPEN = frozenset({"happen", "occur", "take place", "起きる", "起こる"})
_DAY = re.compile(r"(?:\d{4}|-)-\d\d-\d\d")
_SAME = re.compile(r"(?:that|the\s+same|this)\b|[その同]", re.I)
_ACTING = ("person", "organisation", "abstract")
_STATIVE = frozenset({"be", "have", "belong", "ある", "いる"})
_HOUR = re.compile(
    r"\b(?:noon|midnight|dawn|dusk|\w*day\w*|morning|evening|night|moment|one|two"
    r"|three|four|five|six|seven|eight|nine|ten|eleven|twelve|tea|lunch|dinner"
    r"|breakfast|supper)\b|\d[:.]\d\d|[ap]\.?m\b|[時朝昼夕夜晩]",
    re.I,
)


def couple_standing(scene: ChunkContext, anchors: dict[str, str]) -> None:
    """Couple the chunk's actors to what stands over them, the chapter's where it ends.

    Args:
        scene: the chunk, its verb phrases told.
        anchors: time or place actor to the anchor it names here.
    """
    for actor_id, said in headings(scene):
        if actor_id not in anchors:
            continue
        anchor = scene.workspace.get(anchors[actor_id])
        day = isinstance(anchor, Time) and _DAY.match(anchor.value or "")
        if (day or isinstance(anchor, Place)) and not _stands(anchor):
            note = Note(f"{STANDS}: {said.strip()}", (), scene.chunk.id)
            scene.draft.extend(anchor.id, "notes", (note,))
    told = [scene.workspace.get(i) for i in scene.told]
    if scene.chunk.index == 0 or any(now(scene)):
        told = list(scene.shelf("verb_phrase"))
    shelves = ([a.id for a in scene.shelf(k) if _stands(a)] for k in _KINDS)
    for anchor_id in [i for found in shelves for i in found[-1:]]:
        _couple(scene, anchor_id, (*_who(scene, told, anchor_id), *present(scene)))
    for phrase in told:
        if phrase.id in scene.told and _sums_up(scene, phrase):
            _couple_back(scene, phrase)


def _stands(anchor: Time | Place) -> bool:
    return any(note.text.startswith(STANDS) for note in anchor.notes)


def _who(
    scene: ChunkContext, phrases: Iterable[VerbPhrase], anchor_id: str
) -> Iterator[str]:
    """Who acts in what is told as happening, at no other time (or place)."""
    slot = "time" if anchor_id[0] == "t" else "place"
    for phrase in phrases:
        own = getattr(phrase, slot)
        own = scene.workspace.resolve(own) if own else None
        if phrase.modality != "asserted" or own not in (None, anchor_id):
            continue
        # an argument may say another time (or place); an hour is of the day
        others = [a for a in phrase.arguments if a.slot == slot]
        hours = [a for a in others if a.actor is None and _HOUR.search(a.text)]
        if own is not None or not others or (slot == "time" and others == hours):
            yield from _acting(scene, phrase, slot)


def _acting(scene: ChunkContext, phrase: VerbPhrase, slot: str) -> Iterator[str]:
    """Who acts; for a day also whom it befell, who need not have been at the place."""
    if slot == "place" and phrase.predicate in _STATIVE:
        return
    slots = ("agent", "patient") if slot == "time" else ("agent",)
    who = [a.actor for a in phrase.arguments if a.slot in slots]
    cast = map(scene.actor, filter(None, who))
    yield from (actor.id for actor in cast if actor.kind in _ACTING)


def _couple(scene: ChunkContext, anchor_id: str, actors: Iterable[str]) -> None:
    held = set(scene.workspace.get(anchor_id).actors)
    new = [a for a in dict.fromkeys(actors) if a not in held]
    if new:
        scene.draft.extend(anchor_id, "actors", new)


def _sums_up(scene: ChunkContext, phrase: VerbPhrase) -> bool:
    """Whether a phrase speaks of what was told: "All this was", "It happened"."""
    agents = [
        "".join(_THE.findall(scene.preceding(a.spans[0], 6))) + a.text
        for a in phrase.arguments
        if a.slot in ("agent", "patient") and a.spans
    ]
    what = _HAPPENING if phrase.predicate in _HAPPEN else _ALL
    return any(_ALL.match(text) or what.match(text) for text in agents)


def _couple_back(scene: ChunkContext, summed: VerbPhrase) -> None:
    others = (p for p in scene.shelf("verb_phrase") if p.id != summed.id and p.spans)
    told = [p for p in others if p.spans[0] < summed.spans[0]]
    told.sort(key=lambda p: p.spans[0])
    # up to where the story moves to another day
    days = [p.time and scene.workspace.get(p.time) for p in told]
    moved = [row for row, day in enumerate(days) if day and not _is_that_day(day)]
    told = told[: moved[0]] if moved else told
    for anchor_id in (summed.time, summed.place):
        if anchor_id is None:
            continue
        anchor = scene.workspace.get(anchor_id)
        if isinstance(anchor, Time):
            # "That evening" of what is summed up was on the day the sum names.
            open_ = (scene.workspace.get(p.time) for p in told if p.time)
            for time in {t.id: t for t in open_ if _is_that_day(t)}.values():
                become(scene, time, anchor.id)
        slot = "time" if isinstance(anchor, Time) else "place"
        said = [p for p in told if p.modality == "asserted"]
        _couple(scene, anchor.id, (i for p in said for i in _acting(scene, p, slot)))


def _is_that_day(time: Time) -> bool:
    return time.value is None and all(_SAME.match(r.text) for r in time.readings)

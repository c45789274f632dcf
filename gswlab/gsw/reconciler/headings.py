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

from gswlab.core.nouns import Note, Span, Time, VerbPhrase
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.language import language_of
from gswlab.text.sentences import sentences

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
    """Couple who acts in the chunk to what stands over it, the chapter's where it ends.

    `anchors` are the anchors that times and places of the chunk name.
    """
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
    for argument in phrase.arguments:
        if argument.slot in ("agent", "patient") and argument.spans:
            article = _THE.findall(scene.preceding(argument.spans[0], 6))
            said = "".join(article) + argument.text
            if _ALL.match(said) or what.match(said):
                return True
    return False


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

"""What stands over a chapter: its heading, the day it says it is, who is present."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gswlab.core.nouns import Actor, Span
from gswlab.language.language import language_of
from gswlab.reconcile.scene import Scene
from gswlab.text.sentences import sentences

_HEADINGS = 3  # sentences at the top of a chapter that may head it
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|did|does|do)\b", re.I)
_NOW = re.compile(
    r"\b(?:it|today|the\s+(?:date|day))(?:\s+(?:is|was)|[’']s)\s+(?:now\s+)?(?:the\s+)?$"
    r"|(?:今日|きょう|その日|この日|日付)は$",
    re.I,
)
_WAS_THEN = re.compile(
    "の(?:[朝昼夜晩]の)?(?:こと|出来事)(?:だ|で)"
)  # 五月三日のことだった
_PRESENT = re.compile(r"(?:\bPresent|\bIn attendance|出席者?)\s*[:：]")


def headings(scene: Scene) -> Iterator[tuple[str, str]]:
    """Times and places of the chunk that head a chapter, and the words that do it."""
    if not _is_first(scene):
        yield from now(scene)
        return
    text, base = scene.chunk.text, scene.chunk.span.start
    for start, end in sentences(text, language_of(text))[:_HEADINGS]:
        span = Span(scene.chunk.document, base + start, base + end)
        if _FINITE.search(text[start:end]) or _acted(scene, span):
            break
        for actor in scene.local.actors:
            inside = any(_within(m.span, span) for m in actor.mentions)
            if inside and actor.kind in ("time", "place"):
                yield scene.workspace.resolve(scene.ids[actor.id]), text[start:end]
    yield from now(scene)


def _is_first(scene: Scene) -> bool:
    told = {p.chunk for p in scene.shelf("verb_phrase")} - {scene.chunk.id}
    return not told


def _acted(scene: Scene, span: Span) -> bool:
    """Whether somebody does something in a sentence: then it is no heading."""
    return any(
        any(a.slot == "agent" for a in phrase.arguments)
        for phrase in scene.local.verb_phrases
        if any(_within(s, span) for s in phrase.spans)
    )


def _within(one: Span, two: Span) -> bool:
    return two.start <= one.start and one.end <= two.end


def now(scene: Scene) -> Iterator[tuple[str, str]]:
    """Days that a text says it is now."""
    for actor in scene.local.actors:
        for mention in actor.mentions if actor.kind == "time" else ():
            before = scene.preceding(mention.span, 24)
            after = scene.chunk.text[mention.span.end - scene.chunk.span.start :]
            if _NOW.search(before) or _WAS_THEN.match(after):
                yield scene.workspace.resolve(scene.ids[actor.id]), before


def present(scene: Scene) -> Iterator[str]:
    """Who is listed as present."""
    text, base = scene.chunk.text, scene.chunk.span.start
    for start, end in sentences(text, language_of(text)):
        listed = _PRESENT.search(text[start:end])
        if listed is None:
            continue
        span = Span(scene.chunk.document, base + start + listed.end(), base + end)
        for local in scene.local.actors:
            if local.kind == "person" and _is_in(local, span):
                yield scene.workspace.resolve(scene.ids[local.id])


def _is_in(actor: Actor, span: Span) -> bool:
    return any(_within(mention.span, span) for mention in actor.mentions)

"""Two of one name: what a text says beside a name to tell them apart.

- "Peter Fry junior", "the real Mr Dean", "a second Hartley", もう一人の弥助: a mark
  keeps its bearer from whoever is so called without it;
- "old Harry" and "young Harry" tell two apart from each other, but not from Harry;
- mentions of one local actor under two such marks are two actors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gswlab.reconcile.parting import part
from gswlab.workspace.nouns import Actor, Chunk, LocalMap, Mention, Note

NOTE = "told apart as "
_BEFORE = {
    "old": "old|elder",
    "young": "young|younger|little",
    "real": "real|true|genuine",
    "false": "false|fake|supposed|pretended",
    "other": "another|other|second|different",
}
_AFTER = {
    "junior": r"junior|jnr\.?|jr\.?|the\s+younger",
    "senior": r"senior|snr\.?|sr\.?|the\s+elder",
}
_JA_BEFORE = {
    "other": "もう一人の|別の|同じ名の|同名の",
    "real": "本物の",
    "false": "偽の|にせの|偽",
}
_CLASS = {"elder": "old", "senior": "old", "younger": "young", "junior": "young"}
_TITLE = r"(?:(?:mr|mrs|ms|miss|dr|sir|prof|herr|frau|signora?)\.?\s+)?"
# Whom a mark keeps from one who is so called without it.
_STRONG = frozenset({"real", "false", "other", "junior", "nickname"})
_PRE = [
    (name, re.compile(rf"\b(?:{words})\s+{_TITLE}$", re.I))
    for name, words in _BEFORE.items()
] + [(name, re.compile(rf"(?:{words})$")) for name, words in _JA_BEFORE.items()]
_POST = [
    (name, re.compile(rf",?\s+(?:{words})(?!\w)", re.I))
    for name, words in _AFTER.items()
]
_NICKNAME = re.compile("「([^「」]{1,8}の)$")
_REACH = 24
_NAMES = ("name", "short")


def with_parted(local: LocalMap, chunk: Chunk) -> LocalMap:
    """`local` with its people marked, and parted where two marks share an actor."""
    for actor in local.actors:
        if actor.kind == "person" and any(m.form in _NAMES for m in actor.mentions):
            local = _parted(local, actor, chunk)
    return local


def _parted(local: LocalMap, actor: Actor, chunk: Chunk) -> LocalMap:
    groups: dict[str | None, list[Mention]] = {}
    last: str | None = None
    for mention in sorted(actor.mentions, key=lambda m: m.span):
        if mention.form in _NAMES:
            last = mark(mention, chunk)
        groups.setdefault(last, []).append(mention)
    kept, *others = groups
    if kept is None and not others:
        return local
    weak = _STRONG.isdisjoint(filter(None, groups))
    if others and weak and not {"old", "young"} <= set(groups):
        kept, others = next(m for m in groups if m), []
    for other in others:
        local = part(local, actor.id, groups[other], groups[other][0].text)
        local = _marked(local, local.actors[-1].id, other)
    return _marked(local, actor.id, kept)


def _marked(local: LocalMap, actor_id: str, said: str | None) -> LocalMap:
    def noted(actor: Actor) -> Actor:
        if actor.id != actor_id or said is None:
            return actor
        spans = tuple(m.span for m in actor.mentions[:1])
        note = Note(NOTE + said, spans, actor.mentions[0].chunk)
        return replace(actor, notes=(*actor.notes, note))

    return replace(local, actors=tuple(map(noted, local.actors)))


def mark(mention: Mention, chunk: Chunk) -> str | None:
    """What the text says beside a name to tell its bearer from another."""
    start, end = (x - chunk.span.start for x in (mention.span.start, mention.span.end))
    before, after = chunk.text[max(0, start - _REACH) : start], chunk.text[end:]
    for name, pattern in _POST:
        if pattern.match(after):
            return name
    if _NICKNAME.search(before) and after[:1] == "」":
        return "nickname"
    found = (name for name, pattern in _PRE if pattern.search(before))
    return next(found, None)


def marks(actor: Actor) -> Iterator[str]:
    """The marks of an actor, each once."""
    found = (n.text.removeprefix(NOTE) for n in actor.notes if n.text.startswith(NOTE))
    yield from dict.fromkeys(found)


def told_apart(new: Actor, old: Actor, whole: bool = True) -> bool:
    """Whether marks say that two of one name are two.

    `whole`: both have the whole name; King and King junior, who has more of it, may be
    one.

    >>> one, two = (Actor(i, "person", "Dean") for i in ("a1", "a2"))
    >>> told_apart(replace(one, notes=(Note(NOTE + "real"),)), two)
    True
    """
    mine, yours = set(marks(new)), set(marks(old))
    if mine and yours:
        classes = {_CLASS.get(mark, mark) for mark in mine}
        return classes.isdisjoint(_CLASS.get(mark, mark) for mark in yours)
    return bool(mine & _STRONG) and (whole or mine != {"junior"})


def bears_mark(actor: Actor) -> bool:
    """Whether an actor has a mark that its namesake goes without."""
    return not _STRONG.isdisjoint(marks(actor))

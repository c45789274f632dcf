"""Two of one name: what a text says beside a name to tell them apart.

- "Peter Fry junior", "the real Mr Dean", "a second Hartley", もう一人の弥助: a mark
  keeps its bearer from whoever is so called without it;
- "Colin the diver" is not Colin the dentist, nor "his uncle, also called Pike" Pike;
- "old Harry" and "young Harry" tell two apart from each other, but not from Harry;
- mentions of one local actor under two such marks are two actors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from gswlab.core.nouns import (
    Actor,
    Argument,
    Chunk,
    Link,
    LocalMap,
    Mention,
    Note,
    Span,
    VerbPhrase,
)

# One local actor turned out to be two: what is said of each goes to the nearer one.


@dataclass(frozen=True, slots=True)
class Parting:
    """The actor `kept`, and `new`, which some of its mentions belong to."""

    kept: Actor
    new: Actor

    def of(self, spans: Iterable[Span]) -> str:
        """Whose mention stands nearest to spans; the kept one's where none does."""
        at = list(spans)
        if not at:
            return self.kept.id
        near = {a.id: _gap(a.mentions, at) for a in (self.kept, self.new)}
        return min(near, key=lambda i: (near[i], i != self.kept.id))


def part(
    local: LocalMap, actor_id: str, mentions: Iterable[Mention], name: str
) -> LocalMap:
    """`local` with `mentions` of an actor taken from it and given to a new one."""
    actor = next(a for a in local.actors if a.id == actor_id)
    moved = tuple(mentions)
    number = 1 + max(int(a.id[1:]) for a in local.actors)
    stay = tuple(m for m in actor.mentions if m not in moved)
    both = Parting(
        replace(actor, mentions=stay),
        replace(actor, id=f"a{number}", name=name, aliases=(), mentions=moved),
    )
    ends = tuple(_with_own(a, both) for a in (both.kept, both.new))
    actors = (*(ends[0] if a.id == actor.id else a for a in local.actors), ends[1])
    told = [_phrase(phrase, both) for phrase in local.verb_phrases]
    votes = (
        replace(v, candidate=both.of(v.spans)) if v.candidate == actor.id else v
        for v in local.votes
    )
    return replace(
        local,
        actors=actors,
        verb_phrases=tuple(told),
        links=tuple(_link(link, both) for link in local.links),
        votes=tuple(votes),
        apart=(*local.apart, (actor.id, both.new.id)),
    )


def _gap(mentions: Iterable[Mention], spans: Iterable[Span]) -> int:
    """Characters between the nearest of the mentions and of the spans."""
    gaps = [
        max(s.start - m.span.end, m.span.start - s.end, 0)
        for m in mentions
        for s in spans
    ]
    return min(gaps, default=10**9)


def _with_own(actor: Actor, both: Parting) -> Actor:
    return replace(
        actor,
        roles=tuple(r for r in actor.roles if both.of(r.spans) == actor.id),
        states=tuple(s for s in actor.states if both.of(s.spans) == actor.id),
        votes=tuple(v for v in actor.votes if both.of(v.spans) == actor.id),
    )


def _phrase(phrase: VerbPhrase, both: Parting) -> VerbPhrase:
    arguments = tuple(_argument(a, both) for a in phrase.arguments)
    has = {a.actor for a in arguments}
    moved = both.new.id in has and both.kept.id not in has
    effects = tuple(
        replace(e, actor=both.new.id) if moved and e.actor == both.kept.id else e
        for e in phrase.effects
    )
    return replace(phrase, arguments=arguments, effects=effects)


def _argument(argument: Argument, both: Parting) -> Argument:
    if argument.actor != both.kept.id:
        return argument
    return replace(argument, actor=both.of(argument.spans))


def _link(link: Link, both: Parting) -> Link:
    if both.kept.id not in (*link.actors, link.anchor):
        return link
    owner = both.of(link.spans)
    ids = tuple(owner if i == both.kept.id else i for i in link.actors)
    anchor = owner if link.anchor == both.kept.id else link.anchor
    return replace(link, actors=ids, anchor=anchor)


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
    "other": "もう一人の|別の|同じ名の|同名の|こちらの",
    "ours": "当社の|弊社の|うちの|当方の",
    "theirs": "先方の|相手方の",
    "real": "本物の",
    "false": "偽の|にせの|偽",
}
_CLASS = {"elder": "old", "senior": "old", "younger": "young", "junior": "young"}
_TITLE = r"(?:(?:mr|mrs|ms|miss|dr|sir|prof|herr|frau|signora?)\.?\s+)?"
# Whom a mark keeps from one who is so called without it.
_STRONG = frozenset({"real", "false", "other", "junior", "nickname"})
_KIN = (
    "(?:great-?|grand)*(?:son|daughter|father|mother|child)|uncle|aunt|nephew|niece"
    "|brother|sister|cousin"
)
_JA_KIN = "曾孫|孫|息子|娘|父|母|祖父|祖母|叔父|叔母|伯父|伯母|甥|姪|いとこ"
# "His son, Silas Hurd": a comma brings in somebody new.
_RELATED = re.compile(
    rf"\b(?:his|her|their|my|our|your|\w+[’']s)\s+(?:\w+\s+)?(?P<kin>{_KIN}),?\s+"
    r"(?:(?:who\s+(?:is|was)\s+)?also\s+(?:called|named)\s+|(?<=,\s))$"
    rf"|(?<![一-龥])(?P<ja>{_JA_KIN})の$",
    re.I,
)
_EPITHET = re.compile(r"\s+the\s+(?P<noun>[a-z]+)\b(?!\s+[a-z]+(?:ed|ing)\b)")
_PRE = [
    (name, re.compile(rf"\b(?:{words})\s+{_TITLE}$", re.I))
    for name, words in _BEFORE.items()
] + [(name, re.compile(rf"(?:{words})$")) for name, words in _JA_BEFORE.items()]
_POST = [
    (name, re.compile(rf",?\s+(?:{words})(?!\w)", re.I))
    for name, words in _AFTER.items()
]
_BARE = {
    name: re.compile(rf",?\s+(?:{words})$", re.I) for name, words in _AFTER.items()
}
_NICKNAME = re.compile("「([^「」]{1,8}の)$")
_REACH = 60
_JOINED = 3  # characters between "His son" and the name it stands with
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
    ordered = sorted(actor.mentions, key=lambda m: m.span)
    for mention, after in zip_longest(ordered, ordered[1:]):
        named = mention if mention.form in _NAMES else after
        if named and named.form in _NAMES and _joined(mention, named):
            said = mark(named, chunk) or _epithet(named, ordered, chunk)
            # unmarked, it is the one that was unmarked before, if there is one
            last = said if said or None in groups else last
        groups.setdefault(last, []).append(mention)
    _epithets_of_one(groups)
    kept, *others = groups
    if kept is None and not others:
        return local
    strong = any(mark in _STRONG or " " in mark for mark in filter(None, groups))
    pairs = ({"old", "young"}, {"ours", "theirs"})
    if others and not strong and not any(pair <= set(groups) for pair in pairs):
        kept, others = next(m for m in groups if m), []
    for other in others:
        name = next(m.text for m in groups[other] if m.form in _NAMES)
        local = part(local, actor.id, groups[other], name)
        local = _marked(local, local.actors[-1].id, other)
    return _marked(local, actor.id, kept)


def _joined(mention: Mention, named: Mention) -> bool:
    """Whether a mention is a name, or a noun that stands with it: "his son, Silas"."""
    return named.span.start - mention.span.end <= _JOINED


def _epithet(name: Mention, mentions: list[Mention], chunk: Chunk) -> str | None:
    """The noun of "Colin the diver", where the operator reads it as his."""
    end = name.span.end
    found = _EPITHET.match(chunk.text, end - chunk.span.start)
    nouns = {m.span.start - chunk.span.start for m in mentions if m.form == "nominal"}
    return f"the {found['noun']}" if found and found.start("noun") in nouns else None


def _epithets_of_one(groups: dict[str | None, list[Mention]]) -> None:
    """Only another epithet makes Bob the neighbour another than Bob."""
    said = [mark for mark in groups if mark and mark.startswith("the ")]
    if len(said) == 1 and len(groups) == 2 and None in groups:
        groups[None] += groups.pop(said[0])


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
        if _BARE[name].search(chunk.text[start:end]):
            return name
    if related := _RELATED.search(before):
        return f"kin {(related['kin'] or related['ja']).lower()}"
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
    mine, yours = (set(_plain_marks(actor)) for actor in (new, old))
    both = set(marks(new)) & set(marks(old))
    for mark in sorted(
        set(marks(new)) - mine
    ):  # known as something else, or newly brought in
        sort, _, noun = mark.partition(" ")
        if not both and not any(role.text.lower().endswith(noun) for role in old.roles):
            return bool(old.roles) or (sort == "kin" and noun.isascii())
        return False
    if mine and yours:
        classes = {_CLASS.get(mark, mark) for mark in mine}
        return classes.isdisjoint(_CLASS.get(mark, mark) for mark in yours)
    bare = [pattern.sub("", new.name) for pattern in _BARE.values()]
    whole = whole or not {old.name, *old.aliases}.isdisjoint(bare)
    return bool(mine & _STRONG) and (whole or mine != {"junior"})


def _plain_marks(actor: Actor) -> Iterator[str]:
    """Marks that are no noun somebody is called by."""
    yield from (mark for mark in marks(actor) if " " not in mark)


def bears_mark(actor: Actor) -> bool:
    """Whether an actor has a mark that its namesake goes without."""
    return not _STRONG.isdisjoint(marks(actor))

"""What a text says beside its names: two of one name, one of two, a place in another.

- a mark ("Peter Fry junior", "the real Mr Dean", もう一人の弥助) keeps its bearer from
  whoever is so called without it; mentions under two marks are two actors;
- "Colin the diver" is not Colin the dentist, nor "his uncle, also called Pike" Pike;
- "old Harry" and "young Harry" tell two apart from each other, but not from Harry;
- "Hale, known as Fox" is one of two names, "the Guildhall in Leeds" inside another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, zip_longest

from gswlab.core import nouns
from gswlab.core.nouns import NAME_FORMS, Actor, Chunk, LocalMap, Mention, Note, Span
from gswlab.gsw.operator.names import title_tells, titles_clash
from gswlab.gsw.reconciler.actors import is_named
from gswlab.language.keys import key
from gswlab.language.lexicon import table, words

NOTE = "told apart as "
_CLASS = {"elder": "old", "senior": "old", "younger": "young", "junior": "young"}
_TITLE = r"(?:(?:mr|mrs|ms|miss|dr|sir|prof|herr|frau|signora?)\.?\s+)?\0"
# Whom a mark keeps from one who is so called without it.
STRONG = frozenset({"real", "false", "other", "junior", "senior", "nickname", "saint"})
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
_MARKS = [
    (name, re.compile(pattern.replace("_", _TITLE), re.I))
    for name, pattern in (*table("en/marks.tsv"), *table("ja/marks.tsv"))
]
# "Peter Fry junior", "Old Harry": what tells him apart is part of the name
_INNER = re.compile(
    r"(?P<age>(?:old|young|little|big|saint)\s)?.*?(?P<jr>\s(?:junior|senior))?", re.I
)
_NICKNAME = re.compile("「([^「」]{1,8}の)$")
_REACH = 60
# what stands between "a diver" and the name it stands with, "another Colin"
_JOINED = re.compile(r".{,3}|,\s+\w+\s+", re.S)


def told_of_names(local: LocalMap, chunk: Chunk) -> LocalMap:
    """`local` with what its chunk's text states of names: marks, aliases, nesting."""
    for actor in local.actors:
        if actor.kind in ("person", "place") and is_named(actor):
            local = _parted(local, actor, chunk)
    return replace(local, relations=(*local.relations, *_stated(local, chunk)))


def _parted(local: LocalMap, actor: Actor, chunk: Chunk) -> LocalMap:
    """`local` with a person marked, and parted where two marks share the actor."""
    groups: dict[str | None, list[Mention]] = {}
    last, base = None, chunk.span.start
    ordered = sorted(actor.mentions, key=lambda m: m.span)
    for mention, after in zip_longest(ordered, ordered[1:]):
        # a name, or a noun that stands with it: "his son, Silas"
        named = mention if mention.form in NAME_FORMS else after or mention
        gap = chunk.text[mention.span.end - base : named.span.start - base]
        if named.form in NAME_FORMS and _JOINED.fullmatch(gap):
            said = mark(named, chunk) or _epithet(named, ordered, chunk)
            if actor.kind == "place" and said != "other":  # St Ann's, Old Sarum
                said = None
            # unmarked, it is the one that was unmarked before, if there is one
            last = said if said or None in groups else last
        groups.setdefault(last, []).append(mention)
    # Only another epithet makes Peter the fisherman another than Peter.
    epithets = [said for said in groups if said and said.startswith("the ")]
    if len(epithets) == 1 and len(groups) == 2 and None in groups:
        groups[None] += groups.pop(epithets[0])
    kept, *others = groups
    strong = any(said in STRONG or " " in said for said in filter(None, groups))
    pairs = ({"old", "young"}, {"ours", "theirs"})
    if others and not strong and not any(pair <= set(groups) for pair in pairs):
        kept, others = next(m for m in groups if m), []
    for other in others:
        local = part(local, actor.id, groups[other])
        local = _marked(local, local.actors[-1].id, other)
    return _marked(local, actor.id, kept)


def _epithet(name: Mention, mentions: list[Mention], chunk: Chunk) -> str | None:
    """The noun of "Colin the diver", where the operator reads it as his."""
    start = chunk.span.start
    found = _EPITHET.match(chunk.text, name.span.end - start)
    starts = {m.span.start - start for m in mentions if m.form == "nominal"}
    return f"the {found['noun']}" if found and found.start("noun") in starts else None


def _marked(local: LocalMap, actor_id: str, said: str | None) -> LocalMap:
    if said is None:
        return local
    actor = next(a for a in local.actors if a.id == actor_id)
    first = actor.mentions[0]
    note = Note(NOTE + said, (first.span,), first.chunk)
    new = replace(actor, notes=(*actor.notes, note))
    return replace(local, actors=tuple(new if a is actor else a for a in local.actors))


def part(local: LocalMap, actor_id: str, moved: list[Mention]) -> LocalMap:
    """`local`, mentions of an actor and what is said near them given to a new one."""
    actor = next(a for a in local.actors if a.id == actor_id)
    stay = tuple(m for m in actor.mentions if m not in moved)
    name = next(m.text for m in moved if m.form in NAME_FORMS)
    new_id = f"a{1 + max(int(a.id[1:]) for a in local.actors)}"

    def of(noun_id: str | None, spans: tuple[Span, ...]) -> str | None:
        if noun_id != actor_id:
            return noun_id
        gaps = [
            (max(s.start - m.span.end, m.span.start - s.end, 0), m in moved)
            for m in actor.mentions
            for s in spans
        ]
        return new_id if min(gaps, default=(0, False))[1] else actor_id

    def parted(own: Actor) -> Actor:
        roles = tuple(r for r in own.roles if of(actor_id, r.spans) == own.id)
        states = tuple(s for s in own.states if of(actor_id, s.spans) == own.id)
        votes = tuple(v for v in own.votes if of(actor_id, v.spans) == own.id)
        return replace(own, roles=roles, states=states, votes=votes)

    kept, new = replace(actor, mentions=stay), replace(actor, mentions=tuple(moved))
    kept, new = parted(kept), parted(replace(new, id=new_id, name=name, aliases=()))
    phrases = []
    for phrase in local.verb_phrases:
        said = phrase.arguments
        arguments = tuple(replace(a, actor=of(a.actor, a.spans)) for a in said)
        has = {a.actor for a in arguments}
        whose = {actor_id: new_id} if new_id in has and actor_id not in has else {}
        own = (replace(e, actor=whose.get(e.actor, e.actor)) for e in phrase.effects)
        phrases.append(replace(phrase, arguments=arguments, effects=tuple(own)))
    links = []
    for link in local.links:
        ids = tuple(str(of(i, link.spans)) for i in link.actors)
        links.append(replace(link, actors=ids, anchor=of(link.anchor, link.spans)))
    votes = [replace(v, candidate=str(of(v.candidate, v.spans))) for v in local.votes]
    return replace(
        local,
        actors=(*(kept if a.id == actor_id else a for a in local.actors), new),
        verb_phrases=tuple(phrases),
        links=tuple(links),
        votes=tuple(votes),
        apart=(*local.apart, (actor_id, new_id)),
    )


def mark(mention: Mention, chunk: Chunk) -> str | None:
    """What the text says beside a name to tell its bearer from another."""
    start, end = (x - chunk.span.start for x in (mention.span.start, mention.span.end))
    before = chunk.text[max(0, start - _REACH) : start]
    inner = _INNER.fullmatch(chunk.text[start:end])
    age, jr = (inner[part] or "" for part in ("age", "jr")) if inner else ("", "")
    around = f"{before}{age}\0{jr}{chunk.text[end : end + _REACH]}"
    told = next((name for name, pattern in _MARKS if pattern.search(around)), None)
    if told not in _CLASS and (related := _RELATED.search(before)):
        return f"kin {(related['kin'] or related['ja']).lower()}"
    if _NICKNAME.search(before) and chunk.text[end : end + 1] == "」":
        return "nickname"
    return told


def marks(actor: Actor) -> set[str]:
    """The marks of an actor."""
    notes = (note.text for note in actor.notes if note.text.startswith(NOTE))
    return {text.removeprefix(NOTE) for text in notes}


def told_apart(new: Actor, old: Actor, whole: bool) -> bool:
    """Whether titles or marks say that two of one name, or `whole` name, are two."""
    names = ((actor.name, *actor.aliases) for actor in (new, old))
    told = (frozenset[str]().union(*map(title_tells, each)) for each in names)
    if new.kind == "person" and titles_clash(*told):
        return True
    all_mine, all_yours = marks(new), marks(old)
    # with a space it is a noun that somebody is called by
    mine, yours = ({m for m in said if " " not in m} for said in (all_mine, all_yours))
    if said := sorted(all_mine - mine):  # known as something else, or newly brought in
        sort, _, noun = said[0].partition(" ")
        is_one = any(role.text.lower().endswith(noun) for role in old.roles)
        alike = is_one or not all_mine.isdisjoint(all_yours)
        return not alike and (bool(old.roles) or (sort == "kin" and noun.isascii()))
    if mine and yours:
        classes = {_CLASS.get(mark, mark) for mark in mine}
        return classes.isdisjoint(_CLASS.get(mark, mark) for mark in yours)
    inner = _INNER.fullmatch(new.name)
    bare = new.name.removesuffix(inner["jr"] or "") if inner else new.name
    whole = whole or bare in (old.name, *old.aliases)
    return bool(mine & STRONG) and (whole or mine != {"junior"})


# Ties that the few characters between two names state.

_FAR = 32  # characters between two mentions that a tie may take
_ALIAS = re.compile(
    r"[\s,(]*(?:(?:also|better|otherwise|commonly|sometimes|was|is)\s+)*"
    r"(?:known\s+as|called|nicknamed|alias|a\.?k\.?a\.?|dubbed|by\s+the\s+name\s+of)"
    r"\s+(?:the\s+)?[\"'“‘]?|、?(?:またの名を|通称|別名)",
    re.I,
)
_INSIDE = re.compile(r"\s+(?:in|inside|within|of)\s+(?:the\s+)?", re.I)
_COMMA = re.compile(r"\s*,\s*")


def _stated(local: LocalMap, chunk: Chunk) -> Iterator[nouns.Relation]:
    """The aliases and the nested places that the text between two names states."""
    known = {(r.source, r.target, r.kind) for r in local.relations}
    text, base = chunk.text, chunk.span.start
    mentions = [(m, a) for a in local.actors for m in a.mentions]
    named = [(m, a) for m, a in mentions if m.form in NAME_FORMS or a.kind == "place"]
    named.sort(key=lambda pair: (pair[0].span, pair[1].id))
    for (one, a), (two, b) in pairwise(named):
        between = text[one.span.end - base : max(two.span.start - base, 0)]
        near = a.id != b.id and 0 <= two.span.start - one.span.end <= _FAR
        tie = _tie(between, a, b) if near else None
        if tie is not None and tie not in known:
            spans = (replace(one.span, end=two.span.end),)
            yield nouns.Relation("", *tie, "stated", spans, chunk.id)


def _tie(between: str, a: Actor, b: Actor) -> tuple[str, str, str] | None:
    """Source, target and kind of what the text between two names says, if anything."""
    if _ALIAS.fullmatch(between):
        return a.id, b.id, "alias"
    if a.kind != "place" or b.kind != "place":
        return None
    if between == "の":
        return b.id, a.id, "inside"
    # "Old Hall, Leeds" is nested; "Leeds, York" is a list.
    heads = words("place_head")
    first, second = (not heads.isdisjoint(key(each.name)[-1:]) for each in (a, b))
    listed = _COMMA.fullmatch(between) and first and not second
    return (a.id, b.id, "inside") if _INSIDE.fullmatch(between) or listed else None

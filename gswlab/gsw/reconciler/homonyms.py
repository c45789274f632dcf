"""Two of one name: what a text says beside a name to tell them apart.

- "Peter Fry junior", "the real Mr Dean", "a second Hartley", もう一人の弥助: a mark
  keeps its bearer from whoever is so called without it;
- "Colin the diver" is not Colin the dentist, nor "his uncle, also called Pike" Pike;
- "old Harry" and "young Harry" tell two apart from each other, but not from Harry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gswlab.core.nouns import Actor, Chunk, LocalMap, Mention, Note
from gswlab.language.lexicon import table

NOTE = "told apart as "
_BEFORE, _AFTER = (
    {mark: words for place, mark, words in table("en/marks.tsv") if place == side}
    for side in ("before", "after")
)
_JA_BEFORE = {mark: words for _, mark, words in table("ja/marks.tsv")}
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
_PRE = [(n, re.compile(rf"\b(?:{w})\s+{_TITLE}$", re.I)) for n, w in _BEFORE.items()]
_PRE += [(n, re.compile(rf"(?:{w})$")) for n, w in _JA_BEFORE.items()]
_POST = [(n, re.compile(rf",?\s+(?:{w})(?!\w)", re.I)) for n, w in _AFTER.items()]
_BARE = {n: re.compile(rf",?\s+(?:{w})$", re.I) for n, w in _AFTER.items()}
_NICKNAME = re.compile("「([^「」]{1,8}の)$")
_REACH = 60
_NAMES = ("name", "short")


def with_marks(local: LocalMap, chunk: Chunk) -> LocalMap:
    """`local` with a note on each person whose name a mark stands beside."""
    return replace(local, actors=tuple(_marked(a, chunk) for a in local.actors))


def _marked(actor: Actor, chunk: Chunk) -> Actor:
    named = [m for m in actor.mentions if m.form in _NAMES and actor.kind == "person"]
    for mention in named:
        if said := mark(mention, chunk) or _epithet(mention, actor, chunk):
            note = Note(NOTE + said, (mention.span,), mention.chunk)
            return replace(actor, notes=(*actor.notes, note))
    return actor


def _epithet(name: Mention, actor: Actor, chunk: Chunk) -> str | None:
    """The noun of "Colin the diver", where the operator reads it as his."""
    start = chunk.span.start
    found = _EPITHET.match(chunk.text, name.span.end - start)
    nouns = {m.span.start - start for m in actor.mentions if m.form == "nominal"}
    return f"the {found['noun']}" if found and found.start("noun") in nouns else None


def mark(mention: Mention, chunk: Chunk) -> str | None:
    """What the text says beside a name to tell its bearer from another."""
    start, end = (x - chunk.span.start for x in (mention.span.start, mention.span.end))
    before, after = chunk.text[max(0, start - _REACH) : start], chunk.text[end:]
    for name, pattern in _POST:
        if pattern.match(after) or _BARE[name].search(chunk.text[start:end]):
            return name
    if related := _RELATED.search(before):
        return f"kin {(related['kin'] or related['ja']).lower()}"
    if _NICKNAME.search(before) and after[:1] == "」":
        return "nickname"
    return next((name for name, pattern in _PRE if pattern.search(before)), None)


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
    all_mine, all_yours = set(marks(new)), set(marks(old))
    # with a space it is a noun that somebody is called by
    mine, yours = ({m for m in said if " " not in m} for said in (all_mine, all_yours))
    if nouns := sorted(all_mine - mine):  # known as something else, or newly brought in
        sort, _, noun = nouns[0].partition(" ")
        is_one = any(role.text.lower().endswith(noun) for role in old.roles)
        if is_one or all_mine & all_yours:
            return False
        return bool(old.roles) or (sort == "kin" and noun.isascii())
    if mine and yours:
        classes = {_CLASS.get(mark, mark) for mark in mine}
        return classes.isdisjoint(_CLASS.get(mark, mark) for mark in yours)
    bare = [pattern.sub("", new.name) for pattern in _BARE.values()]
    whole = whole or not {old.name, *old.aliases}.isdisjoint(bare)
    return bool(mine & _STRONG) and (whole or mine != {"junior"})


def bears_mark(actor: Actor) -> bool:
    """Whether an actor has a mark that its namesake goes without."""
    return not _STRONG.isdisjoint(marks(actor))

"""Verb phrases that roles imply: the author of a book writes it.

Only where the text itself joins the two, by "of", "in", "at" or a possessive; the
lexicon (`lexicon/implied.tsv`) says which noun goes with what.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from spacy.tokens import Token

from gswlab.core.nouns import Argument, Slot, VerbPhrase
from gswlab.language.lexicon import noun_class, table, words
from gswlab.operator.cast import Cast, Member

_JOINING = frozenset({"of", "in", "at", "from", "for", "to"})


@cache
def _rows() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for role, partner, predicate in table("en/implied.tsv"):
        found.setdefault(role, []).append((partner, predicate))
    return found


def implied_phrases(cast: Cast, first: int) -> tuple[VerbPhrase, ...]:
    """The implied phrases of a chunk, numbered from `first`."""
    found = {
        (holder.id, predicate, other.id): (holder, predicate, other, role, noun)
        for role in cast.parsed.doc
        if role.lemma_.lower() in _rows()
        for holder in _holders(cast, role)
        for noun in _partners(role)
        if (other := cast.headed(noun)) is not None and other is not holder
        for predicate in _predicates(role, noun, other)
    }
    return tuple(
        _phrase(cast, f"v{first + i}", *row) for i, row in enumerate(found.values())
    )


def _holders(cast: Cast, role: Token) -> Iterator[Member]:
    """Who has the role: its own member, or the subject of its copula."""
    member = cast.headed(role)
    if member is not None:
        yield member
    elif role.dep_ == "attr":
        subjects = [c for c in role.head.children if c.dep_ == "nsubj"]
        yield from cast.all(subjects)


def _partners(role: Token) -> Iterator[Token]:
    for child in role.children:
        if child.dep_ == "poss":
            yield child
        if child.dep_ == "prep" and child.lower_ in _JOINING:
            yield from (t for t in child.children if t.dep_ == "pobj")


def _predicates(role: Token, noun: Token, other: Member) -> Iterator[str]:
    groups = {f"@{other.kind}", f"@{noun_class(noun.lemma_)}", noun.lemma_.lower()}
    last = other.name.split()[-1].lower()
    if last in words("event_head"):
        groups.add("@event")
    if last in words("work_head"):
        groups.add("@work")
    for partner, predicate in _rows()[role.lemma_.lower()]:
        if partner in groups:
            yield predicate
            return


def _phrase(
    cast: Cast,
    phrase_id: str,
    holder: Member,
    predicate: str,
    other: Member,
    role: Token,
    noun: Token,
) -> VerbPhrase:
    parsed = cast.parsed
    span = parsed.over([role, noun])
    slot: Slot = "place" if other.kind == "place" else "patient"
    return VerbPhrase(
        id=phrase_id,
        predicate=predicate,
        arguments=(
            Argument("agent", holder.name, (parsed.over([role]),), holder.id),
            Argument(slot, other.name, (cast.spot(noun).span,), other.id),
        ),
        spans=(span,),
        chunk=parsed.chunk.id,
        chapter=parsed.chunk.chapter,
        implied=True,
    )

"""What the use of a name says about its kind: what it does and where it stands.

Nobody is "inside Ann"; a hall never smiles; one thanks people and reaches places.
"""

from __future__ import annotations

from spacy.tokens import Token

from gswlab.core.nouns import Span
from gswlab.language.lexicon import (
    first_name_gender,
    is_place_name,
    noun_class,
    noun_kind,
    words,
)
from gswlab.operator.cast import Member
from gswlab.operator.clauses import Clause
from gswlab.operator.names import Name
from gswlab.operator.parse import Parsed
from gswlab.operator.premises import is_premises

_AGENCY = (
    ("speech", 2.0, "says something"),
    ("mental", 1.6, "perceives or thinks"),
    ("motion", 1.2, "moves"),
    ("agentive", 1.0, "acts"),
)
_SAILING = frozenset({"sail", "dock", "anchor", "capsize", "founder", "sink"})
_OF_SHIPS = frozenset({"bow", "deck", "hull", "mast", "stern", "wreck"})
_STATES = 0.2  # of what speaks for a person: "China takes part" is told of a place
_DESTINATION = frozenset({"to", "from"})


def vote_agency(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from being the subject of `clause`."""
    if clause.passive:
        return
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    if lemma in _SAILING and any(c.lower_ == "the" for c in head.children):
        member.vote("object", 1.5, f"a ship: {lemma}", span)
        return
    for group, weight, reason in _AGENCY:
        if lemma in words(group):
            weight *= _STATES if _is_state(member, head) else 1.0
            member.vote("person", weight, f"{reason}: {lemma}", span)
            return
    if lemma in words("scenery"):
        member.vote("place", 0.5, f"looks like a scene: {lemma}", span)
        return
    if clause.objects:
        member.vote("person", 0.4, f"subject of {lemma} with an object", span)


def _is_state(member: Member, head: Token) -> bool:
    """Whether a name is a country's or city's, which say and do as people do."""
    return head.ent_type_ == "GPE" and is_place_name(member.name)


def _may_be_left(member: Member, head: Token) -> bool:
    usual = first_name_gender(member.name.split()[0]) is not None
    return usual or head.ent_type_ == "PERSON"


def _vehicle(noun: Token) -> bool:
    lemma = noun.lemma_.lower()
    return noun.pos_ == "NOUN" and lemma in words("vehicle") | words("vessel")


def vote_addressed(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from an object: one thanks people, and reaches places."""
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    if lemma in words("addressing"):
        member.vote("person", 1.2, f"object of {lemma}", span)
    elif lemma in words("reaching"):
        member.vote("place", 0.8, f"object of {lemma}", span)
    elif lemma in words("leaving") and any(_vehicle(s) for s in clause.subjects):
        member.vote("place", 1.5, f"a vehicle may {lemma} it", span)
    elif lemma in words("leaving") and not _may_be_left(member, head):
        member.vote("place", 0.9, f"object of {lemma}", span)


def from_preposition(member: Member, name: Name, span: Span) -> None:
    """Evidence from the preposition before a name: "inside" is for places."""
    prep = _preposition(name)
    if prep is None or name.quoted:
        return
    word, verb = prep.lower_, prep.head
    if word == "aboard" or (word == "of" and verb.lemma_.lower() in _OF_SHIPS):
        member.vote("object", 1.5 * name.article, f"{verb.text} {word} the name", span)
    elif word in words("locative_strong"):
        member.vote("place", 1.8, f"{word} the name", span)
    elif word in _DESTINATION and _goes(verb):
        member.vote("place", 1.0, f"{verb.lemma_} {word} the name", span)
    elif word in ("at", "in") and verb.lemma_.lower() not in _aimed():
        found = verb.lemma_.lower() in ("find", "recognise", "see")  # in Ann, a friend
        weight = 2.2 if word == "in" and not (name.titles or found) else 1.4
        member.vote("place", weight, f"{word} the name", span)
    elif word in words("locative") and word not in ("by", "beside", "behind"):
        if verb.lemma_.lower() not in _aimed():
            member.vote("place", 0.5, f"{word} the name", span)
    elif way := _way(word, verb):
        member.vote("place", 1.5, way, span)
    elif word == "to" and verb.lemma_.lower() in words("speech"):
        member.vote("person", 1.2, f"{verb.lemma_} to the name", span)
    elif word == "of" and _placed(verb) and not _is_person(name):
        weight = 2.5 if verb.lemma_.lower() in words("settlement") else 1.0
        member.vote("place", weight, f"{verb.text} of the name", span)
    elif word == "with":
        member.vote("person", 0.4, "with the name", span)


def _way(word: str, head: Token) -> str:
    """Where one goes: out of Sorley, a train for Sorley, left for Sorley."""
    if word == "of" and head.lower_ == "out" and head.head.lemma_ in words("motion"):
        return "out of the name"
    left = head.lemma_.lower() in words("leaving")
    return (
        f"{head.lemma_} for the name"
        if word == "for" and (left or _vehicle(head))
        else ""
    )


def from_list(member: Member, name: Name, span: Span) -> None:
    """A name after a comma that follows a place: "in Station Road, Marlow End"."""
    first = (*name.titles, *name.tokens)[0]
    if first.i < 2 or first.nbor(-1).text != "," or name.titles:
        return
    before = first.nbor(-2)
    premises = before.dep_ == "case" and before.head.dep_ == "pobj"
    if premises:  # "at St Olave's, Marlow End"
        before = before.head
    named = before.lower_ in words("place_head") and before.text[:1].isupper()
    if named and before.dep_ != "pobj" and _closes(name.tokens[-1]):
        member.vote("place", 1.2, f"an address that begins in a {before.lower_}", span)
    governed = before.dep_ == "pobj" and before.head.lower_ in words("locative")
    if (named or premises) and governed:
        weight = 2.2 if premises else 1.2
        member.vote("place", weight, f"a list that begins in a {before.lower_}", span)


def _closes(last: Token) -> bool:
    """Whether a sentence or line ends after a name."""
    after = last.nbor(1) if last.i + 1 < len(last.doc) else None
    return after is None or after.is_space or after.text in (".", ";", ")")


def from_address(member: Member, name: Name, quoted: bool, span: Span) -> None:
    """Being called: "Dear Ann,", “Come in, Ann!”."""
    first, last = (*name.titles, *name.tokens)[0], name.tokens[-1]
    before = first.nbor(-1).text if first.i else ""
    after = last.nbor(1).text if last.i + 1 < len(last.doc) else ""
    if before.lower() in ("dear", "dearest"):
        member.vote("person", 2.0, "addressed in a letter", span)
    elif quoted and before in (",", "“", '"') and after in (",", ".", "!", "?"):
        member.vote("person", 0.8, "called by name", span)


def _preposition(name: Name) -> Token | None:
    """What governs the name: in the parse, or else the word right before it."""
    head = name.head
    found = head.head if head.dep_ in ("pobj", "pcomp") else None
    if head.dep_ == "conj" and head.head.dep_ == "pobj":
        found = head.head.head
    if found is None:
        first = (*name.titles, *name.tokens)[0]
        before = first.nbor(-1) if first.i else first
        if before.dep_ in ("det", "poss") and before.i:
            before = before.nbor(-1)
        found = before if before.lower_ in words("locative_strong") else None
    return found if found is not None and found.pos_ != "VERB" else None


def _is_person(name: Name) -> bool:
    return noun_kind(name.tokens[-1].text) == "person"


def _goes(verb: Token) -> bool:
    """Whether "to" or "from" is said of a way: ran to, the road to, took a train to."""
    while verb.pos_ in ("ADV", "ADP", "PART") and verb.head != verb:
        verb = verb.head  # "travelled up from"
    ways = (verb, *(c for c in verb.children if c.dep_ == "dobj"))
    on_way = any(way.lemma_.lower() in words("way_to") for way in ways)
    return on_way or verb.lemma_.lower() in words("motion")


def _placed(noun: Token) -> bool:
    """Whether what is "of" the name is a place or lives in one."""
    lives = noun.lemma_.lower() in words("dweller")
    return noun.pos_ in ("NOUN", "ADV") and (lives or noun_kind(noun.lemma_) == "place")


def _aimed() -> frozenset[str]:
    return words("looking") | words("mental") | words("speech")


def from_possession(member: Member, name: Name, span: Span) -> None:
    """Evidence from what a name has: a voice, a sister, an entrance."""
    if name.head.dep_ in ("compound", "nmod", "amod"):
        noun = name.head.head
        if noun.pos_ == "NOUN" and noun_class(noun.lemma_) == "place":
            member.vote("place", 0.5, f"names a {noun.lemma_}", span)
    if is_premises(name):
        member.vote("place", 2.4, "somebody's, without a noun", span)
    if name.head.dep_ != "poss":
        return
    noun = name.head.head
    lemma = noun.lemma_.lower()
    if lemma in words("body") or noun.lower_ in words("body"):
        member.vote("person", 1.6, f"has a {lemma}", span)
    elif lemma in words("kin"):
        member.vote("person", 1.4, f"has a {lemma}", span)

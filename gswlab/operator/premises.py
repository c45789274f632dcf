"""Nouns and names that are places only where they stand so: "in the study", "at Guy's".

A word list knows a study first as an act and a baker as a man; what governs them, or a
possessive without a noun, says that a room or a shop is meant.
"""

from __future__ import annotations

from spacy.tokens import Token

from gswlab.core.nouns import ActorKind
from gswlab.language.lexicon import noun_class, noun_kind, words
from gswlab.operator.names import Name

_CARRYING = frozenset({"take", "bring", "carry", "send", "come", "drag", "row", "moor"})
_SINGLED = frozenset({"det", "poss", "nummod", "amod", "compound"})
_NOUNLY = frozenset({"pobj", "dobj", "nsubj", "nsubjpass", "conj", "appos", "attr"})


def is_premises(name: Name) -> bool:
    """Whose house, shop or church a place is: "at Lindqvist's", "of St Olave's"."""
    saint = name.tokens[0].lower_ in ("st", "st.")
    if saint and name.head.dep_ in _NOUNLY - {"pobj"}:  # they filled St Olave's
        return any(child.dep_ == "case" for child in name.head.children)
    return _owns(name.head) and (saint or name.head.head.lower_ != "of")


def kind_of(head: Token) -> ActorKind:
    """What a common noun names where it stands: "the mews", "past the baker's"."""
    inside = _is_inside(head)
    ground = inside and head.lemma_.lower() in words("place_here")
    ground &= any(child.dep_ in _SINGLED for child in head.children)  # not "in step"
    shop = _owns(head) and head.head.lower_ != "of"
    if inside and head.lemma_.lower() == "post" and head.head.lower_ == "by":
        return "abstract"  # "your letter came by the second post"
    made = any(
        f"{child.lower_}_{head.lemma_.lower()}" in words("place_compound")
        for child in head.children
        if child.i == head.i - 1
    )
    if ground or shop or made or head.lower_ in words("place"):  # "mews": no "mew"
        return "place"
    if mistaken_place(head) or _is_works(head, inside):
        return "place"
    return "person" if head.pos_ == "ADJ" else noun_kind(head.lemma_)


def _is_inside(head: Token) -> bool:
    """Whether a noun stands where places do: in it, as far as it, to it, leaving it."""
    verb = head.head.lemma_.lower()
    if head.dep_ == "dobj":
        return verb in words("reaching") or verb == "leave"
    if head.dep_ != "pobj":
        return False
    word = head.head.lower_
    if word in ("to", "from"):
        return head.head.head.lemma_.lower() in words("motion") | _CARRYING
    return word in words("locative") or (word == "as" and as_far(head.head))


def as_far(preposition: Token) -> bool:
    """Whether "as" ends "as far as", "as far off as": it leads to a place."""
    before = preposition.doc[max(0, preposition.i - 2) : preposition.i]
    return any(token.lower_ == "far" for token in before)


def mistaken_place(token: Token) -> bool:
    """Whether a noun of places was parsed as an adjective: "her sister's flat"."""
    if token.pos_ not in ("ADJ", "ADV") or noun_class(token.lower_) != "place":
        return False
    if token.i == 0 or token.i + 1 == len(token.doc):
        return False
    before, after = token.nbor(-1), token.nbor(1)
    closed = after.is_punct or after.pos_ in ("ADP", "SCONJ", "VERB", "AUX", "CCONJ")
    alone = token.dep_ in _NOUNLY or after.is_punct
    return closed and alone and before.tag_ in ("DT", "PRP$", "POS")


def _is_works(head: Token, inside: bool) -> bool:
    """Whether a plural is a place, its singular none: "the cement works"."""
    if head.tag_ != "NNS" or noun_class(head.lower_) != "place":
        return False
    made = any(child.dep_ == "compound" for child in head.children)
    return noun_kind(head.lemma_) == "place" or inside or made


def _owns(head: Token) -> bool:
    """Whether a possessive stands without what is possessed."""
    return head.dep_ == "pobj" and any(c.dep_ == "case" for c in head.children)


def is_length(noun: Token) -> bool:
    """Whether a noun that may name a place only measures: "thirty yards"."""
    return noun.lemma_ == "yard" and any(c.dep_ == "nummod" for c in noun.children)

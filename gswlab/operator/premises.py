"""Nouns and names that are places only where they stand so: "in the study", "at Guy's".

A word list knows a study first as an act and a baker as a man; what governs them, or a
possessive without a noun, says that a room or a shop is meant.
"""

from __future__ import annotations

from spacy.tokens import Token

from gswlab.operator.lexicon import noun_kind, words
from gswlab.operator.names import Name
from gswlab.workspace.nouns import ActorKind


def is_premises(name: Name) -> bool:
    """Whose house, shop or church a place is: "at Lindqvist's", "of St Olave's"."""
    saint = name.tokens[0].lower_ in ("st", "st.")
    return _owns(name.head) and (saint or name.head.head.lower_ != "of")


def kind_of(head: Token) -> ActorKind:
    """What a common noun names where it stands: "the mews", "past the baker's"."""
    inside = head.dep_ == "pobj" and head.head.lower_ in words("locative")
    inside |= head.dep_ == "dobj" and head.head.lemma_.lower() in words("reaching")
    ground = inside and head.lemma_.lower() in words("place_here")
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
    return "person" if head.pos_ == "ADJ" else noun_kind(head.lemma_)


def _owns(head: Token) -> bool:
    """Whether a possessive stands without what is possessed."""
    return head.dep_ == "pobj" and any(c.dep_ == "case" for c in head.children)


def is_length(noun: Token) -> bool:
    """Whether a noun that may name a place only measures: "thirty yards"."""
    return noun.lemma_ == "yard" and any(c.dep_ == "nummod" for c in noun.children)

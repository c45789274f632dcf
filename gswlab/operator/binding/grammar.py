"""What binding asks of a parse: who a word's clause is about, and who owns what."""

from __future__ import annotations

from functools import cache

from spacy.tokens import Token

from gswlab.language.lexicon import groups
from gswlab.operator.clauses import subjects
from gswlab.operator.verbs import is_verb

FOCUS = {"she": "f", "he": "m", "they": "they", "i": "narrator"}
OBLIQUE = {
    "her": "f", "him": "m", "them": "they", "me": "narrator",
    "hers": "f", "his": "m", "their": "they", "my": "narrator",
}  # fmt: skip
REFLEXIVE = ("herself", "himself", "themselves", "themself", "myself")


@cache
def words(group: str) -> frozenset[str]:
    """One group of `lexicon/binding.tsv`.

    >>> "heart" in words("inner_noun")
    True
    """
    return groups("en/binding.tsv")[group]


def verb_of(token: Token) -> Token | None:
    """The nearest verb above a token: the clause it stands in."""
    for ancestor in token.ancestors:
        if is_verb(ancestor):
            return ancestor
    return None


def subject_focus(token: Token) -> str | None:
    """The focus class of the pronoun that is subject of a token's clause, if any."""
    verb = verb_of(token)
    if verb is None:
        return None
    for subject in subjects(verb):
        if subject.i != token.i and subject.lower_ in FOCUS:
            return FOCUS[subject.lower_]
    return None


def pronoun_objects(verb: Token) -> list[tuple[Token, str]]:
    """Non-reflexive pronouns a verb acts on, directly or through a preposition."""
    objects = []
    for child in verb.children:
        if child.dep_ in ("dobj", "dative", "obj"):
            objects.append(child)
        if child.dep_ in ("prep", "dative"):
            objects += [c for c in child.children if c.dep_ == "pobj"]
    pronouns = [t for t in objects if t.lower_ in OBLIQUE and t.tag_ == "PRP"]
    return [(token, OBLIQUE[token.lower_]) for token in pronouns]


def own_possessives(verb: Token, subject: Token) -> list[tuple[Token, str]]:
    """Possessive pronouns inside a verb's objects ("X raised her camera")."""
    found = []
    for token in verb.subtree:
        if token.i <= subject.i or token.tag_ != "PRP$":
            continue
        if verb_of(token) is verb and token.lower_ in OBLIQUE:
            found.append((token, OBLIQUE[token.lower_]))
    return found

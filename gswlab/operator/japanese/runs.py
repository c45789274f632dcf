"""Japanese noun phrases: a noun that is an argument, with its compounds before it.

What only counts or locates (一枚, そば, 中) is nobody and nothing by itself: 改札の前で
stands for what it is a part of.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.operator.cast import Cast
from gswlab.operator.japanese.binding.grammar import words as scenic
from gswlab.operator.japanese.clauses import denied, is_latin, particle, words

_NOUNS = ("NOUN", "PROPN")
_TOPICS = ("nsubj", "dislocated")
_ARGUMENTS = frozenset({"nsubj", "obj", "obl", "iobj", "nmod", "ROOT", "dislocated"})


def runs(cast: Cast) -> Iterator[list[Token]]:
    """The noun phrases of a chunk that nothing mentions yet, head last."""
    for token in cast.parsed.doc:
        called = "人名" in token.tag_ and token.dep_ != "compound"  # 「佐藤です」
        argument = token.dep_ in _ARGUMENTS or is_predicate(token)
        noun = token.pos_ in _NOUNS and (called or argument) and not is_part(token)
        noun = noun and token.text not in words("formal_noun")
        if not noun and (token.dep_ == "compound" or not is_latin(token)):
            continue
        if cast.at(token) is not None or token.ent_type_ in ("Date", "Time"):
            continue
        if is_predicate(token) and (denied(token) or _is_quality(token)):
            continue  # 船員ではない: nobody is a sailor; 留守だ: a state
        if family(token) and token.i + 1 < len(token.doc) and given(token.nbor()):
            continue  # read with the given name, however the parser ties them
        before = [c for c in token.lefts if not c.is_space]
        parts = [c for c in before if c.dep_ in ("compound", "nummod")]
        if given(token) and token.i and family(token.nbor(-1)) and not parts:
            parts = [token.nbor(-1)]
        yield [*parts, token]


def family(token: Token) -> bool:
    """Whether a token is a family name."""
    return token.tag_.endswith("人名-姓")


def given(token: Token) -> bool:
    """Whether a token is a given name."""
    return token.tag_.endswith("人名-名")


def is_part(token: Token) -> bool:
    """Whether a noun only counts or locates something."""
    counted = "助数詞" in token.tag_ and any(c.pos_ == "NUM" for c in token.lefts)
    counted = counted or token.ent_type_.startswith("N_")  # 八十人
    return token.text in scenic("part_noun") or counted


def is_predicate(noun: Token) -> bool:
    """Whether a noun is what its clause says of the subject: 記者である, 留守で、."""
    joins = particle(noun) == "で" and any(c.dep_ == "nsubj" for c in noun.lefts)
    return joins or any(c.dep_ == "cop" for c in noun.children)


def _is_quality(noun: Token) -> bool:
    """Whether a predicate noun only says how its subject is: 留守, 働き者."""
    naming = words("person") | words("place") | words("named_place")
    plain = noun.pos_ == "NOUN" and "固有名詞" not in noun.tag_ and not noun.ent_type_
    return plain and noun.text not in naming and subject_of(noun) is not None


def subject_of(noun: Token) -> Token | None:
    """Of what a predicate noun is said, in its clause or one it is joined to."""
    for joined in (c for c in noun.lefts if c.dep_ in ("advcl", "acl")):
        found = [c for c in joined.lefts if c.dep_ in _TOPICS]
        if found and not any(c.dep_ in _TOPICS for c in noun.lefts):
            return found[-1]
    clause = noun
    while True:
        found = [c for c in clause.lefts if c.dep_ in _TOPICS and c.i < noun.i]
        if found:
            return found[-1]
        if clause.dep_ not in ("acl", "advcl", "conj") or clause.head == clause:
            return None
        clause = clause.head


def whole(noun: Token) -> Token:
    """What a noun that only locates is a part of: 改札 of 改札の前."""
    while is_part(noun):
        owner = [c for c in noun.lefts if c.dep_ == "nmod" and particle(c) == "の"]
        if not owner:
            break
        noun = owner[-1]
    return noun

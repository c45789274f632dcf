"""Roles and the ties they name: "the detective Ann Ray", "Tom, Ann's brother".

A role is a noun phrase the text itself applies to an actor: a title, an apposition, a
copula, "as a ...", or the very noun that names it. A relational noun with a possessor
also gives a `Relation` ("brother of").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.core.nouns import Relation, Role, Span
from gswlab.gsw.operator.clauses import Clause, is_listed
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.names import opens
from gswlab.gsw.operator.nominals import BECOMING, GENDERED, is_predicate, noun_tokens
from gswlab.language.lexicon import noun_class, noun_kind, words

_MAKING = frozenset({"appoint", "crown", "elect", "make", "name", "ordain"})
Tie = tuple[str, str, str, tuple[Span, ...]]


def add_roles(cast: Cast, clauses: Sequence[Clause]) -> tuple[Relation, ...]:
    """Give members their roles; what ties two of them is returned."""
    for member in cast:
        for index in list(member.heads):
            for noun in _beside(cast, member, cast.parsed.doc[index]):
                _give(cast, member, noun)
    for clause in clauses:
        _copula(cast, clause)
        _made(cast, clause)
        _as(cast, clause)
    ties = dict.fromkeys(_ties(cast))
    return tuple(
        Relation(f"r{i}", a, b, tie, "stated", spans, cast.parsed.chunk.id)
        for i, (a, b, tie, spans) in enumerate(ties, 1)
    )


def _beside(cast: Cast, member: Member, head: Token) -> Iterator[Token]:
    """The nouns that stand beside one mention and say what its actor is."""
    common = head.pos_ == "NOUN" and cast.spot(head).form == "nominal"
    if common and (member.kind == "person" or member.form == "name"):
        yield head
    for child in head.children:
        lower = child.text[:1].islower() and child.pos_ == "NOUN"
        named = member.form == "name" and lower and _is_person(child)
        if child.dep_ in ("compound", "nmod") and named:
            yield child
        fits = member.kind in ("person", "organisation") or not _is_person(child)
        if child.dep_ == "appos" and child.i > head.i and fits and _describes(child):
            yield child


def _describes(noun: Token) -> bool:
    """Whether an apposition says what something is: no list, no stray participle."""
    if noun.pos_ != "NOUN" or is_listed(noun):
        return False
    determined = any(c.dep_ in ("det", "poss") for c in noun.children)
    return determined or noun_kind(noun.lemma_) != "abstract"


def _is_person(token: Token) -> bool:
    return noun_kind(token.lemma_) == "person"


def _give(cast: Cast, member: Member, noun: Token) -> None:
    tokens = noun_tokens(_own(noun), noun)
    parsed = cast.parsed
    text = parsed.text(tokens)
    named = any(cast.at(t) not in (None, member) for t in tokens)
    if named:
        tokens, text = [noun], noun.text
    text = text.lower() if noun.pos_ == "PROPN" or opens(noun) else text
    span = parsed.over(tokens)
    role = Role(" ".join(text.split()), (span,), parsed.chunk.id)
    if role.text not in {r.text for r in member.roles}:
        member.roles.append(role)
    member.gender = member.gender or GENDERED.get(noun_class(noun.lemma_))


def _own(noun: Token) -> list[Token]:
    """A noun with its modifiers, without clauses, appositions and names it heads."""
    kept = ("amod", "compound", "nummod", "nmod", "npadvmod", "advmod", "punct")
    left = [c for c in noun.lefts if c.dep_ in kept]
    inner = [t for c in left for t in c.subtree]
    return [*inner, noun]


def _copula(cast: Cast, clause: Clause) -> None:
    if clause.verb.lemma_ not in BECOMING or clause.negated:
        return
    if clause.modality != "asserted":
        return
    below = (t for c in clause.verb.children for t in c.subtree)
    for noun in (t for t in below if _is_said(t, clause.verb)):
        if noun.pos_ != "NOUN" or noun_class(noun.lemma_) == "time":
            continue
        if any(c.lower_ == "no" for c in noun.children):
            continue
        for member in cast.all(clause.subjects):
            _give(cast, member, noun)
            kind = noun_kind(noun.lemma_)
            if member.form == "name" and kind != "abstract":
                span = cast.parsed.over([noun])
                member.vote(kind, 1.5, f"is a {noun.lemma_}", span)


def _made(cast: Cast, clause: Clause) -> None:
    """What somebody is made: "she was elected mayor"."""
    making = clause.verb.lemma_ in _MAKING and not clause.negated
    if clause.modality not in ("asserted", "reported") or not making:
        return
    for noun in (c for c in clause.verb.children if c.pos_ == "NOUN"):
        if noun.dep_ in ("oprd", "attr", "ccomp"):
            own = [c for c in noun.children if c.dep_ == "nsubj"]
            for member in cast.all(own or clause.patients):
                _give(cast, member, noun)


def _is_said(noun: Token, verb: Token) -> bool:
    """Whether a noun is a verb's predicate, or joined to it."""
    while is_predicate(noun) and noun.head != verb:
        noun = noun.head
    return is_predicate(noun) and noun.head == verb


def _as(cast: Cast, clause: Clause) -> None:
    """The subject's role in "worked as a guide", the object's in "hired her as ..."."""
    for prep, noun in clause.obliques:
        if prep.lower_ != "as" or not _is_person(noun) or noun.pos_ != "NOUN":
            continue
        holders = clause.patients or clause.subjects
        for member in cast.all(holders):
            _give(cast, member, noun)


def _ties(cast: Cast) -> Iterator[Tie]:
    for member in cast:
        for index in member.heads:
            yield from _tie(cast, member, cast.parsed.doc[index])
            for child in cast.parsed.doc[index].children:
                if child.dep_ == "appos":
                    yield from _tie(cast, member, child)


def _tie(cast: Cast, member: Member, noun: Token) -> Iterator[Tie]:
    """The possessor of a relational noun: "Ann's brother", "the brother of Ann"."""
    if noun.pos_ != "NOUN":
        return
    of = [t for c in noun.children if c.lower_ == "of" for t in c.children]
    owners = [c for c in noun.children if c.dep_ == "poss"]
    kin = noun.lemma_.lower() in words("kin")
    stated = [*owners, *of] if kin else of if _is_person(noun) else []
    for token in stated:
        other = cast.headed(token)
        if other is not None and other is not member:
            span = cast.parsed.over([token, noun])
            yield member.id, other.id, f"{noun.lemma_.lower()} of", (span,)

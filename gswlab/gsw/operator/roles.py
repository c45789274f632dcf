"""Roles and the ties they name: "the detective Ann Ray", "Tom, Ann's brother".

A role is a noun phrase the text itself applies to an actor: a title, an apposition, a
copula, "as a ...", or the very noun that names it. A relational noun with a possessor
also gives a `Relation` ("brother of").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.core.nouns import Relation, Role
from gswlab.gsw.operator.clauses import Clause, is_listed
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.names import opens
from gswlab.gsw.operator.nominals import BECOMING, GENDERED, is_predicate, noun_tokens
from gswlab.language.lexicon import noun_class, noun_kind, words

_MAKING = frozenset({"appoint", "crown", "elect", "make", "name", "ordain"})
_Holder = tuple[Member, Token]  # and the noun that says what it is


def add_roles(cast: Cast, clauses: Sequence[Clause]) -> tuple[Relation, ...]:
    """Give members their roles; what ties two of them is returned."""
    doc = cast.parsed.doc
    for member in cast:
        for index in list(member.heads):
            for noun in _beside(cast, member, doc[index]):
                _give(cast, member, noun)
    for clause in clauses:
        for holder, noun in (*_said(cast, clause), *_made(cast, clause)):
            _give(cast, holder, noun)
    ties = []
    for member, head in ((m, doc[i]) for m in cast for i in m.heads):
        for noun in (head, *(c for c in head.children if c.dep_ == "appos")):
            for token in _owners(noun):
                other, span = cast.headed(token), cast.parsed.over([token, noun])
                if other is not None and other is not member:
                    tie = f"{noun.lemma_.lower()} of"
                    ties.append((member.id, other.id, tie, (span,)))
    chunk = cast.parsed.chunk.id
    return tuple(
        Relation(f"r{i}", a, b, tie, "stated", spans, chunk)
        for i, (a, b, tie, spans) in enumerate(dict.fromkeys(ties), 1)
    )


def _beside(cast: Cast, member: Member, head: Token) -> Iterator[Token]:
    """The nouns that stand beside one mention and say what its actor is."""
    common = head.pos_ == "NOUN" and cast.spot(head).form == "nominal"
    if common and (member.kind == "person" or member.form == "name"):
        yield head
    for child in head.children:
        person = _is_person(child)
        lower = child.text[:1].islower() and child.pos_ == "NOUN"
        named = member.form == "name" and lower and person
        if child.dep_ in ("compound", "nmod") and named:
            yield child
        # An apposition says what something is; no list, no stray participle does.
        fits = member.kind in ("person", "organisation") or not person
        after = child.dep_ == "appos" and child.i > head.i and child.pos_ == "NOUN"
        if after and fits and not is_listed(child):
            determined = any(c.dep_ in ("det", "poss") for c in child.children)
            if determined or noun_kind(child.lemma_) != "abstract":
                yield child


def _is_person(token: Token) -> bool:
    return noun_kind(token.lemma_) == "person"


def _give(cast: Cast, member: Member, noun: Token) -> None:
    """A role: the noun with its modifiers, without the clauses that hang on it."""
    kept = ("amod", "compound", "nummod", "nmod", "npadvmod", "advmod", "punct")
    inner = [t for c in noun.lefts if c.dep_ in kept for t in c.subtree]
    tokens, parsed = noun_tokens([*inner, noun], noun), cast.parsed
    text = parsed.text(tokens)
    if any(cast.at(t) not in (None, member) for t in tokens):
        tokens, text = [noun], noun.text
    text = text.lower() if noun.pos_ == "PROPN" or opens(noun) else text
    span = parsed.over(tokens)
    role = Role(" ".join(text.split()), (span,), parsed.chunk.id)
    if role.text not in {r.text for r in member.roles}:
        member.roles.append(role)
    member.gender = member.gender or GENDERED.get(noun_class(noun.lemma_))


def _said(cast: Cast, clause: Clause) -> Iterator[_Holder]:
    """What a clause says its subject is: "became a priest and later a bishop"."""
    verb = clause.verb
    if verb.lemma_ not in BECOMING or clause.negated or clause.modality != "asserted":
        return
    for noun in (t for c in verb.children for t in c.subtree):
        top = noun
        while is_predicate(top) and top.head != verb:
            top = top.head
        said = is_predicate(top) and top.head == verb and noun.pos_ == "NOUN"
        none = any(c.lower_ == "no" for c in noun.children)
        if not said or none or noun_class(noun.lemma_) == "time":
            continue
        for member in cast.all(clause.subjects):
            yield member, noun
            kind = noun_kind(noun.lemma_)
            if member.form == "name" and kind != "abstract":
                span = cast.parsed.over([noun])
                member.vote(kind, 1.5, f"is a {noun.lemma_}", span)


def _made(cast: Cast, clause: Clause) -> Iterator[_Holder]:
    """What somebody is made, or is: "was elected mayor", "worked as a guide"."""
    making = clause.verb.lemma_ in _MAKING and not clause.negated
    told = making and clause.modality in ("asserted", "reported")
    for noun in clause.verb.children if told else ():
        if noun.pos_ == "NOUN" and noun.dep_ in ("oprd", "attr", "ccomp"):
            own = [c for c in noun.children if c.dep_ == "nsubj"]
            yield from ((m, noun) for m in cast.all(own or clause.patients))
    for prep, noun in clause.obliques:
        if prep.lower_ == "as" and _is_person(noun) and noun.pos_ == "NOUN":
            holders = clause.patients or clause.subjects
            yield from ((member, noun) for member in cast.all(holders))


def _owners(noun: Token) -> list[Token]:
    """The possessors of a relational noun: "Ann's brother", "the brother of Ann"."""
    if noun.pos_ != "NOUN":
        return []
    of = [t for c in noun.children if c.lower_ == "of" for t in c.children]
    owners = [c for c in noun.children if c.dep_ == "poss"]
    if noun.lemma_.lower() in words("kin"):
        return [*owners, *of]
    return of if _is_person(noun) else []

"""Which antecedent a pronoun takes: the most present one that agrees.

Near, subject, named and in the same voice count; a name of the wrong gender or kind
is no candidate at all, nor is one that grammar keeps apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from gswlab.language.lexicon import first_name_gender
from gswlab.operator.apart import Apart
from gswlab.operator.cast import Cast, Member
from gswlab.operator.clauses import SUBJECTS

_REACH = 3
GENDER = {
    **dict.fromkeys(("she", "her", "hers", "herself", "彼女"), "f"),
    **dict.fromkeys(("he", "him", "his", "himself", "彼"), "m"),
    **dict.fromkeys(("it", "its", "itself"), "n"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), "they"),
    "彼ら": "they",
}


def best_antecedent(
    cast: Cast, token: Token, gender: str, apart: Apart
) -> Member | None:
    """The most present member that fits a pronoun, None if nobody does."""
    scored = [
        _Scored(score, member)
        for member in cast
        if _fits(cast, member, gender)
        and not _only_called(cast, member, token)
        and not any(apart(token.i, index) for index in member.heads)
        and (score := _salience(cast, member, token)) > 0
    ]
    scored.sort(key=lambda s: -s.score)
    return scored[0].member if scored else None


def _fits(cast: Cast, member: Member, gender: str) -> bool:
    if member.form in ("pronoun", "date", "narrator"):
        return member.form == "pronoun" and member.gender == gender
    if gender == "they":
        doc = cast.parsed.doc
        listed = any(doc[i].dep_ == "conj" or doc[i].conjuncts for i in member.heads)
        return not listed and (member.plural or member.kind == "organisation")
    if member.plural:
        return False
    if gender == "n":
        return member.kind not in ("person", "time") and member.form == "nominal"
    if member.form == "nominal":
        return member.kind == "person" and member.gender in (None, gender)
    person = member.prior == "person" or _may_be_person(member)
    return person and suggested(member) in (None, gender)


def _only_called(cast: Cast, member: Member, token: Token) -> bool:
    """Whether a speaker's own quotation is all that names the member so far."""
    parsed = cast.parsed
    spoken = [quote for quote in parsed.quotes if quote.speaker == token.i]
    before = [parsed.quote(parsed.doc[i]) for i in member.heads if i < token.i]
    return bool(before) and all(quote in spoken for quote in before)


def _may_be_person(member: Member) -> bool:
    """Whether little speaks against a person: a pronoun is evidence itself."""
    behind = member.score(member.kind) - member.score("person")
    return behind < 0.6 and member.score("person") > 0


def suggested(member: Member) -> str | None:
    """The gender stated, else the one a first name suggests (to find it, no more)."""
    if member.gender is not None or member.form != "name":
        return member.gender
    guess = first_name_gender(member.name.split()[0])
    return guess if guess in ("f", "m") else None


def _salience(cast: Cast, member: Member, token: Token) -> float:
    """How present a member is at `token`: near, subject, named, in the same voice."""
    parsed = cast.parsed
    before = [i for i in member.heads if i < token.i]
    if not before:
        return 0.0
    last = parsed.doc[before[-1]]
    distance = parsed.sentence[token.i] - parsed.sentence[last.i]
    if distance > _REACH:
        return 0.0
    score = 2.0 - 0.4 * distance
    score += 0.6 if last.dep_ in SUBJECTS else 0.2 * (last.dep_ == "dobj")
    score += {"name": 0.3, "pronoun": 0.5}.get(member.form, 0.0)
    score += 0.3 if suggested(member) == GENDER[token.lower_] else 0.0
    score += 0.1 * min(3, len(before)) + 0.1 * last.i / token.i
    score += 0.3 if member.kind == "person" else 0.0
    if last.dep_ in ("poss", "compound", "pobj"):
        score -= 0.2
    if (parsed.quote(last) is None) != (parsed.quote(token) is None):
        score -= 0.8
    return score


@dataclass(frozen=True)
class _Scored:
    score: float
    member: Member

"""Who a pronoun or "the professor" means, by rules over the parse of one chunk.

- a pronoun takes the best antecedent before it that agrees and that grammar allows;
- without one it stays a local actor named by the pronoun, for the reconciler to align;
- a narrator's I is one actor; an I inside a quotation is its speaker.
"""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Token

from gswlab.language.lexicon import words
from gswlab.operator.apart import REFLEXIVE, Apart
from gswlab.operator.cast import Cast, Member
from gswlab.operator.clauses import SUBJECTS, Clause
from gswlab.operator.salience import GENDER, best_antecedent

_NAME = {"f": "she", "m": "he", "they": "they"}
FIRST = frozenset(
    [
        "i",
        "me",
        "my",
        "mine",
        "myself",
        "私",
        "わたし",
        "わたくし",
        "僕",
        "ぼく",
        "俺",
        "おれ",
    ]
)


def add_pronouns(cast: Cast, clauses: Sequence[Clause], apart: Apart) -> None:
    """Give every pronoun its member, left to right."""
    subject = {c.verb.i: c.subjects for c in clauses}
    for token in cast.parsed.doc:
        word = token.lower_
        if token.pos_ != "PRON" or cast.at(token) is not None:
            continue
        if word in FIRST:
            _first_person(cast, token)
        elif word in REFLEXIVE and word in GENDER:
            _reflexive(cast, token, subject)
        elif word in GENDER and not _empty(token):
            _third_person(cast, token, apart)


def nominal(cast: Cast, head: Token) -> Member | None:
    """Whom a definite noun names again: "the professor" after "a professor"."""
    if head.i in (speakers := introduced(cast)):
        return speakers[head.i]
    determiner = {c.lower_ for c in head.children if c.dep_ in ("det", "poss")}
    if not determiner & {"the", "this", "that"}:
        return None
    lemma = head.lemma_.lower()
    plural = head.tag_ == "NNS"
    for member in reversed(cast.members):
        if member.form == "nominal" and member.plural == plural:
            doc = cast.parsed.doc
            if doc[member.heads[-1]].lemma_.lower() == lemma and _agree(
                head, doc[member.heads[0]]
            ):
                return member
        if member.form == "name" and lemma in _role_heads(cast, member):
            return member
    return None


def _agree(one: Token, two: Token) -> bool:
    """Two mentions of one noun differ if both have adjectives and share none."""
    a = {c.lower_ for c in one.children if c.dep_ in ("amod", "compound", "poss")}
    b = {c.lower_ for c in two.children if c.dep_ in ("amod", "compound", "poss")}
    return not a or bool(a & b)


def _role_heads(cast: Cast, member: Member) -> set[str]:
    """Head nouns of what a name is called: its titles, appositions, compounds."""
    found = set()
    for index in member.heads:
        head = cast.parsed.doc[index]
        near = [*head.children, *([head.head] if head.dep_ == "appos" else [])]
        for token in near:
            if token.dep_ in ("appos", "compound", "nmod") or token == head.head:
                found.add(token.lemma_.lower())
        if head.dep_ in SUBJECTS and head.head.lemma_ == "be":
            found |= {c.lemma_.lower() for c in head.head.children if c.dep_ == "attr"}
    return found


def introduced(cast: Cast) -> dict[int, Member]:
    """Who gives a name as their own: speaker's token (-1: narrator) to member."""
    found = {}
    for member in cast:
        for head in (cast.parsed.doc[i] for i in member.heads):
            if head.lower_ in words("place_head"):
                continue  # "This is I, at Alder Hall" is told by nobody called a hall
            if member.form == "name" and _own_name(head):
                quote = cast.parsed.quote(head)
                speaker = quote.speaker if quote else -1
                if speaker is not None:
                    found[speaker] = member
    return found


def _own_name(head: Token) -> bool:
    """Whether a name is said of oneself: "I am Ann", "my name is Ann", "I, Ann"."""
    if head.dep_ == "appos":
        return head.head.lower_ in ("i", "me")
    if head.dep_ not in ("attr", "oprd"):
        return False
    subjects = [c for c in head.head.children if c.dep_ in ("nsubj", "nsubjpass")]
    return any(
        t.lower_ == "i"
        or (t.lemma_ == "name" and any(c.lower_ == "my" for c in t.children))
        for t in subjects
    )


def _first_person(cast: Cast, token: Token) -> None:
    quote = cast.parsed.quote(token)
    if quote is not None:
        if quote.speaker is None:
            return
        speaker = cast.at(cast.parsed.doc[quote.speaker])
        if speaker is not None:
            cast.mention(speaker, [token], token, "pronoun")
        return
    found = [m for m in cast if m.form == "narrator"]
    if -1 in (named := introduced(cast)):
        found = [named[-1]]
        span = cast.parsed.over([token])
        named[-1].vote("person", 1.5, "gives the name as his or her own", span)
    name = token.text if cast.parsed.language == "ja" else "I"
    member = found[0] if found else cast.add(name, "narrator")
    cast.mention(member, [token], token, "narrator")
    if not found:
        span = cast.parsed.over([token])
        member.vote("person", 2.0, "tells the story in the first person", span)


def _reflexive(cast: Cast, token: Token, subject: dict[int, tuple[Token, ...]]) -> None:
    for ancestor in token.ancestors:
        for candidate in subject.get(ancestor.i, ()):
            member = cast.at(candidate)
            if member is not None:
                _bind(cast, member, token)
                return


def _empty(token: Token) -> bool:
    """Whether "it" stands for nothing ("it rained", "it was clear that ...")."""
    if token.lower_ != "it":
        return False
    verb = token.head
    return token.dep_ == "expl" or any(
        c.dep_ in ("ccomp", "csubj", "xcomp") for c in verb.children
    )


def _third_person(cast: Cast, token: Token, apart: Apart) -> None:
    gender = GENDER[token.lower_]
    best = introduced(cast).get(token.i) or best_antecedent(cast, token, gender, apart)
    if best is not None:
        _bind(cast, best, token)
        return
    if gender == "n":
        return
    name = token.text if cast.parsed.language == "ja" else _NAME[gender]
    member = _unbound(cast, token, gender, apart) or cast.add(name, "pronoun")
    if not member.mentions:
        member.gender, member.plural = gender, gender == "they"
        weight = 0.4 if gender == "they" else 1.0
        span = cast.parsed.over([token])
        member.vote("person", weight, f"called {token.lower_}", span)
    cast.mention(member, [token], token, "pronoun")


def _unbound(cast: Cast, token: Token, gender: str, apart: Apart) -> Member | None:
    """An earlier unbound pronoun of this class that the token may continue."""
    for member in cast:
        same = member.form == "pronoun" and member.gender == gender
        if same and not any(apart(token.i, index) for index in member.heads):
            return member
    return None


def _bind(cast: Cast, member: Member, token: Token) -> None:
    cast.mention(member, [token], token, "pronoun")
    gender = GENDER.get(token.lower_)
    if gender in ("f", "m"):
        member.gender = member.gender or gender
        if member.form in ("name", "nominal"):
            span = cast.parsed.over([token])
            member.vote("person", 0.8, f"called {token.lower_}", span)

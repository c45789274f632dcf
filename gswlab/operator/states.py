"""States an actor is said to be in: "was tired", "lay asleep", "had a broken arm".

A state's text never holds another actor's name; it modulates the actor's last role.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.operator.cast import Cast, Member
from gswlab.operator.clauses import Clause, found_so
from gswlab.operator.lexicon import noun_class, words
from gswlab.workspace.nouns import State

_CUT = frozenset({"advcl", "ccomp", "relcl", "conj", "cc", "punct", "mark", "prep"})


def add_states(cast: Cast, clauses: Sequence[Clause]) -> None:
    """Give members the states the chunk says they are in."""
    for clause in clauses:
        if clause.modality in ("asserted", "reported"):
            for tokens in _said(clause):
                for member in cast.all(clause.subjects):
                    _give(cast, member, tokens, clause.negated)
            for noun, state in found_so(clause.verb):
                for member in cast.all([noun]):
                    _give(cast, member, [state], clause.negated)
    for member in cast:
        if member.kind in ("person", "place", "organisation"):
            for index in member.heads:
                _attributes(cast, member, cast.parsed.doc[index])


def _said(clause: Clause) -> Iterator[list[Token]]:
    """What the clause says its subject is: complements of any linking verb."""
    verb = clause.verb
    for child in verb.children:
        stative = child.pos_ == "ADJ" or child.tag_ == "VBN"
        if child.dep_ in ("acomp", "oprd") and stative:
            yield _short(child)
            yield from (_short(t) for t in child.conjuncts if t.pos_ == "ADJ")
        posed = verb.lemma_.lower() in words("posture")
        if posed and child.dep_ == "advmod" and child.lower_ in words("lying"):
            yield _short(child)
    if verb.lemma_ == "have":
        for token in clause.objects:
            if noun_class(token.lemma_) == "body" and _marked(token):
                yield [verb, *_short(token)]


def _marked(token: Token) -> bool:
    return any(c.dep_ == "amod" for c in token.children)


def _short(token: Token) -> list[Token]:
    """A complement without the clauses that hang on it."""
    kept = [c for c in token.children if c.dep_ not in _CUT]
    return sorted([token, *(t for c in kept for t in c.subtree)], key=lambda t: t.i)


def _give(cast: Cast, member: Member, tokens: list[Token], negated: bool) -> None:
    tokens = [t for t in tokens if cast.at(t) in (None, member)]
    if not tokens:
        return
    parsed = cast.parsed
    text = " ".join(parsed.text(tokens).split())
    role = member.roles[-1].text if member.roles else None
    text = f"not {text}" if negated else text
    state = State(text, (parsed.over(tokens),), parsed.chunk.id, role)
    if text not in {s.text for s in member.states}:
        member.states.append(state)


def _attributes(cast: Cast, member: Member, head: Token) -> None:
    """Adjectives before the noun itself ("the wounded officer")."""
    for child in head.children:
        plain = child.dep_ == "amod" and child.tag_ in ("JJ", "VBN", "VBG")
        if (
            plain
            and child.lower_ not in words("classifying")
            and child.text[:1].islower()
        ):
            _give(cast, member, [child], False)

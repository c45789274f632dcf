"""Japanese states: what an actor is in the middle of, left in, or said to be.

疲れていた, 静かだった; and what is denied, as it is told: 船員ではなかった.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Token

from gswlab.operator.cast import Cast
from gswlab.operator.clauses import Clause
from gswlab.operator.japanese.clauses import denied, tail
from gswlab.operator.japanese.runs import is_predicate
from gswlab.workspace.nouns import State


def add_states(cast: Cast, clauses: Sequence[Clause]) -> None:
    """Give members the states that verbs, adjectives and denied nouns say."""
    for clause in clauses:
        if _lasting(clause):
            _give(cast, clause.subjects, [clause.verb, *_ending(clause.verb)])
    for token in cast.parsed.doc:
        if cast.parsed.quote(token) is None and _is_said(token):
            subjects = [c for c in token.lefts if c.dep_ == "nsubj"]
            _give(cast, subjects, [token, *_ending(token)])


def _lasting(clause: Clause) -> bool:
    """Whether a verb tells a state: 眠っている, but not 本を読んでいる."""
    lasts = any(t.lemma_ == "いる" for t in clause.verb.subtree if t.i > clause.verb.i)
    return lasts and not clause.objects and clause.modality == "asserted"


def _is_said(token: Token) -> bool:
    """Whether a token is an adjective said of something, or a noun denied of it."""
    if token.pos_ == "ADJ":
        return token.dep_ in ("ROOT", "advcl", "conj") and bool(tail(token))
    return is_predicate(token) and denied(token)


def _ending(token: Token) -> Iterator[Token]:
    """The endings that stand right after a word, up to a mark or the next word."""
    endings = {t.i for t in tail(token)}
    for following in token.doc[token.i + 1 :]:
        if following.i not in endings:
            return
        yield following


def _give(cast: Cast, subjects: Iterable[Token], said: Sequence[Token]) -> None:
    parsed = cast.parsed
    for member in cast.all(subjects):
        role = member.roles[-1].text if member.roles else None
        span = (parsed.over(said),)
        state = State(parsed.text(said), span, parsed.chunk.id, role)
        if state.text not in {s.text for s in member.states}:
            member.states.append(state)

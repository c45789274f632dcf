"""Japanese states: what an actor is in the middle of, left in, or said to be.

疲れていた, 静かだった, 耳が遠かった, 留守で; and what is denied, as it is told:
船員ではなかった.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Token

from gswlab.core.nouns import State
from gswlab.operator.cast import Cast
from gswlab.operator.clauses import Clause
from gswlab.operator.japanese.binding.grammar import does
from gswlab.operator.japanese.clauses import denied, particle, tail, words
from gswlab.operator.japanese.runs import is_predicate, subject_of


def add_states(cast: Cast, clauses: Sequence[Clause]) -> None:
    """Give members the states that verbs, adjectives and nouns say."""
    for clause in clauses:
        if clause.modality == "asserted" and _lasting(clause):
            bodily = [*clause.objects, clause.verb]
            _give(cast, clause.subjects, [*bodily, *_ending(clause.verb)])
        if clause.predicate == "なる" and not clause.negated:
            turned = (t for t in clause.verb.lefts if t.pos_ == "ADJ")
            for token in turned:
                _give(cast, clause.subjects, [token])
    for token in cast.parsed.doc:
        quote = cast.parsed.quote(token)
        if quote is None:
            _say(cast, token)
        elif token.lemma_ in words("feeling") and quote.speaker is not None:
            said = [token, *_ending(token)]
            _give(cast, [cast.parsed.doc[quote.speaker]], said)


def _lasting(clause: Clause) -> bool:
    """Whether a verb tells a state: 眠っている, 浴衣を着ている; not 本を読んでいる."""
    if does(clause.verb, "speech_verb") or does(clause.verb, "motion_verb"):
        return False  # 話していた, 走っていた: something going on
    own = all(t.text in words("body") for t in clause.objects)
    worn = clause.predicate in words("wearing_verb")
    return (own or worn) and any(t.lemma_ == "いる" for t in tail(clause.verb))


def _say(cast: Cast, token: Token) -> None:
    """What an adjective or a noun says of the subject of its clause."""
    if token.pos_ == "ADJ" and token.dep_ in ("ROOT", "advcl", "conj") and tail(token):
        said = [token, *_ending(token)]
        part = [c for c in token.lefts if c.text in words("body") and c.dep_ == "nsubj"]
        whole = [c for c in _topics(token) if c not in part]
        if part and not whole:  # 弥助は働き者だが、耳が遠かった
            whole = [c for clause in token.lefts for c in _topics(clause)]
        subjects = whole or [c for c in token.lefts if c.dep_ == "nsubj"]
        _give(cast, subjects, [*part, *said] if whole else said)
    elif is_predicate(token) and (subject := subject_of(token)) is not None:
        if denied(token):
            _give(cast, [subject], [token, *_ending(token)])
        elif cast.at(token) is None and token.text not in words("formal_noun"):
            owners = [t for c in token.lefts if c.dep_ == "nmod" for t in c.subtree]
            _give(cast, [subject], [*owners, token])


def _topics(clause: Token) -> list[Token]:
    return [c for c in clause.lefts if particle(c).endswith("は")]


def _ending(token: Token) -> Iterator[Token]:
    """The endings that stand right after a word, up to a mark or the next word."""
    endings = {t.i for t in tail(token)}
    for following in token.doc[token.i + 1 :]:
        parted = following.text in ("は", "も") and following.i + 1 in endings
        if not (following.i in endings or parted) or following.text in ("が", "と"):
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

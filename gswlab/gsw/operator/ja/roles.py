"""Japanese ties and states: 花子の弟; 疲れていた, 耳が遠かった, 船員ではなかった."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gswlab.core.nouns import Relation
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.ja.clauses import does, is_denied, particle, tail, vocabulary
from gswlab.gsw.operator.ja.noun_phrases import is_said, subject_of
from gswlab.gsw.operator.mentions import Cast
from gswlab.language.pipeline import Token


def find_relations(cast: Cast) -> tuple[Relation, ...]:
    """Ties a relational noun names: 花子の弟 gives "弟 of"."""
    found = dict[tuple[str, str, str], Relation]()
    for token in cast.parsed.doc:
        owner, noun = cast.headed(token), token.head
        member = cast.headed(noun) if noun.text in vocabulary("kin") else None
        related = token.dep_ == "nmod" and particle(token) == "の"
        if related and owner and member and owner is not member:
            key = (member.id, owner.id, f"{noun.text} of")
            told = "stated", (cast.parsed.over([token, noun]),), cast.parsed.chunk.id
            found.setdefault(key, Relation(f"r{len(found) + 1}", *key, *told))
    return tuple(found.values())


def give_states(cast: Cast, clauses: Sequence[Clause]) -> None:
    """Give members the states that verbs, adjectives and nouns say."""
    for clause in clauses:
        # 眠っている, 浴衣を着ている; not 話していた, 走っていた, 本を読んでいる
        verb, objects = clause.verb, clause.objects
        active = does(verb, "speech_verb") or does(verb, "motion_verb")
        own = all(t.text in vocabulary("body") for t in objects)
        worn = own or clause.predicate in vocabulary("wearing_verb")
        lasts = worn and not active and any(t.lemma_ == "いる" for t in tail(verb))
        if clause.modality == "asserted" and lasts:
            _give(cast, clause.subjects, [*objects, verb, *_ending(verb)])
        if clause.predicate == "なる" and not clause.negated:
            for token in (t for t in verb.lefts if t.pos_ == "ADJ"):
                _give(cast, clause.subjects, [token])
    for token in cast.parsed.doc:
        if (quote := cast.parsed.quote(token)) is None:
            _say(cast, token)
        elif token.lemma_ in vocabulary("feeling") and quote.speaker is not None:
            _give(cast, [cast.parsed.doc[quote.speaker]], [token, *_ending(token)])


def _say(cast: Cast, token: Token) -> None:
    """What an adjective or a noun says of the subject of its clause."""
    if token.pos_ == "ADJ" and token.dep_ in ("ROOT", "advcl", "conj") and tail(token):
        said = [token, *_ending(token)]
        marked = [c for c in token.lefts if c.dep_ == "nsubj"]
        part = [c for c in marked if c.text in vocabulary("body")]
        whole = [c for c in _topics(token) if c not in part]
        if part and not whole:  # 弥助は働き者だが、耳が遠かった
            whole = [c for clause in token.lefts for c in _topics(clause)]
        _give(cast, whole or marked, [*part, *said] if whole else said)
    elif is_said(token) and (subject := subject_of(token)) is not None:
        if is_denied(token):
            _give(cast, [subject], [token, *_ending(token)])
        elif cast.at(token) is None and token.text not in vocabulary("formal_noun"):
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
    for member in cast.all(subjects):
        cast.give_state(member, cast.parsed.text(said), said)

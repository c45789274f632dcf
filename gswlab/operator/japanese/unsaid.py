"""Whom Japanese leaves out: a clause without a subject goes on about the topic.

The topic is the person that は or も last marked in the narration of the chunk, else
the last subject. It is carried as a reading: the argument rests on the characters that
made it the topic, and the verb phrase notes why. Nothing is carried into relative
clauses, quotations, or verbs of which something else is understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from spacy.tokens import Token

from gswlab.core.nouns import Note
from gswlab.operator.cast import Cast
from gswlab.operator.clauses import Clause
from gswlab.operator.japanese.binding.grammar import SUBJECT, TOPIC, does
from gswlab.operator.japanese.clauses import particle, tail


def carry_topics(cast: Cast, clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """The clauses with the subjects that they leave out, where a topic holds."""
    return tuple(_carried(cast, clause) for clause in clauses)


def _carried(cast: Cast, clause: Clause) -> Clause:
    if clause.subjects or not _open(cast, clause.verb):
        return clause
    topic = _topic(cast, clause)
    return replace(clause, subjects=(topic,)) if topic is not None else clause


def _open(cast: Cast, verb: Token) -> bool:
    """Whether a person may be understood as the subject of a verb."""
    if verb.dep_ in ("acl", "ccomp") or cast.parsed.quote(verb) is not None:
        return False
    resulting = any(t.lemma_ == "ある" for t in tail(verb))  # 書いてある: nobody's deed
    return not resulting and not does(verb, "impersonal_verb")


def _topic(cast: Cast, clause: Clause) -> Token | None:
    """The head of the last mention that は marks before a verb, else が."""
    own = {t.i for t in (*clause.objects, *(noun for _, noun in clause.obliques))}
    before = [t for t in _subjects(cast, clause.verb) if t.i not in own]
    marked = [t for t in before if particle(t).endswith(TOPIC)]
    return next(iter((marked or before)[::-1]), None)


def _subjects(cast: Cast, verb: Token) -> Iterator[Token]:
    for token in verb.doc[: verb.i]:
        member = cast.headed(token)
        if member is None or member.kind != "person" or token.dep_ != "nsubj":
            continue
        if particle(token) in SUBJECT and cast.parsed.quote(token) is None:
            yield token


def note(cast: Cast, clause: Clause) -> tuple[Note, ...]:
    """Why a clause has a subject that it does not say; nothing for any other."""
    subjects = [
        t for t in clause.subjects if t.head not in (clause.verb, clause.verb.head)
    ]
    if not subjects:
        return ()
    member, span = cast.at(subjects[0]), cast.parsed.over(subjects)
    name = member.name if member is not None else subjects[0].text
    text = f"the subject is left out: {name!r} is what the talk is of"
    return (Note(text, (span,), cast.parsed.chunk.id),)

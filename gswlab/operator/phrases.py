"""Verb phrases: every clause as base-form predicate with its slots filled.

A slot holds an actor of the cast or literal text. Nothing is inferred here: what the
roles of two actors imply comes from `implied.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.core.nouns import Argument, Slot, VerbPhrase
from gswlab.language.lexicon import noun_class, words
from gswlab.operator.cast import Cast
from gswlab.operator.clauses import SUBJECTS, Clause
from gswlab.operator.verbs import is_verb

_RECIPIENT = frozenset({"to", "for"})
_TOWARDS = frozenset({"to", "from"})
_AIMED = frozenset({"at", "to", "about", "of"})
_SKIPPED = frozenset({"who", "which", "that", "what", "there"})


def find_phrases(cast: Cast, clauses: Sequence[Clause]) -> tuple[VerbPhrase, ...]:
    """The explicit verb phrases of a chunk, in order."""
    kept = [clause for clause in clauses if _says_something(cast, clause)]
    return tuple(_phrase(cast, clause, f"v{i}") for i, clause in enumerate(kept, 1))


def _says_something(cast: Cast, clause: Clause) -> bool:
    if cast.at(clause.verb) is not None:
        return False  # a name the parser took for a verb
    if clause.verb.lemma_.lower() == "be":
        slots = [slot_of(cast, clause, p, o) for p, o in clause.obliques]
        return "place" in slots or "time" in slots
    return bool(clause.subjects or clause.objects or clause.obliques)


def _phrase(cast: Cast, clause: Clause, phrase_id: str) -> VerbPhrase:
    parsed = cast.parsed
    quoted = parsed.quote(clause.verb) is not None
    return VerbPhrase(
        id=phrase_id,
        predicate=clause.predicate,
        arguments=tuple(dict.fromkeys(_arguments(cast, clause))),
        spans=(parsed.over(_extent(clause)),),
        chunk=parsed.chunk.id,
        chapter=parsed.chunk.chapter,
        negated=clause.negated,
        modality="reported" if quoted else clause.modality,
    )


def _extent(clause: Clause) -> list[Token]:
    """The verb's own words: from its first to its last argument."""
    near = [*clause.objects, *clause.recipients, *(o for _, o in clause.obliques)]
    own = [t for t in (*clause.subjects, *near) if clause.verb in t.ancestors]
    return [clause.verb, *own]


def _arguments(cast: Cast, clause: Clause) -> Iterator[Argument]:
    for token in clause.agents:
        yield from argument(cast, "time" if _is_time(cast, token) else "agent", token)
    for token in clause.patients:
        timed = _is_time(cast, token)
        yield from argument(cast, "time" if timed else "patient", token)
    for token in clause.recipients:
        yield from argument(cast, "recipient", token)
    for prep, token in clause.obliques:
        slot = slot_of(cast, clause, prep, token)
        if slot is not None:
            yield from argument(cast, slot, token)
    yield from _adverbs(cast, clause)


def argument(cast: Cast, slot: Slot, token: Token) -> Iterator[Argument]:
    """One filled slot: the actor `token` speaks of, else its words."""
    parsed, member = cast.parsed, cast.at(token)
    if slot == "time" and member is None:
        dated = [t for t in token.subtree if (m := cast.at(t)) and m.form == "date"]
        token = dated[0] if dated else token
        member = cast.at(token)
    if member is None and (token.lower_ in _SKIPPED or token.is_punct):
        return
    if member is not None:
        yield Argument(slot, member.name, (cast.spot(token).span,), member.id)
        return
    phrase = noun_phrase(token)
    yield Argument(slot, parsed.text(phrase), (parsed.over(phrase),))


def noun_phrase(token: Token) -> list[Token]:
    """A noun with what stands before it and its "of", without clauses."""
    kept = [t for t in token.lefts if t.dep_ not in ("cc", "punct", "prep", "relcl")]
    inner = [t for left in kept for t in left.subtree]
    of = [c for c in token.rights if c.dep_ == "prep" and c.lower_ == "of"]
    after = [t for prep in of for t in prep.subtree][:8]
    return [*inner, token, *after]


def slot_of(cast: Cast, clause: Clause, prep: Token, token: Token) -> Slot | None:
    """The slot of a prepositional argument, None if it fills no slot."""
    word, noun = prep.lower_, token.lemma_.lower()
    member = cast.headed(token)
    if prep.dep_ == "agent":
        return None
    if (member and member.form == "date") or noun_class(noun) == "time":
        return "time"
    if member and member.kind == "place" and word in words("locative") | _TOWARDS:
        return "place"
    if word == "with":
        return _with(token)
    if member and member.kind == "person":
        gives = word in _RECIPIENT and _gives(clause)
        return "recipient" if gives else "patient" if word in _AIMED else None
    if prep.dep_ == "dative" or (word in _RECIPIENT and _gives(clause)):
        return "recipient"
    if word in ("during", "after", "before", "since", "until", "till"):
        return "time"
    if word in ("to", "from") and clause.verb.lemma_.lower() in words("motion"):
        return "place"
    if word in words("locative") and noun_class(noun) not in ("person", "act", ""):
        return "place" if clause.verb.lemma_ not in words("looking") else "patient"
    if word in words("locative") and token.pos_ == "PROPN":
        return "place"
    if word == "for":
        return "purpose"
    return "patient" if word in _AIMED else None


def _gives(clause: Clause) -> bool:
    return clause.verb.lemma_.lower() in words("giving") | words("speech")


def _with(token: Token) -> Slot | None:
    kind = noun_class(token.lemma_)
    if token.pos_ in ("PROPN", "PRON") or kind.startswith("person"):
        return None
    return "instrument" if kind in ("object", "body") else "manner"


def _adverbs(cast: Cast, clause: Clause) -> Iterator[Argument]:
    for child in clause.verb.children:
        if child.dep_ == "advmod" and child.lower_.endswith("ly"):
            yield from argument(cast, "manner", child)
        elif child.dep_ == "advmod" and child.lower_ in ("here", "there", "home"):
            yield from argument(cast, "place", child)
        elif child.dep_ in ("npadvmod", "advmod", "nmod") and _is_time(cast, child):
            yield from argument(cast, "time", child)
        elif child.dep_ == "advcl" and _is_purpose(child):
            phrase = list(child.subtree)[:12]
            parsed = cast.parsed
            yield Argument("purpose", parsed.text(phrase), (parsed.over(phrase),))


def _is_time(cast: Cast, token: Token) -> bool:
    member = cast.at(token)
    if member is not None:
        return member.form == "date"
    timed = token.lemma_.lower() in words("event_time")
    return token.ent_type_ == "TIME" or (timed and token.dep_ not in SUBJECTS)


def _is_purpose(token: Token) -> bool:
    to = any(c.dep_ == "aux" and c.tag_ == "TO" for c in token.children)
    return to and is_verb(token)

"""Japanese verb phrases and links: particles say which slot an argument fills."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from spacy.tokens import Token

from gswlab.core.nouns import Argument, Link, Note, Slot, VerbPhrase
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.ja.clauses import SUBJECT, TOPIC, does, particle, tail
from gswlab.gsw.operator.ja.clauses import words_grammar as scenic
from gswlab.gsw.operator.ja.episode import OPENING
from gswlab.gsw.operator.ja.noun_phrases import whole
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.phrases import dated

# Whom Japanese leaves out: a clause without a subject goes on about the topic.


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


_BARE: dict[str, Slot] = {"で": "instrument", "から": "place", "へ": "place"}


def find_phrases(cast: Cast, clauses: Sequence[Clause]) -> tuple[VerbPhrase, ...]:
    """The explicit verb phrases of a Japanese chunk."""
    kept = [c for c in clauses if c.subjects or c.objects or c.obliques]
    return tuple(_phrase(cast, clause, f"v{i}") for i, clause in enumerate(kept, 1))


def _phrase(cast: Cast, clause: Clause, phrase_id: str) -> VerbPhrase:
    parsed = cast.parsed
    quoted = parsed.quote(clause.verb) is not None
    tokens = [t for t in clause.verb.subtree if not t.is_punct and t.dep_ != "ccomp"]
    return VerbPhrase(
        id=phrase_id,
        predicate=clause.predicate,
        arguments=tuple(dict.fromkeys(_arguments(cast, clause))),
        spans=(parsed.over(tokens),),
        chunk=parsed.chunk.id,
        chapter=parsed.chunk.chapter,
        negated=clause.negated,
        modality="reported" if quoted else clause.modality,
        notes=note(cast, clause),
    )


def _arguments(cast: Cast, clause: Clause) -> Iterator[Argument]:
    for token in clause.subjects:
        yield _argument(cast, "patient" if clause.passive else "agent", token)
    for token in clause.objects:
        yield _argument(cast, "patient", token)
    for _, token in clause.obliques:
        slot = _slot(cast, clause, token)
        if slot is not None and slot != "time":
            yield _argument(cast, slot, whole(token))
    yield from _times(cast, clause)


def _times(cast: Cast, clause: Clause) -> Iterator[Argument]:
    """The dates of a clause: its own, else the one that opens its sentence."""
    found = list(_own_times(cast, clause))
    if not found and clause.verb.dep_ != "acl":
        opening = [t for t in clause.verb.sent[:OPENING] if t.i < clause.verb.i]
        heads = [t for t in opening if (m := cast.headed(t)) and m.form == "date"]
        found = [_argument(cast, "time", token) for token in heads[:1]]
    yield from found


def _own_times(cast: Cast, clause: Clause) -> Iterator[Argument]:
    for child in clause.verb.lefts:
        part = child.text in scenic("part_of_day")  # 三月二日の朝
        for token in (child, *(child.lefts if part else ())):
            member = cast.at(token)
            if member is not None and member.form == "date":
                yield _argument(cast, "time", token)


def _argument(cast: Cast, slot: Slot, token: Token) -> Argument:
    member = cast.at(token)
    if member is not None:
        return Argument(slot, member.name, (cast.spot(token).span,), member.id)
    return Argument(slot, token.text, (cast.parsed.over([token]),))


def _slot(cast: Cast, clause: Clause, token: Token) -> Slot | None:
    member, marks = cast.at(whole(token)), particle(token).rstrip("はも")
    kind = member.kind if member is not None else ""
    if kind == "time":
        return "time"
    if marks.startswith(("によ", "に")) and kind in ("person", "organisation"):
        return "agent" if clause.passive else "recipient"
    at = kind == "place" or whole(token) is not token  # 鞄の中に
    if marks in ("で", "に", "へ", "から", "まで") and at:
        return "place"
    if marks == "に" and member is not None:  # 光に気づく, 蝋燭に火をつける
        return "agent" if clause.passive else _aimed(clause)
    return _BARE.get(marks)


def _aimed(clause: Clause) -> Slot:
    return "recipient" if clause.objects else "patient"


def find_links(cast: Cast, phrases: Sequence[VerbPhrase]) -> tuple[Link, ...]:
    """Who shares the place or the date of one verb phrase."""
    found: dict[Link, None] = {}
    kinds = {member.id: member.kind for member in cast}
    for phrase in phrases:
        if phrase.negated or phrase.modality in ("hypothetical", "planned"):
            continue
        ids = [a.actor for a in phrase.arguments if a.actor]
        people = [i for i in ids if kinds[i] not in ("time", "place", "abstract")]
        for argument in phrase.arguments:
            link = _link(cast, argument, people, ids)
            if link is not None:
                found[link] = None
    return tuple(found)


def _link(
    cast: Cast, argument: Argument, people: Sequence[str], ids: Sequence[str]
) -> Link | None:
    if argument.actor is None or not people:
        return None
    group = tuple(dict.fromkeys((*people, argument.actor)))
    if argument.slot == "place":
        text, anchor = argument.text, argument.actor
        return Link("space", group, text, argument.spans, anchor=anchor)
    if argument.slot == "time":
        member = next(m for m in cast if m.id == argument.actor)
        return dated(cast, member, tuple(dict.fromkeys(ids)), argument.spans[0])
    return None

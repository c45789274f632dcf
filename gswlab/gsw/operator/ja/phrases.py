"""Japanese verb phrases and links: particles say which slot an argument fills."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gswlab.core.nouns import Argument, Link, Note, Slot, VerbPhrase
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.ja.clauses import (
    SUBJECT,
    TOPIC,
    does,
    particle,
    tail,
    vocabulary,
)
from gswlab.gsw.operator.ja.episode import OPENS_WITHIN
from gswlab.gsw.operator.ja.noun_phrases import whole_of
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.phrases import dated, phrase_of
from gswlab.language.pipeline import Token

# Whom Japanese leaves out: a clause without a subject goes on about the topic.


def carry_topics(cast: Cast, clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """The clauses with the subjects that they leave out, where a topic holds."""
    return tuple(
        clause if clause.subjects else replace(clause, subjects=_topic(cast, clause))
        for clause in clauses
    )


def _topic(cast: Cast, clause: Clause) -> tuple[Token, ...]:
    """The head of the last mention that は marks before a verb, else が, if any."""
    verb, quote = clause.verb, cast.parsed.quote
    resulting = any(t.lemma_ == "ある" for t in tail(verb))  # 書いてある: nobody's deed
    nobodys = resulting or does(verb, "impersonal_verb")
    if nobodys or verb.dep_ in ("acl", "ccomp") or quote(verb):
        return ()
    own = (*clause.objects, *(noun for _, noun in clause.obliques))
    before = [
        token
        for token in verb.doc[: verb.i]
        if token.dep_ == "nsubj" and token not in own and not quote(token)
        if particle(token) in SUBJECT
        if (member := cast.headed(token)) and member.kind == "person"
    ]
    marked = [t for t in before if particle(t).endswith(TOPIC)]
    return tuple((marked or before)[-1:])


_BARE: dict[str, Slot] = {"で": "instrument", "から": "place", "へ": "place"}


def japanese_phrases(cast: Cast, clauses: Sequence[Clause]) -> tuple[VerbPhrase, ...]:
    """The explicit verb phrases of a Japanese chunk."""
    parsed, found = cast.parsed, list[VerbPhrase]()
    for clause in clauses:
        verb, notes = clause.verb, tuple[Note, ...]()
        if not (clause.subjects or clause.objects or clause.obliques):
            continue
        left_out = [t for t in clause.subjects if t.head not in (verb, verb.head)]
        if left_out:  # why it has a subject that it does not say
            member = cast.at(left_out[0])
            name = member.name if member is not None else left_out[0].text
            text = f"the subject is left out: {name!r} is what the talk is of"
            notes = (Note(text, (parsed.over(left_out),), parsed.chunk.id),)
        tokens = [t for t in verb.subtree if not t.is_punct and t.dep_ != "ccomp"]
        told = (_arguments(cast, clause), tokens or [verb], notes)
        found.append(phrase_of(cast, len(found) + 1, clause, *told))
    return tuple(found)


def _arguments(cast: Cast, clause: Clause) -> Iterator[Argument]:
    verb = clause.verb
    for token in clause.subjects:
        yield _argument(cast, "patient" if clause.passive else "agent", token)
    for token in clause.objects:
        yield _argument(cast, "patient", token)
    for _, token in clause.obliques:
        slot = _slot(cast, clause, token)
        if slot and slot != "time":
            yield _argument(cast, slot, whole_of(token))
    # 三月二日の朝: of the part of a day, the date before it.
    parts = [c for c in verb.lefts if c.text in vocabulary("part_of_day")]
    near = (t for c in verb.lefts for t in (c, *(c.lefts if c in parts else ())))
    dates = [t for t in near if (m := cast.at(t)) and m.form == "date"]
    if not dates and verb.dep_ != "acl":  # else the date that opens the sentence
        opening = [t for t in verb.sent[:OPENS_WITHIN] if t.i < verb.i]
        heads = (t for t in opening if (m := cast.headed(t)) and m.form == "date")
        dates = [*heads][:1]
    yield from (_argument(cast, "time", token) for token in dates)


def _argument(cast: Cast, slot: Slot, token: Token) -> Argument:
    if member := cast.at(token):
        return Argument(slot, member.name, (cast.spot(token).span,), member.id)
    return Argument(slot, token.text, (cast.parsed.over([token]),))


def _slot(cast: Cast, clause: Clause, token: Token) -> Slot | None:
    whole = whole_of(token)
    member, marks = cast.at(whole), particle(token).rstrip("はも")
    kind = member.kind if member else ""
    if kind == "time":
        return "time"
    if marks.startswith(("によ", "に")) and kind in ("person", "organisation"):
        return "agent" if clause.passive else "recipient"
    at = kind == "place" or whole is not token  # 鞄の中に
    if marks in ("で", "に", "へ", "から", "まで") and at:
        return "place"
    if marks == "に" and member is not None:  # 光に気づく, 蝋燭に火をつける
        aimed: Slot = "recipient" if clause.objects else "patient"
        return "agent" if clause.passive else aimed
    return _BARE.get(marks)


def phrase_links(cast: Cast, phrases: Sequence[VerbPhrase]) -> tuple[Link, ...]:
    """Who shares the place or the date of one verb phrase."""
    found, members = list[Link](), {member.id: member for member in cast}
    for phrase in phrases:
        if phrase.negated or phrase.modality in ("hypothetical", "planned"):
            continue
        ids = [a.actor for a in phrase.arguments if a.actor]
        apart = ("time", "place", "abstract")
        people = [i for i in ids if members[i].kind not in apart]
        for argument in phrase.arguments if people else ():
            actor, spans = argument.actor, argument.spans
            if actor and argument.slot == "place":
                group = tuple(dict.fromkeys((*people, actor)))
                found.append(Link("space", group, argument.text, spans, anchor=actor))
            elif actor and argument.slot == "time":
                group = tuple(dict.fromkeys(ids))
                found.append(dated(cast, members[actor], group, spans[0]))
    return tuple(dict.fromkeys(found))

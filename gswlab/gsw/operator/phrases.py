"""Verb phrases: every clause as base-form predicate with its slots filled.

A slot holds an actor of the cast or literal text. Nothing is inferred here: what the
roles of two actors imply comes from `implied.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from spacy.tokens import Token

from gswlab.core.nouns import Argument, Link, Slot, Span, VerbPhrase
from gswlab.gsw.operator.clauses import SUBJECTS, Clause, is_verb
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.language.lexicon import noun_class, table, words

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


# Who shares a place or a time: groups of actors that one clause puts together.

_POINTING = frozenset({"that", "this", "same"})
_TOGETHER = frozenset({"together", "there", "here", "alongside"})


def find_links(cast: Cast, clauses: Sequence[Clause]) -> tuple[Link, ...]:
    """The groups of a chunk, in order; each names its anchor where there is one."""
    found: dict[Link, None] = {}
    for clause in clauses:
        if clause.negated or clause.modality in ("hypothetical", "planned"):
            continue
        actors = _actors(cast, clause)
        for link in (*_places(cast, clause, actors), *_unnamed(cast, clause, actors)):
            found[link] = None
    for link in _dates(cast, clauses):
        found[link] = None
    return tuple(found)


def _actors(cast: Cast, clause: Clause) -> list[Member]:
    """Who takes part in a clause, companions included."""
    with_ = [o for p, o in clause.obliques if p.lower_ in ("with", "by")]
    tokens = (*clause.subjects, *clause.objects, *clause.recipients, *with_)
    return [m for m in cast.all(tokens) if m.kind not in ("time", "abstract", "place")]


def _group(actors: Sequence[Member], anchor: Member | None) -> tuple[str, ...]:
    ids = [m.id for m in actors] + ([anchor.id] if anchor is not None else [])
    return tuple(dict.fromkeys(ids))


def _places(cast: Cast, clause: Clause, actors: Sequence[Member]) -> Iterator[Link]:
    for prep, token in clause.obliques:
        member = cast.headed(token)
        if member is None or slot_of(cast, clause, prep, token) != "place":
            continue
        if member.kind != "place" or prep.lower_ in ("from", "near", "towards", "off"):
            continue
        span = cast.spot(token).span
        if any(child.lower_ in _POINTING for child in token.children):
            yield Link("space", _group(actors, None), None, (span,))
        elif actors:
            ids = _group(actors, member)
            yield Link("space", ids, member.name, (span,), anchor=member.id)


def _unnamed(cast: Cast, clause: Clause, actors: Sequence[Member]) -> Iterator[Link]:
    parsed = cast.parsed
    if not actors:
        return
    for token in clause.verb.subtree:
        pointed = [c for c in token.children if c.lower_ in _POINTING]
        dated = cast.at(token) is not None
        if token.lemma_ in words("event_time") and pointed and not dated:
            span = parsed.over([pointed[0], token])
            yield Link("time", _group(actors, None), None, (span,))
    if len(actors) > 1:
        for child in clause.verb.children:
            if child.lower_ in _TOGETHER and child.dep_ == "advmod":
                ids = _group(actors, None)
                yield Link("space", ids, None, (parsed.over([child]),))


def _dates(cast: Cast, clauses: Sequence[Clause]) -> Iterator[Link]:
    """A date holds for everyone in the clause it belongs to and the ones below."""
    for date in (m for m in cast if m.form == "date"):
        for index, mention in zip(date.heads, date.mentions, strict=True):
            verbs = _held(cast.parsed.doc[index])
            members = [
                m
                for clause in clauses
                if clause.verb.i in verbs
                for m in (*_actors(cast, clause), *_places_of(cast, clause))
            ]
            if members:
                yield dated(cast, date, _group(members, date), mention.span)


def _held(token: Token) -> set[int]:
    """The verb a date hangs on and what is coordinated with it."""
    for ancestor in token.ancestors:
        if ancestor.pos_ in ("VERB", "AUX"):
            return {ancestor.i, *(t.i for t in ancestor.conjuncts)}
    return {t.i for t in token.sent if t.pos_ in ("VERB", "AUX")}


def _places_of(cast: Cast, clause: Clause) -> list[Member]:
    tokens = (*clause.subjects, *(o for _, o in clause.obliques))
    return [m for m in cast.all(tokens) if m.kind == "place"]


def dated(cast: Cast, date: Member, ids: tuple[str, ...], span: Span) -> Link:
    """The link of a group to a date, with what the date's finder says of it."""
    base = cast.parsed.chunk.span.start
    found = next(
        d for d in cast.parsed.dates if d.start <= span.start - base < max(d.end, 1)
    )
    return Link(
        "time",
        ids,
        found.text,
        (span,),
        date.id,
        found.value,
        found.granularity,
        found.basis,
    )


# Verb phrases that roles imply: the author of a book writes it.

_JOINING = frozenset({"of", "in", "at", "from", "for", "to"})


@cache
def _rows() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for role, partner, predicate in table("en/implied.tsv"):
        found.setdefault(role, []).append((partner, predicate))
    return found


def implied_phrases(cast: Cast, first: int) -> tuple[VerbPhrase, ...]:
    """The implied phrases of a chunk, numbered from `first`."""
    found = {
        (holder.id, predicate, other.id): (holder, predicate, other, role, noun)
        for role in cast.parsed.doc
        if role.lemma_.lower() in _rows()
        for holder in _holders(cast, role)
        for noun in _partners(role)
        if (other := cast.headed(noun)) is not None and other is not holder
        for predicate in _predicates(role, noun, other)
    }
    return tuple(
        _implied_phrase(cast, f"v{first + i}", *row)
        for i, row in enumerate(found.values())
    )


def _holders(cast: Cast, role: Token) -> Iterator[Member]:
    """Who has the role: its own member, or the subject of its copula."""
    member = cast.headed(role)
    if member is not None:
        yield member
    elif role.dep_ == "attr":
        subjects = [c for c in role.head.children if c.dep_ == "nsubj"]
        yield from cast.all(subjects)


def _partners(role: Token) -> Iterator[Token]:
    for child in role.children:
        if child.dep_ == "poss":
            yield child
        if child.dep_ == "prep" and child.lower_ in _JOINING:
            yield from (t for t in child.children if t.dep_ == "pobj")


def _predicates(role: Token, noun: Token, other: Member) -> Iterator[str]:
    groups = {f"@{other.kind}", f"@{noun_class(noun.lemma_)}", noun.lemma_.lower()}
    last = other.name.split()[-1].lower()
    if last in words("event_head"):
        groups.add("@event")
    if last in words("work_head"):
        groups.add("@work")
    for partner, predicate in _rows()[role.lemma_.lower()]:
        if partner in groups:
            yield predicate
            return


def _implied_phrase(
    cast: Cast,
    phrase_id: str,
    holder: Member,
    predicate: str,
    other: Member,
    role: Token,
    noun: Token,
) -> VerbPhrase:
    parsed = cast.parsed
    span = parsed.over([role, noun])
    slot: Slot = "place" if other.kind == "place" else "patient"
    return VerbPhrase(
        id=phrase_id,
        predicate=predicate,
        arguments=(
            Argument("agent", holder.name, (parsed.over([role]),), holder.id),
            Argument(slot, other.name, (cast.spot(noun).span,), other.id),
        ),
        spans=(span,),
        chunk=parsed.chunk.id,
        chapter=parsed.chunk.chapter,
        implied=True,
    )

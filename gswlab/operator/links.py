"""Who shares a place or a time: groups of actors that one clause puts together.

A shared place or time that the text does not name ("in the same room", "that evening")
is a link too, with value None: a later chunk may fill it for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.core.nouns import Link, Span
from gswlab.language.lexicon import words
from gswlab.operator.cast import Cast, Member
from gswlab.operator.clauses import Clause
from gswlab.operator.phrases import slot_of

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

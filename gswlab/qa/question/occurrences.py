"""What a workspace tells about a plain question: memory and standing questions ask it.

A question that lists, or that any cue answers, is about episodes; a question whose verb
is its own ("Who arrested Sato?") is about an occurrence, whatever else it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import Any

from gswlab.core.nouns import (
    Actor,
    Argument,
    Bound,
    Occurrence,
    Place,
    Reading,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import format_date
from gswlab.language.keys import key_words, name_key
from gswlab.language.stems import folded_stem, verb_stems
from gswlab.qa.cue import Cue, around, by_key
from gswlab.qa.question.asked_for import answer_type, asks_plainly, lists
from gswlab.qa.question.names import SEVERAL
from gswlab.qa.question.wh_question import Fit, Plain, fits, plain, said_words


def occurrence(workspace: Workspace, phrase: VerbPhrase) -> Occurrence:
    """What a verb phrase tells: its arguments by name, its anchored day and place.

    >>> occurrence(Workspace(), VerbPhrase("v1", "arrest")).slots
    ()
    """
    slots = [*_time(workspace, phrase), *_place(workspace, phrase)]
    slots += [(a.slot, _filler(workspace, a)) for a in phrase.arguments]
    for effect in phrase.effects:
        actor = _noun(workspace, effect.actor)
        name = (actor.name,) if isinstance(actor, Actor) else ()
        slots.append(("state", Bound(effect.after, aliases=name, spans=phrase.spans)))
    told = phrase.predicate, tuple(slots), phrase.spans, phrase.chapter
    return Occurrence(phrase.id, *told, phrase.negated, phrase.modality)


def conditions(workspace: Workspace) -> Iterator[Occurrence]:
    """What actors are and where they are: roles, states and places, as `be`."""
    for actor in workspace.actors:
        for role in actor.roles:
            yield _being(actor, "role", Bound(role.text, spans=role.spans))
        for state in actor.states:
            bare = state.text.removeprefix("is ").removeprefix("was ")
            yield _being(actor, "state", Bound(bare, spans=state.spans))
    for place in workspace.places:
        for actor_id in dict.fromkeys(map(workspace.resolve, place.actors)):
            found = _noun(workspace, actor_id)
            if isinstance(found, Actor) and place.name and actor_id != place.actor:
                yield _being(found, "place", _at(workspace, place, place.readings[:1]))


def acquaintances(workspace: Workspace) -> Iterator[Occurrence]:
    """Who knows whom, as `know`: people of one episode, of one deed or of one's role.

    >>> [*acquaintances(Workspace())]
    []
    """
    people = {a.id: a for a in workspace.actors if a.kind == "person"}
    named = [a for a in people.values() if not a.name.islower()]
    keys = {a: [{*name_key(n)} for n in (a.name, *a.aliases)] for a in named}
    told: list[tuple[Any, list[Bound | None]]]
    told = [(e, [e.protagonist, *e.participants]) for e in workspace.episodes]
    for phrase in workspace.verb_phrases:
        if not phrase.negated and phrase.modality == "asserted":
            told.append((phrase, [_filler(workspace, a) for a in phrase.arguments]))
    for one, role in ((a, role) for a in people.values() for role in a.roles):
        words = {*name_key(role.text)}  # "a friend of Clara"
        of = [a for a, own in keys.items() if any(k and k <= words for k in own)]
        told.append((one, [_named(a, role.spans) for a in (one, *of)]))
    for noun, met in told:
        held = {workspace.resolve(b.id): b for b in met if b and b.id and b.spans}
        found = [replace(b, reason="") for i, b in held.items() if i in people]
        for who, whom in permutations(found, 2):
            slots = ("agent", who), ("patient", whom)
            yield Occurrence(noun.id, "know", slots, who.spans[:1], noun.chapter)


def _being(actor: Actor, slot: str, what: Bound) -> Occurrence:
    slots = (("agent", _named(actor, what.spans)), (slot, what))
    return Occurrence(actor.id, "be", slots, what.spans, actor.chapter)


def _named(actor: Actor, spans: tuple[Span, ...]) -> Bound:
    return Bound(actor.name, actor.id, actor.aliases, spans)


def _filler(workspace: Workspace, argument: Argument) -> Bound:
    """An argument by the name of its actor; its roles are other ways to say it."""
    actor = _noun(workspace, argument.actor)
    if not isinstance(actor, Actor):
        return Bound(argument.text, spans=argument.spans)
    said = argument.text, *actor.aliases, *(role.text for role in actor.roles)
    aliases = tuple(name for name in dict.fromkeys(said) if name != actor.name)
    return Bound(actor.name, actor.id, aliases, argument.spans)


def _time(workspace: Workspace, phrase: VerbPhrase) -> Iterator[tuple[str, Bound]]:
    """The anchored day as the verb phrase's chunk wrote it, and what it counts from."""
    time = _noun(workspace, phrase.time)
    if not isinstance(time, Time) or time.value is None:
        return
    own = [s for a in phrase.arguments if a.slot == "time" for s in a.spans]
    near = [r for r in time.readings if set(r.spans) & set(own)]
    near = near or [r for r in time.readings if r.chunk == phrase.chunk and r.text]
    read = near or [r for r in time.readings if r.value]
    texts = tuple(dict.fromkeys(r.text for r in read if r.text))
    reason = ""
    if (basis := time.basis) and time.readings:  # the first was counted, others joined
        if basis[:1].isdigit():  # else how a date in figures was read
            basis = f"counted from {format_date(basis)}"
        reason = f"{time.readings[0].text!r} is {basis}"
    yield "time", Bound(time.value, time.id, texts, _spans(read), reason=reason)


def _place(workspace: Workspace, phrase: VerbPhrase) -> Iterator[tuple[str, Bound]]:
    """The anchored place; the places around it are other ways to say it."""
    place = _noun(workspace, phrase.place)
    if not isinstance(place, Place) or place.name is None:
        return
    own = (a for a in phrase.arguments if a.slot == "place" and a.actor)
    named = (a for a in own if workspace.resolve(a.actor or "") == place.actor)
    read = [r for r in place.readings if r.chunk == phrase.chunk] or place.readings
    found = _at(workspace, place, read)
    yield "place", replace(found, spans=_spans(named) or found.spans)


def _at(workspace: Workspace, place: Place, read: Iterable[Reading]) -> Bound:
    name, *outer = around(workspace, place)
    return Bound(name, place.id, tuple(outer), _spans(read))


def _noun(workspace: Workspace, noun_id: str | None) -> object:
    return workspace.nouns.get(workspace.resolve(noun_id)) if noun_id else None


def _spans(said: Iterable[Argument | Reading]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(span for each in said for span in each.spans))


def told_occurrences(
    tellings: Tellings, question: str, cue: Cue, episodes: bool
) -> tuple[Fit, ...]:
    """The occurrences that answer a plain question; none for any other.

    `episodes` says that episodes fit the question's cue: then only a verb that
    questions are not built of, or a word for what no cue names ("Who gave Ann the
    key?"), makes it one about an occurrence.

    >>> told_occurrences(Tellings(Workspace()), "Who left?", Cue(), False)
    ()
    """
    asked = None if lists(question, cue) else plain(question)
    somewhere = cue.date is not None or cue.place is not None
    several = SEVERAL in (cue.protagonist or "")
    if asked is None or several or (somewhere and asked.befell):
        return ()
    found = fits(asked, tellings.candidates(asked))
    if not episodes and (not somewhere or asks_plainly(question, cue)):
        return found
    # A verb of its own is one that no cue names: "water divining".
    names = (getattr(cue, name) for name in cue.fields)
    named = {folded_stem(word.text) for name in names for word in key_words(name)}
    own = all(
        (fit.strong and folded_stem(fit.occurrence.predicate.split()[0]) not in named)
        or fit.used - named
        for fit in found
    )
    return found if own else ()


@dataclass(frozen=True)
class Tellings:
    """What a workspace tells, by the words in it: a question then scans no book."""

    workspace: Workspace

    @cached_property
    def told(self) -> tuple[Occurrence, ...]:
        """What cites the text: occurrences by their ids, then what actors are."""
        phrases = (occurrence(self.workspace, p) for p in self.workspace.verb_phrases)
        return tuple(t for t in (*phrases, *conditions(self.workspace)) if t.spans)

    @cached_property
    def _by_word(self) -> Mapping[str, set[int]]:
        return by_key(map(said_words, self.told))

    @cached_property
    def _known(self) -> tuple[Occurrence, ...]:
        return tuple(acquaintances(self.workspace))

    def candidates(self, asked: Plain) -> Iterable[Occurrence]:
        """Whatever may answer: it has a word of the question, if spaces part these."""
        if answer_type(asked.text) == "acquaintance":
            yield from self._known
        stems = frozenset[str]().union(*map(verb_stems, asked.tokens))
        numbers = set[int]().union(*(self._by_word.get(s, ()) for s in stems))
        held = (self.told[number] for number in sorted(numbers))
        yield from held if asked.tokens else self.told

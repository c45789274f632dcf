"""What a workspace tells about a plain question: memory and standing questions ask it.

A question that lists, or that any cue answers, is about episodes; a question whose verb
is its own ("Who arrested Sato?") is about an occurrence, whatever else it names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

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
from gswlab.language.keys import key_words
from gswlab.language.lexicon import noun_class
from gswlab.language.stems import folded_stem, spaceless_root, verb_stems
from gswlab.qa.cue import Cue
from gswlab.qa.question.answer_type import asks_plainly
from gswlab.qa.question.names import SEVERAL
from gswlab.qa.question.parse import lists
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
        of_persons = actor.kind == "person"
        for role in actor.roles:
            if of_persons and not may_be_person(role.text):
                continue
            yield _being(actor, "role", Bound(role.text, spans=role.spans))
        for state in actor.states:
            bare = state.text.removeprefix("is ").removeprefix("was ")
            yield _being(actor, "state", Bound(bare, spans=state.spans))
    for place in workspace.places:
        for actor_id in dict.fromkeys(map(workspace.resolve, place.actors)):
            found = _noun(workspace, actor_id)
            if isinstance(found, Actor) and place.name and actor_id != place.actor:
                yield _being(found, "place", _at(workspace, place, place.readings[:1]))


def may_be_person(role: str) -> bool:
    """Whether a noun phrase may say who somebody is: "a clockmaker", no "long passage".

    >>> may_be_person("old clockmaker of Leeds"), may_be_person("paper label")
    (True, False)
    """
    head = role.split(" of ")[0].partition(",")[0].split()[-1:]
    sort = noun_class(head[0].casefold()) if head else ""
    return not sort or sort.startswith("person")


def _being(actor: Actor, slot: str, what: Bound) -> Occurrence:
    who = Bound(actor.name, actor.id, actor.aliases, what.spans)
    slots = (("agent", who), (slot, what))
    return Occurrence(actor.id, "be", slots, what.spans, actor.chapter)


def _filler(workspace: Workspace, argument: Argument) -> Bound:
    """An argument by the name of its actor; its roles are other ways to say it."""
    actor = _noun(workspace, argument.actor)
    if not isinstance(actor, Actor):
        return Bound(argument.text, spans=argument.spans)
    roles = (role.text for role in actor.roles)
    aliases = dict.fromkeys((argument.text, *actor.aliases, *roles))
    aliases.pop(actor.name, None)
    return Bound(actor.name, actor.id, tuple(aliases), argument.spans)


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
    if time.basis and time.readings:  # the first reading was counted, others joined it
        counted, basis = time.readings[0].text, time.basis
        dated = basis[:1].isdigit()  # else how a date in figures was read
        reason = f"{counted!r} is counted from {format_date(basis)}" if dated else ""
        reason = reason or f"{counted!r} is {basis}"
    yield "time", Bound(time.value, time.id, texts, _spans(read), reason=reason)


def _place(workspace: Workspace, phrase: VerbPhrase) -> Iterator[tuple[str, Bound]]:
    """The anchored place; the places around it are other ways to say it."""
    place = _noun(workspace, phrase.place)
    if not isinstance(place, Place) or place.name is None:
        return
    own = [a for a in phrase.arguments if a.slot == "place" and a.actor]
    named = [a for a in own if workspace.resolve(a.actor or "") == place.actor]
    read = [r for r in place.readings if r.chunk == phrase.chunk] or place.readings
    found = _at(workspace, place, read)
    spans = tuple(span for a in named for span in a.spans) or found.spans
    yield "place", Bound(found.value, found.id, found.aliases, spans)


def _at(workspace: Workspace, place: Place, read: Iterable[Reading]) -> Bound:
    names: dict[str, None] = {}
    outer: Place | None = place
    while outer is not None and outer.name and outer.name not in names:
        names[outer.name] = None
        found = _noun(workspace, outer.inside)
        outer = found if isinstance(found, Place) else None
    return Bound(place.name or "", place.id, tuple(names)[1:], _spans(read))


def _noun(workspace: Workspace, noun_id: str | None) -> object:
    return workspace.nouns.get(workspace.resolve(noun_id)) if noun_id else None


def _spans(readings: Iterable[Reading]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(span for reading in readings for span in reading.spans))


def told_occurrences(
    source: Tellings | Workspace, question: str, cue: Cue, episodes: bool
) -> tuple[Fit, ...]:
    """The occurrences that answer a plain question; none for any other.

    `episodes` says that episodes fit the question's cue: then only a verb that
    questions are not built of, or a word for what no cue names ("Who gave Ann the
    key?"), makes it one about an occurrence.

    >>> told_occurrences(Workspace(), "Who arrested Sato?", Cue(), False)
    ()
    """
    asked = None if lists(question, cue) else plain(question)
    somewhere = cue.date is not None or cue.place is not None
    several = SEVERAL in (cue.protagonist or "")
    if asked is None or several or (somewhere and asked.befell):
        return ()
    found = fits(asked, Tellings.of(source).candidates(asked))
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
    """What a workspace tells, by the words in it: a question then scans no book.

    Kept for a version of a workspace that is asked often; asked once, it is not worth
    an index of every word (`indexed=False`). Numbers are places in `phrases`, or (those
    of `conditions`) in `being`.
    """

    workspace: Workspace
    indexed: bool = True

    @classmethod
    def of(cls, source: Tellings | Workspace) -> Tellings:
        """What is given where it is one already; of a workspace without an index."""
        return source if isinstance(source, Tellings) else cls(source, indexed=False)

    @cached_property
    def phrases(self) -> tuple[VerbPhrase, ...]:
        """The verb phrases that cite the text, in the order of their ids."""
        return tuple(p for p in self.workspace.verb_phrases if p.spans)

    @cached_property
    def being(self) -> tuple[Occurrence, ...]:
        """The roles, states and whereabouts of actors that cite the text."""
        return tuple(one for one in conditions(self.workspace) if one.spans)

    @cached_property
    def by_verb(self) -> Mapping[str, set[int]]:
        """Places in `phrases` by the stem of the verb's first word."""
        found: dict[str, set[int]] = defaultdict(set)
        for number, phrase in enumerate(self.phrases):
            first = phrase.predicate.split()[:1]
            found[folded_stem(first[0].casefold()) if first else ""].add(number)
        return found

    @cached_property
    def by_word(self) -> Mapping[str, set[int]]:
        """Phrases by the stems of whatever fills a slot of them, and of particles."""
        return _by_word(occurrence(self.workspace, phrase) for phrase in self.phrases)

    @cached_property
    def being_by_word(self) -> Mapping[str, set[int]]:
        """Places in `being` by the stems of what each one says."""
        return _by_word(self.being)

    def candidates(self, asked: Plain) -> Iterator[Occurrence]:
        """Whatever may answer: it has a verb of the question and its other words."""
        if not asked.tokens:  # a script without spaces: by the root of the verb
            every = asked.befell or asked.whereabouts is not None
            for phrase in self.phrases:
                first = phrase.predicate.split()[:1]
                root = spaceless_root(first[0].casefold()) if first else ""
                if every or (root and root in asked.text):
                    yield occurrence(self.workspace, phrase)
            yield from self.being
            return
        about = asked.befell or asked.deeds or asked.whereabouts
        numbers: set[int] = set()
        if about:  # whatever their verb
            every_one = range(len(self.phrases))
            numbers = set(_with(self.by_word, about) if self.indexed else every_one)
        for verb in range(asked.at + 1, len(asked.tokens)):
            for base in verb_stems(asked.tokens[verb]):
                known = self.by_verb.get(base, set())
                if known and self.indexed and (others := asked.beside(verb)):
                    known = known & _with(self.by_word, others)
                numbers |= known
        for number in sorted(numbers):
            yield occurrence(self.workspace, self.phrases[number])
        if not self.indexed:
            yield from self.being
            return
        wanted = [words for words in (asked.rest, about) if words]
        found = {n for words in wanted for n in _with(self.being_by_word, words)}
        yield from (self.being[n] for n in sorted(found))


def _by_word(told: Iterable[Occurrence]) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for number, one in enumerate(told):
        for word in said_words(one):
            found[word].add(number)
    return found


def _with(index: Mapping[str, set[int]], words: frozenset[str]) -> set[int]:
    """What has every one of these words."""
    return set.intersection(*(index.get(word, set()) for word in words))

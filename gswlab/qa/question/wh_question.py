"""Plain questions: who, whom, what, when, where, why and how about one occurrence.

The verb splits the question. What stands before it is its subject, or the auxiliary
that says the slot asked for is; what stands after it are its other arguments:

    Who | arrested | Sato?          agent asked, Sato anywhere but there
    Who did Lee | arrest?           patient asked, Lee the agent
    When was Sato | arrested?       time asked, Sato the patient

An occurrence fits when its verb is the question's and every word the question has for
somebody, something, some day or some place is told of it. So a question about what the
text does not tell fits nothing, and a reader can abstain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

from gswlab.core.nouns import Actor, Bound, Occurrence, Place, Time, VerbPhrase
from gswlab.core.workspace import Workspace
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import format_date
from gswlab.language.keys import date_keys, key_words, name_key
from gswlab.language.language import asked_in, of
from gswlab.language.lexicon import table
from gswlab.language.stems import folded_stem, verb_stems
from gswlab.qa.cue import Cue, around, by_key, surfaces
from gswlab.qa.question.asked_for import answer_type, befallen, lists
from gswlab.qa.question.names import SEVERAL

_WH = frozenset({"who", "whom", "what", "which", "when", "where", "why", "how"})
_SLOTS = {
    (kind, word): tuple(slots.split())
    for kind, words, slots in table("en/plain.tsv")
    for word in words.split()
}
_BE = frozenset(word for kind, word in _SLOTS if kind == "be")
_AUX = _BE.union(word for kind, word in _SLOTS if kind == "aux")
_SMALL = _AUX.union(word for kind, word in _SLOTS if kind == "small")
_FOUND = ("patient", "recipient", "place", "time", "manner", "purpose", "instrument")
_LED = re.compile(r"\b(?:on|in|of) $", re.I)


class Fit(NamedTuple):
    """An occurrence that a question is about, and what answers it, if that is told."""

    occurrence: Occurrence
    slots: tuple[str, ...]
    fillers: tuple[Bound, ...]
    score: float


@dataclass(frozen=True)
class Plain:
    """A question as words: `wh` stands at `at`; `days` are the ISO dates it names."""

    text: str
    tokens: tuple[str, ...]
    at: int
    days: tuple[str, ...] = ()

    @cached_property
    def befell(self) -> frozenset[str] | None:
        """Whom "what happened to ...?" asks about, by the stems of the words."""
        return _words(whom) if (whom := befallen(self.text)) else None

    @cached_property
    def whereabouts(self) -> frozenset[str]:
        """Whom "where was ...?" asks about, where no verb follows."""
        wh, *rest = self.tokens[self.at :] or ("",)
        return _content(rest) if wh == "where" and _BE & {*rest[:1]} else frozenset()


def _spaceless(text: str) -> Any:
    """The rules of a question whose words no spaces part; None for any other."""
    language = of(asked_in(text))
    return None if language.space else language.rules("gswlab.qa.question")


@lru_cache(maxsize=4096)
def plain(question: str) -> Plain | None:
    """The question, if it is one that who, when, where, why or how opens."""
    text = unicodedata.normalize("NFKC", question).strip()
    days = [d for d in find_dates(text) if d.value and not d.relative]
    rules = _spaceless(text)
    spaceless = bool(rules and rules.asked_slots(text))
    for day in reversed(days):
        before = text[: day.start] if spaceless else _LED.sub(" ", text[: day.start])
        text = before + ("、" if spaceless else " ") + text[day.end :]
    tokens = () if spaceless else tuple(word.text for word in key_words(text))
    at = next((n for n, token in enumerate(tokens[:3]) if token in _WH), None)
    if not spaceless and (at is None or "how many" in text.casefold()):
        return None
    return Plain(text, tokens, at or 0, tuple(d.value for d in days if d.value))


def fits(asked: Plain, told: Iterable[Occurrence]) -> tuple[Fit, ...]:
    """The occurrences a plain question is about, those that say most of it first."""
    inorder = sorted(told, key=lambda one: one.spans[:1])
    found = [fit for one in inorder if (fit := _fit(asked, one)) is not None]
    found = [fit for fit in found if fit.fillers] or found
    best = max((fit.score for fit in found), default=0.0)
    found = [fit for fit in found if fit.score == best]
    return tuple(found[-1:] if asked.whereabouts else found)


def answered(fit: Fit) -> tuple[Bound, ...]:
    """What answers: the fillers, or for a story the state that somebody came to."""
    if fit.slots != ("story",):
        return fit.fillers
    told = fit.occurrence
    return told.fillers("state") or (Bound(told.predicate, told.id, spans=told.spans),)


def _fit(asked: Plain, told: Occurrence) -> Fit | None:
    if told.negated:
        return None
    if asked.befell is not None:
        return _befallen(asked.befell, told)
    known = {key for b in told.fillers("time") if b.id for key in date_keys(b.value)}
    if not known.issuperset(asked.days):
        return None
    if rules := None if asked.tokens else _spaceless(asked.text):
        slots = rules.slots_of(asked.text, told)
        return _answered(told, slots, frozenset(), 1.0) if slots else None
    if told.predicate == "be":
        return _being(asked, told)
    verb = folded_stem(told.predicate.split()[0].casefold())
    places = range(asked.at + 1, len(asked.tokens))
    verbs = (place for place in places if verb in verb_stems(asked.tokens[place]))
    if fit := next(filter(None, (_split(asked, told, at) for at in verbs)), None):
        return fit
    # Somebody was where they did something.
    whom = asked.whereabouts
    if whom and whom <= _said(told, "agent", "patient"):
        fit = _answered(told, ("place",), whom, -0.1)
    return fit if fit and fit.fillers else None


def _split(asked: Plain, told: Occurrence, verb: int) -> Fit | None:
    """The question read with its verb at this place."""
    tokens, wh = asked.tokens, asked.tokens[asked.at]
    subject, after = tokens[asked.at + 1 : verb], tokens[verb + 1 :]
    passive = bool(_BE & set(subject)) and not tokens[verb].endswith("ing")
    first = next((n for n, t in enumerate(subject) if t in _AUX), len(subject))
    head = subject[:first] if wh in ("which", "what") else ()
    own, rest = _content(subject[len(head) :]), _content(after)
    others = _said(told, *_FOUND, *(("agent",) if passive else ()))
    particle = map(folded_stem, told.predicate.split()[1:])
    does = own <= _said(told, "patient" if passive else "agent")
    if not does or not rest <= others.union(particle):
        return None
    led = (*tokens[: asked.at][-1:], *after[-1:])  # "by whom", "who ... by"
    words = ("asks", wh), *(("head", w) for w in head), *(("stranded", w) for w in led)
    voice = ("named" if own else "unnamed") + "_passive" * passive
    slots = next(_SLOTS[w] for w in (*words, ("verb", voice)) if w in _SLOTS)
    return _answered(told, slots, own | rest | _content(head), float(len(own | rest)))


def _answered(
    told: Occurrence, slots: tuple[str, ...], used: frozenset[str], score: float
) -> Fit:
    """What fills the first slot that is filled by more than the question's words."""
    score += 0.5 * (told.modality == "asserted")
    for slot in slots:
        found = []
        for bound in told.fillers(slot):
            own = (word.text for word in key_words(bound.value))
            if not {folded_stem(w) for w in own if w not in _SMALL} <= used:
                found.append(bound)
        if anchored := [b for b in found if b.id and slot in ("time", "place")]:
            found = anchored[:1]
        if found:
            return Fit(told, slots, tuple(found), score)
    return Fit(told, slots, (), score)


def _befallen(whom: frozenset[str], told: Occurrence) -> Fit | None:
    """What changed somebody's state; else, and less so, what they have part in."""
    if not whom or told.predicate == "be" or told.modality != "asserted":
        return None
    changed = any(whom <= _stems(b) for s, b in told.slots if s == "state")
    suffered = whom <= _said(told, "patient")
    if not changed and not suffered and not whom <= _said(told, "agent"):
        return None
    return Fit(told, ("story",), (), 2.0 * changed + 1.0 * suffered)


def _being(asked: Plain, told: Occurrence) -> Fit | None:
    """ "Who is Ann?", "What does Ann do?", "Who is the inspector?" """
    wh, rest = asked.tokens[asked.at], asked.tokens[asked.at + 1 :]
    used = _content(rest)
    does = rest[:1] + rest[-1:] in (("do", "do"), ("does", "do"))
    other = wh in ("when", "why", "where")  # what somebody is answers none of these
    if other or not used or not (rest[0] in _BE or does):
        return None
    slot = "state" if wh == "how" else "role"
    asks = [(("agent",), slot), (("role", "state"), "agent")][: 1 + (wh == "who")]
    known = (asked for held, asked in asks if used <= _said(told, *held))
    read = (_answered(told, (s,), used, -0.1) for s in known)
    return next((fit for fit in read if fit.fillers), None)


def _said(told: Occurrence, *slots: str) -> frozenset[str]:
    return frozenset[str]().union(*(_stems(bound) for bound in told.fillers(*slots)))


def _stems(bound: Bound) -> frozenset[str]:
    """Stems of every way a filler is written."""
    return _words(" ".join(surfaces(bound)))


def _words(text: str) -> frozenset[str]:
    return _content(word.text for word in key_words(text))


def _content(tokens: Iterable[str]) -> frozenset[str]:
    """The stems of words that say what a question is about."""
    telling = (t for t in tokens if t not in _SMALL and not t.endswith("ly"))
    return frozenset(map(folded_stem, telling))


def occurrence(workspace: Workspace, phrase: VerbPhrase) -> Occurrence:
    """What a verb phrase tells: its arguments by name, its anchored day and place."""
    slots = [*_time(workspace, phrase), *_place(workspace, phrase)]
    slots += _arguments(workspace, phrase)
    for effect in phrase.effects:
        actor = _noun(workspace, effect.actor)
        name = (actor.name,) if isinstance(actor, Actor) else ()
        slots.append(("state", Bound(effect.after, aliases=name, spans=phrase.spans)))
    told = phrase.predicate, tuple(slots), phrase.spans, phrase.chapter
    return Occurrence(phrase.id, *told, phrase.negated, phrase.modality)


def conditions(workspace: Workspace) -> Iterator[Occurrence]:
    """What actors are: roles and states, as `be`."""
    for actor in workspace.actors:
        held = [("role", role.text, role.spans) for role in actor.roles]
        for state in actor.states:
            bare = state.text.removeprefix("is ").removeprefix("was ")
            held.append(("state", bare, state.spans))
        for slot, text, spans in held:
            who = Bound(actor.name, actor.id, actor.aliases, spans)
            slots = ("agent", who), (slot, Bound(text, spans=spans))
            yield Occurrence(actor.id, "be", slots, spans, actor.chapter)


def acquaintances(workspace: Workspace) -> Iterator[Occurrence]:
    """Who knows whom, as `know`: people of one episode, one deed or one's role."""
    people = {a.id: a for a in workspace.actors if a.kind == "person"}
    told: list[tuple[Any, list[Bound | None]]]
    told = [(e, [e.protagonist, *e.participants]) for e in workspace.episodes]
    for phrase in workspace.verb_phrases:
        if not phrase.negated and phrase.modality == "asserted":
            told.append((phrase, [who for _, who in _arguments(workspace, phrase)]))
    names = [(a, {*name_key(a.name)}) for a in people.values() if not a.name.islower()]
    for one, role in ((a, role) for a in people.values() for role in a.roles):
        words = {*name_key(role.text)}  # "a friend of Clara Moss"
        whose = (one, *(a for a, name in names if name <= words))
        told.append((one, [Bound(a.name, a.id, a.aliases, role.spans) for a in whose]))
    for noun, met in told:
        held = {workspace.resolve(b.id): b for b in met if b and b.id and b.spans}
        found = [replace(b, reason="") for i, b in held.items() if i in people]
        for who, whom in permutations(found, 2):
            slots = ("agent", who), ("patient", whom)
            yield Occurrence(noun.id, "know", slots, who.spans[:1], noun.chapter)


_Slots: TypeAlias = Iterator[tuple[str, Bound]]


def _arguments(workspace: Workspace, phrase: VerbPhrase) -> _Slots:
    """Arguments by the names of their actors; roles are other ways to say them."""
    for told in phrase.arguments:
        bound, actor = Bound(told.text, spans=told.spans), _noun(workspace, told.actor)
        if isinstance(actor, Actor):
            said = told.text, *actor.aliases, *(role.text for role in actor.roles)
            aliases = tuple(name for name in dict.fromkeys(said) if name != actor.name)
            bound = Bound(actor.name, actor.id, aliases, told.spans)
        yield told.slot, bound


def _time(workspace: Workspace, phrase: VerbPhrase) -> _Slots:
    """The anchored day as the verb phrase's chunk wrote it, and what it counts from."""
    time = _noun(workspace, phrase.time)
    if not isinstance(time, Time) or time.value is None:
        return
    own = {s for a in phrase.arguments if a.slot == "time" for s in a.spans}
    read = [r for r in time.readings if own.intersection(r.spans)]
    read = read or [r for r in time.readings if r.chunk == phrase.chunk and r.text]
    read = read or [r for r in time.readings if r.value]
    texts = tuple(dict.fromkeys(r.text for r in read if r.text))
    reason = ""
    if (basis := time.basis) and time.readings:  # the first was counted, others joined
        if basis[:1].isdigit():  # else how a date in figures was read
            basis = f"counted from {format_date(basis)}"
        reason = f"{time.readings[0].text!r} is {basis}"
    spans = tuple(dict.fromkeys(span for r in read for span in r.spans))
    yield "time", Bound(time.value, time.id, texts, spans, reason=reason)


def _place(workspace: Workspace, phrase: VerbPhrase) -> _Slots:
    """The anchored place; the places around it are other ways to say it."""
    place = _noun(workspace, phrase.place)
    if not isinstance(place, Place) or place.name is None:
        return
    own = (a for a in phrase.arguments if a.slot == "place" and a.actor)
    named = (a for a in own if workspace.resolve(a.actor or "") == place.actor)
    read = [r for r in place.readings if r.chunk == phrase.chunk] or place.readings
    name, *outer = around(workspace, place)
    cited = [s for a in named for s in a.spans] or [s for r in read for s in r.spans]
    yield "place", Bound(name, place.id, tuple(outer), tuple(dict.fromkeys(cited)))


def _noun(workspace: Workspace, noun_id: str | None) -> object:
    return workspace.nouns.get(workspace.resolve(noun_id)) if noun_id else None


def told_occurrences(
    tellings: Tellings, question: str, cue: Cue, episodes: bool
) -> tuple[Fit, ...]:
    """The occurrences that answer a plain question; none for any other.

    Where somebody was, or when in Japanese, is told by `episodes` where some fit.
    """
    asked = None if lists(question, cue) else plain(question)
    somewhere = cue.date is not None or cue.place is not None
    several = SEVERAL in (cue.protagonist or "")
    if asked is None or several or (somewhere and asked.befell):
        return ()
    found = fits(asked, tellings.candidates(asked))
    dated = not asked.tokens and {fit.slots for fit in found} <= {("time",), ("place",)}
    weak = asked.whereabouts or (dated and cue.protagonist)
    return () if episodes and weak else found


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
        """What is told by the stems of its verb, and of all that fills its slots."""
        verbs = (told.predicate.casefold().split() for told in self.told)
        slots = (map(_stems, (bound for _, bound in t.slots)) for t in self.told)
        words = zip(verbs, slots, strict=True)
        return by_key({*map(folded_stem, v)}.union(*fill) for v, fill in words)

    @cached_property
    def _known(self) -> tuple[Occurrence, ...]:
        return tuple(acquaintances(self.workspace))

    def candidates(self, asked: Plain) -> Iterable[Occurrence]:
        """Whatever may answer: it has a telling word of the question, if it has any."""
        if answer_type(asked.text) == "acquaintance":
            yield from self._known
        telling = [t for t in asked.tokens if t not in _SMALL] or asked.tokens
        stems = frozenset[str]().union(*map(verb_stems, telling))
        numbers = set[int]().union(*(self._by_word.get(s, ()) for s in stems))
        held = (self.told[number] for number in sorted(numbers))
        yield from held if asked.tokens else self.told

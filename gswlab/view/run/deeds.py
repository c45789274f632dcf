"""What happened, as ties between who did it and whom it befell.

A scene shows a verb phrase as its sentence does: "Ruth Adeyemi", "arrests, March 12,
2025", "Edgar Voss". A tie from a noun to itself is what it did with nobody: its badge.
What stands between a verb and whom it befalls ("in", "with") is taken from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from gswlab.core.facts import Tie, name_of
from gswlab.core.nouns import (
    Actor,
    Argument,
    Chunk,
    Noun,
    Relation,
    Span,
    VerbPhrase,
    short,
)
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import shown
from gswlab.language.verbs import (
    does_itself,
    end_of_verb,
    plural,
    verb_in_words,
)

_SAID, _FILLED = 28, 34  # characters of a verb or a name along a tie, of a mere text
_TOWARDS = ("place", "instrument", "purpose", "manner")  # if nothing else is there
_PREPOSITIONS = (
    "about across against along around as at before behind beneath beside between by "
    "down for from in inside into near of on onto out over through to toward towards "
    "under up upon with without"
)
_ONE = rf"(?:{'|'.join(_PREPOSITIONS.split())})\b"
_LEADING = re.compile(rf"((?:\b{_ONE}\s+)+)(?:(?!{_ONE})[\w'-]+\s+){{0,3}}$")
_MARK = re.compile(r"[,;:.!?()\"“”\n]|\s[—–-]|\b(?:and|but|then)\b")
_IS = re.compile(r"(?:is|are|was|were|can|could|will|would|may|might|must|should)\b")
_NOBODY = {"nobody", "no one", "no-one", "none", "nothing"}  # they deny by themselves
_UNTIED = "not_same_actor"  # what is not so is no tie
_ASIDE = re.compile(r"([^.,;:!?\"“”\n]+), [\w' ]{1,30}$")
_SHORT = {"possibly_same_actor": "may be"}  # of what stands many times in a scene
_FOCUS = {"also", "even", "just", "only", "too"}  # these are no manner of doing


def nameless(noun: Noun | None) -> bool:
    """Whether an actor is only ever referred to by a pronoun."""
    return isinstance(noun, Actor) and {m.form for m in noun.mentions} == {"pronoun"}


def deeds(
    noun: Noun, workspace: Workspace, chunk: Chunk | None = None
) -> Iterator[tuple[str, Tie]]:
    """The ties of a noun, each with its kind: deed, unsure, setting or relation.

    `chunk` is the text that a verb phrase cites, where it is at hand.
    """
    nouns = workspace.nouns
    if isinstance(noun, Relation) and noun.kind != _UNTIED:
        ends = map(workspace.resolve, (noun.source, noun.target))
        if all(nameless(nouns.get(end)) for end in ends):
            return  # "they may be they"
        label = _SHORT.get(noun.kind) or noun.kind.replace("_", " ")
        yield "relation", Tie(noun.id, noun.source, noun.target, label)
    if not isinstance(noun, VerbPhrase):
        return
    clause = _Clause(noun, workspace, chunk)
    kind = "unsure" if noun.negated or noun.modality != "asserted" else "deed"
    agents, patients, given = map(clause.who, ("agent", "patient", "recipient"))
    done = (
        clause.done(agents, patients, given)
        if agents
        else clause.undergone(given or patients or clause.befallen())
    )
    yield from ((kind, tie) for tie in done)
    for place in clause.who("place").values() if patients or given else ():
        for source in [*agents, *patients][:1]:
            at = "at" if noun.predicate.isascii() else "で"
            yield "setting", Tie(noun.id, source, place.actor, at)


class _Filled(NamedTuple):
    """Who or what fills a slot, its name, the words that lead to it, where it is."""

    actor: str
    name: str
    led: str
    spans: tuple[Span, ...]


class _Clause:
    """A verb phrase where it stands in its chunk; nowhere if that is not its text."""

    def __init__(self, verb: VerbPhrase, workspace: Workspace, chunk: Chunk | None):
        self.verb, self.workspace = verb, workspace
        self.particle = verb.predicate.partition(" ")[2]  # of "write down"
        text, start, end = "", 0, 0
        if chunk and verb.spans and verb.spans[0].document == chunk.document:
            text, self.at = chunk.text, chunk.span.start
            ends = (verb.spans[0].start, verb.spans[0].end)
            start, end = (max(one - self.at, 0) for one in ends)
        self.text, self.start, self.end = text, start, end
        self.words = text[start:end]
        # where the text goes on behind the verb
        known = bool(self.words and verb.predicate)
        told = end_of_verb(verb.predicate, self.words) if known else 0
        self.behind = start + (told or -start)

    def who(self, *slots: str) -> dict[str, _Filled]:
        """Who or what fills slots, by id; a day is told in words."""
        found = {}
        for each in (each for each in self.verb.arguments if each.slot in slots):
            noun = self.workspace.nouns.get(self.workspace.resolve(each.actor or ""))
            if isinstance(noun, Actor) and noun.kind != "time":
                spans = each.spans[:1]
                found[noun.id] = _Filled(noun.id, noun.name, self._led(each), spans)
        return found

    def done(
        self,
        agents: Mapping[str, _Filled],
        patients: Mapping[str, _Filled],
        given: Mapping[str, _Filled],
    ) -> Iterator[Tie]:
        """What agents do to patients, or to what else is there; else by themselves."""
        verb, what, how = self.verb, self._filled("patient"), self._filled("manner")
        towards = patients or next(filter(None, map(self.who, _TOWARDS)), {})
        for agent, does in agents.items():
            said = short(verb_in_words(self._sure(does.name), _many(does)), _SAID)
            marks = (how, *self._marks())
            # "they keep to themselves"
            others = [one for end, one in towards.items() if end not in agents]
            for one in others:
                told = [self._along(said, what, one.led), *marks]
                yield Tie(verb.id, agent, one.actor, _lines(told, one.name))
            for one in (one for key, one in given.items() if key not in patients):
                to = "… to" if verb.predicate.isascii() else "… に"
                told = [f"{said} {to}", what, *marks]
                yield Tie(verb.id, agent, one.actor, _lines(told, one.name))
            if not others and not given:
                alone = self._goes_on() or self._filled("patient", "manner")
                yield Tie(verb.id, agent, agent, f"{said} {alone}".strip())

    def undergone(self, patients: Mapping[str, _Filled]) -> Iterator[Tie]:
        """What is done to patients by nobody known, or what these do by themselves."""
        verb, by = self._sure(""), self._filled("agent")
        sure = verb.modality == "asserted" and not self.verb.negated
        acted = {effect.actor for effect in verb.effects if sure}
        by = "" if by.endswith("…") else by.removeprefix("by ")  # that is no name
        told = f"by {by}" if by else self._filled("place", "manner")
        if not by and self.who("recipient"):  # "is told the use of it"
            told = self._goes_on() or told
        for key, one in patients.items():
            if key in acted:  # then its state says so
                continue
            active = not by and self._opens(one)
            does = verb_in_words(verb, _many(one), passive=not active)
            said = f"{short(does, _SAID)} {told}"
            if by and one.led:  # "her eyes dart to" the frame
                said = f"{by} {verb_in_words(verb, plural([f'the {by}']))} {one.led}"
            elif by.lower() in _NOBODY:
                said = verb_in_words(replace(verb, negated=True), _many(one), True)
            yield Tie(verb.id, key, key, said.strip())

    def befallen(self) -> Mapping[str, _Filled]:
        """Where "Heat stands about", if who does it is no noun of the workspace."""
        place = self.who("place") if self._filled("agent") else {}
        return {key: one for key, one in place.items() if one.led}

    def _sure(self, name: str) -> VerbPhrase:
        """The verb phrase; without its "not" where nobody does it: that denies it."""
        denied = {name.lower(), self._filled("agent").lower()} & _NOBODY
        return replace(self.verb, negated=False) if denied else self.verb

    def _along(self, said: str, what: str, led: str) -> str:
        """A verb, what it befalls, its particle, what leads on: "puts it down to"."""
        on = led.removeprefix(self.particle)
        return f"{said.removesuffix(self.particle)} {what} {self.particle} {on}"

    def _opens(self, one: _Filled) -> bool:
        """Whether the text says that somebody does what the verb phrase tells."""
        around = (
            (self.text[: s.start - self.at], self.text[s.end - self.at : self.end])
            for s in (one.spans if self.end else ())
        )
        return any(does_itself(self.verb.predicate, *each) for each in around)

    def _filled(self, *slots: str) -> str:
        """What fills slots and is no actor, with the word that leads to it."""
        told, last = "", ""
        for each in self.verb.arguments:
            if each.slot in slots and not each.actor and each.text not in _FOCUS:
                led = self._led(each)
                again = "and" if told and led == last != "" else led
                told, last = f"{told} {again} {each.text}", led
        return _cut(" ".join(told.split()))

    def _goes_on(self) -> str:
        """What stands behind the verb, up to a mark: "seated", "that it rains"."""
        by = [s for a in self.verb.arguments if a.slot == "agent" for s in a.spans[:1]]
        # "said she"
        if not self.behind or any(s.start >= self.at + self.behind for s in by):
            return ""
        aside = _ASIDE.search(self.text[: self.behind])
        rest = re.match(r", ([^.!?]*)", self.text[self.behind :])
        if aside and rest:  # "The boat, she said, was late"
            return _cut(f"{aside[1].strip()} {rest[1]}")
        # "writes down the name": its particle may stand on either side
        on = _MARK.split(self.text[self.behind :], 1)[0].strip()
        on = "" if _IS.match(on) else on
        on = f" {on}".removesuffix(f" {self.particle}") + " "
        return _cut(on.removeprefix(f" {self.particle} ").strip())

    def _led(self, argument: Argument) -> str:
        """The prepositions from the verb to its argument; "" where there are none."""
        if argument.slot == "agent" or not argument.spans or not self.text:
            return ""
        at, to = self.behind or self.start, argument.spans[0].start - self.at
        between = self.text[at if at <= to else 0 : max(to, 0)].lower()
        found = _LEADING.search(between)
        return " ".join(found[1].split()) if found else ""

    def _marks(self) -> Iterator[str]:
        """The day of a verb phrase, and its place, in words; not what is unknown."""
        for anchor in (self.verb.time, self.verb.place):
            noun = self.workspace.nouns.get(self.workspace.resolve(anchor or ""))
            if noun and (getattr(noun, "value", None) or getattr(noun, "name", None)):
                yield short(shown(name_of(noun)).replace(" 0", " "), _SAID)


def _many(one: _Filled) -> bool:
    return plural([f"the {one.name}" if one.name.islower() else one.name])


def _lines(told: Iterable[str], name: str) -> str:
    """What a tie says, a line each; not the name of its end again."""
    words = (" ".join(one.split()) for one in told)
    return "\n".join(one for one in words if one and one != name)


def _cut(said: str) -> str:
    """A mere text, as many of its words as there is room for."""
    cut = said[:_FILLED].rpartition(" ")[0] or said[:_FILLED]
    return said if len(said) <= _FILLED else f"{cut} …"

"""What happened, as ties between who did it and whom it befell.

A scene shows a verb phrase as its sentence does: "Ruth Adeyemi", "arrests, March 12,
2025", "Edgar Voss". A tie from a noun to itself is what it did with nobody: its badge.
What stands between a verb and whom it befalls ("in", "with") is taken from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
    as_written,
    does_itself,
    end_of_verb,
    passive_in_words,
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
_MARK = re.compile(r"[,;:.!?()\"“”\n]|\s[—–-]")
_NOBODY = {"nobody", "no one", "no-one", "none", "nothing"}  # they deny by themselves
_DONE_TO = re.compile(r"\bbe(en)?\b")
_ASIDE = "not_same_actor"  # what is not so is no tie
_SHORT = {"possibly_same_actor": "may be"}  # of what stands many times in a scene


def deeds(
    noun: Noun, workspace: Workspace, chunk: Chunk | None = None
) -> Iterator[tuple[str, Tie]]:
    """The ties of a noun, each with its kind: deed, unsure, setting or relation.

    `chunk` is the text that a verb phrase cites, where it is at hand.
    """
    if isinstance(noun, Relation) and noun.kind != _ASIDE:
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
        else clause.undergone(patients or clause.befallen())
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
        verb, filled = self.verb, self._filled("patient", "manner")
        written = self._written()
        if not written or _DONE_TO.search(written):
            written = verb_in_words(self._sure(agents), _many(agents))
        said = short(written, _SAID)
        marks = "".join(f"\n{mark}" for mark in (filled, *self._marks()) if mark)
        towards = patients or next(filter(None, map(self.who, _TOWARDS)), {})
        for agent in agents:
            others = [one for end, one in towards.items() if end != agent]
            for one in others:
                told = f"{said} {one.led}".strip() + marks
                yield Tie(verb.id, agent, one.actor, told)
            for one in (one for key, one in given.items() if key not in patients):
                to = "… to" if verb.predicate.isascii() else "… に"
                yield Tie(verb.id, agent, one.actor, f"{said} {to}{marks}")
            if not others and not given:
                alone = self._goes_on() or filled
                yield Tie(verb.id, agent, agent, f"{said} {alone}".strip())

    def undergone(self, patients: Mapping[str, _Filled]) -> Iterator[Tie]:
        """What is done to patients by nobody known, or what these do by themselves."""
        verb, written = self._sure({}), self._written()
        sure = verb.modality == "asserted" and not self.verb.negated
        acted = {effect.actor for effect in verb.effects if sure}
        by = self._filled("agent")
        by = "" if by.endswith("…") else by.removeprefix("by ")  # that is no name
        told = f"by {by}" if by else self._filled("place", "manner")
        for key, one in patients.items():
            if key in acted:  # then its state says so
                continue
            active = not by and self._opens(one)
            in_words = verb_in_words if active else passive_in_words
            said = in_words(verb, _many({key: one}))
            if written and active != bool(_DONE_TO.search(written)):
                said = written
            said = f"{short(said, _SAID)} {told}"
            if by and one.led:  # "her eyes dart to" the frame
                said = f"{by} {verb_in_words(verb, plural([f'the {by}']))} {one.led}"
            yield Tie(verb.id, key, key, said.strip())

    def befallen(self) -> Mapping[str, _Filled]:
        """Where "Heat stands about", if who does it is no noun of the workspace."""
        place = self.who("place") if self._filled("agent") else {}
        return {key: one for key, one in place.items() if one.led}

    def _sure(self, agents: Mapping[str, _Filled]) -> VerbPhrase:
        """The verb phrase; without its "not" where nobody does it: that denies it."""
        names = {self._filled("agent"), *(one.name for one in agents.values())}
        denied = _NOBODY & {name.lower() for name in names}
        return replace(self.verb, negated=False) if denied else self.verb

    def _written(self) -> str:
        """What may be so, in the words of its clause; "" of all else."""
        if not self.text or self.verb.modality != "hypothetical":
            return ""
        return as_written(self.verb.predicate, self.words)

    def _opens(self, one: _Filled) -> bool:
        """Whether the text says that somebody does what the verb phrase tells."""
        around = (
            (self.text[: s.start - self.at], self.text[s.end - self.at : self.end])
            for s in (one.spans if self.end else ())
        )
        return any(does_itself(self.verb.predicate, *each) for each in around)

    def _filled(self, *slots: str) -> str:
        """What fills slots and is no actor, with the word that leads to it."""
        texts = (
            f"{self._led(each)} {each.text}".strip()
            for each in self.verb.arguments
            if each.slot in slots and not each.actor
        )
        return _cut(" ".join(texts))

    def _goes_on(self) -> str:
        """What stands behind the verb, up to a mark: "seated", "that it rains"."""
        by = [s for a in self.verb.arguments if a.slot == "agent" for s in a.spans[:1]]
        # "said she"
        if not self.behind or any(s.start >= self.at + self.behind for s in by):
            return ""
        on = " " + _MARK.split(self.text[self.behind :], 1)[0].strip()
        _, particle, rest = self.verb.predicate.partition(" ")
        return _cut(on.removesuffix(particle + rest).strip())  # "writes down the name"

    def _led(self, argument: Argument) -> str:
        """The prepositions from the verb to its argument; "" where there are none."""
        if argument.slot == "agent" or not argument.spans or not self.text:
            return ""
        at = self.behind or self.start
        between = self.text[at : max(argument.spans[0].start - self.at, at)].lower()
        found = _LEADING.search(between)
        return " ".join(found[1].split()) if found else ""

    def _marks(self) -> Iterator[str]:
        """The day of a verb phrase, and its place, in words; not what is unknown."""
        for anchor in (self.verb.time, self.verb.place):
            noun = self.workspace.nouns.get(self.workspace.resolve(anchor or ""))
            if noun and (getattr(noun, "value", None) or getattr(noun, "name", None)):
                yield short(shown(name_of(noun)).replace(" 0", " "), _SAID)


def _many(filled: Mapping[str, _Filled]) -> bool:
    names = [one.name for one in filled.values()]
    return plural([f"the {name}" if name.lower() == name else name for name in names])


def _cut(said: str) -> str:
    """A mere text, as many of its words as there is room for."""
    cut = said[:_FILLED].rpartition(" ")[0] or said[:_FILLED]
    return said if len(said) <= _FILLED else f"{cut} …"

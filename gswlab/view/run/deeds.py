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


def deeds(
    noun: Noun, workspace: Workspace, chunk: Chunk | None = None
) -> Iterator[tuple[str, Tie]]:
    """The ties of a noun, each with its kind: deed, unsure, setting or relation.

    `chunk` is the text that a verb phrase cites, where it is at hand.
    """
    if isinstance(noun, Relation) and noun.kind != _ASIDE:
        label = noun.kind.replace("_", " ")
        yield "relation", Tie(noun.id, noun.source, noun.target, label)
    if not isinstance(noun, VerbPhrase):
        return
    kind = "unsure" if noun.negated or noun.modality != "asserted" else "deed"
    yield from ((kind, tie) for tie in _done(noun, workspace, chunk))
    agents, patients = _who(noun, workspace, "agent"), _who(noun, workspace, "patient")
    given = _who(noun, workspace, "recipient")
    for place in _who(noun, workspace, "place").values() if patients or given else ():
        for source in [*agents, *patients][:1]:
            at = "at" if noun.predicate.isascii() else "で"
            yield "setting", Tie(noun.id, source, place.actor, at)


class _Filled(NamedTuple):
    """Who or what fills a slot, its name, the words that lead to it, where it is."""

    actor: str
    name: str
    led: str
    spans: tuple[Span, ...]


def _done(verb: VerbPhrase, workspace: Workspace, chunk: Chunk | None) -> Iterator[Tie]:
    """What a verb phrase says its agents do to its patients, or is done to these."""
    agents = _who(verb, workspace, "agent", chunk=chunk)
    patients = _who(verb, workspace, "patient", chunk=chunk)
    given = _who(verb, workspace, "recipient", chunk=chunk)
    by, written = _text(verb, chunk, "agent"), _written(verb, chunk)
    if not agents:
        yield from _undergone(verb, patients, chunk, by)
    if _NOBODY & {by.lower(), *(one.name.lower() for one in agents.values())}:
        verb = replace(verb, negated=False)
    if not written or _DONE_TO.search(written):
        written = verb_in_words(verb, _many(agents))
    said, filled = short(written, _SAID), _text(verb, chunk, "patient", "manner")
    marks = "".join(f"\n{mark}" for mark in _marks(verb, workspace))
    marks = f"\n{filled}{marks}" if filled else marks
    towards = patients or next(
        filter(None, (_who(verb, workspace, s, chunk=chunk) for s in _TOWARDS)), {}
    )
    for agent in agents:
        others = [one for end, one in towards.items() if end != agent]
        for one in others:
            yield Tie(verb.id, agent, one.actor, f"{said} {one.led}".strip() + marks)
        for one in (one for key, one in given.items() if key not in patients):
            to = "… to" if verb.predicate.isascii() else "… に"
            yield Tie(verb.id, agent, one.actor, f"{said} {to}{marks}")
        if not others and not given:
            alone = _goes_on(verb, chunk) or filled
            yield Tie(verb.id, agent, agent, f"{said} {alone}".strip())


def _undergone(
    verb: VerbPhrase, patients: Mapping[str, _Filled], chunk: Chunk | None, by: str
) -> Iterator[Tie]:
    """What is done to the patients of a verb phrase, or what these do by themselves."""
    sure = verb.modality == "asserted" and not verb.negated
    acted = {effect.actor for effect in verb.effects if sure}
    if by.lower() in _NOBODY:
        verb = replace(verb, negated=False)
    where, written = _text(verb, chunk, "place", "manner"), _written(verb, chunk)
    by = "" if by.endswith("…") else by.removeprefix("by ")  # that is no name
    for key, one in patients.items():
        if key in acted:  # then its state says so
            continue
        many = _many({key: one})
        active = not by and _opens_clause(one, verb, chunk)
        said = verb_in_words(verb, many) if active else passive_in_words(verb, many)
        if written and active != bool(_DONE_TO.search(written)):
            said = written
        told = f"by {by}" if by else where
        yield Tie(verb.id, key, key, f"{short(said, _SAID)} {told}".strip())


def _clause(verb: VerbPhrase, chunk: Chunk | None) -> tuple[int, int]:
    """Where a verb phrase stands in a chunk; nowhere where that is not its text."""
    span = verb.spans[0] if verb.spans else None
    if chunk is None or span is None or span.document != chunk.document:
        return 0, 0
    start = chunk.span.start
    return max(span.start - start, 0), max(span.end - start, 0)


def _written(verb: VerbPhrase, chunk: Chunk | None) -> str:
    """What may be so, in the words of its clause; "" of all else."""
    start, end = _clause(verb, chunk)
    if chunk is None or verb.modality != "hypothetical":
        return ""
    return as_written(verb.predicate, chunk.text[start:end])


def _opens_clause(one: _Filled, verb: VerbPhrase, chunk: Chunk | None) -> bool:
    """Whether the text says that somebody does what a verb phrase tells."""
    _, end = _clause(verb, chunk)
    if chunk is None or not end:
        return False
    at = chunk.span.start
    around = (
        (chunk.text[: s.start - at], chunk.text[s.end - at : end]) for s in one.spans
    )
    return any(does_itself(verb.predicate, *each) for each in around)


def _many(filled: Mapping[str, _Filled]) -> bool:
    names = [one.name for one in filled.values()]
    return plural([f"the {name}" if name.lower() == name else name for name in names])


def _who(
    verb: VerbPhrase, workspace: Workspace, *slots: str, chunk: Chunk | None = None
) -> dict[str, _Filled]:
    """Who or what fills slots, by id; a day is told in words."""
    found = {}
    for each in verb.arguments:
        noun = workspace.nouns.get(workspace.resolve(each.actor or ""))
        if each.slot in slots and isinstance(noun, Actor) and noun.kind != "time":
            led = _led(each, verb, chunk) if each.slot != "agent" else ""
            found[noun.id] = _Filled(noun.id, noun.name, led, each.spans[:1])
    return found


def _text(verb: VerbPhrase, chunk: Chunk | None, *slots: str) -> str:
    """What fills slots and is no actor, with the word that leads to it."""
    texts = (
        f"{_led(a, verb, chunk) if a.slot != 'agent' else ''} {a.text}".strip()
        for a in verb.arguments
        if a.slot in slots and not a.actor
    )
    return _cut(" ".join(texts))


def _cut(said: str) -> str:
    """A mere text, as many of its words as there is room for."""
    cut = said[:_FILLED].rpartition(" ")[0] or said[:_FILLED]
    return said if len(said) <= _FILLED else f"{cut} …"


def _goes_on(verb: VerbPhrase, chunk: Chunk | None) -> str:
    """What the text says behind a verb, up to a mark: "seated", "that it rains"."""
    at = _behind(verb, chunk)
    if chunk is None or not at:
        return ""
    by = [s for a in verb.arguments if a.slot == "agent" for s in a.spans[:1]]
    if any(span.start >= at + chunk.span.start for span in by):  # "said she"
        return ""
    return _cut(_MARK.split(chunk.text[at:], 1)[0].strip())


def _behind(verb: VerbPhrase, chunk: Chunk | None) -> int:
    """Where a chunk goes on behind the verb of a phrase; 0 where it does not stand."""
    start, end = _clause(verb, chunk)
    clause = chunk.text[start:end] if chunk else ""
    return start + (end_of_verb(verb.predicate, clause) or -start)


def _led(argument: Argument, verb: VerbPhrase, chunk: Chunk | None) -> str:
    """The prepositions from a verb to its argument; "" where there are none."""
    span = argument.spans[0] if argument.spans else None
    if chunk is None or span is None or span.document != chunk.document:
        return ""
    at = _behind(verb, chunk) or _clause(verb, chunk)[0]
    between = chunk.text[at : max(span.start - chunk.span.start, at)].lower()
    found = _LEADING.search(between)
    return " ".join(found[1].split()) if found else ""


def _marks(verb: VerbPhrase, workspace: Workspace) -> Iterator[str]:
    """The day of a verb phrase, and its place, in words; nothing of what is unknown."""
    for anchor in (verb.time, verb.place):
        noun = workspace.nouns.get(workspace.resolve(anchor or ""))
        if noun and (getattr(noun, "value", None) or getattr(noun, "name", None)):
            yield short(shown(name_of(noun)).replace(" 0", " "), _SAID)

"""What happened, as ties between who did it and whom it befell.

A scene shows a verb phrase as its sentence does: "Ruth Adeyemi", "arrests, March 12,
2025", "Edgar Voss". A tie from a noun to itself is what it did with nobody: its badge.
"""

from __future__ import annotations

from collections.abc import Iterator

from gswlab.core.facts import Tie, name_of
from gswlab.core.nouns import Actor, Noun, Relation, VerbPhrase, short
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import shown
from gswlab.language.verbs import plural, verb_in_words

_SAID, _FILLED = 28, 18  # characters of a verb or a name along a tie, of a mere text
_TOWARDS = ("place", "instrument", "purpose", "manner")  # if nothing else is there


def deeds(noun: Noun, workspace: Workspace) -> Iterator[tuple[str, Tie]]:
    """The ties of a noun, each with its kind: deed, unsure, setting or relation."""
    if isinstance(noun, Relation):
        label = noun.kind.replace("_", " ")
        yield "relation", Tie(noun.id, noun.source, noun.target, label)
    if not isinstance(noun, VerbPhrase):
        return
    agents, patients = _who(noun, workspace, "agent"), _who(noun, workspace, "patient")
    given = [i for i in _who(noun, workspace, "recipient") if i not in patients]
    kind = "unsure" if noun.negated or noun.modality != "asserted" else "deed"
    called = [
        (name.lower() == name and f"the {name}") or name for name in agents.values()
    ]
    verb = short(verb_in_words(noun, plural(called)), _SAID)
    said = f"{verb} {_text(noun, 'patient', 'manner')}".strip()
    marks = "".join(f"\n{mark}" for mark in _marks(noun, workspace))
    towards = patients or _who(noun, workspace, *_TOWARDS)
    for agent in agents:
        others = [end for end in towards if end != agent]
        for end in others:
            yield kind, Tie(noun.id, agent, end, said + marks)
        for end in given:
            yield kind, Tie(noun.id, agent, end, f"{said} … to{marks}")
        if not others and not given:
            yield kind, Tie(noun.id, agent, agent, said)
    acted = {effect.actor for effect in noun.effects if kind == "deed"}
    for end in () if agents else patients.keys() - acted:  # else its state says so
        someone = _text(noun, "agent") or "someone"
        yield kind, Tie(noun.id, end, end, f"{someone} {said}")
    for place in _who(noun, workspace, "place") if patients or given else ():
        for source in [*agents, *patients][:1]:
            yield "setting", Tie(noun.id, source, place, "at")


def _who(verb: VerbPhrase, workspace: Workspace, *slots: str) -> dict[str, str]:
    """Who or what fills slots, by id, with the name; a day is told in words."""
    filled = (a for a in verb.arguments if a.slot in slots and a.actor)
    nouns = (workspace.nouns.get(workspace.resolve(a.actor or "")) for a in filled)
    actors = (noun for noun in nouns if isinstance(noun, Actor))
    return {actor.id: actor.name for actor in actors if actor.kind != "time"}


def _text(verb: VerbPhrase, *slots: str) -> str:
    texts = (a.text for a in verb.arguments if a.slot in slots and not a.actor)
    return short(" ".join(texts), _FILLED)


def _marks(verb: VerbPhrase, workspace: Workspace) -> Iterator[str]:
    """The day of a verb phrase, and its place, in words; nothing of what is unknown."""
    for anchor in (verb.time, verb.place):
        noun = workspace.nouns.get(workspace.resolve(anchor or ""))
        if noun and (getattr(noun, "value", None) or getattr(noun, "name", None)):
            yield short(shown(name_of(noun)), _SAID)

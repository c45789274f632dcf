"""What happened, as ties between who did it and whom it befell.

A verb phrase draws its own node and a line an argument; a scene shows it as a sentence
does: "Ruth Adeyemi", "arrests, March 12, 2025", "Edgar Voss". A tie from a noun to
itself is what it did with nobody: its badge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gswlab.core.facts import Tie
from gswlab.core.nouns import Actor, Noun, Place, Relation, Time, VerbPhrase, short
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import shown
from gswlab.language.verbs import plural, verb_of

_LONGEST = 28  # characters of what is said along a tie
_SHORT = 18  # of what fills a slot and is no noun
_TOWARDS = ("place", "instrument", "purpose", "manner")  # if nothing else is there


def deeds(noun: Noun, workspace: Workspace) -> Iterator[tuple[str, Tie]]:
    """The ties of a noun, each with its kind: deed, unsure, setting or relation."""
    if isinstance(noun, Relation):
        label = noun.kind.replace("_", " ")
        yield "relation", Tie(noun.id, noun.source, noun.target, label)
    if not isinstance(noun, VerbPhrase):
        return
    agents, patients = _who(noun, workspace, "agent"), _who(noun, workspace, "patient")
    given = [one for one in _who(noun, workspace, "recipient") if one not in patients]
    kind = "unsure" if noun.negated or noun.modality != "asserted" else "deed"
    said = _said(noun, agents, workspace)
    marks = (*_marks(noun, workspace),)

    def tie(source: str, target: str, *words: str) -> tuple[str, Tie]:
        return kind, Tie(noun.id, source, target, "\n".join(words))

    places = _who(noun, workspace, "place")
    towards = patients or [p for s in _TOWARDS for p in _who(noun, workspace, s)]
    for source in agents:
        others = [end for end in towards if end != source]
        yield from (tie(source, end, said, *marks) for end in others)
        yield from (tie(source, end, f"{said} … to", *marks) for end in given)
        if not others and not given:
            yield tie(source, source, said)
    acted = {effect.actor for effect in noun.effects}
    for end in () if agents else patients:
        if end not in acted or kind == "unsure":  # else its state says so
            yield tie(end, end, f"{_literal(noun, 'agent') or 'someone'} {said}")
    for place in places if patients or given else ():
        for source in (agents or patients)[:1]:
            yield "setting", Tie(noun.id, source, place, "at")


def _who(verb: VerbPhrase, workspace: Workspace, slot: str) -> list[str]:
    """The nouns in a slot that are somebody or something; a day is told in words."""
    found = []
    for argument in verb.arguments:
        noun = workspace.nouns.get(workspace.resolve(argument.actor or ""))
        if argument.slot == slot and isinstance(noun, Actor) and noun.kind != "time":
            found.append(noun.id)
    return list(dict.fromkeys(found))


def _literal(verb: VerbPhrase, *slots: str) -> str:
    texts = (a.text for a in verb.arguments if a.slot in slots and not a.actor)
    return short(" ".join(texts), _SHORT)


def _said(verb: VerbPhrase, agents: Sequence[str], workspace: Workspace) -> str:
    names = [workspace.get(agent).name for agent in agents]
    called = [f"the {name}" if name[:1].islower() else name for name in names]
    what = _literal(verb, "patient", "manner")
    return f"{short(verb_of(verb, plural(called)), _LONGEST)} {what}".strip()


def _marks(verb: VerbPhrase, workspace: Workspace) -> Iterator[str]:
    """The day of a verb phrase, and its place, in words."""
    time = workspace.nouns.get(workspace.resolve(verb.time or ""))
    if isinstance(time, Time) and time.value:
        yield shown(time.value)
    place = workspace.nouns.get(workspace.resolve(verb.place or ""))
    if isinstance(place, Place) and place.name:
        yield short(place.name, _LONGEST)

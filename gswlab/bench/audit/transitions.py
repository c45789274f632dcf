"""Transitions that no story allows, each with the characters that show it.

=======================  ==========================================================
kind                     it is found where
=======================  ==========================================================
flips back               a state returns after its opposite, and no verb phrase
                         brought that about
moves unsaid             the place held changes in a chunk that names none for the
                         actor, away from where the text last put them
two places at one time   two verb phrases of one day put the actor in two places,
                         neither inside the other, and no motion lies between them
end before start         what began on a day ended on an earlier one
noted by the run         the reconciler itself found a conflict about the actor
=======================  ==========================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from gswlab.bench.audit.whereabouts import same_place
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Place, Span, State, Time, VerbPhrase
from gswlab.core.step import Conflict
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.states import opposed
from gswlab.language.dates.calendar import DAY
from gswlab.language.lexicon import words

if TYPE_CHECKING:
    from gswlab.bench.audit import AuditRow

# What begins something, and what ends the same thing.
_STARTS = "begin start open arrive enter board join marry 始まる 始める 開く 着く"
_ENDS = "end finish close leave depart quit divorce stop 終わる 終える 閉じる 去る"
_MOVES = "行く 来る 着く 向かう 出る 戻る 帰る 移る 去る"


@dataclass(frozen=True, slots=True)
class Transition:
    """One inconsistent transition: its kind, what it says, and where."""

    kind: str
    text: str
    chunk: str | None
    spans: tuple[Span, ...] = ()


def transitions(
    journal: Journal, actor: Actor, rows: Sequence[AuditRow]
) -> tuple[Transition, ...]:
    """All of them for an actor of the journal's last workspace."""
    last = journal.workspace()
    own = [  # what the actor takes part in
        phrase
        for phrase in last.verb_phrases
        if phrase.spans
        and phrase.modality == "asserted"
        and not phrase.negated
        and any(a.actor and last.resolve(a.actor) == actor.id for a in phrase.arguments)
    ]
    phrases = sorted(own, key=lambda phrase: min(phrase.spans))
    mine = {actor.id, *(phrase.id for phrase in phrases)}
    return (
        *_flips(actor.states),
        *_unsaid(last, rows),
        *_doubled(last, phrases),
        *_reversed(last, phrases),
        *(
            Transition("noted by the run", found.reason, step.chunk, found.spans)
            for step in journal
            for found in step.decisions
            if isinstance(found, Conflict) and last.resolve(found.subject) in mine
        ),
    )


def _flips(states: Sequence[State]) -> Iterator[Transition]:
    for number, state in enumerate(states):
        before = [s for s in states[:number] if s.role == state.role]
        against = [n for n, s in enumerate(before) if opposed(s.text, state.text)]
        if not against or state.source == "effect":
            continue
        if any(s.text == state.text for s in before[: against[-1]]):
            other = before[against[-1]]
            text = f"{state.text}, then {other.text}, then {state.text} again"
            spans = (*other.spans, *state.spans)
            yield Transition("flips back", text, state.chunk, spans)


def _unsaid(last: Workspace, rows: Sequence[AuditRow]) -> Iterator[Transition]:
    for old, new in pairwise(rows):
        place, said = new.held.place, new.expected
        moved = old.held.place is not None and place not in (None, old.held.place)
        if not moved or said.place is None or said.place_named:
            continue
        where = (new.held.place_id, place)
        if not same_place(last, where, (said.place_id, said.place)):
            text = (
                f"{old.held.place} to {place}, but the text left them at {said.place}"
            )
            yield Transition("moves unsaid", text, new.chunk)


def _doubled(last: Workspace, phrases: Sequence[VerbPhrase]) -> Iterator[Transition]:
    known: tuple[VerbPhrase, Time, Place] | None = None
    groups = ("motion", "leaving", "reaching")
    motion = frozenset(_MOVES.split()).union(*map(words, groups))
    for phrase in phrases:
        if phrase.predicate.split()[0] in motion:
            known = None
            continue
        time, place = _anchor(last, phrase.time), _anchor(last, phrase.place)
        if not isinstance(time, Time) or not isinstance(place, Place):
            continue
        if known is not None:
            before, when, where = known
            same_day = (
                time.value and len(time.value) >= DAY and when.value == time.value
            )
            one, two = ((p.actor, p.name) for p in (where, place))
            if same_day and one[1] and two[1] and not same_place(last, one, two):
                text = f"{where.name} and {place.name} on {time.value}"
                spans = (*before.spans, *phrase.spans)
                yield Transition("two places at one time", text, phrase.chunk, spans)
        known = (phrase, time, place)


def _reversed(last: Workspace, phrases: Sequence[VerbPhrase]) -> Iterator[Transition]:
    starts, ends = frozenset(_STARTS.split()), frozenset(_ENDS.split())
    begun: list[VerbPhrase] = []
    for phrase in phrases:
        verb = phrase.predicate.split()[0]
        if verb in starts:
            begun.append(phrase)
        if verb not in ends or not (ended := _value(last, phrase)):
            continue
        same = [p for p in begun if _things(last, p) & _things(last, phrase)]
        began = _value(last, same[-1]) if same else None
        if began and ended < began[: len(ended)]:
            text = f"{same[-1].predicate} on {began}, {phrase.predicate} on {ended}"
            spans = (*same[-1].spans, *phrase.spans)
            yield Transition("end before start", text, phrase.chunk, spans)


def _things(last: Workspace, phrase: VerbPhrase) -> set[str]:
    """What begins or ends: the object, or the place, or who does it where none is."""
    by_slot: dict[str, set[str]] = {}
    for a in phrase.arguments:
        by_slot.setdefault(a.slot, set()).add(
            last.resolve(a.actor) if a.actor else a.text
        )
    return by_slot.get("patient") or by_slot.get("place") or by_slot.get("agent", set())


def _anchor(last: Workspace, noun_id: str | None) -> object:
    return last.nouns.get(last.resolve(noun_id)) if noun_id else None


def _value(last: Workspace, phrase: VerbPhrase) -> str | None:
    time = _anchor(last, phrase.time)
    return time.value if isinstance(time, Time) else None

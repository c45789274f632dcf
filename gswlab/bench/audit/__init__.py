"""Audits: what a text says of an actor's whereabouts against what a run held of them.

- *expected* and *held* are read off the text and the workspaces (`whereabouts`);
- an update is *missed* where a chunk names a day or place and the workspace, having
  read it, holds another one or none;
- a *transition* is listed that no story allows, with the characters that show it:

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
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

from gswlab.bench.audit.whereabouts import (
    Expected,
    HeldWhereabouts,
    expected_of,
    held_of,
    same_place,
)
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Place, Span, State, Time, VerbPhrase
from gswlab.core.step import Conflict
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.occurrences import opposed
from gswlab.language.dates.calendar import DAY
from gswlab.language.keys import name_key
from gswlab.language.lexicon import words


def write_text(chain: dict[str, Any], path: str | Path) -> Path:
    """Write a chain (see `experiments/texts/chains`) under its chapters' headings."""
    parts, chapter = [], None
    for chunk in chain["chunks"]:
        if (number := chunk.get("chapter")) != chapter:
            parts.append(f"Chapter {number}")
        chapter = number
        parts.append(chunk["text"])
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return target


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One chunk that speaks of the actor: expected, held, and what was missed."""

    step: int
    chunk: str
    chapter: int | None
    expected: Expected
    held: HeldWhereabouts
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """All chunks that speak of an actor, and the transitions that cannot be."""

    actor: str
    name: str
    rows: tuple[AuditRow, ...]
    transitions: tuple[Transition, ...]

    @property
    def missed(self) -> int:
        """How many updates were missed, times and places together."""
        return sum(len(row.missed) for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {**asdict(self), "missed": self.missed}


def audit(journal: Journal, name: str) -> Audit:
    """The audit of the actor with this id, name or alias; `GswlabError` without one."""
    last = journal.workspace()
    actor = actor_called(last, name)
    said = expected_of(last, actor, journal.chunks(), journal.documents())
    rows = []
    for held, chapter, workspace in held_of(journal, last, actor):
        if (told := said.get(held.chunk)) is None:
            continue
        missed = []  # what the chunk names and the workspace does not hold
        if told.time and told.time_named:
            missed += [] if (held.time or "").startswith(told.time) else ["time"]
        if told.place and told.place_named:
            wanted, known = (told.place_id, told.place), (held.place_id, held.place)
            missed += [] if same_place(workspace, wanted, known) else ["place"]
        rows.append(AuditRow(held.step, held.chunk, chapter, told, held, tuple(missed)))
    return Audit(actor.id, actor.name, tuple(rows), transitions(journal, actor, rows))


def actor_called(workspace: Workspace, name: str) -> Actor:
    """The one actor with this id, name or alias; names are compared folded."""
    if (noun_id := workspace.resolve(name)) in workspace:
        found = workspace.get(noun_id)
        if isinstance(found, Actor):
            return found
    actors, key = workspace.actors, name_key(name)
    ids = [one.id for one in actors if name_key(one.name) == key]
    if not ids:  # an alias counts where nobody's name is the same
        ids = [one.id for one in actors if key in map(name_key, one.aliases)]
    if len(ids) == 1:
        return workspace.get(ids[0])  # type: ignore[no-any-return]
    command = "python -m gswlab audit RUN ACTOR"
    if ids:
        problem = f"{len(ids)} actors are called {name!r}"
        raise GswlabError(problem, f"name one by its id: {', '.join(ids)}", command)
    every = (said for one in actors for said in (one.name, *one.aliases))
    folded = {said.casefold(): said for said in every}
    close = get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.4)
    near = ", ".join(folded[key] for key in close)
    rule = f"the nearest names are {near}" if near else "it names no actor"
    raise GswlabError(f"no actor is called {name!r}", rule, command)


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

    def takes_part(phrase: VerbPhrase) -> bool:
        held = phrase.spans and phrase.modality == "asserted" and not phrase.negated
        who = (last.resolve(a.actor) for a in phrase.arguments if a.actor)
        return bool(held) and actor.id in who

    own = filter(takes_part, last.verb_phrases)
    phrases = sorted(own, key=lambda phrase: min(phrase.spans))
    mine = {actor.id, *(phrase.id for phrase in phrases)}
    noted = (
        Transition("noted by the run", found.reason, step.chunk, found.spans)
        for step in journal
        for found in step.decisions
        if isinstance(found, Conflict) and last.resolve(found.subject) in mine
    )
    doubled, turned = _doubled(last, phrases), _reversed(last, phrases)
    return (*_flips(actor.states), *_unsaid(last, rows), *doubled, *turned, *noted)


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
            text = f"{old.held.place} to {place}, but the text left them at"
            yield Transition("moves unsaid", f"{text} {said.place}", new.chunk)


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
            dated = time.value and len(time.value) >= DAY
            one, two = ((p.actor, p.name) for p in (where, place))
            named = one[1] and two[1] and not same_place(last, one, two)
            if dated and when.value == time.value and named:
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
    for slot in ("patient", "place", "agent"):
        own = [a for a in phrase.arguments if a.slot == slot]
        if own:
            return {last.resolve(a.actor) if a.actor else a.text for a in own}
    return set()


def _anchor(last: Workspace, noun_id: str | None) -> object:
    return last.nouns.get(last.resolve(noun_id)) if noun_id else None


def _value(last: Workspace, phrase: VerbPhrase) -> str | None:
    time = _anchor(last, phrase.time)
    return time.value if isinstance(time, Time) else None

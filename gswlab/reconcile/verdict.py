"""A verdict: what is said of who a new actor is, put where a score would decide.

The rules stay what they are: they still name the candidates, keep apart whom grammar
keeps apart, and grow or put the actor. Only the status is another's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gswlab.core.nouns import ByHand
from gswlab.core.step import Candidate
from gswlab.reconcile.scene import Scene

LOCAL = "new:"  # before the id of an actor of the chunk, which is no workspace id
NAMED = "named:"  # before the id of a pronoun of the workspace that a chunk names
Status = Literal["merged", "new", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The status of a new actor and its reason, which says who decided.

    `actors` are whom it is merged with or may be: ids of the workspace before the
    chunk, or local ids after `LOCAL`.
    """

    status: Status
    reason: str
    actors: tuple[str, ...] = ()


Verdicts: TypeAlias = Mapping[str, Verdict]
NONE: Verdicts = {}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is decided of a new actor: `candidates` best first, `may_be` its ties."""

    status: Status
    candidates: list[Candidate]
    may_be: list[Candidate]
    reason: str


def judged(scene: Scene, rules: Ruling, verdict: Verdict, apart: set[str]) -> Ruling:
    """A verdict over what the rules say; who is kept `apart` is never merged."""
    scored = {candidate.actor: candidate for candidate in rules.candidates}
    ids = [i for i in dict.fromkeys(_resolved(scene, verdict)) if i not in apart]
    named = [scored.get(i) or Candidate(i, 0.0) for i in ids]
    others = [c for c in rules.candidates if c.actor not in ids]
    reason = f"{verdict.reason} (By rules {rules.status}: {rules.reason})"
    status = verdict.status
    if status == "merged" and not named:
        status, reason = "new", f"{reason} But grammar keeps the two apart."
    return Ruling(status, [*named, *others], named, reason)


def overruled(scene: Scene, rules: Ruling, hand: ByHand) -> Ruling:
    """A person's word over what the rules say: grammar keeps nobody apart from it."""
    status: Status = "merged" if hand.actor else "new"
    named = (hand.actor,) if hand.actor else ()
    return judged(scene, rules, Verdict(status, hand.reason, named), set())


def _resolved(scene: Scene, verdict: Verdict) -> Iterator[str]:
    for name in verdict.actors:
        local = name.removeprefix(LOCAL)
        found = scene.ids.get(local) if local != name else name
        if found:
            yield scene.workspace.resolve(found)

"""A step of several edits: each is written on what the one before it left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gswlab.core.nouns import TraceEvent
from gswlab.core.step import Admission, Change, Decision, Step
from gswlab.core.workspace import Workspace
from gswlab.reconcile.proposed import folded

Status: TypeAlias = Literal["accepted", "held", "rejected"]


@dataclass(frozen=True, slots=True)
class Ruled:
    """What became of one edit."""

    step: Step
    decision: Admission
    event: TraceEvent

    @property
    def status(self) -> Status:
        """Whether the edit was accepted, held or rejected."""
        return self.decision.status


class Writing:
    """A step in the making, of several edits, each on what the one before left."""

    def __init__(self, workspace: Workspace) -> None:
        self.before = self.workspace = workspace
        self.changes: tuple[Change, ...] = ()
        self.decisions: tuple[Decision, ...] = ()
        self.events: list[TraceEvent] = []

    def take(self, ruled: Ruled) -> None:
        """Write an edit down if it was accepted, and what was decided of it."""
        self.decisions += (ruled.decision,)
        self.events.append(ruled.event)
        if ruled.status == "accepted":
            self.add(ruled.step)

    def add(self, step: Step) -> None:
        """Write down all of a step."""
        self.changes += step.changes
        self.decisions += step.decisions
        self.events += step.events
        self.workspace = folded(self.workspace, step.changes)

    def step(self, chunk: str | None, note: str = "") -> Step:
        """The step of all of it."""
        number, events = self.before.version, tuple(self.events)
        return Step(number, chunk, self.changes, self.decisions, events, note)

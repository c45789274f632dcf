"""A second pass, offline: what one reading left open, settled by the rest of the text.

- it reads no text and asks no model: it weighs what the workspace holds by now with the
  rules' own scores, thresholds and attempts;
- `forward` goes through the chunks in their order and lets what came later decide,
  `backward` goes from the last to the first and lets what came earlier decide;
- it goes on until nothing more is settled, so a second time there is nothing to do;
- answers are never taken back, states and days that lost are kept beside what won.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.second_pass.actors import settle_actors
from gswlab.reconcile.second_pass.conflicts import settle_days, settle_states
from gswlab.reconcile.second_pass.questions import settle_questions
from gswlab.reconcile.second_pass.side import Direction, Side
from gswlab.workspace.nouns import Chunk, LocalMap
from gswlab.workspace.step import Change, Decision, Step
from gswlab.workspace.workspace import Workspace

__all__ = ["Direction", "SecondPass"]
_SWEEPS = 50  # far more than settling has ever taken


@dataclass(frozen=True)
class SecondPass:
    """The second pass of the chunks that were read, under a reconciler's settings.

    >>> SecondPass(RulesReconciler(), (), "forward").note
    'replay forward'
    """

    rules: RulesReconciler
    chunks: Sequence[Chunk]
    direction: Direction

    @property
    def note(self) -> str:
        """How the notes of the steps begin."""
        return f"replay {self.direction}"

    def steps(self, workspace: Workspace) -> Iterator[Step]:
        """A step for each chunk of which something is settled, in sweeps; the first
        step follows `workspace`.
        """
        ordered = self.chunks if self.direction == "forward" else self.chunks[::-1]
        for _ in range(_SWEEPS):
            before = workspace.version
            for chunk in ordered:
                if (step := self._settled(workspace, chunk)) is not None:
                    workspace = workspace.apply(step)
                    yield step
            if workspace.version == before:
                return

    def _settled(self, before: Workspace, chunk: Chunk) -> Step | None:
        """What is settled of one chunk: who is who first, for all else rests on it."""
        rules, side = self.rules, Side(self.direction, chunk, self.chunks)
        changes: list[Change] = []
        decisions: list[Decision] = []
        workspace = before
        for settle in (settle_actors, settle_days, settle_states, settle_questions):
            if settle is settle_questions and not rules.questions:
                continue
            local = LocalMap(chunk.id)
            scene = Scene(workspace, local, chunk, rules.scope, rules.window)
            settle(scene, side, rules)
            workspace = scene.workspace
            changes += scene.draft.changes
            decisions += scene.decisions
        if not changes:
            return None
        note = f"{self.note}: {chunk.id}"
        return Step(before.version, None, tuple(changes), tuple(decisions), note=note)


def ended(step: Step, note: str) -> Step:
    """The step of the end of input after a second pass: episodes bound anew."""
    return replace(step, note=f"{note}: episodes bound anew")

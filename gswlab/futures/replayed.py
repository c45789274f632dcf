"""A second pass over a run: what it settled, in words, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gswlab.errors import GswlabError
from gswlab.futures.scored import Worth, held, worth
from gswlab.lab import Lab
from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.second_pass import Direction, SecondPass, ended
from gswlab.view.futures.futures import Row, fragment, futures_page, marked_table
from gswlab.view.spans import visible
from gswlab.workspace.links import label
from gswlab.workspace.nouns import Actor, Span
from gswlab.workspace.step import Alignment, Conflict, Decision, Resolution, Step
from gswlab.workspace.workspace import Workspace

if TYPE_CHECKING:
    import pandas as pd


class Settled(NamedTuple):
    """One thing that a second pass settled, at which step, resting on which spans."""

    step: int
    kind: str
    words: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Replay:
    """What a second pass did: its steps are in the journal, like any others."""

    lab: Lab
    direction: Direction
    steps: tuple[Step, ...]
    settled: tuple[Settled, ...]
    before: Worth | None
    after: Worth | None

    def to_frame(self) -> pd.DataFrame:
        """One row a thing settled."""
        import pandas as pd

        return pd.DataFrame(self.settled, columns=list(Settled._fields))

    def scores(self) -> pd.DataFrame:
        """Figures before and after; strict F1 has the interval of its difference."""
        return held(self.before, self.after, ("before", "after"))

    def undo(self) -> None:
        """Take every step of it back, last first; the journal keeps that, too."""
        last = len(self.lab.journal) - 1
        if self.steps and self.steps[-1].index != last:
            rule = "steps are taken back last first: lab.journal.undo()"
            problem = f"step {last} came after this second pass"
            raise GswlabError(problem, rule)
        for _ in self.steps:
            self.lab.journal.undo()

    def words(self) -> tuple[str, ...]:
        """What was settled by kind, and whether the scores moved."""
        kinds = ("alignment", "conflict", "question")
        counts = [sum(each.kind == kind for each in self.settled) for kind in kinds]
        many = (
            f"{n} {kind}{'s' * (n != 1)}" for n, kind in zip(counts, kinds, strict=True)
        )
        head = f"Second pass {self.direction}: {', '.join(many)} settled"
        return (f"{head} in {len(self.steps)} steps.", self._worth())

    def _worth(self) -> str:
        if self.before is None or self.after is None:
            return "No scores: not asked for, nothing to ask, or not read to its end."
        was, now = (each.figures.get("strict_f1") for each in (self.before, self.after))
        gap = self.after.against(self.before)
        if was is None or now is None or gap is None:
            return "The figures are in .scores()."
        same = "unchanged" if self.before == self.after else f"{gap.mean:+.4f}"
        ends = f"[{gap.low:+.4f}, {gap.high:+.4f}]"
        return f"Strict F1 {was:.4f} before, {now:.4f} after: {same} {ends}, n={gap.n}."

    def to_html(self, path: str | Path) -> Path:
        """Write what was settled as one page that needs nothing else."""
        title = f"A second pass, {self.direction}"
        return futures_page(title, self.words(), self._sections()).write(path)

    def _sections(self) -> dict[str, str]:
        rows = [Row("changed", (e.kind, str(e.step), e.words)) for e in self.settled]
        table = marked_table(repr(self), ("kind", "step", "in words"), rows)
        return {"What was settled": table}

    def _repr_html_(self) -> str:
        return fragment(self.words(), self._sections())

    def __repr__(self) -> str:
        return f"Replay({self.direction}: {len(self.settled)} settled)"


def replay(lab: Lab, direction: Direction = "forward", scores: bool = True) -> Replay:
    """Settle what reading left open by what came later, or earlier.

    No model is asked to settle anything. With `scores` the dataset's questions, where
    it has any, are answered before and after: by a model, if the lab's reader is one.

    Raises:
        GswlabError: the direction is none, or the memory leaves nothing open of ours.
    """
    _checked(lab, direction)
    memory: Any = lab.memory
    rules = _rules(memory.reconciler)
    before = worth(lab) if scores else None
    read = tuple(chunk for chunk in lab.chunks if chunk.id in lab.workspace.chunks)
    again = SecondPass(rules, read, direction)
    steps: list[Step] = []
    settled: list[Settled] = []
    for step in again.steps(lab.workspace):
        settled += _settled(step, lab.workspace)
        lab.journal.append(step)
        steps.append(step)
    if steps and lab.finished:
        last = ended(memory.reconciler.finish(lab.workspace), again.note)
        if last.changes:
            steps.append(replace(last, index=len(lab.journal)))
            lab.journal.append(steps[-1])
    after = worth(lab) if steps and scores else before
    return Replay(lab, direction, tuple(steps), tuple(settled), before, after)


def _checked(lab: Lab, direction: str) -> None:
    if direction not in ("forward", "backward"):
        rule, command = "forward or backward", 'lab.replay("forward")'
        raise GswlabError(f"{direction!r} is no direction", rule, command)
    if lab.mode == "r":
        rule = "a run that was reopened is read only; a fork of it is not"
        command = f'lab.fork({len(lab.journal)}).replay("{direction}")'
        raise GswlabError(f"{lab.folder.path} is open for reading", rule, command)
    if not lab.folds:
        problem = f"memory={lab.names['memory']} leaves nothing open"
        raise GswlabError(problem, "what is open is open in a workspace: memory=gsw")


def _rules(reconciler: Any) -> RulesReconciler:
    """The settings of the rules in a reconciler, a gauge's inner ones included."""
    found = getattr(reconciler, "inner", reconciler)
    if isinstance(found, RulesReconciler):
        return found
    rule = "it settles what our reconcilers leave open"
    raise GswlabError(f"{type(found).__name__} has no second pass", rule)


def _settled(step: Step, before: Workspace) -> Iterator[Settled]:
    after = before.apply(step)
    for decision in step.decisions:
        yield Settled(step.index, *_said(decision, before, after))


def _said(
    decision: Decision, before: Workspace, after: Workspace
) -> tuple[str, str, tuple[Span, ...]]:
    match decision:
        case Alignment(status=status, name=name, reason=reason):
            with_whom = _called(after, decision.actor)
            how = f"is {with_whom}" if status == "merged" else "is somebody else"
            actor = before.nouns.get(decision.new)
            mentions = actor.mentions if isinstance(actor, Actor) else ()
            spans = tuple(mention.span for mention in mentions)
            return "alignment", visible(f"“{name}” {how}. {reason}"), spans
        case Conflict(kept=kept, other=other, reason=reason, spans=spans):
            held, lost = _called(before, kept), _called(before, other)
            return "conflict", visible(f"{held} rather than {lost}. {reason}"), spans
        case Resolution(answer=answer, reason=reason, spans=spans):
            asked = _called(before, decision.question)
            return "question", visible(f"{asked} {answer} ({reason})"), spans
    return "decision", visible(decision.reason), decision.spans


def _called(workspace: Workspace, noun_id: str) -> str:
    """What a noun is called; the text itself where it is no id (a state)."""
    noun = workspace.nouns.get(workspace.resolve(noun_id))
    return label(noun) if noun else noun_id

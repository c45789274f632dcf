"""The rules decide, and a model is asked where they cannot: ambiguous alignments.

1) the rules read the chunk  2) whom they call ambiguous is asked about, in one ask
3) the rules read the chunk again, with verdicts in their place. Without an ambiguous
actor nothing is asked, and the step is the rules' own to the byte; so is it when the
ask fails, but for the event that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.chunk_context import Scene
from gswlab.gsw.reconciler.decide import LOCAL, Verdict
from gswlab.gsw.reconciler.model import answers
from gswlab.gsw.reconciler.model import asking as shown
from gswlab.gsw.reconciler.model.asking import Outcome, ask, most
from gswlab.gsw.reconciler.model.reply import QuestionResolution, SameActor, verdicts_of
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.models.model import Model

STAGE = "same_actor"


@dataclass(frozen=True, slots=True)
class RulesThenLLM(RulesReconciler):
    """Rules, and a model's verdict on the actors that they leave ambiguous.

    With `questions=llm` it is also asked, once a chunk, what the chunk answers of the
    questions that the rules leave open. A prompt shows at most `budget` tokens of the
    workspace.

    >>> RulesThenLLM(model=Model(model="some-model")).questions
    'rules'
    """

    questions: bool | Literal["rules", "llm"] = "rules"  # type: ignore[assignment]
    model: Model = field(kw_only=True)
    budget: int = 2000

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        step = self.ruled(workspace, local, chunk)
        if cases := Cases.of(workspace, step, chunk, self.budget):
            outcome = ask(self.model, STAGE, SameActor, chunk, actors=cases.text)
            verdicts = cases.verdicts(outcome)
            if verdicts:
                step = self.ruled(workspace, local, chunk, verdicts)
            step = replace(step, events=outcome.events)
        if self.questions == "llm":
            after = workspace.apply(step)
            scene = Scene(after, local, chunk, self.scope, self.window)
            step = answers.resolved(self.model, scene, step, self.budget)
        return step

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        stages: dict[str, Any] = {STAGE: SameActor}
        if self.questions == "llm":
            stages[answers.STAGE] = QuestionResolution
        return most(self.model, chunks, 2 * self.budget, stages)


@dataclass(frozen=True)
class Cases:
    """Ambiguous actors of a step as a prompt shows them, each with its candidates."""

    offered: dict[str, tuple[str, ...]]
    text: str

    @classmethod
    def of(
        cls, workspace: Workspace, step: Step, chunk: Chunk, budget: int
    ) -> Cases | None:
        """The cases of a step, None where there is none; those that fit a budget."""
        aligned = [d for d in step.decisions if isinstance(d, Alignment)]
        open_ = [d for d in aligned if d.status == "ambiguous"]
        if not open_:
            return None
        # An actor that the chunk itself has put may have another id the next time.
        own = {d.actor: LOCAL + d.new for d in aligned if d.actor not in workspace}
        after = Scene(workspace.apply(step), LocalMap(chunk.id), chunk)
        acts = shown.Acts(after)
        cases = shown.fitting((_case(acts, d, own) for d in open_), budget)
        offered = {
            card["id"]: tuple(candidate["id"] for candidate in card["candidates"])
            for card in cases.cards
        }
        return cls(offered, cases.text)

    def verdicts(self, outcome: Outcome[SameActor]) -> dict[str, Verdict]:
        """Verdicts by local id; one on an actor that was not asked about is refused."""
        if outcome.value is None:
            return {}
        return verdicts_of(outcome, outcome.value.entity_alignment, self.offered)


def _case(acts: shown.Acts, decision: Alignment, own: Mapping[str, str]) -> shown.Card:
    """An ambiguous actor and its candidates, with what speaks for each."""
    candidates = [
        _card(acts, each.actor, own.get(each.actor, each.actor))
        | {"score": each.score, "features": dict(each.features)}
        for each in decision.candidates
    ]
    card = _card(acts, decision.actor, LOCAL + decision.new)
    return {**card, "candidates": candidates}


def _card(acts: shown.Acts, actor_id: str, shown_as: str) -> shown.Card:
    found = acts.scene.actor(actor_id)
    return {**shown.actor(found, acts.of(found)), "id": shown_as}

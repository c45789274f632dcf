"""The rules decide, and a model is asked where they cannot: ambiguous alignments.

1) the rules read the chunk  2) whom they call ambiguous is asked about, in one ask
3) the rules read the chunk again, with verdicts in their place. Without an ambiguous
actor nothing is asked, and the step is the rules' own to the byte; so is it when the
ask fails, but for the event that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.step import Alignment, Candidate, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL
from gswlab.gsw.reconciler.model import asking, writing
from gswlab.gsw.reconciler.model.reply import QuestionResolution, SameActor, verdicts_of
from gswlab.gsw.reconciler.rules import Decider

_STAGE = "same_actor"


@dataclass(frozen=True, slots=True)
class RulesThenLLM(asking.AskingReconciler):
    """Rules, and a model's verdict on the actors that they leave ambiguous.

    With `questions=llm` it is also asked, once a chunk, what the chunk answers of the
    questions that the rules leave open. A prompt shows at most `budget` tokens of the
    workspace. Of a chapter that is announced at most so many `calls` are made: of the
    chunks whose merges, by score, come nearest to the threshold.

    >>> from gswlab.models.model import Model
    >>> RulesThenLLM(model=Model(model="some-model")).questions
    'rules'
    """

    questions: bool | Literal["rules", "llm"] = "rules"  # type: ignore[assignment]
    calls: int | None = None

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        step = self.decided(Decider(self.scene(workspace, local, chunk)))
        worth = self._worth(step)
        if self.ahead.allows(chunk.id, worth) and (
            cases := self._cases(workspace, step, chunk)
        ):
            outcome = asking.ask_stage(
                self.ahead, _STAGE, SameActor, chunk, actors=cases.text
            )
            if outcome.value is not None:
                offered = {c["id"]: cases.among(c["candidates"]) for c in cases.cards}
                said = outcome.value.entity_alignment
                if verdicts := verdicts_of(outcome, said, offered):
                    scene = self.scene(workspace, local, chunk)
                    step = self.decided(Decider(scene, verdicts))
            step = replace(step, events=outcome.events)
        if self.questions == "llm":
            after = workspace.apply(step)
            scene = ChunkContext(after, local, chunk, self.scope, self.window)
            step = writing.resolved(self.ahead, scene, step, self.budget)
        return step

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        stages: dict[str, Any] = {_STAGE: SameActor}
        if self.questions == "llm":
            stages[writing.STAGE] = QuestionResolution
        return asking.most(self.model, chunks, 2 * self.budget, stages)

    def _worth(self, step: Step) -> float:
        """How near to the threshold the ambiguous merges of a step come, summed."""
        aligned = (d for d in step.decisions if isinstance(d, Alignment))
        best = (d.candidates[0].score for d in aligned if d.status == "ambiguous")
        return sum(1 - min(1.0, abs(score - self.threshold)) for score in best)

    def _cases(
        self, workspace: Workspace, step: Step, chunk: Chunk
    ) -> asking.Shown | None:
        """Ambiguous actors of a step, each with who it may be and what speaks for each.

        None where there is none; those that fit the budget.
        """
        aligned = [d for d in step.decisions if isinstance(d, Alignment)]
        open_ = [d for d in aligned if d.status == "ambiguous"]
        if not open_:
            return None
        # An actor that the chunk itself has put may have another id the next time.
        own = {d.actor: LOCAL + d.new for d in aligned if d.actor not in workspace}
        after = ChunkContext(
            workspace.apply(step), LocalMap(chunk.id), chunk, self.scope
        )
        acts = asking.Acts(after)

        def card(actor_id: str, shown_as: str, **more: Any) -> asking.Card:
            found = after.actor(actor_id)
            return {**asking.actor_card(found, acts.of(found)), "id": shown_as, **more}

        def known(each: Candidate) -> asking.Card:
            features, shown_as = dict(each.features), own.get(each.actor, each.actor)
            return card(each.actor, shown_as, score=each.score, features=features)

        cases = (
            card(
                each.actor, LOCAL + each.new, candidates=[*map(known, each.candidates)]
            )
            for each in open_
        )
        return asking.fitted(cases, self.budget, after)

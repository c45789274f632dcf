"""The rules decide, and a model is asked where they cannot: ambiguous alignments.

1) the rules read the chunk  2) whom they call ambiguous is asked about, in one ask
3) the rules read the chunk again, with verdicts in their place. Without an ambiguous
actor nothing is asked, and the step is the rules' own to the byte; so is it when the
ask fails, but for the event that says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import BaseModel

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL
from gswlab.gsw.reconciler.model import writing
from gswlab.gsw.reconciler.model.asking import AskingReconciler, Card, CardSheet
from gswlab.gsw.reconciler.model.reply import QuestionResolution, SameActor, verdicts_of
from gswlab.gsw.reconciler.rules import Decider

_STAGE = "same_actor"


@dataclass(frozen=True, slots=True)
class RulesThenLLM(AskingReconciler):
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
    worth: dict[str, float] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _chosen: set[str] = field(
        default_factory=set, init=False, repr=False, compare=False
    )

    def choose(self, worth: Mapping[str, float]) -> None:
        """Ask about the best of these chunks too, of a chapter, as a silent one saw."""
        best = sorted(worth, key=lambda chunk: -worth[chunk])[: self.calls]
        self._chosen.update(chunk for chunk in best if worth[chunk])

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        step = self.decided(Decider(self.scene(workspace, local, chunk)))
        aligned = (d for d in step.decisions if isinstance(d, Alignment))
        best = (d.candidates[0].score for d in aligned if d.status == "ambiguous")
        near = (1 - min(1.0, abs(score - self.threshold)) for score in best)
        self.worth[chunk.id] = sum(near)
        few = self.calls is not None and self.unheard is None
        cases = self._cases(workspace, step, chunk)
        if cases.cards and (not few or chunk.id in self._chosen):
            outcome = self.ask(_STAGE, SameActor, chunk, actors=cases.text)
            offered = {
                case["id"]: {k["id"]: cases.ids[k["id"]] for k in case["candidates"]}
                for case in cases.cards
            }
            said = outcome.value(SameActor)
            verdicts = said and verdicts_of(outcome, said.entity_alignment, offered)
            if verdicts:
                scene = self.scene(workspace, local, chunk)
                step = self.decided(Decider(scene, verdicts))
            step = replace(step, events=outcome.events)
        if self.questions == "llm":
            after = workspace.apply(step)
            scene = ChunkContext(after, local, chunk, self.scope, self.window)
            step = writing.resolved(self, scene, step)
        return step

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        stages: dict[str, type[BaseModel]] = {_STAGE: SameActor}
        if self.questions == "llm":
            stages[writing.STAGE] = QuestionResolution
        return self.most(chunks, stages)

    def _cases(self, workspace: Workspace, step: Step, chunk: Chunk) -> CardSheet:
        """Ambiguous actors of a step, each with who it may be and what speaks for each.

        None where there is none; those that fit the budget.
        """
        aligned = [d for d in step.decisions if isinstance(d, Alignment)]
        # An actor that the chunk itself has put may have another id the next time.
        own = {d.actor: LOCAL + d.new for d in aligned if d.actor not in workspace}
        after, local = workspace.apply(step), LocalMap(chunk.id)
        page = CardSheet(ChunkContext(after, local, chunk, self.scope))

        def told(actor_id: str, shown_as: str, **more: object) -> Card:
            found = page.scene.actor(actor_id)
            return page.actor(found, shown_as, told=page.acts(found), **more)

        def cases() -> Iterator[Card]:
            for case in (d for d in aligned if d.status == "ambiguous"):
                known = [
                    told(
                        each.actor,
                        own.get(each.actor, each.actor),
                        score=each.score,
                        features=dict(each.features),
                    )
                    for each in case.candidates
                ]
                yield told(case.actor, LOCAL + case.new, candidates=known)

        return page.filled(cases(), self.budget)

"""The reconcilers that ask a model, and write with the rules' own hand.

One asks all in one ask a chunk: who is who, what is answered, what stays open. The
other lets the rules decide and asks where they cannot: of ambiguous alignments, and of
what the chunk answers (the one reconciler prompt of arXiv 2511.07587). What a reply
says is put where the rules would put theirs; what neither text nor workspace has is
refused, with its path; whoever has no verdict is decided by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import ClassVar, Literal

from pydantic import BaseModel

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model.stages import most, stage_ask
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL, considered
from gswlab.gsw.reconciler.model.cards import (
    Card,
    CardSheet,
    local_cards,
    pending,
    workspace_cards,
)
from gswlab.gsw.reconciler.model.reply import QuestionResolution, Reconciled, SameActor
from gswlab.gsw.reconciler.model.writing import (
    ReplyDecider,
    ReplyGround,
    answer,
    verdicts_of,
)
from gswlab.gsw.reconciler.rules import Decider, RulesReconciler
from gswlab.models.ask import Reply
from gswlab.models.ask_trace import HeardReply, hear
from gswlab.models.model import Model

_Schemas = Mapping[str, type[BaseModel]]
_CANDIDATES = 5  # for each new actor


@dataclass(frozen=True, slots=True)
class AskingReconciler(RulesReconciler):
    """Rules that ask a model; a prompt shows at most `budget` tokens of a workspace."""

    stages: ClassVar[_Schemas]  # what may be asked about a chunk
    model: Model = field(kw_only=True)
    budget: int = 2000
    # a reply is kept: who asks the same later, after a rehearsal, is given it
    _said: dict[str, HeardReply] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def ask(self, stage: str, chunk: Chunk, **shown: str) -> HeardReply:
        """Ask the prompt of a stage; a failure is an outcome."""
        given = {"chunk": chunk.text, **shown}
        asking = stage_ask(stage, chunk, self.stages[stage], given)
        key = f"{stage} {chunk.id} {asking.ask.messages[-1]['content']}"
        heard = self._said.get(key) or hear(self.model, {key: asking})[key]
        if isinstance(heard.outcome, Reply):
            self._said[key] = heard
        return replace(heard, refused=[])

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        room = 2 * self.budget, self.model.max_tokens
        costs = (most(self.model, chunks, *s, *room) for s in self.stages.items())
        return reduce(Cost.plus, costs)


@dataclass(frozen=True, slots=True)
class LLMReconciler(AskingReconciler):
    """A model that aligns and answers; the rules write it down, and all else.

    Its prompt has room for `budget` tokens of the local map, too.
    """

    stages: ClassVar[_Schemas] = {"reconciler": Reconciled}

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        scene = self.scene(workspace, local, chunk)
        if not local.actors:  # nobody to reconcile: nothing is asked
            return self.decided(Decider(scene))
        likely = {
            new.id: [c.actor for c in considered(scene, new)[:_CANDIDATES]]
            for new in scene.local.actors
        }
        new, known = CardSheet(scene), CardSheet(scene)
        new.filled(local_cards(new, likely), self.budget)
        known.filled(workspace_cards(known, likely), self.budget)
        shown = {"local_map": new.text, "workspace": known.text}
        outcome = self.ask("reconciler", chunk, **shown)
        reply = outcome.value(Reconciled)
        decider = ReplyDecider(new, known, outcome, reply) if reply else Decider(scene)
        return replace(self.decided(decider), events=outcome.events)


@dataclass(frozen=True, slots=True)
class RulesThenLLM(AskingReconciler):
    """Rules, and a model's verdict on the actors that they leave ambiguous.

    1) the rules read the chunk  2) whom they call ambiguous is asked about, in one ask
    3) the rules read the chunk again, with verdicts in their place. With
    `questions=llm` it is also asked what the chunk answers of the questions left open.
    """

    stages: ClassVar[_Schemas] = {
        "same_actor": SameActor,
        "question_resolution": QuestionResolution,
    }
    questions: bool | Literal["rules", "llm"] = "rules"  # type: ignore[assignment]

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        step = self.decided(Decider(self.scene(workspace, local, chunk)))
        if _open(step):
            cases = self._cases(workspace, step, chunk)
            outcome = self.ask("same_actor", chunk, actors=cases.text)
            offered = {
                case["id"]: {k["id"]: cases.ids[k["id"]] for k in case["candidates"]}
                for case in cases.cards
            }
            ground = ReplyGround(cases.scene, cases.ids, outcome)
            if said := outcome.value(SameActor):
                given = verdicts_of(ground, said.entity_alignment, offered)
                scene = self.scene(workspace, local, chunk)
                step = self.decided(Decider(scene, given)) if given else step
            step = replace(step, events=outcome.events)
        if self.questions == "llm":
            after = workspace.apply(step)
            scene = ChunkContext(after, local, chunk, self.scope, self.window)
            step = self._resolved(scene, step)
        return step

    def _cases(self, workspace: Workspace, step: Step, chunk: Chunk) -> CardSheet:
        """Ambiguous actors of a step, and who each may be, with what speaks for it."""
        # An actor that the chunk itself has put may have another id the next time.
        put = (d for d in _aligned(step) if d.actor not in workspace)
        own, after = {d.actor: LOCAL + d.new for d in put}, workspace.apply(step)
        page = CardSheet(ChunkContext(after, LocalMap(chunk.id), chunk, self.scope))

        def case(of: Alignment) -> Card:
            known = []
            for each in of.candidates:
                named = each.actor, own.get(each.actor, each.actor)
                why: Card = {"score": each.score, "features": dict(each.features)}
                known.append(page.known(*named, **why))
            return page.known(of.actor, LOCAL + of.new, candidates=known)

        return page.filled(map(case, _open(step)), self.budget)

    def _resolved(self, scene: ChunkContext, step: Step) -> Step:
        """`step` with what its chunk answers; `scene` is of the workspace after it."""
        resolve = scene.workspace.resolve
        actors = dict.fromkeys(resolve(d.actor) for d in _aligned(step))
        matched = {resolve(d.actor) for d in _aligned(step) if d.status == "merged"}
        questions = (q for q in pending(scene, matched) if q.chunk != scene.chunk.id)
        asked, named = CardSheet(scene), CardSheet(scene)
        asked.filled(asked.open(questions), self.budget)
        if not asked.cards:
            return step
        named.filled(map(named.actor, map(scene.actor, actors)), self.budget)
        shown = {"actors": named.text, "questions": asked.text}
        outcome = self.ask("question_resolution", scene.chunk, **shown)
        ground = ReplyGround(scene, asked.ids | named.ids, outcome)
        if said := outcome.value(QuestionResolution):
            answer(ground, said.answers)
        return replace(
            step,
            changes=(*step.changes, *scene.draft.changes),
            decisions=(*step.decisions, *scene.decisions),
            events=(*step.events, *outcome.events),
        )


def _aligned(step: Step) -> list[Alignment]:
    return [d for d in step.decisions if isinstance(d, Alignment)]


def _open(step: Step) -> list[Alignment]:
    return [d for d in _aligned(step) if d.status == "ambiguous"]

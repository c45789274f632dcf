"""The reconcilers that ask a model, and write with the rules' own hand.

One asks all in one ask a chunk: who is who, what is answered, what stays open. The
other lets the rules decide and asks where they cannot: of ambiguous alignments. What a
reply says is put where the rules would put theirs; what neither text nor workspace has
is refused, with its path; whoever has no verdict is decided by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

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
    workspace_cards,
)
from gswlab.gsw.reconciler.model.writing import (
    Reconciled,
    ReplyDecider,
    ReplyGround,
    SameActor,
    verdicts_of,
)
from gswlab.gsw.reconciler.rules import Decider, RulesReconciler
from gswlab.models.ask import Reply
from gswlab.models.ask_trace import HeardReply, hear
from gswlab.models.model import Model

_CANDIDATES = 5  # for each new actor


@dataclass(frozen=True, slots=True)
class AskingReconciler(RulesReconciler):
    """Rules that ask a model; a prompt shows at most `budget` tokens of a workspace."""

    stage: ClassVar[str]
    schema: ClassVar[type[BaseModel]]
    model: Model = field(kw_only=True)
    budget: int = 2000
    # a reply is kept: who asks the same later, after a rehearsal, is given it
    _said: dict[str, HeardReply] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def ask(self, chunk: Chunk, **shown: str) -> HeardReply:
        """Ask about a chunk, given what is shown beside it; a failure is an outcome."""
        asking = stage_ask(
            self.stage, chunk, self.schema, {"chunk": chunk.text, **shown}
        )
        key = f"{chunk.id} {asking.ask.messages[-1]['content']}"
        heard = self._said.get(key) or hear(self.model, {key: asking})[key]
        if isinstance(heard.outcome, Reply):
            self._said[key] = heard
        return replace(heard, refused=[])

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        room = 2 * self.budget, self.model.max_tokens
        return most(self.model, chunks, self.stage, self.schema, *room)


@dataclass(frozen=True, slots=True)
class LLMReconciler(AskingReconciler):
    """A model that aligns and answers; the rules write it down, and all else.

    Its prompt has room for `budget` tokens of the local map, too.
    """

    stage, schema = "reconciler", Reconciled

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
        outcome = self.ask(chunk, **shown)
        reply = outcome.value(Reconciled)
        decider = ReplyDecider(new, known, outcome, reply) if reply else Decider(scene)
        return replace(self.decided(decider), events=outcome.events)


@dataclass(frozen=True, slots=True)
class RulesThenLLM(AskingReconciler):
    """Rules, and a model's verdict on the actors that they leave ambiguous.

    1) the rules read the chunk  2) whom they call ambiguous is asked about, in one ask
    3) the rules read the chunk again, with verdicts in their place.
    """

    stage, schema = "same_actor", SameActor

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        step = self.decided(Decider(self.scene(workspace, local, chunk)))
        if not _open(step):
            return step
        cases = self._cases(workspace, step, chunk)
        outcome = self.ask(chunk, actors=cases.text)
        offered = {
            case["id"]: {k["id"]: cases.ids[k["id"]] for k in case["candidates"]}
            for case in cases.cards
        }
        ground = ReplyGround(cases.scene, cases.ids, outcome)
        if said := outcome.value(SameActor):
            given = verdicts_of(ground, said.entity_alignment, offered)
            scene = self.scene(workspace, local, chunk)
            step = self.decided(Decider(scene, given)) if given else step
        return replace(step, events=outcome.events)

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


def _aligned(step: Step) -> list[Alignment]:
    return [d for d in step.decisions if isinstance(d, Alignment)]


def _open(step: Step) -> list[Alignment]:
    return [d for d in _aligned(step) if d.status == "ambiguous"]

"""The reconcilers that ask a model, and write with the rules' own hand.

One asks everything in one ask a chunk: the chunk, its local map and the part of the
workspace it meets, for four tasks and four keys. The other lets the rules decide and
asks where they cannot: of ambiguous alignments, and of what the chunk answers (the one
reconciler prompt of arXiv 2511.07587). Notable:

- verdicts, anchors, states and answers are put where the rules would put theirs, so
  two runs differ in what was decided and never in how a workspace is written;
- an id that was not shown, a day or place that neither text nor workspace has, words
  that the chunk does not say: refused, and listed with their paths;
- whoever has no verdict is decided by the rules, so that nothing the operator read is
  lost with a failed ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import BaseModel

from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model.stages import longest, stage_ask
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL, Bar, align_all, considered
from gswlab.gsw.reconciler.model import writing
from gswlab.gsw.reconciler.model.cards import (
    Card,
    CardSheet,
    local_cards,
    pending,
    workspace_cards,
)
from gswlab.gsw.reconciler.model.reply import QuestionResolution, Reconciled, SameActor
from gswlab.gsw.reconciler.rules import Decider, RulesReconciler
from gswlab.models.ask import Reply
from gswlab.models.ask_trace import HeardReply, hear
from gswlab.models.model import Model

_CANDIDATES = 5  # for each new actor


class ReplyDecider(Decider):
    """A reply decides; where it says nothing, the rules do."""

    def __init__(
        self, local: CardSheet, known: CardSheet, outcome: HeardReply, reply: Reconciled
    ) -> None:
        scene, self.reply = known.scene, reply
        self.ground = writing.ReplyGround(scene, known.ids, outcome)
        told = {each.get("id") for each in local.cards}
        # a date is its value, which the rules compare
        new = (LOCAL + a.id for a in scene.local.actors if a.kind != "time")
        ids = {shown: i for shown, i in known.ids.items() if i[0] == "a"}
        may_be = {s: i for s, i in ids.items() if scene.actor(i).kind != "time"}
        offered = dict.fromkeys((name for name in new if name in told), may_be)
        said = writing.verdicts_of(self.ground, reply.entity_alignment, offered)
        super().__init__(scene, said)

    def align(self, bar: Bar) -> None:
        """Decide every local actor, those with a verdict by that."""
        align_all(self.scene, bar, self.verdicts)
        self._name(self.scene.ids)

    def _name(self, found: Mapping[str, str]) -> None:
        self.ground.ids |= {LOCAL + name: noun_id for name, noun_id in found.items()}

    def anchor(self, anchors: dict[str, str]) -> None:
        """The operator's groups are coupled; now the reply's."""
        writing.couple_reply(self.ground, self.reply.updated_workspace, anchors)

    def tell(self, phrases: Mapping[str, str]) -> None:
        """What else the reply says is so."""
        self._name(phrases)
        for name, tell in writing.UPDATERS.items():
            said = getattr(self.reply.updated_workspace, name)
            for path, it in self.ground.all_held(f"{writing.UPDATED}.{name}", said):
                tell(self.ground, path, it)
        votes = (*self.scene.local.votes, *self.ground.votes)
        self.scene.local = replace(self.scene.local, votes=votes)

    def answer(self) -> None:
        """What became of each question that was shown."""
        writing.settle_answers(self.ground, self.reply)


@dataclass(frozen=True, slots=True)
class AskingReconciler(RulesReconciler):
    """Rules that ask a model; a prompt shows at most `budget` tokens of a workspace.

    A reply is kept: who asks the same later, after a rehearsal, is given it.
    """

    model: Model = field(kw_only=True)
    budget: int = 2000
    _said: dict[str, HeardReply] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def stages(self) -> Mapping[str, type[BaseModel]]:
        """The schema of each stage that may be asked about a chunk."""
        raise NotImplementedError

    def ask(self, stage: str, chunk: Chunk, **shown: str) -> HeardReply:
        """Ask the prompt of a stage; a failure is an outcome.

        Raises:
            StoppedError: the run was cancelled, or its budget is spent.
        """
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
        cost = NOTHING
        for stage, schema in self.stages.items():
            read = longest(stage, schema, chunks) + 2 * self.budget
            cost = cost.plus(self.model.most(len(chunks), read, self.model.max_tokens))
        return cost


@dataclass(frozen=True, slots=True)
class LLMReconciler(AskingReconciler):
    """A model that aligns, updates and answers; the rules write it down.

    A prompt shows at most `budget` tokens of the local map, and as many of the
    workspace. Scores decide nothing here; they stand in the reasons, beside the
    model's.
    """

    @property
    def stages(self) -> dict[str, type[BaseModel]]:
        """One ask for all tasks."""
        return {"reconciler": Reconciled}

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
    3) the rules read the chunk again, with verdicts in their place. Without an
    ambiguous actor, or a reply, the step is the rules' own to the byte.

    With `questions=llm` it is also asked, once a chunk, what the chunk answers of the
    questions that the rules leave open. A prompt shows at most `budget` tokens of the
    workspace. Of a chapter that is announced at most so many `calls` are made: of the
    chunks whose merges, by score, come nearest to the threshold.
    """

    questions: bool | Literal["rules", "llm"] = "rules"  # type: ignore[assignment]
    calls: int | None = None
    _chosen: set[str] = field(
        default_factory=set, init=False, repr=False, compare=False
    )

    @property
    def stages(self) -> dict[str, type[BaseModel]]:
        """One ask of the ambiguous, and perhaps one of open questions."""
        more = {"question_resolution": QuestionResolution}
        return {"same_actor": SameActor, **(more if self.questions == "llm" else {})}

    def choose(self, steps: Iterable[Step]) -> None:
        """Ask about the best of a chapter's chunks, by the steps of rules alone."""
        worth = dict[str, float]()
        for step in steps:
            far = (abs(d.candidates[0].score - self.threshold) for d in _open(step))
            worth[step.chunk or ""] = sum(1 - min(1.0, each) for each in far)
        best = sorted(worth, key=lambda chunk: -worth[chunk])[: self.calls]
        self._chosen.update(chunk for chunk in best if worth[chunk])

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        step = self.decided(Decider(self.scene(workspace, local, chunk)))
        if _open(step) and (self.calls is None or chunk.id in self._chosen):
            cases = self._cases(workspace, step, chunk)
            outcome = self.ask("same_actor", chunk, actors=cases.text)
            offered = {
                case["id"]: {k["id"]: cases.ids[k["id"]] for k in case["candidates"]}
                for case in cases.cards
            }
            ground = writing.ReplyGround(cases.scene, cases.ids, outcome)
            if said := outcome.value(SameActor):
                given = writing.verdicts_of(ground, said.entity_alignment, offered)
                scene = self.scene(workspace, local, chunk)
                step = self.decided(Decider(scene, given)) if given else step
            step = replace(step, events=outcome.events)
        if self.questions == "llm":
            after = workspace.apply(step)
            scene = ChunkContext(after, local, chunk, self.scope, self.window)
            step = self._resolved(scene, step)
        return step

    def _cases(self, workspace: Workspace, step: Step, chunk: Chunk) -> CardSheet:
        """Ambiguous actors of a step, each with who it may be and what speaks for each.

        Those that fit the budget.
        """
        # An actor that the chunk itself has put may have another id the next time.
        put = (d for d in _aligned(step) if d.actor not in workspace)
        own, after = {d.actor: LOCAL + d.new for d in put}, workspace.apply(step)
        page = CardSheet(ChunkContext(after, LocalMap(chunk.id), chunk, self.scope))

        def told(actor_id: str, shown_as: str, **more: object) -> Card:
            found = page.scene.actor(actor_id)
            return page.actor(found, shown_as, told=page.acts(found), **more)

        def case(of: Alignment) -> Card:
            known = []
            for each in of.candidates:
                why = {"score": each.score, "features": dict(each.features)}
                known.append(told(each.actor, own.get(each.actor, each.actor), **why))
            return told(of.actor, LOCAL + of.new, candidates=known)

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
        ground = writing.ReplyGround(scene, asked.ids | named.ids, outcome)
        if said := outcome.value(QuestionResolution):
            writing.answer(ground, said.answers)
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

"""The reconcilers that ask a model, and write with the rules' own hand.

One asks all in one ask a chunk: who is who, what is answered, what stays open. The
other asks of ambiguous alignments only. A reply may name ids that were shown and words
of the chunk; all else is refused, with its path, and left to the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, Filler, LocalMap, Question, QuestionStatus
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model import stages
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL, MergeVerdict, align_all, considered
from gswlab.gsw.reconciler.model.cards import CardSheet
from gswlab.gsw.reconciler.questions import Attempt, resolution, write
from gswlab.gsw.reconciler.rules import Decider, RulesReconciler
from gswlab.models.ask import Reply
from gswlab.models.ask_trace import HeardReply, ask_size, hear
from gswlab.models.model import Model

_Id: TypeAlias = Annotated[str, Field(max_length=16)]
_Sentence: TypeAlias = Annotated[str, Field(max_length=240)]


class Aligned(BaseModel):
    """Whether a new actor is one of the workspace, and why."""

    new_actor_id: _Id
    workspace_actor_id: _Id | None
    status: Literal["merged", "new", "ambiguous"]
    candidates: list[_Id] = Field(max_length=3)
    comment: _Sentence


class SameActor(BaseModel):
    """Verdicts on the actors that the rules leave open."""

    entity_alignment: list[Aligned] = Field(max_length=24)


class Support(BaseModel):
    """The nouns that an answer rests on."""

    actors: list[_Id] = Field(max_length=6)
    events: list[_Id] = Field(max_length=6)
    spacetime: list[_Id] = Field(max_length=6)


class ResolvedQuery(BaseModel):
    """An open question that the chunk answers, wholly or in part."""

    query_id: _Id
    status: Literal["answered", "partially_answered"]
    answer: _Sentence
    answer_entity_id: _Id | None
    support: Support


class UnresolvedQuery(BaseModel):
    """An open question that stays so, and why."""

    query_id: _Id
    status: Literal["unanswered", "contradictory", "insufficient_information"]
    reason: _Sentence


class Reconciled(BaseModel):
    """The whole reply of the reconciler: three tasks, three keys."""

    entity_alignment: list[Aligned] = Field(max_length=32)
    resolved_queries: list[ResolvedQuery] = Field(max_length=16)
    unresolved_queries: list[UnresolvedQuery] = Field(max_length=16)


class ReplyGround(stages.HeldPassage):
    """A chunk's scene, the ids that a prompt showed, and what is refused of a reply.

    `ids` maps ids as a reply writes them to those of the workspace.
    """

    def __init__(
        self, scene: ChunkContext, ids: dict[str, str], outcome: HeardReply
    ) -> None:
        super().__init__(scene.chunk, outcome.refused)
        self.scene, self.ids = scene, ids
        self.by = f"{outcome.model.model} ({outcome.asking.ask.stage})"

    def noun(self, path: str, said: str, kinds: str) -> str | None:
        """The live noun of these kinds that an id names; else it is refused."""
        found = self.scene.workspace.resolve(self.ids.get(said, ""))
        if found in self.scene.workspace and found[:1] in kinds:
            return found
        self.refuse(path, f"{said!r} is no id that was shown here")
        return None


def verdicts_of(
    ground: ReplyGround,
    replies: Iterable[Aligned],
    offered: Mapping[str, Mapping[str, str]],
) -> dict[str, MergeVerdict]:
    """Verdicts by local id, the first on each actor.

    `offered` are the new actors and whom each may be: ids in the prompt, and theirs.
    """
    found: dict[str, MergeVerdict] = {}
    for i, said in enumerate(replies):
        path, new = f"entity_alignment.{i}", said.new_actor_id
        if new not in offered or new in found:
            why = f"{new!r} is no actor asked about, or one twice"
            ground.refuse(f"{path}.new_actor_id", why)
            continue
        more = said.candidates if said.status == "ambiguous" else ()
        named = [each for each in (said.workspace_actor_id, *more) if each]
        same = tuple(offered[new][each] for each in named if each in offered[new])
        for each in (each for each in named if each not in offered[new]):
            ground.refuse(f"{path}.workspace_actor_id", f"{each!r} is no candidate")
        if said.status == "ambiguous" or (said.status == "merged") == bool(same):
            verdict = said.status, f"{ground.by}: {said.comment.strip()}", same
            found[new] = MergeVerdict(*verdict)
        elif len(same) == len(named):
            ground.refuse(f"{path}.status", f"{said.status}, with {named or 'nobody'}")
    for missing in (name for name in offered if name not in found):
        ground.refuse("entity_alignment", f"nothing to believe is said of {missing!r}")
    return {new.removeprefix(LOCAL): verdict for new, verdict in found.items()}


_STATUS: dict[str, QuestionStatus] = {
    "answered": "answered",
    "partially_answered": "partly",
    "unanswered": "open",
    "contradictory": "contradictory",
    "insufficient_information": "insufficient",
}
_SUPPORT = {"actors": "a", "events": "ve", "spacetime": "tp"}  # and kinds of their ids


class ReplyDecider(Decider):
    """A reply decides; where it says nothing, the rules do."""

    def __init__(
        self, local: CardSheet, known: CardSheet, outcome: HeardReply, reply: Reconciled
    ) -> None:
        scene, self.reply = known.scene, reply
        self.ground = ReplyGround(scene, known.ids, outcome)
        told = {each.get("id") for each in local.cards}
        # a date is its value, which the rules compare
        new = (LOCAL + a.id for a in scene.local.actors if a.kind != "time")
        ids = {shown: i for shown, i in known.ids.items() if i[0] == "a"}
        may_be = {s: i for s, i in ids.items() if scene.actor(i).kind != "time"}
        offered = dict.fromkeys((name for name in new if name in told), may_be)
        verdicts = verdicts_of(self.ground, reply.entity_alignment, offered)
        super().__init__(scene, verdicts)

    def align(self) -> None:
        """Decide every local actor, those with a verdict by that."""
        align_all(self.scene, self.verdicts)
        self.ground.ids |= {LOCAL + name: i for name, i in self.scene.ids.items()}

    def answer(self, phrases: Mapping[str, str]) -> None:
        """Write down what became of each question shown, the first word on each."""
        self.ground.ids |= {LOCAL + name: i for name, i in phrases.items()}
        scene, seen = self.scene, set[str]()
        for key in ("resolved_queries", "unresolved_queries"):
            for i, it in enumerate(getattr(self.reply, key)):
                path = f"{key}.{i}"
                asked = self.ground.noun(f"{path}.query_id", it.query_id, "q")
                if asked in seen:
                    why = f"{it.query_id!r} is settled above"
                    self.ground.refuse(f"{path}.query_id", why)
                elif asked and (found := self._attempt(path, it)):
                    seen.add(asked)
                    question: Question = scene.workspace.get(asked)
                    if found.status == "open" and question.answers:
                        # half an answer is not taken back by a chunk that has none
                        scene.decisions.append(resolution(question.id, found))
                    else:
                        write(scene, question, found)

    def _attempt(
        self, path: str, it: ResolvedQuery | UnresolvedQuery
    ) -> Attempt | None:
        """What a reply says to a question, resting on the nouns that it names."""
        ground, scene = self.ground, self.scene
        if isinstance(it, UnresolvedQuery):
            reason = f"{ground.by}: {it.reason.strip()}"
            return Attempt(_STATUS[it.status], reason=reason)
        # The chunk has the words of an answer, or it is an actor of the chunk.
        said, spans = it.answer_entity_id, tuple(ground.places(it.answer)[:1])
        if said and (actor := ground.noun(f"{path}.answer_entity_id", said, "a")):
            found = scene.actor(actor)
            here = tuple(m.span for m in found.mentions if m.chunk == scene.chunk.id)
            filler = Filler(found.name, spans or here, actor, scene.chunk.id)
        elif spans:
            filler = Filler(it.answer.strip(), spans, None, scene.chunk.id)
        else:
            lacks = f"{it.answer!r} is not in the text, and no actor is named"
            ground.refuse(path, lacks)
            return None
        rests = list[str | None]()
        for name, kinds in _SUPPORT.items():
            for i, each in enumerate(getattr(it.support, name)):
                rests.append(ground.noun(f"{path}.support.{name}.{i}", each, kinds))
        why = tuple(dict.fromkeys(filter(None, rests))), f"{ground.by} reads it"
        return Attempt(_STATUS[it.status], (filler,), *why)


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
        shown |= {"chunk": chunk.text}
        asking = stages.ask(self.stage, chunk, self.schema, None, **shown)
        key = f"{chunk.id} {asking.ask.messages[-1]['content']}"
        heard = self._said.get(key) or hear(self.model, {key: asking})[key]
        if isinstance(heard.outcome, Reply):
            self._said[key] = heard
        return replace(heard, refused=[])

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        asked = ask_size(self.stage, self.schema) + 2 * self.budget
        return stages.most(self.model, chunks, asked, self.model.max_tokens)


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
        new.filled(new.of_chunk(likely), self.budget)
        known.filled(known.of_workspace(likely), self.budget)
        shown = {"local_map": new.text, "workspace": known.text}
        outcome = self.ask(chunk, **shown)
        reply = outcome.value(Reconciled)
        decider = ReplyDecider(new, known, outcome, reply) if reply else Decider(scene)
        return replace(self.decided(decider), events=outcome.events)


@dataclass(frozen=True, slots=True)
class RulesThenLLM(AskingReconciler):
    """Rules, which read a chunk again with verdicts on whom they called ambiguous."""

    stage, schema = "same_actor", SameActor

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        step = self.decided(Decider(self.scene(workspace, local, chunk)))
        aligned = (d for d in step.decisions if isinstance(d, Alignment))
        if all(each.status != "ambiguous" for each in aligned):
            return step
        cases = self._cases(workspace, step, chunk)
        outcome = self.ask(chunk, actors=cases.text)
        offered = {
            each["id"]: {k["id"]: cases.ids[k["id"]] for k in each["candidates"]}
            for each in cases.cards
        }
        ground = ReplyGround(cases.scene, cases.ids, outcome)
        if said := outcome.value(SameActor):
            given = verdicts_of(ground, said.entity_alignment, offered)
            scene = self.scene(workspace, local, chunk)
            step = self.decided(Decider(scene, given)) if given else step
        return replace(step, events=outcome.events)

    def _cases(self, workspace: Workspace, step: Step, chunk: Chunk) -> CardSheet:
        """Ambiguous actors of a step, and who each may be, with what speaks for it."""
        aligned = [d for d in step.decisions if isinstance(d, Alignment)]
        unsure = (d for d in aligned if d.status == "ambiguous")
        # An actor that the chunk itself has put may have another id the next time.
        own = {d.actor: LOCAL + d.new for d in aligned if d.actor not in workspace}
        after = ChunkContext(workspace.apply(step), LocalMap(chunk.id), chunk, self)
        page = CardSheet(after)
        return page.filled((page.case(each, own) for each in unsure), self.budget)

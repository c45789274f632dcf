"""What a model is asked to reply about a chunk and its workspace, and its writing down.

A reply is written in the rules' own moves: who is who, and what is answered. It may
name ids that were shown and words of the chunk; all else is refused, with the path
where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.nouns import Filler, Question, QuestionStatus
from gswlab.gsw.operator.model.grounding import HeldPassage
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL, Bar, MergeVerdict, align_all
from gswlab.gsw.reconciler.model.cards import CardSheet
from gswlab.gsw.reconciler.questions import Attempt, resolution, write
from gswlab.gsw.reconciler.rules import Decider
from gswlab.models.ask_trace import HeardReply

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


_Query: TypeAlias = ResolvedQuery | UnresolvedQuery


class Reconciled(BaseModel):
    """The whole reply of the reconciler: three tasks, three keys."""

    entity_alignment: list[Aligned] = Field(max_length=32)
    resolved_queries: list[ResolvedQuery] = Field(max_length=16)
    unresolved_queries: list[UnresolvedQuery] = Field(max_length=16)


class ReplyGround(HeldPassage):
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
        super().__init__(
            scene, verdicts_of(self.ground, reply.entity_alignment, offered)
        )

    def _name(self, found: Mapping[str, str]) -> None:
        self.ground.ids |= {LOCAL + name: noun_id for name, noun_id in found.items()}

    def align(self, bar: Bar) -> None:
        """Decide every local actor, those with a verdict by that."""
        align_all(self.scene, bar, self.verdicts)
        self._name(self.scene.ids)

    def answer(self, phrases: Mapping[str, str]) -> None:
        """Write down what became of each question shown, the first word on each."""
        self._name(phrases)
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

    def _attempt(self, path: str, it: _Query) -> Attempt | None:
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

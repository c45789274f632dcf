"""The reconciler that asks a model everything, and writes with the rules' own hand.

One ask a chunk: the chunk, its local map and the part of the workspace it meets, for
four tasks and the four keys that a step is published with. Notable:

- verdicts, anchors, states and answers are put where the rules would put theirs, so
  two runs differ in what was decided and never in how a workspace is written;
- an id that was not shown, a day or place that neither text nor workspace has, words
  that the chunk does not say: refused, and listed with their paths;
- whoever has no verdict is decided by exact name, with a failed ask all of them, so
  that nothing the operator read is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Actor, Chunk, LocalMap, Place, Time
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL, Bar, Verdicts, align_all, considered
from gswlab.gsw.reconciler.model import writing
from gswlab.gsw.reconciler.model.asking import (
    Acts,
    AskingReconciler,
    Card,
    Outcome,
    Shown,
    actor_card,
    ask_stage,
    card,
    fitted,
    most,
    open_cards,
)
from gswlab.gsw.reconciler.model.reply import (
    Reconciled,
    ReplyGround,
    by_exact_name,
    verdicts_of,
)
from gswlab.gsw.reconciler.questions import whereabouts
from gswlab.gsw.reconciler.rules import Decider

_CANDIDATES = 5  # for each new actor
_LAST = 16  # times, and places, of the chapter
_ANCHORS: tuple[Literal["time", "place"], ...] = ("time", "place")


@dataclass(frozen=True)
class Excerpt:
    """The two parts of the prompt, and the new actors that they show."""

    local: Shown
    workspace: Shown
    actors: Mapping[str, Actor]

    @classmethod
    def of(cls, scene: ChunkContext, budget: int, questions: bool) -> Excerpt:
        """Of a chunk's scene before anybody is aligned, each part within a budget."""
        likely = {
            new.id: [c.actor for c in considered(scene, new)[:_CANDIDATES]]
            for new in scene.local.actors
        }
        local = fitted(_local(scene, likely), budget, scene)
        workspace = fitted(_workspace(scene, likely, questions), budget, scene)
        own = {each.get("id") for each in local.cards}
        actors = {LOCAL + a.id: a for a in scene.local.actors if LOCAL + a.id in own}
        return cls(local, workspace, actors)

    def offered(self, scene: ChunkContext) -> dict[str, dict[str, str]]:
        """Whom each new actor may be; a date is its value, which the rules compare."""
        actors = {n: i for n, i in self.workspace.ids.items() if i[0] == "a"}
        known = {n: i for n, i in actors.items() if scene.actor(i).kind != "time"}
        return {i: known for i, new in self.actors.items() if new.kind != "time"}


def _local(scene: ChunkContext, likely: dict[str, list[str]]) -> Iterator[Card]:
    for new in scene.local.actors:
        own: Card = {"id": LOCAL + new.id, "may_be": likely[new.id]}
        yield card(**{**actor_card(new), **own})
    for event in scene.local.verb_phrases:
        said = ("not " if event.negated else "") + event.predicate
        fillers = [LOCAL + a.actor if a.actor else a.text for a in event.arguments]
        ends = zip(event.arguments, fillers, strict=True)
        filled = "; ".join(f"{argument.slot}: {filler}" for argument, filler in ends)
        yield card(id=LOCAL + event.id, event=f"{said} ({filled})")
    for link in scene.local.links:
        together = [LOCAL + actor for actor in link.actors]
        said = "when" if link.kind == "time" else "where"
        yield card(together=together, **{said: link.iso or link.value})


def _workspace(
    scene: ChunkContext, likely: dict[str, list[str]], questions: bool
) -> Iterator[Card]:
    acts, where = Acts(scene), whereabouts(scene)
    first = dict.fromkeys(i for found in likely.values() for i in found)
    cast = dict.fromkeys(actor.id for actor in scene.actors()[::-1])

    def actor(actor_id: str) -> Card:
        found = acts.scene.actor(actor_id)
        last: Card = {slot: where.get((slot, actor_id), [""])[-1] for slot in _ANCHORS}
        return card(**{**actor_card(found, acts.of(found)), **last})

    def anchor(found: Time | Place) -> Card:
        coupled = list(dict.fromkeys(scene.coupled(found)))
        if isinstance(found, Time):
            return card(id=found.id, date=found.value, actors=coupled)
        return card(id=found.id, place=found.name, within=found.inside, actors=coupled)

    yield from map(actor, first)
    if questions:
        yield from open_cards(scene.workspace, writing.pending(scene, first))
    for kind in _ANCHORS:
        yield from map(anchor, list(scene.shelf(kind))[-_LAST:])
    yield from (actor(i) for i in cast if i not in first)


class ReplyDecider(Decider):
    """A reply decides; with none, or nothing said, the rules and exact names do."""

    def __init__(
        self,
        scene: ChunkContext,
        excerpt: Excerpt,
        outcome: Outcome[Reconciled],
        questions: bool,
    ) -> None:
        given: Verdicts = {}
        self.reply, self.by, self.questions = outcome.value, outcome.by, questions
        if self.reply:
            offered = excerpt.offered(scene)
            given = verdicts_of(outcome, self.reply.entity_alignment, offered)
        verdicts = {
            new.id: given.get(new.id) or by_exact_name(scene, new, outcome.by)
            for new in scene.local.actors
            if new.kind != "time"
        }
        super().__init__(scene, verdicts)
        self.ground = ReplyGround(scene, excerpt.workspace.ids, outcome.refuse)

    def align(self, bar: Bar) -> None:
        """A verdict on every local actor but dates."""
        align_all(self.scene, bar, self.verdicts)
        self._name(self.scene.ids)

    def _name(self, found: Mapping[str, str]) -> None:
        self.ground.ids |= {LOCAL + name: noun_id for name, noun_id in found.items()}

    def anchor(self, anchors: dict[str, str]) -> None:
        """The operator's groups are coupled; now the reply's."""
        if self.reply:
            updates = self.reply.updated_workspace
            writing.couple_reply(self.ground, updates, anchors, self.by)
            self.scene.same = writing.same_events(self.ground, self.reply)

    def tell(self, phrases: Mapping[str, str]) -> None:
        """What else the reply says is so."""
        self._name(phrases)
        if self.reply:
            writing.tell_reply(self.ground, self.reply.updated_workspace, self.by)
            votes = (*self.scene.local.votes, *self.ground.votes)
            self.scene.local = replace(self.scene.local, votes=votes)

    def answer(self) -> None:
        """What became of each question that was shown."""
        if self.reply and self.questions:
            writing.settle_answers(self.ground, self.reply, self.by)
        else:
            super().answer()


_STAGE = "reconciler"


@dataclass(frozen=True, slots=True)
class LLMReconciler(AskingReconciler):
    """A model that aligns, updates and answers; the rules write it down.

    A prompt shows at most `budget` tokens of the local map, and as many of the
    workspace. With `questions=rules` it is shown no open question: the rules try them.
    Scores decide nothing here; they stand in the reasons, beside the model's.

    >>> from gswlab.models.model import Model
    >>> LLMReconciler(model=Model(model="some-model"), scope="chapter").questions
    'llm'
    """

    questions: bool | Literal["rules", "llm"] = "llm"  # type: ignore[assignment]

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        scene = self.scene(workspace, local, chunk)
        if not local.actors:  # nobody to reconcile: nothing is asked
            return self.decided(Decider(scene))
        excerpt = Excerpt.of(scene, self.budget, self.questions == "llm")
        parts = {"local_map": excerpt.local.text, "workspace": excerpt.workspace.text}
        outcome = ask_stage(self.ahead, _STAGE, Reconciled, chunk, **parts)
        decider = ReplyDecider(scene, excerpt, outcome, self.questions == "llm")
        return replace(self.decided(decider), events=outcome.events)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        return most(self.model, chunks, 2 * self.budget, {_STAGE: Reconciled})

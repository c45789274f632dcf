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
from gswlab.core.nouns import Chunk, LocalMap, Place, Time
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.model.stages import StageOutcome
from gswlab.gsw.reconciler.decide import LOCAL, Bar, align_all, considered
from gswlab.gsw.reconciler.model import writing
from gswlab.gsw.reconciler.model.asking import (
    AskingReconciler,
    Card,
    CardSheet,
    card,
    event_words,
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
_Likely = Mapping[str, Sequence[str]]  # new actors: whom each may be


def _local(page: CardSheet, likely: _Likely) -> Iterator[Card]:
    local = page.scene.local
    for new in local.actors:
        may_be = [*map(page.shown, likely[new.id])]
        yield page.actor(new, LOCAL + new.id, may_be=may_be)
    for event in local.verb_phrases:
        fillers = [LOCAL + a.actor if a.actor else a.text for a in event.arguments]
        ends = zip(event.arguments, fillers, strict=True)
        filled = event_words(event, (f"{a.slot}: {filler}" for a, filler in ends))
        yield card(id=page.shown(LOCAL + event.id), event=filled)
    for link in local.links:
        together = [LOCAL + actor for actor in link.actors]
        said = "when" if link.kind == "time" else "where"
        yield card(together=together, **{said: link.iso or link.value})


def _workspace(page: CardSheet, likely: _Likely, questions: bool) -> Iterator[Card]:
    scene, where = page.scene, whereabouts(page.scene)
    first = dict.fromkeys(i for found in likely.values() for i in found)
    cast = dict.fromkeys(actor.id for actor in scene.actors()[::-1])

    def actor(actor_id: str) -> Card:
        found = scene.actor(actor_id)
        last = {slot: where.get((slot, actor_id), [""])[-1] for slot in _ANCHORS}
        return page.actor(found, told=page.acts(found), **last)

    def anchor(found: Time | Place) -> Card:
        own: Card = {"id": page.shown(found.id)}
        if isinstance(found, Time):
            own["date"] = found.value
        else:
            within = page.shown(found.inside) if found.inside else None
            own |= {"place": found.name, "within": within}
        coupled = dict.fromkeys(map(page.shown, scene.coupled(found)))
        return card(**own, actors=[*coupled])

    yield from map(actor, first)
    if questions:
        yield from page.open(writing.pending(scene, first))
    for kind in _ANCHORS:
        yield from map(anchor, list(scene.shelf(kind))[-_LAST:])
    yield from (actor(i) for i in cast if i not in first)


class ReplyDecider(Decider):
    """A reply decides; with none, or nothing said, the rules and exact names do."""

    def __init__(
        self, local: CardSheet, known: CardSheet, outcome: StageOutcome, answers: bool
    ) -> None:
        scene, self.answers = known.scene, answers
        self.reply = outcome.value(Reconciled)
        self.ground = ReplyGround(scene, known.ids, outcome)
        # a date is its value, which the rules compare
        timeless = [new for new in scene.local.actors if new.kind != "time"]
        told = {each.get("id") for each in local.cards}
        ids = {shown: i for shown, i in known.ids.items() if i[0] == "a"}
        known_as = {s: i for s, i in ids.items() if scene.actor(i).kind != "time"}
        offered = {LOCAL + a.id: known_as for a in timeless if LOCAL + a.id in told}
        said = self.reply.entity_alignment if self.reply else ()
        given = verdicts_of(outcome, said, offered) if self.reply else {}
        verdicts = {
            new.id: given.get(new.id) or by_exact_name(scene, new, outcome.by)
            for new in timeless
        }
        super().__init__(scene, verdicts)

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
            writing.couple_reply(self.ground, updates, anchors)
            self.scene.same = writing.same_events(self.ground, self.reply)

    def tell(self, phrases: Mapping[str, str]) -> None:
        """What else the reply says is so."""
        self._name(phrases)
        if self.reply:
            writing.tell_reply(self.ground, self.reply.updated_workspace)
            votes = (*self.scene.local.votes, *self.ground.votes)
            self.scene.local = replace(self.scene.local, votes=votes)

    def answer(self) -> None:
        """What became of each question that was shown."""
        if self.reply and self.answers:
            writing.settle_answers(self.ground, self.reply)
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
        likely = {
            new.id: [c.actor for c in considered(scene, new)[:_CANDIDATES]]
            for new in scene.local.actors
        }
        answers, new, known = (
            self.questions == "llm",
            CardSheet(scene),
            CardSheet(scene),
        )
        new.filled(_local(new, likely), self.budget)
        known.filled(_workspace(known, likely, answers), self.budget)
        parts = {"local_map": new.text, "workspace": known.text}
        outcome = self.ask(_STAGE, Reconciled, chunk, **parts)
        step = self.decided(ReplyDecider(new, known, outcome, answers))
        return replace(step, events=outcome.events)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        return self.most(chunks, {_STAGE: Reconciled})

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
from dataclasses import dataclass, field, replace
from typing import Literal

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Actor, Chunk, LocalMap, Place, Time, VerbPhrase
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler import episodes
from gswlab.gsw.reconciler.anchors import anchor_all
from gswlab.gsw.reconciler.chunk_context import Scene
from gswlab.gsw.reconciler.decide import LOCAL, Bar, Verdicts, align_all, considered
from gswlab.gsw.reconciler.headings import couple_standing
from gswlab.gsw.reconciler.homonyms import with_parted
from gswlab.gsw.reconciler.model import asking as shown
from gswlab.gsw.reconciler.model.answers import pending, settle
from gswlab.gsw.reconciler.model.asking import (
    Acts,
    Card,
    Outcome,
    Shown,
    ask,
    card,
    most,
)
from gswlab.gsw.reconciler.model.reply import (
    Ground,
    Reconciled,
    by_exact_name,
    verdicts_of,
)
from gswlab.gsw.reconciler.model.updates import Told
from gswlab.gsw.reconciler.occurrences import put_all
from gswlab.gsw.reconciler.questions import put_questions, retry, whereabouts
from gswlab.gsw.reconciler.relations import put_relations, with_stated
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.gsw.reconciler.standing import retry_standing
from gswlab.gsw.reconciler.states import append_all
from gswlab.models.model import Model

# What the reconciler is shown: the chunk's local map, and the workspace it meets.

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
    def of(cls, scene: Scene, budget: int, questions: bool) -> Excerpt:
        """Of a chunk's scene before anybody is aligned, each part within a budget."""
        likely = {new.id: _candidates(scene, new) for new in scene.local.actors}
        local = shown.fitting(_local(scene, likely), budget)
        workspace = shown.fitting(_workspace(scene, likely, questions), budget)
        own = {each.get("id") for each in local.cards}
        actors = {LOCAL + a.id: a for a in scene.local.actors if LOCAL + a.id in own}
        return cls(local, workspace, actors)

    @property
    def ids(self) -> dict[str, str]:
        """The workspace's nouns that a reply may name."""
        return {i: i for each in self.workspace.cards for i in shown.ids(each)}

    def offered(self, scene: Scene) -> dict[str, tuple[str, ...]]:
        """Whom each new actor may be; a date is its value, which the rules compare."""
        cast = (scene.actor(i) for i in self.ids if i[0] == "a")
        known = tuple(old.id for old in cast if old.kind != "time")
        return {i: known for i, new in self.actors.items() if new.kind != "time"}


def _candidates(scene: Scene, new: Actor) -> list[str]:
    return [c.actor for c in considered(scene, new)[:_CANDIDATES]]


def _local(scene: Scene, likely: dict[str, list[str]]) -> Iterator[Card]:
    for new in scene.local.actors:
        own: Card = {"id": LOCAL + new.id, "may_be": likely[new.id]}
        yield card(**{**shown.actor(new), **own})
    for event in scene.local.verb_phrases:
        yield card(id=LOCAL + event.id, event=_slots(event))
    for link in scene.local.links:
        together = [LOCAL + actor for actor in link.actors]
        said = "when" if link.kind == "time" else "where"
        yield card(together=together, **{said: link.iso or link.value})


def _slots(event: VerbPhrase) -> str:
    filled = (
        f"{a.slot}: {LOCAL + a.actor if a.actor else a.text}" for a in event.arguments
    )
    said = ("not " if event.negated else "") + event.predicate
    return f"{said} ({'; '.join(filled)})"


def _workspace(
    scene: Scene, likely: dict[str, list[str]], questions: bool
) -> Iterator[Card]:
    acts, where = Acts(scene), whereabouts(scene)
    first = dict.fromkeys(i for found in likely.values() for i in found)
    cast = dict.fromkeys(actor.id for actor in scene.actors()[::-1])
    yield from (_actor(acts, i, where) for i in first)
    if questions:
        yield from shown.asked(scene.workspace, pending(scene, first))
    for kind in _ANCHORS:
        yield from (_anchor(scene, a) for a in list(scene.shelf(kind))[-_LAST:])
    yield from (_actor(acts, i, where) for i in cast if i not in first)


def _actor(
    acts: Acts, actor_id: str, where: Mapping[tuple[str, str], list[str]]
) -> Card:
    found = acts.scene.actor(actor_id)
    last: Card = {slot: where.get((slot, actor_id), [""])[-1] for slot in _ANCHORS}
    return card(**{**shown.actor(found, acts.of(found)), **last})


def _anchor(scene: Scene, found: Time | Place) -> Card:
    actors = list(dict.fromkeys(scene.coupled(found)))
    if isinstance(found, Time):
        return card(id=found.id, date=found.value, actors=actors)
    return card(id=found.id, place=found.name, within=found.inside, actors=actors)


STAGE = "reconciler"


@dataclass(frozen=True, slots=True)
class LLMReconciler(RulesReconciler):
    """A model that aligns, updates and answers; the rules write it down.

    A prompt shows at most `budget` tokens of the local map, and as many of the
    workspace. With `questions=rules` it is shown no open question: the rules try them.
    Scores decide nothing here; they stand in the reasons, beside the model's.

    >>> LLMReconciler(model=Model(model="some-model"), scope="chapter").questions
    'llm'
    """

    questions: bool | Literal["rules", "llm"] = "llm"  # type: ignore[assignment]
    model: Model = field(kw_only=True)
    budget: int = 2000

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        local = with_stated(with_parted(local, chunk), chunk)
        scene = Scene(workspace, local, chunk, self.scope, self.window)
        if not local.actors:  # nobody to reconcile: nothing is asked
            return self.ruled(workspace, local, chunk)
        # 1. Who is who: a verdict on every local actor.
        excerpt = Excerpt.of(scene, self.budget, self.questions == "llm")
        outcome = self._asked(excerpt, chunk)
        bar = Bar(self.threshold, self.near, self.lead)
        align_all(scene, bar, _verdicts(scene, excerpt, outcome))
        own = {LOCAL + name: found for name, found in scene.ids.items()}
        ground = Ground(scene, excerpt.ids | own, outcome.refused)
        reply = outcome.value
        told = Told(ground, reply.updated_workspace, outcome.by) if reply else None
        # 2. When and where: the operator's groups, then the reply's.
        anchors = anchor_all(scene, self.propagation)
        if told and self.propagation:
            told.anchor(anchors)
        # 3. What happened.
        phrases = put_all(scene, anchors)
        put_relations(scene, phrases)
        ground.ids |= {LOCAL + name: found for name, found in phrases.items()}
        # 4. What holds since.
        append_all(scene, [(phrases[v.id], v) for v in local.verb_phrases])
        if told:
            told.tell()
        if self.propagation:
            couple_standing(scene, anchors)
        # 5. What is still open.
        if self.questions:
            put_questions(scene, phrases)
        if reply and self.questions == "llm":
            settle(ground, reply, outcome.by)
        elif self.questions:
            retry(scene)
        # 6. What it is all about, and what users wait for.
        episodes.observe(scene.draft, local, chunk, scene.ids, self.propagation)
        scene.decisions += retry_standing(scene.draft, workspace, chunk.id)
        return replace(scene.step(), events=outcome.events)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        return most(self.model, chunks, 2 * self.budget, {STAGE: Reconciled})

    def _asked(self, excerpt: Excerpt, chunk: Chunk) -> Outcome[Reconciled]:
        parts = {"local_map": excerpt.local.text, "workspace": excerpt.workspace.text}
        return ask(self.model, STAGE, Reconciled, chunk, **parts)


def _verdicts(scene: Scene, excerpt: Excerpt, outcome: Outcome[Reconciled]) -> Verdicts:
    """A verdict on every actor but dates: the reply's, else the exact name's."""
    given: Verdicts = {}
    if reply := outcome.value:
        offered = excerpt.offered(scene)
        given = verdicts_of(outcome, reply.entity_alignment, offered)
    return {
        new.id: given.get(new.id) or by_exact_name(scene, new, outcome.by)
        for new in scene.local.actors
        if new.kind != "time"
    }

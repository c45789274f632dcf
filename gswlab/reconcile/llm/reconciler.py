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

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.models.model import Model
from gswlab.reconcile import episodes
from gswlab.reconcile.anchors import anchor_all
from gswlab.reconcile.datelines import couple_standing
from gswlab.reconcile.decide import Bar, align_all
from gswlab.reconcile.homonyms import with_parted
from gswlab.reconcile.llm.asking import Outcome, ask, most
from gswlab.reconcile.llm.excerpt import Excerpt
from gswlab.reconcile.llm.ground import Ground
from gswlab.reconcile.llm.queries import settle
from gswlab.reconcile.llm.reply import Reconciled
from gswlab.reconcile.llm.updates import Told
from gswlab.reconcile.llm.verdicts import by_exact_name, verdicts_of
from gswlab.reconcile.occurrences import put_all
from gswlab.reconcile.questions import put_questions, retry
from gswlab.reconcile.relations import put_relations
from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.standing import retry_standing
from gswlab.reconcile.stated import with_stated
from gswlab.reconcile.states import append_all
from gswlab.reconcile.verdict import LOCAL, Verdicts

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

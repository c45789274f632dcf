"""Reconciliation by rules: what one chunk changes in a workspace, and why.

The loop below is all of it, numbered; a model's reconciler runs it with a decider of
its own. What a reconciler knows is in the workspace: a journal can be resumed, rewound
or forked at any chunk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, LocalMap
from gswlab.core.step import Step
from gswlab.core.workspace import Draft, Workspace
from gswlab.gsw.reconciler import episodes, questions
from gswlab.gsw.reconciler.actors import best_kind, has_form
from gswlab.gsw.reconciler.anchors import anchor_all, couple_standing
from gswlab.gsw.reconciler.chunk_context import ChunkContext, RulesSettings
from gswlab.gsw.reconciler.decide import MergeVerdict, align_all
from gswlab.gsw.reconciler.homonyms import told_of_names
from gswlab.gsw.reconciler.occurrences import append_all, put_all
from gswlab.models.vectors.embedder import Embedder


@dataclass
class Decider:
    """Who decides inside the loop: the rules, but for `verdicts` by local id."""

    scene: ChunkContext
    verdicts: Mapping[str, MergeVerdict] = field(default_factory=dict)

    def align(self) -> None:
        """Decide who is who."""
        align_all(self.scene, self.verdicts)

    def answer(self, phrases: Mapping[str, str]) -> None:
        """Try the chapter's open questions; `phrases` are the chunk's, by local id."""
        questions.retry(self.scene)


@dataclass(frozen=True, slots=True)
class RulesReconciler(RulesSettings):
    """Rules that align, couple and bind; no model, no hidden state.

    An `embedder` helps to tell the kind of event of an episode that never names it.
    """

    embedder: Embedder | None = None

    def __post_init__(self) -> None:
        if self.scope not in ("chapter", "global"):
            command = "python -m gswlab run reconciler.scope=chapter"
            problem = f"reconciler.scope is {self.scope!r}"
            raise GswlabError(problem, "chapter or global", command)

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What `local`, read off `chunk`, changes in `workspace`."""
        return self.decided(Decider(self.scene(workspace, local, chunk)))

    def scene(
        self, workspace: Workspace, local: LocalMap, chunk: Chunk
    ) -> ChunkContext:
        """A chunk before anything of it is written, with what its words state."""
        return ChunkContext(workspace, told_of_names(local, chunk), chunk, self)

    def decided(self, decider: Decider) -> Step:
        """The step of a chunk's scene, as the decider says."""
        scene = decider.scene
        # 1. Who is who: every local actor is merged, new or ambiguous.
        decider.align()
        # 2. When and where: groups are coupled to shared anchors.
        anchors = anchor_all(scene)
        # 3. What happened: verb phrases enrich the occurrences they are.
        phrases = put_all(scene, anchors)
        # 4. What holds since: states are appended, and what they contradict is said.
        append_all(scene, phrases)
        if self.propagation:
            couple_standing(scene, anchors)
        # 5. What is still open: new questions, and the chapter's old ones again.
        if self.questions:
            questions.put_questions(scene, phrases)
            decider.answer(phrases)
        # 6. What it is all about: the chunk's votes bind its episode.
        episodes.observe(scene)
        # 7. What users wait for: standing questions see the episode as it is now.
        scene.decisions += questions.retry_standing(scene.draft, scene.chunk.id)
        changes, told = scene.draft.taken(), tuple(scene.decisions)
        return Step(scene.draft.before.version, scene.chunk.id, changes, told)

    def finish(self, workspace: Workspace) -> Step:
        """The step of the end of input; without changes when called again."""
        draft = Draft(workspace)
        # One clause may mistake a person for a place; all who bear a name rarely do.
        who = (a for a in workspace.actors if a.kind != "time" and has_form(a, "name"))
        for actor in who:
            if len(bearers := workspace.called(actor.name)) > 1:
                votes = tuple(vote for bearer in bearers for vote in bearer.votes)
                draft.set(actor.id, "kind", best_kind(votes, actor.kind))
        episodes.settle(draft, self.embedder, self.propagation)
        told = tuple(questions.retry_standing(draft, None))
        return Step(workspace.version, None, draft.taken(), told, note="finish")

    def register(self, workspace: Workspace, text: str) -> Step:
        """The step that puts a standing question, which every later step retries."""
        return questions.register(workspace, text)

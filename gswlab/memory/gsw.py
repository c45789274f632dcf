"""GSW: the generative semantic workspace as a memory (arXiv 2511.07587).

- reading is `operator.extract`, then `reconciler.reconcile`; nothing else changes a
  workspace;
- recalling parses the question against the workspace: the episodes that fit its cues
  become items, or what happened to the actors it names when it asks for a plain fact;
- nothing that fits is empty evidence, so that a reader can abstain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from gswlab.embed import Embedder, VectorIndex
from gswlab.errors import GswlabError
from gswlab.memory.actors import ActorIndex, tellings
from gswlab.memory.budget import fitting, retrieved
from gswlab.memory.forms import Form, Past, described, given_up, of_past, told_in
from gswlab.protocols import Operator, Preparing, Reconciler
from gswlab.question.names import Match, Names
from gswlab.question.parse import parse_question, plain_verbs
from gswlab.question.told import Tellings, told
from gswlab.reconcile.kinds import Competition
from gswlab.text import Document
from gswlab.workspace.cues import (
    Cue,
    EpisodeIndex,
    Order,
    answer_cue,
    arrange,
    text_order,
)
from gswlab.workspace.nouns import JSON, Chunk, Episode, Evidence, Item
from gswlab.workspace.step import Step
from gswlab.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class View:
    """What recall looks things up in: built once per version of a workspace."""

    workspace: Workspace
    episodes: EpisodeIndex
    names: Names
    actors: ActorIndex
    kinds: Competition
    tellings: Tellings
    chunks: Mapping[str, Chunk] = field(default_factory=dict)

    def recognised(self, cue: Cue) -> frozenset[str]:
        """The episodes that fit the kind a question asks for, whatever they call it."""
        if cue.content is None:
            return frozenset()
        told = frozenset(e.id for e in self.episodes.episodes if e.terms)
        return told.intersection(self.kinds.won_by(cue.content)) if told else told


@dataclass
class GSW:
    """The workspace memory: read with `partial_fit`, asked with `recall`.

    Start one from a stored workspace to resume, fork or ask a run. `match` says how
    names of a question find actors; `rank` orders the episodes that fit: as asked, by
    `similarity` to the question, or not at all (`none`); `fallback` says what is handed
    over when a question's cues fit none: `none`, or `summaries` of the actors it names.
    `evidence` is the form of what is handed over (`gswlab.memory.forms`), `steps` says
    whether beliefs given up since (`all`) are looked up; both may need the `past`.

        memory = GSW(SpacyOperator(), RulesReconciler())
        for chunk in chunks(document): memory.partial_fit(chunk)
        memory.finish()
        evidence = memory.recall("When was Ann Ray at the mill?", budget=1000)
    """

    operator: Operator
    reconciler: Reconciler
    workspace: Workspace = field(default_factory=Workspace)
    match: Match = "exact"
    rank: Literal["cue", "similarity", "none"] = "cue"
    fallback: Literal["none", "summaries"] = "none"
    evidence: Form = "episodes"
    steps: Literal["last", "all"] = "last"
    readings: float = 0.5
    embedder: Embedder | None = None
    past: Past | None = field(default=None, repr=False)
    _view: View | None = field(default=None, repr=False)
    _of: Workspace | None = field(default=None, repr=False)
    _ended: int | None = field(default=None, init=False, repr=False)

    def partial_fit(self, chunk: Chunk) -> Step:
        """What one more chunk changes; the workspace has changed when this returns."""
        local = self.operator.extract(chunk, self.workspace)
        step = self.reconciler.reconcile(self.workspace, local, chunk)
        step = replace(step, events=(*local.events, *step.events))
        self.workspace = self.workspace.apply(step)
        return step

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Tell an operator that asks a model which chunks of what will be next."""
        if isinstance(self.operator, Preparing):
            self.operator.prepare(document, chunks)

    def finish(self) -> Step:
        """The step of the end of input; without changes it leaves the version alone."""
        step = self.reconciler.finish(self.workspace)
        if step.changes or step.decisions or step.events:
            self.workspace = self.workspace.apply(step)
        self._ended = self.workspace.version
        return step

    def clone(self) -> GSW:
        """The same settings, nothing read."""
        new = replace(self, workspace=Workspace(), past=None)
        new._view = new._of = new._ended = None
        return new

    def recall(self, question: str, budget: int) -> Evidence:
        """Evidence for `question` within `budget` tokens; empty when nothing fits."""
        view = self.view()
        cue = parse_question(question, view.names)
        forms = self._forms(question, cue, view)
        return retrieved(fitting(forms, budget), _data(cue))

    def view(self) -> View:
        """The look-ups of the workspace as it stands, the end of input settled.

        Asking in the middle of a book settles a copy: the run itself is not touched.
        """
        if self._view is None or self._of is not self.workspace:
            self._of = self.workspace
            settled = self.workspace
            if self._ended != settled.version:
                settled = settled.apply(self.reconciler.finish(settled))
            index = EpisodeIndex.of(settled, self.readings)
            if self.steps == "all":
                earlier = given_up(of_past(self.past, "steps=all"), settled)
                index = EpisodeIndex.of((*index.episodes, *earlier), self.readings)
            form, own = self.evidence, self.evidence == "episodes"
            chunks = () if own else of_past(self.past, f"evidence={form}").chunks()
            self._view = View(
                settled,
                index,
                Names.of(settled, self.match),
                ActorIndex(settled, self.match, self.embedder),
                Competition(settled.episodes, self.embedder),
                Tellings(settled),
                {chunk.id: chunk for chunk in chunks},
            )
        return self._view

    def _forms(self, question: str, cue: Cue, view: View) -> list[Sequence[Item]]:
        """Items from the fullest to the shortest form, or none."""
        episodes = answer_cue(view.episodes, cue, view.recognised(cue))
        if fits := told(view.tellings, question, cue, bool(episodes)):
            return [tellings(view.workspace, fits)]
        verbs = plain_verbs(question, cue)
        actors = view.actors.find(question, cue) if verbs is not None else ()
        facts = view.actors.occurrences(actors, verbs or ())
        if facts and (verbs or not episodes):
            said = {item.text for item in facts}
            more = view.actors.summaries(actors)
            return [[*facts, *(item for item in more if item.text not in said)], facts]
        if episodes:
            return self._episodes(question, cue, episodes, view)
        if cue.fields and verbs is None and self.fallback == "none":
            return []
        return [view.actors.summaries(actors or view.actors.find(question, cue))]

    def _episodes(
        self, question: str, cue: Cue, episodes: tuple[Episode, ...], view: View
    ) -> list[Sequence[Item]]:
        """Episodes described, or only their cues and what is asked when many fit."""
        if self.rank == "none":
            ordered = tuple(sorted(episodes, key=text_order))
        else:
            whole: Order = "all" if cue.order == "all" else "chronological"
            ordered = arrange(episodes, whole)  # a budget cuts off what comes last
            ordered = ordered[::-1] if cue.order == "latest" else ordered
        if self.evidence != "episodes":
            items = told_in(self.evidence, view.actors, ordered, view.chunks)
            forms: Sequence[Sequence[Item]] = [items]
        else:
            forms = described(ordered, cue)
        return [self._ranked(question, form) for form in forms]

    def _ranked(self, question: str, items: Sequence[Item]) -> Sequence[Item]:
        if self.rank != "similarity":
            return items
        if self.embedder is None:
            raise GswlabError(
                "rank=similarity has no embedder",
                "ranking by meaning needs one",
                "memory.rank=cue",
            )
        near = VectorIndex.of([item.text for item in items], self.embedder)
        ranked = near.nearest(question, len(items))
        return [replace(items[row], score=score) for row, score in ranked]


def _data(cue: Cue) -> dict[str, JSON]:
    named: dict[str, JSON] = {name: getattr(cue, name) for name in cue.fields}
    return {**named, "asked": cue.asked, "order": cue.order}

"""What of a workspace a question gets, in which form and order.

The re-rank (cosine of question and summary) and the limit on chapters (17 there) are
those of arXiv 2511.07587.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Episode, Item
from gswlab.memory.actors import tellings
from gswlab.memory.forms import described, told_in
from gswlab.memory.view import View
from gswlab.models.vectors.nearest import VectorIndex
from gswlab.qa.cue import Cue, Order, answer_cue, text_order
from gswlab.qa.question.asked_for import arrange
from gswlab.qa.question.occurrences import told
from gswlab.qa.question.parse import plain_verbs

if TYPE_CHECKING:
    from gswlab.memory.gsw import GSW


@dataclass(frozen=True, slots=True)
class Selection:
    """A question to one view of a workspace, under the settings of its memory."""

    memory: GSW
    view: View
    question: str
    cue: Cue

    def forms(self) -> Iterator[Sequence[Item]]:
        """Items from the fullest to the shortest form, or none."""
        return (self._within(form) for form in self._forms())

    def _forms(self) -> Iterable[Sequence[Item]]:
        view, question, cue = self.view, self.question, self.cue
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
            undone = verbs is not None and len(verbs) == 1  # nobody arrested her
            return [] if undone else self._episodes(episodes)
        if cue.fields and verbs is None and self.memory.fallback == "none":
            return []
        known = actors or view.actors.find(question, cue)
        return [self.ranked(view.actors.summaries(known))]

    def _episodes(self, episodes: tuple[Episode, ...]) -> Iterator[Sequence[Item]]:
        """Episodes described, or only their cues and what is asked when many fit."""
        view, cue = self.view, self.cue
        if self.memory.rank == "none":
            ordered = tuple(sorted(episodes, key=text_order))
        else:
            whole: Order = "all" if cue.order == "all" else "chronological"
            ordered = arrange(episodes, whole)  # a budget cuts off what comes last
            ordered = ordered[::-1] if cue.order == "latest" else ordered
        if self.memory.evidence != "episodes":
            items = told_in(self.memory.evidence, view.actors, ordered, view.chunks)
            forms: Iterable[Sequence[Item]] = [items]
        else:
            forms = described(ordered, cue)
        return (self.ranked(form) for form in forms)

    def ranked(self, items: Sequence[Item]) -> Sequence[Item]:
        """Items as they are, or the nearest to the question first."""
        if self.memory.rank != "similarity":
            return items
        if self.memory.embedder is None:
            raise GswlabError(
                "rank=similarity has no embedder",
                "ranking by meaning needs one",
                "memory.rank=cue",
            )
        near = VectorIndex.of([item.text for item in items], self.memory.embedder)
        ranked = near.nearest(self.question, len(items))
        return [replace(items[row], score=score) for row, score in ranked]

    def _within(self, items: Sequence[Item]) -> Sequence[Item]:
        """The items of the first so many chapters, and those of none."""
        found = dict.fromkeys(i.chapter for i in items if i.chapter is not None)
        kept = {None, *list(found)[: self.memory.chapters]}
        return [item for item in items if item.chapter in kept]

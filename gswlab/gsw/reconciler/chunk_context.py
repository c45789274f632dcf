"""The part of a workspace one chunk may look at, and the step it is writing.

It is made anew for every chunk from the workspace alone, so a journal can be taken up
at any chunk. It looks at the last nouns of the chapter and at the index of names, never
at the whole book: what a chunk costs does not grow with what was read before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from immutables import Map

from gswlab.core import nouns
from gswlab.core.nouns import Actor, Chunk, LocalMap, Span
from gswlab.core.step import Decision, NounKind
from gswlab.core.workspace import PREFIX, Draft, Workspace, id_order, name_tokens

Scope = Literal["chapter", "global"]
_QUESTIONS = 2  # questions looked at, for each other noun: a verb phrase has several
_COUPLED = 32  # of an anchor's last actors, and of the last anchors
_COMMON = 64  # a token that more actors share ("the", "street") names none of them


@dataclass(frozen=True, slots=True)
class RulesSettings:
    """How rules reconcile.

    `scope` says how far an actor is looked for: its chapter, or all that was read.
    A merge needs a score of `threshold`, and `lead` over the runner-up; a score that
    misses it by less than `near` is ambiguous. `merge_bias`, a feature of every score,
    is the dial between merging too much and too little. `window` bounds how many of a
    chapter's last nouns of a kind are looked at. Without `propagation` nobody is
    coupled to a shared anchor, and an episode has a day or place only from a chunk that
    mentions its protagonist; without `questions` none but a standing one is tried.
    """

    scope: Scope = "global"
    threshold: float = 0.6
    near: float = 0.2
    lead: float = 0.05
    window: int = 240
    merge_bias: float = 0.0
    propagation: bool = True
    questions: bool = True


class ChunkContext:
    """A chunk's view of `workspace` and its draft of a step.

    `ids` maps the chunk's local ids to the workspace's, as far as they are aligned;
    `cast` holds the ids of the chapter's actors, `known` those from before the chunk;
    `told` those of the verb phrases the chunk put or enriched. Of what was told before,
    `agents` counts who acts, and `acted` did last.
    """

    def __init__(
        self, workspace: Workspace, local: LocalMap, chunk: Chunk, rules: RulesSettings
    ) -> None:
        self.draft, self.rules = Draft(workspace), rules
        self.local, self.chunk = local, chunk
        self.by_hand = {said.new: said for said in local.by_hand}
        self.ids: dict[str, str] = {}
        self.decisions: list[Decision] = []
        self.told: dict[str, None] = {}
        self.cast: dict[str, None] = {}
        self.agents: Counter[str] = Counter()
        self.acted = ""
        # A global actor is shelved in its first chapter only; later ones know it by
        # what it does, where it is and what their episode says of it.
        for anchors in (self.shelf("time"), self.shelf("place")):
            for anchor in list(anchors)[-_COUPLED:]:
                self.cast |= dict.fromkeys(self.coupled(anchor))
        for verb_phrase in self.shelf("verb_phrase"):
            self.use(verb_phrase)
        for episode in list(self.shelf("episode"))[-1:]:
            votes = episode.votes[-self.rules.window :]
            named = (v.candidate for v in votes if v.field == "participant")
            ids = map(self.workspace.resolve, named)
            self.cast |= dict.fromkeys(i for i in ids if i in self.workspace)
        self.cast |= dict.fromkeys(actor.id for actor in self.shelf("actor"))
        self.known = frozenset(self.cast)

    @property
    def workspace(self) -> Workspace:
        """The workspace with all that the draft has changed so far."""
        return self.draft.workspace

    @property
    def chapter(self) -> int:
        """The chapter of questions and relations: 0 in a text without chapters."""
        return self.chunk.chapter or 0

    def shelf(self, kind: NounKind) -> Iterator[Any]:
        """The chapter's last nouns of a kind, in order of arrival."""
        own = self.chapter if kind in ("question", "relation") else self.chunk.chapter
        ids = self.workspace.shelves.get((kind, own), Map())
        size = self.rules.window * (_QUESTIONS if kind == "question" else 1)
        if len(ids) <= 4 * size:
            last = sorted(ids, key=id_order)[-size:]
        else:  # a book without chapters: from the newest down; the rest is not read
            prefix = PREFIX[kind]
            numbers = range(self.workspace.counts.get(prefix, 0), 0, -1)
            found = (i for n in numbers if (i := f"{prefix}{n}") in ids)
            last = list(islice(found, size))[::-1]
        for noun in map(self.workspace.nouns.__getitem__, last):
            if _document(noun) in (None, self.chunk.document):
                yield noun

    def actor(self, actor_id: str) -> Actor:
        """The actor an id lives on as."""
        found: Actor = self.workspace.get(actor_id)
        return found

    def actors(self) -> list[Actor]:
        """The cast, merged actors once."""
        ids = dict.fromkeys(self.workspace.resolve(i) for i in self.cast)
        return [self.actor(i) for i in ids if i in self.workspace]

    def coupled(self, anchor: nouns.Time | nouns.Place) -> list[str]:
        """The actors last coupled to an anchor, by the ids they live on under."""
        return list(map(self.workspace.resolve, anchor.actors[-_COUPLED:]))

    def namesakes(self, name: str) -> list[Actor]:
        """Actors of the scope, outside the cast too, that share a telling token."""
        if self.rules.scope == "chapter":
            return []
        names = self.workspace.shelves
        lists = [names.get(t, Map()) for t in sorted(set(name_tokens(name)))]
        ids: set[str] = set()
        if len(lists) > 1:
            ids.update(i for i in min(lists, key=len) if all(i in x for x in lists))
        ids.update(*(found for found in lists if len(found) <= _COMMON))
        return [self.actor(i) for i in sorted(ids, key=id_order)]

    def preceding(self, span: Span, size: int = 8) -> str:
        """The characters of the chunk just before a span."""
        at = span.start - self.chunk.span.start
        return self.chunk.text[max(0, at - size) : max(0, at)]

    def tie(
        self, source: str, target: str, kind: str, reason: str, spans: tuple[Span, ...]
    ) -> str:
        """Put a relation of the chapter; returns its id."""
        tie_id, said = self.draft.new_id("relation"), (kind, reason, spans)
        tie = nouns.Relation(tie_id, source, target, *said, self.chunk.id, self.chapter)
        self.draft.put("relation", tie)
        return tie_id

    def use(self, verb_phrase: nouns.VerbPhrase) -> None:
        """Count who acts in a verb phrase: the chapter's salience."""
        for argument in verb_phrase.arguments:
            if argument.actor is not None:
                actor = self.workspace.resolve(argument.actor)
                self.cast.setdefault(actor)
                if argument.slot == "agent":
                    self.agents[actor] += 1
                    self.acted = actor


def _document(noun: Any) -> str | None:
    """The document a noun was first read in, as far as its spans say."""
    if isinstance(noun, nouns.Episode):
        return noun.document
    if isinstance(noun, Actor):
        spans = [mention.span for mention in noun.mentions[:1]]
    elif isinstance(noun, nouns.Time | nouns.Place):
        spans = [span for reading in noun.readings[:1] for span in reading.spans]
    else:
        spans = noun.spans
    return spans[0].document if spans else None

"""The actors a question names, and what is known of them.

Built once per version of a workspace: names by their folded words, verb phrases by
actor. Names match exactly (aliases and unique first or last names included), or by
meaning (`embedding`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Actor, Chunk, Item
from gswlab.core.workspace import Workspace, id_order
from gswlab.gsw.recall.summaries import paragraph
from gswlab.gsw.recall.verbalise import (
    Known,
    Sentence,
    known_of,
    retold,
    summarise,
)
from gswlab.gsw.reconciler.episodes import is_named
from gswlab.gsw.reconciler.event_types import Competition
from gswlab.language.keys import key_words, name_key
from gswlab.models.vectors.embedder import Embedder
from gswlab.models.vectors.nearest import VectorIndex
from gswlab.qa.cue import Cue, EpisodeIndex
from gswlab.qa.passages import NearestSentences
from gswlab.qa.question.names import Names
from gswlab.qa.question.occurrences import Tellings
from gswlab.qa.question.wh_question import Fit

Match = Literal["exact", "embedding"]
_NEAR = 0.45


@dataclass
class ActorIndex:
    """Actors of one version of a workspace by name, and the verb phrases they fill."""

    workspace: Workspace
    match: Match = "exact"
    embedder: Embedder | None = None
    names: dict[tuple[str, ...], set[str]] = field(default_factory=dict, repr=False)
    longest: int = 1

    def __post_init__(self) -> None:
        for actor in self.workspace.actors:
            for key in map(name_key, (actor.name, *actor.aliases)):
                halves = actor.kind == "person" and len(key) > 1
                for name in (key, key[:1], key[-1:])[: 3 if halves else 1]:
                    if name:
                        self.names.setdefault(name, set()).add(actor.id)
                        self.longest = max(self.longest, len(name))

    @cached_property
    def _known(self) -> dict[str, list[Known]]:
        return known_of(self.workspace)

    @cached_property
    def _vectors(self) -> VectorIndex:
        if self.embedder is None:
            problem = "match=embedding has no embedder"
            rule = "matching names by meaning needs one"
            raise GswlabError(problem, rule, "embedder=minilm")
        return VectorIndex.of([a.name for a in self.workspace.actors], self.embedder)

    def find(self, question: str, cue: Cue) -> tuple[Actor, ...]:
        """Actors that `question` names, as `match` allows.

        What the cue takes for a name counts as a whole: "Karl Fenn" is not Karl Weiss.
        """
        wholes = [name for name in (cue.protagonist, cue.content) if name]
        called = (self.names.get(name_key(name), ()) for name in wholes)
        ids = [i for found in called for i in sorted(found, key=id_order)]
        ids = ids if wholes else self._named(question)
        if not ids and self.match == "embedding":
            near = self._vectors.nearest(question, 3)
            actors = self.workspace.actors
            ids = [actors[row].id for row, score in near if score >= _NEAR]
        return tuple(self.workspace.get(actor_id) for actor_id in dict.fromkeys(ids))

    def _named(self, question: str) -> list[str]:
        tokens = [word.text for word in key_words(question)]
        taken: set[int] = set()
        found: list[str] = []
        for size in range(min(self.longest, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                place = range(start, start + size)
                ids = self.names.get(tuple(tokens[start : start + size]))
                if ids and taken.isdisjoint(place):
                    taken.update(place)
                    found += sorted(ids, key=id_order)
        return found

    def summary(self, actor: Actor) -> tuple[Sentence, ...]:
        """What is known of one actor."""
        return summarise(self.workspace, actor, self._known.get(actor.id, ()))

    def summaries(self, actors: Iterable[Actor]) -> tuple[Item, ...]:
        """One paragraph an actor, most mentioned first; none for whom nothing is."""
        ranked = sorted(actors, key=lambda actor: -len(actor.mentions))
        return tuple(
            paragraph(actor, said, actor.chapter, float(-place))
            for place, actor in enumerate(ranked)
            if (said := self.summary(actor))
        )


def tellings(workspace: Workspace, fits: Iterable[Fit]) -> tuple[Item, ...]:
    """One sentence an occurrence, and the occurrence behind it."""
    items: dict[object, Item] = {}
    for fit in fits:
        one, said = fit.occurrence, retold(workspace, fit.occurrence)
        spans = tuple(dict.fromkeys((*one.spans, *said.spans)))
        item = Item(said.text, spans, one.chapter, fit.score, told=one)
        items.setdefault((said.text, one.predicate == "know" and one.slots), item)
    return tuple(items.values())


# What recall looks things up in: built once per version of a workspace.


@dataclass(frozen=True, slots=True)
class View:
    """The look-ups of one workspace, its end of input settled."""

    workspace: Workspace
    episodes: EpisodeIndex
    names: Names
    actors: ActorIndex
    kinds: Competition
    tellings: Tellings
    nearest: NearestSentences
    chunks: Mapping[str, Chunk] = field(default_factory=dict)

    def recognised(self, cue: Cue) -> frozenset[str]:
        """The episodes that fit the kind a question asks for, whatever they call it."""
        if cue.content is None or not any(e.terms for e in self.episodes.episodes):
            return frozenset()
        return frozenset(self.kinds.won_by(cue.content))

    @property
    def places(self) -> tuple[str, ...]:
        """The names of all places; no common noun is one."""
        named = (p.name for p in self.workspace.places if p.name and not p.actor)
        actors = (a for a in self.workspace.actors if a.kind == "place")
        return tuple(dict.fromkeys([*named, *(a.name for a in actors if is_named(a))]))

"""What recall looks things up in: built once per version of a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gswlab.core.nouns import Chunk
from gswlab.core.workspace import Workspace
from gswlab.memory.actors import ActorIndex
from gswlab.qa.cue import Cue, EpisodeIndex
from gswlab.qa.question.names import Names
from gswlab.qa.question.occurrences import Tellings
from gswlab.reconcile.kinds import Competition


@dataclass(frozen=True, slots=True)
class View:
    """The look-ups of one workspace, its end of input settled."""

    workspace: Workspace
    episodes: EpisodeIndex
    names: Names
    actors: ActorIndex
    kinds: Competition
    tellings: Tellings
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
        actors = (
            actor.name
            for actor in self.workspace.actors
            if actor.kind == "place"
            and any(m.form in ("name", "short") for m in actor.mentions)
        )
        return tuple(dict.fromkeys([*named, *actors]))

"""A gold excerpt read by a memory, and whom each of its mentions means in the gold.

The path is a run's: chunks, `partial_fit`, `finish`; local maps are kept on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from gswlab.bench.gold.alike import overlap, same_span
from gswlab.bench.gold.counts import pairs
from gswlab.bench.gold.excerpt import Excerpt
from gswlab.bench.gold.markup import Mark
from gswlab.core.document import Document
from gswlab.core.nouns import Actor, Chunk, LocalMap, Mention, Span
from gswlab.core.protocols import Operator
from gswlab.core.step import Conflict, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

PRONOUNS = frozenset({"pronoun", "narrator"})


@dataclass
class Recorder:
    """An operator whose maps are kept."""

    operator: Operator
    maps: list[LocalMap] = field(default_factory=list)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The operator's own map, kept in `maps` too."""
        self.maps.append(self.operator.extract(chunk, workspace))
        return self.maps[-1]


@dataclass(frozen=True)
class Reading:
    """What a memory made of an excerpt."""

    excerpt: Excerpt
    chunks: tuple[Chunk, ...]
    maps: tuple[LocalMap, ...]
    workspace: Workspace
    conflicts: tuple[Conflict, ...]
    steps: tuple[Step, ...] = ()

    @cached_property
    def document(self) -> Document:
        """The excerpt as it was read."""
        return plain(self.excerpt)

    @cached_property
    def actor_marks(self) -> tuple[Mark, ...]:
        """The marks of actors, in reading order."""
        return tuple(m for m in self.excerpt.marks if m.key[0] not in "@?")

    def chunk_of(self, start: int) -> str:
        """The chunk that a character lies in ("" for a heading)."""
        within = (c.id for c in self.chunks if c.span.start <= start < c.span.end)
        return next(within, "")

    def inside(self, chunk: str) -> list[Mark]:
        """The actor marks of a chunk."""
        return [m for m in self.actor_marks if self.chunk_of(m.start) == chunk]

    def refers(self, actor: Actor) -> str | None:
        """The gold actor that most mentions of an actor mean, names before pronouns."""
        votes: Counter[str] = Counter()
        for mention in actor.mentions:
            if (mark := nearest(mention, self.actor_marks)) is not None:
                votes[mark.key] += 1 if mention.form in PRONOUNS else 100
        return max(votes, key=lambda key: votes[key]) if votes else None

    def is_incidental(self, actor: Actor) -> bool:
        """Whether an actor is a noun beside the point, or one the gold leaves free."""
        touched = [
            mark.key
            for mark in self.excerpt.marks
            for mention in actor.mentions
            if overlap(bounds(mention.span), (mark.start, mark.end))
        ]
        if "?" in touched or "@?" in touched:
            return self.refers(actor) is None
        forms = {mention.form for mention in actor.mentions}
        if forms <= PRONOUNS:
            return self.refers(actor) is None
        thing = actor.kind in ("object", "abstract") and "nominal" in forms
        return not touched and thing and forms <= PRONOUNS | {"nominal"}


def bounds(span: Span) -> tuple[int, int]:
    """A span's first and last offset."""
    return span.start, span.end


def nearest(mention: Mention, marks: Sequence[Mark]) -> Mark | None:
    """The mark a mention is, the best fitting one of several."""
    one = bounds(mention.span)
    fits = [m for m in marks if same_span(one, (m.start, m.end))]
    return min(fits, key=lambda m: _distance(one, m), default=None)


def _distance(one: tuple[int, int], mark: Mark) -> int:
    return abs(one[0] - mark.start) + abs(one[1] - mark.end)


def paired(
    mentions: Sequence[Mention], marks: Sequence[Mark]
) -> list[tuple[Mention, Mark]]:
    """Mentions and marks one to one, exact ones first."""
    weights = np.zeros((len(mentions), len(marks)))
    for i, mention in enumerate(mentions):
        one = bounds(mention.span)
        for j, mark in enumerate(marks):
            if same_span(one, (mark.start, mark.end)):
                weights[i, j] = 1 / (1 + _distance(one, mark)) + 1
    return [(mentions[i], marks[j]) for i, j in pairs(weights)]


def read_excerpt(excerpt: Excerpt, memory: GSW) -> Reading:
    """Read an excerpt to its end with an unread copy of a memory."""
    recorder = Recorder(memory.operator)
    memory = replace(memory.clone(), operator=recorder)
    parts = chunks(plain(excerpt))
    steps = (*(memory.partial_fit(chunk) for chunk in parts), memory.finish())
    conflicts = [d for s in steps for d in s.decisions if isinstance(d, Conflict)]
    maps = tuple(recorder.maps)
    held = memory.workspace, tuple(conflicts)
    return Reading(excerpt, parts, maps, *held, steps)


def plain(excerpt: Excerpt) -> Document:
    """An excerpt's text as a document, its marks left out."""
    return document_of(excerpt.text, excerpt.name, time=excerpt.file.time)

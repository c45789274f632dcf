"""A gold excerpt read by a memory, and whom each of its mentions means in the gold.

The path is a run's: chunks, `partial_fit`, `finish`; local maps are kept on the way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from gswlab.bench.gold.counts import best_pairs
from gswlab.bench.gold.excerpt import GoldExcerpt, GoldMark
from gswlab.bench.judge import content_stems, fold
from gswlab.core.document import Document
from gswlab.core.nouns import Actor, Chunk, LocalMap, Mention, Span
from gswlab.core.protocols import Operator
from gswlab.core.step import Conflict, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

# When something read is something annotated: spans and phrases.

_NOT = re.compile(r"\b(?:not?|never|nobody|nothing)\b|n't\b|ない|なかっ|ません|ずに?$")
_BE = frozenset(content_stems("is was are were be been being has had have"))
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々]")
_CONTENT = re.compile(r"[a-z0-9\u30a0-\u30ff\u3400-\u9fff々]")
_HALF = 0.5


def same_span(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Half of their union shared, or one inside the other and both end together.

    >>> same_span((0, 9), (5, 9)), same_span((0, 9), (0, 4)), same_span((0, 8), (0, 4))
    (True, False, True)
    """
    shared = min(one[1], two[1]) - max(one[0], two[0])
    union = max(one[1], two[1]) - min(one[0], two[0])
    return shared > 0 and (shared >= _HALF * union or one[1] == two[1])


def overlap(one: tuple[int, int], two: tuple[int, int]) -> int:
    """How many characters two spans share."""
    return max(0, min(one[1], two[1]) - max(one[0], two[0]))


def _denied(text: str) -> bool:
    """Whether a phrase is in the negative."""
    return bool(_NOT.search(text.casefold()))


def units(text: str) -> Counter[str]:
    """The content of a phrase: stems, or kanji and katakana; else what there is."""
    folded = fold(text)
    if _JAPANESE.search(folded):
        return Counter(_CONTENT.findall(folded)) or Counter(folded)
    stems = content_stems(_NOT.sub(" ", folded)) - _BE
    return Counter(stems) or Counter(folded.split())


def alike_phrases(one: str, two: str) -> bool:
    """Whether two phrases share half of the shorter one's content, and a polarity."""
    a, b = units(one), units(two)
    if _denied(one) != _denied(two) or not (a and b):
        return False
    return (a & b).total() >= _HALF * min(a.total(), b.total())


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
class GoldReading:
    """What a memory made of an excerpt."""

    excerpt: GoldExcerpt
    chunks: tuple[Chunk, ...]
    maps: tuple[LocalMap, ...]
    workspace: Workspace
    conflicts: tuple[Conflict, ...]
    steps: tuple[Step, ...] = ()

    @cached_property
    def document(self) -> Document:
        """The excerpt as it was read."""
        return plain_document(self.excerpt)

    @cached_property
    def actor_marks(self) -> tuple[GoldMark, ...]:
        """The marks of actors, in reading order."""
        return tuple(m for m in self.excerpt.marks if m.key[0] not in "@?")

    def chunk_of(self, start: int) -> str:
        """The chunk that a character lies in ("" for a heading)."""
        within = (c.id for c in self.chunks if c.span.start <= start < c.span.end)
        return next(within, "")

    def inside(self, chunk: str) -> list[GoldMark]:
        """The actor marks of a chunk."""
        return [m for m in self.actor_marks if self.chunk_of(m.start) == chunk]

    def refers(self, actor: Actor) -> str | None:
        """The gold actor that most mentions of an actor mean, names before pronouns."""
        votes: Counter[str] = Counter()
        for mention in actor.mentions:
            one = bounds(mention.span)
            marks = self.actor_marks
            fits = [m for m in marks if same_span(one, (m.start, m.end))]
            if fits:  # the best fitting one of several
                mark = min(fits, key=lambda m: _distance(one, m))
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
        forms = {mention.form for mention in actor.mentions}
        if "?" in touched or "@?" in touched or forms <= PRONOUNS:
            return self.refers(actor) is None
        thing = actor.kind in ("object", "abstract") and "nominal" in forms
        return not touched and thing and forms <= PRONOUNS | {"nominal"}


def bounds(span: Span) -> tuple[int, int]:
    """A span's first and last offset."""
    return span.start, span.end


def _distance(one: tuple[int, int], mark: GoldMark) -> int:
    return abs(one[0] - mark.start) + abs(one[1] - mark.end)


def paired_mentions(
    mentions: Sequence[Mention], marks: Sequence[GoldMark]
) -> list[tuple[Mention, GoldMark]]:
    """Mentions and marks one to one, exact ones first."""
    weights = np.zeros((len(mentions), len(marks)))
    for i, mention in enumerate(mentions):
        one = bounds(mention.span)
        for j, mark in enumerate(marks):
            if same_span(one, (mark.start, mark.end)):
                weights[i, j] = 1 / (1 + _distance(one, mark)) + 1
    return [(mentions[i], marks[j]) for i, j in best_pairs(weights)]


def read_excerpt(excerpt: GoldExcerpt, memory: GSW) -> GoldReading:
    """Read an excerpt to its end with an unread copy of a memory."""
    recorder = Recorder(memory.operator)
    memory = replace(memory.clone(), operator=recorder)
    parts = chunks(plain_document(excerpt))
    steps = (*(memory.partial_fit(chunk) for chunk in parts), memory.finish())
    found = tuple(d for s in steps for d in s.decisions if isinstance(d, Conflict))
    maps = tuple(recorder.maps)
    return GoldReading(excerpt, parts, maps, memory.workspace, found, steps)


def plain_document(excerpt: GoldExcerpt) -> Document:
    """An excerpt's text as a document, its marks left out."""
    return document_of(excerpt.text, excerpt.name, time=excerpt.file.time)

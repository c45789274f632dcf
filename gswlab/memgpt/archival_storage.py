"""Archival storage: free text in passages of at most 300 tokens, by meaning and words.

- a text is cut at sentence ends, and inside a sentence only where one is longer;
- every passage has a vector where there is an embedder; both rankings are scaled to
  their best score and added, `weight` being the share of the words;
- all vectors are compared: a million passages take a million products.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import Chunk, Evidence, Span
from gswlab.core.protocols import Memory
from gswlab.memgpt.database import Database
from gswlab.memgpt.nouns import Hit, Page, Passage, dates_in, placed
from gswlab.memgpt.recall_storage import TextIndex, taken
from gswlab.models.vectors.embedder import Embedder, Vectors, query_vector
from gswlab.text.sentences import sentences

# Texts cut for archival storage: at sentence ends, inside only where one is longer.

PIECE = 300  # tokens of a passage (the paper's code)


def pieces(text: str, most: int = PIECE) -> list[tuple[int, int]]:
    """Where a text is cut: runs of sentences of at most `most` tokens, in order.

    >>> pieces("Rain fell. Mara ran.", most=4)
    [(0, 10), (11, 20)]
    """
    if count_tokens(text) <= most:
        inside = text.strip()
        start = text.find(inside)
        return [(start, start + len(inside))] if inside else []
    runs: list[tuple[int, int]] = []
    for start, end in _short(text, most):
        if runs and count_tokens(text[runs[-1][0] : end]) <= most:
            runs[-1] = runs[-1][0], end
        else:
            runs.append((start, end))
    return runs


def _short(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Sentences; one of more than `most` tokens halved, at a space where it has one."""
    waiting = list(reversed(sentences(text)))
    while waiting:
        start, end = waiting.pop()
        if count_tokens(text[start:end]) <= most or end - start < 2:
            yield start, end
            continue
        half = text.rfind(" ", start + 1, (start + end) // 2)
        half = half if half > start else (start + end) // 2
        waiting += [(half, end), (start, half)]


def inside(span: Span | None, start: int, end: int, length: int) -> Span | None:
    """The part of a span that a piece is of, where the text is the span's own."""
    if span is None or span.end - span.start != length:
        return span
    return Span(span.document, span.start + start, span.start + end)


NEAREST = 100  # hits that a search by meaning has pages of (the paper's code)
How = Literal["both", "words", "vectors", "substring"]
_COLUMNS = "id, text, tokens, time, chunk, document, start, stop, tags, dates"


@dataclass
class Archival:
    """The passages of one agent; without an embedder they are found by words alone."""

    db: Database
    embedder: Embedder | None = None
    weight: float = 0.5
    _rows: list[int] = field(default_factory=list, init=False, repr=False)
    _vectors: Vectors | None = field(default=None, init=False, repr=False)

    @cached_property
    def index(self) -> TextIndex:
        """Passages by their words and characters."""
        return TextIndex(self.db, "passages")

    def insert(
        self,
        text: str,
        time: str | None = None,
        tags: Iterable[str] = (),
        chunk: str | None = None,
        span: Span | None = None,
    ) -> list[Passage]:
        """Keep a text as passages, in its order; a text without a word makes none."""
        kept = []
        with self.db.transaction():
            for start, end in pieces(text):
                words = text[start:end]
                place = inside(span, start, end, len(text))
                tokens, days = count_tokens(words), dates_in(words, time)
                given = tuple(sorted(set(tags)))
                new = Passage(0, words, tokens, time, chunk, place, given, days)
                kept.append(self._put(new))
        return kept

    def _put(self, new: Passage) -> Passage:
        vector = self.embedder.embed([new.text])[0] if self.embedder else None
        span = new.span
        place = (span.document, span.start, span.end) if span else (None, None, None)
        listed = json.dumps(new.tags, ensure_ascii=False), json.dumps(new.dates)
        values = new.text, new.tokens, new.time, new.chunk, *place, *listed
        marks = ", ".join("?" * (len(values) + 1))
        columns = f"{_COLUMNS.removeprefix('id, ')}, vector"
        sql = f"INSERT INTO passages ({columns}) VALUES ({marks})"
        blob = None if vector is None else vector.astype(np.float32).tobytes()
        kept = replace(new, id=self.db.write(sql, *values, blob))
        self.index.add(kept.id, kept.text)
        self._vectors = None
        return kept

    def __len__(self) -> int:
        """How many passages there are."""
        sql = "SELECT texts FROM counts WHERE name = 'passages'"
        return int(self.db.one(sql))

    def get(self, rows: Iterable[int]) -> list[Passage]:
        """Passages by their rows, in the order given; what is not there is left out."""
        asked = list(rows)
        marks = ", ".join("?" * len(asked))
        sql = f"SELECT {_COLUMNS} FROM passages WHERE id IN ({marks})"
        found = {row[0]: passage_of(row) for row in self.db.rows(sql, *asked)}
        return [found[row] for row in asked if row in found]

    def all(self) -> Iterator[Passage]:
        """Every passage, in the order they were inserted."""
        found = list(self.db.rows(f"SELECT {_COLUMNS} FROM passages ORDER BY id"))
        return map(passage_of, found)

    def search(
        self,
        query: str,
        size: int = 5,
        page: int = 0,
        how: How = "both",
        tags: Sequence[str] = (),
    ) -> Page:
        """A page of passages, best first; a `substring` newest first, all of them.

        With `tags` only passages that have all of these. An empty query finds nothing.
        """
        if not query.strip():
            return Page(query, (), 0, page, size, by="nothing")
        if how == "substring":
            rows = self._tagged(self.index.containing(query), tags)
            found, more = taken(rows, (page + 1) * size)
            ranked = [(row, 1.0) for row in found]
        else:
            ranked, more = self.ranked(query, how), False
            if tags:
                kept = set(self._tagged((row for row, _ in ranked), tags))
                ranked = [found for found in ranked if found[0] in kept]
            ranked = ranked[:NEAREST]
        scores = dict(ranked[page * size : (page + 1) * size])
        hits = tuple(Hit(p, scores[p.id]) for p in self.get(scores))
        return Page(query, hits, len(ranked), page, size, more, how)

    def ranked(self, query: str, how: How = "both") -> list[tuple[int, float]]:
        """Rows and scores from 0 to 1, best first, ties newest first."""
        scores: dict[int, float] = {}
        by_words = how == "words" or self.embedder is None
        share = 1.0 if by_words else 0.0 if how == "vectors" else self.weight
        if share:
            found = self.index.ranked(query)
            best = max((score for _, score in found), default=0.0) or 1.0
            scores = {row: share * score / best for row, score in found}
        if share < 1 and self.embedder and len(self):
            near = self._matrix() @ query_vector(query, self.embedder)
            low, high = float(near.min()), float(near.max())
            scaled = (near - low) / ((high - low) or 1.0)
            for row, score in zip(self._rows, scaled, strict=True):
                scores[row] = scores.get(row, 0.0) + (1 - share) * float(score)
        return sorted(scores.items(), key=lambda found: (-found[1], -found[0]))

    def _matrix(self) -> Vectors:
        if self._vectors is None:
            sql = "SELECT id, vector FROM passages WHERE vector NOT NULL ORDER BY id"
            found = list(self.db.rows(sql))
            self._rows = [row for row, _ in found]
            self._vectors = np.stack([np.frombuffer(v, np.float32) for _, v in found])
        return self._vectors

    def _tagged(
        self, rows: Iterable[int | None], tags: Sequence[str]
    ) -> Iterator[int | None]:
        for row in rows:
            kept = not tags or (row and set(tags) <= set(self.get([row])[0].tags))
            yield row if kept else None

    def reset(self) -> None:
        """Read the vectors anew: a turn that inserted some was undone."""
        self._vectors = None

    def tags(self) -> dict[str, int]:
        """Every tag and how many passages have it, in the order of the alphabet."""
        sql = "SELECT value, count(*) FROM passages, json_each(tags) WHERE tags != '[]'"
        return dict(sorted(self.db.rows(f"{sql} GROUP BY value")))

    def forget(self, document: str) -> list[Passage]:
        """Delete the passages of a document; what they were. The caller purges."""
        sql = f"SELECT {_COLUMNS} FROM passages WHERE document = ?"
        gone = [passage_of(row) for row in self.db.rows(sql, document)]
        self.delete(gone)
        return gone

    def delete(self, gone: Iterable[Passage]) -> None:
        """Delete passages, their vectors and what is indexed. The caller purges."""
        with self.db.transaction():
            for passage in gone:
                self.index.remove(passage.id, passage.text)
                self.db.write("DELETE FROM passages WHERE id = ?", passage.id)
        self._vectors = None


def passage_of(row: tuple[Any, ...]) -> Passage:
    """A passage as its row has it."""
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    tags, place = tuple(json.loads(values.pop("tags"))), placed(values)
    return Passage(**values, **place, tags=tags)


# Archival memory backed by another memory, a workspace for one.


@dataclass
class Backed:
    """A memory over archival storage. `read` keeps step with what is inserted."""

    memory: Memory
    archival: Archival
    reads: int = 0

    def read(self, passage: Passage, chunk: Chunk | None = None) -> None:
        """Read a passage, or the chunk that it is of."""
        self.memory.partial_fit(chunk or _chunk(passage))
        self.reads += 1

    def again(self) -> None:
        """Read all passages anew: some were deleted, or the file is an older one."""
        self.memory = self.memory.clone()
        for passage in self.archival.all():
            self.read(passage)

    def search(self, query: str, size: int, page: int, how: How) -> Page:
        """A page of what the memory recalls; of passages where it recalls nothing."""
        room = (page + 1) * size * PIECE
        found: Evidence = self.memory.recall(query, room)
        hits = [
            Hit(
                Passage(
                    zlib.crc32(item.text.encode()),
                    item.text,
                    0,
                    span=item.spans[0] if item.spans else None,
                    store="w",
                ),
                item.score,
            )
            for item in found.items
        ]
        if not hits:
            return self.archival.search(query, size, page, how)
        shown = tuple(hits[page * size : (page + 1) * size])
        by = type(self.memory).__name__.lower()
        return Page(query, shown, len(hits), page, size, by=by)


def _chunk(passage: Passage) -> Chunk:
    """A passage as a chunk; what the agent wrote itself is of no other document."""
    span = passage.span or Span(f"archival-{passage.id}", 0, len(passage.text))
    known = f"{passage.key}:{passage.chunk or span.document}"
    return Chunk(
        known,
        span.document,
        None,
        passage.id,
        passage.text,
        span,
        time=passage.time,
    )

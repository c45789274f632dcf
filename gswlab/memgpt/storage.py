"""External context: recall, archival and core memory over one file, an agent's own.

>>> storage = Storage()
>>> _ = storage.archival.insert("Ann left Kobe on Monday.")
>>> storage.archival.search("kobe", how="words").header
'Showing 1 of 1 results (page 0/0)'

- recall storage has every message ever, by substring, by words and by date;
- archival storage has free text in passages of at most 300 tokens. Every passage has a
  vector where there is an embedder; both rankings are scaled to their best score and
  added. All vectors are compared: a million passages take a million products.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import Chunk, Span
from gswlab.core.protocols import Memory
from gswlab.language.stems import bm25_words
from gswlab.memgpt.core_memory import Core
from gswlab.memgpt.database import LOOKED, Database, TextIndex, placeholders
from gswlab.memgpt.nouns import Hit, HitPage, Message, Passage, Stored, dates_in
from gswlab.models.vectors.embedder import Embedder, Vectors, query_vector
from gswlab.text.sentences import sentences

_Kept = TypeVar("_Kept", bound=Stored)


class TextTable(Generic[_Kept]):
    """The rows of one table, each a text with its place, and their full text."""

    def __init__(self, db: Database, table: str, noun: type[_Kept]) -> None:
        self.db = db
        self.index = TextIndex(db, table)
        self._table, self._noun = table, noun
        own = [of.name for of in fields(noun) if of.name not in ("span", "store")]
        self._columns = [*own, "document", "start", "stop"]

    def __len__(self) -> int:
        """How many texts there are."""
        return int(self.db.one("SELECT texts FROM counts WHERE name = ?", self._table))

    def where(self, condition: str, *values: Any) -> Iterator[_Kept]:
        """What a condition of SQL picks."""
        columns = ", ".join(self._columns)
        sql = f"SELECT {columns} FROM {self._table} {condition}"
        for found in self.db.rows(sql, *values):
            row = dict(zip(self._columns, found, strict=True))
            document, start, stop = (row.pop(n) for n in ("document", "start", "stop"))
            span = Span(document, start, stop) if document is not None else None
            for name in row.keys() & {"dates", "items", "tags"}:
                listed = json.loads(row[name])
                row[name] = tuple(tuple(v) if name == "dates" else v for v in listed)
            yield self._noun(**row, span=span)

    def get(self, rows: Iterable[int]) -> list[_Kept]:
        """What rows hold, in the order given; what is not there is left out."""
        asked = list(rows)
        condition = f"WHERE id IN ({placeholders(asked)})"
        found = {kept.id: kept for kept in self.where(condition, *asked)}
        return [found[row] for row in asked if row in found]

    def shown(
        self, ranked: Sequence[tuple[int, float]], size: int, page: int, **of: Any
    ) -> HitPage:
        """A page of rows with their scores, best first; `of` says how they came."""
        scores = dict(ranked[page * size : (page + 1) * size])
        hits = tuple(Hit(kept, scores[kept.id]) for kept in self.get(scores))
        return HitPage(hits, len(ranked), page, size, **of)

    def counted(
        self, rows: Iterable[int | None], size: int, page: int, by: str
    ) -> HitPage:
        """A page of rows in their order; None stands for one that was only looked at.

        Counting stops when `LOOKED` were and the page is full.
        """
        found, more = list[tuple[int, float]](), False
        for looked, row in enumerate(rows):
            if more := looked >= LOOKED and len(found) >= (page + 1) * size:
                break
            if row is not None:
                found.append((row, 1.0))
        return self.shown(found, size, page, more=more, by=by)

    def put(self, new: _Kept, indexed: bool = True, **more: Any) -> _Kept:
        """Keep something, whose id is given here; on disk when the turn ends.

        Outside a turn it is on disk when this returns.
        """
        span = new.span
        place = (span.document, span.start, span.end) if span else (None, None, None)
        row = {n: getattr(new, n) for n in self._columns[1:-3]} | more
        row |= zip(self._columns[-3:], place, strict=True)
        values = [
            json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else value
            for value in row.values()
        ]
        columns = f"({', '.join(row)}) VALUES ({placeholders(values)})"
        with self.db.transaction():
            id_ = self.db.write(f"INSERT INTO {self._table} {columns}", *values)
            if indexed:
                self.index.put(id_, new.text)
        return replace(new, id=id_)

    def forget(self, document: str) -> list[_Kept]:
        """Delete what is of a document; what it was. The caller purges."""
        gone = list(self.where("WHERE document = ?", document))
        with self.db.transaction():
            for kept in gone:
                if not isinstance(kept, Message) or kept.kind == "message":
                    self.index.put(kept.id, kept.text, -1)
                self.db.write(f"DELETE FROM {self._table} WHERE id = ?", kept.id)
        return gone


By = Literal["auto", "substring", "words", "ranked"]
_PHRASE = 3  # words; a longer query is a question, which no message holds as it stands


class Recall(TextTable[Message]):
    """The messages of one agent, in the order they came."""

    def __init__(self, db: Database) -> None:
        super().__init__(db, "messages", Message)

    def append(self, message: Message) -> Message:
        """Keep a message; calls and results are kept too, but found by nobody."""
        return self.put(message, message.kind == "message")

    def before(self, row: int | None) -> list[Message]:
        """Everything said before a row, all of it without one."""
        limit = "" if row is None else f"AND id < {int(row)}"
        return list(self.where(f"WHERE kind = 'message' {limit} ORDER BY id"))

    def extent(self, before: int | None = None) -> tuple[int, int]:
        """How many messages there are, and the last row; of those before a row."""
        sql = "SELECT count(*), coalesce(max(id), 0) FROM messages WHERE kind ="
        limit = "" if before is None else f" AND id < {int(before)}"
        ((many, last),) = self.db.rows(f"{sql} 'message'{limit}")
        return many, last

    def search(
        self,
        query: str,
        size: int = 5,
        page: int = 0,
        by: By = "auto",
        before: int | None = None,
    ) -> HitPage:
        """A page of the messages that hold `query`, or that share its words.

        A substring is found newest first, by words the best comes first. `auto` looks
        for up to three words as they stand, and by words for more, or where nothing
        was found. An empty query finds nothing. With `before` only rows below that one
        are searched.
        """
        if not query.strip():
            return HitPage((), 0, page, size, by="nothing")
        if by == "substring" or (by == "auto" and len(bm25_words(query)) <= _PHRASE):
            rows = self.index.containing(query)
            older = (row for row in rows if not (before and row and row >= before))
            found = self.counted(older, size, page, "substring")
            if found.total or by == "substring":
                return found
        ranked = [f for f in self.index.ranked(query) if not before or f[0] < before]
        return self.shown(ranked, size, page, by="words")

    def between(self, first: str, last: str, size: int = 5, page: int = 0) -> HitPage:
        """A page of the messages of the days `first` to `last` (ISO), oldest first."""
        sql = "SELECT id FROM messages WHERE time >= ? AND time < ? AND kind ="
        sql = f"{sql} 'message' ORDER BY time, id"
        found = self.db.rows(sql, first, f"{last}~")
        rows = (row for (row,) in found)
        return self.counted(rows, size, page, "date")


_PIECE = 300  # tokens of a passage (the paper's code)
NEAREST = 100  # hits that a search by meaning has pages of (the paper's code)
_WORDS_SHARE = 0.5  # of a passage's score, where there are vectors
How = Literal["both", "words", "vectors", "substring"]


def pieces(text: str, most: int = _PIECE) -> list[tuple[int, int]]:
    """Where a text is cut: runs of sentences of at most `most` tokens, in order.

    A longer sentence is halved, at a space where it has one.

    >>> pieces("Rain fell. Mara ran.", most=4)
    [(0, 10), (11, 20)]
    """
    if count_tokens(text) <= most:
        inside = text.strip()
        start = text.find(inside)
        return [(start, start + len(inside))] if inside else []
    runs: list[tuple[int, int]] = []
    waiting = list(reversed(sentences(text)))
    while waiting:
        start, end = waiting.pop()
        if count_tokens(text[start:end]) > most and end - start >= 2:
            half = text.rfind(" ", start + 1, (start + end) // 2)
            half = half if half > start else (start + end) // 2
            waiting += [(half, end), (start, half)]
        elif runs and count_tokens(text[runs[-1][0] : end]) <= most:
            runs[-1] = runs[-1][0], end
        else:
            runs.append((start, end))
    return runs


class Archival(TextTable[Passage]):
    """The passages of one agent; without an embedder they are found by words alone."""

    def __init__(self, db: Database, embedder: Embedder | None = None) -> None:
        super().__init__(db, "passages", Passage)
        self.embedder = embedder
        self.inserted = 0
        self._vectors: tuple[list[int], Vectors] | None = None

    def insert(
        self,
        text: str,
        time: str | None = None,
        *,
        source: Chunk | None = None,
        tags: Iterable[str] = (),
        chunk: str | None = None,
        span: Span | None = None,
    ) -> list[Passage]:
        """Keep a text as passages, in its order; a text without a word makes none.

        `source` is the chunk that it is all of, for a memory that reads it too.
        """
        kept, given = [], tuple(sorted(set(tags)))
        with self.db.transaction():
            for start, end in pieces(text):
                place, piece = span, text[start:end]
                if span and span.end - span.start == len(text):  # it is the span's own
                    place = Span(span.document, span.start + start, span.start + end)
                tokens, days = count_tokens(piece), dates_in(piece, time)
                new = Passage(0, piece, tokens, time, chunk, place, given, days)
                blob = None
                if self.embedder:
                    (vector,) = self.embedder.embed([piece])
                    blob = vector.astype(np.float32).tobytes()
                kept.append(self.put(new, vector=blob))
        self._vectors = None
        self.inserted += len(kept)
        return kept

    def search(
        self,
        query: str,
        size: int = 5,
        page: int = 0,
        how: How = "both",
        *,
        tags: Sequence[str] = (),
    ) -> HitPage:
        """A page of passages, best first; a `substring` newest first, all of them.

        With `tags` only passages that have all of these. An empty query finds nothing.
        """
        if not query.strip():
            return HitPage((), 0, page, size, by="nothing")
        if how == "substring":
            rows = self._tagged(self.index.containing(query), tags)
            return self.counted(rows, size, page, how)
        ranked = self.ranked(query, how)
        if tags:
            kept = set(self._tagged((row for row, _ in ranked), tags))
            ranked = [found for found in ranked if found[0] in kept]
        return self.shown(ranked[:NEAREST], size, page, by=how)

    def ranked(self, query: str, how: How = "both") -> list[tuple[int, float]]:
        """Rows and scores from 0 to 1, best first, ties newest first."""
        scores: dict[int, float] = {}
        by_words = how == "words" or self.embedder is None
        share = 1.0 if by_words else 0.0 if how == "vectors" else _WORDS_SHARE
        if share:
            found = self.index.ranked(query)
            best = max((score for _, score in found), default=0.0) or 1.0
            scores = {row: share * score / best for row, score in found}
        if share < 1 and self.embedder and len(self):
            if self._vectors is None:
                sql = "SELECT id, vector FROM passages WHERE vector NOT NULL"
                held = list(self.db.rows(f"{sql} ORDER BY id"))
                matrix = np.stack([np.frombuffer(v, np.float32) for _, v in held])
                self._vectors = [row for row, _ in held], matrix
            rows, vectors = self._vectors
            near = vectors @ query_vector(query, self.embedder)
            low, high = float(near.min()), float(near.max())
            scaled = (near - low) / ((high - low) or 1.0)
            for row, score in zip(rows, scaled, strict=True):
                scores[row] = scores.get(row, 0.0) + (1 - share) * float(score)
        return sorted(scores.items(), key=lambda found: (-found[1], -found[0]))

    def _tagged(
        self, rows: Iterable[int | None], tags: Sequence[str]
    ) -> Iterator[int | None]:
        for row in rows:
            kept = not tags or (row and set(tags) <= set(self.get([row])[0].tags))
            yield row if kept else None

    def again(self) -> None:
        """Read anew what there is: some was deleted, or a turn was taken back."""
        self._vectors = None

    def tags(self) -> dict[str, int]:
        """Every tag and how many passages have it, in the order of the alphabet."""
        sql = "SELECT value, count(*) FROM passages, json_each(tags) WHERE tags != '[]'"
        return dict(sorted(self.db.rows(f"{sql} GROUP BY value")))


class Backed(Archival):
    """Archival storage that a memory reads too, and that is searched in its place."""

    def __init__(self, db: Database, embedder: Embedder | None, memory: Memory) -> None:
        super().__init__(db, embedder)
        self.memory = memory
        if len(self):  # the file is an older one
            self.again()

    def insert(
        self,
        text: str,
        time: str | None = None,
        *,
        source: Chunk | None = None,
        **of: Any,
    ) -> list[Passage]:
        """Keep a text, and read it: the chunk it is all of, else its passages."""
        kept = super().insert(text, time, **of)
        if source:
            self.memory.partial_fit(source)
        else:
            self._read(kept)
        return kept

    def again(self) -> None:
        """Read all passages anew."""
        super().again()
        self.memory = self.memory.clone()
        self._read(list(self.where("ORDER BY id")))

    def _read(self, passages: Iterable[Passage]) -> None:
        for passage in passages:  # what the agent wrote itself is of no other document
            text, id_, time = passage.text, passage.id, passage.time
            span = passage.span or Span(f"archival-{id_}", 0, len(text))
            name = f"{passage.key}:{passage.chunk or span.document}"
            chunk = Chunk(name, span.document, None, id_, text, span, time=time)
            self.memory.partial_fit(chunk)

    def search(
        self, query: str, size: int = 5, page: int = 0, how: How = "both", **of: Any
    ) -> HitPage:
        """A page of what the memory recalls; of passages where it recalls nothing."""
        hits = []
        for item in self.memory.recall(query, (page + 1) * size * _PIECE).items:
            id_, span = zlib.crc32(item.text.encode()), next(iter(item.spans), None)
            passage = Passage(id_, item.text, 0, span=span, store="w")
            hits.append(Hit(passage, item.score))
        if not hits:
            return super().search(query, size, page, how, **of)
        shown = tuple(hits[page * size : (page + 1) * size])
        by = type(self.memory).__name__.lower()
        return HitPage(shown, len(hits), page, size, by=by)


class Storage:
    """Recall, archival and core memory over one file, in memory without a path."""

    def __init__(
        self,
        path: str | Path | None = None,
        embedder: Embedder | None = None,
        archive: Memory | None = None,
    ) -> None:
        self.db = Database(path)
        self.recall = Recall(self.db)
        self.archival = (
            Backed(self.db, embedder, archive)
            if archive is not None
            else Archival(self.db, embedder)
        )
        self.core = Core(self.db)

    def forget(self, document: str) -> list[Stored]:
        """Delete all that was kept of a document: rows, vectors, indexes, log.

        What a model wrote about it, in blocks, passages of its own or summaries, is of
        no document and stays.
        """
        with self.db.transaction():
            gone: list[Stored] = [*self.recall.forget(document)]
            gone += self.archival.forget(document)
        if gone:
            self.db.purge()
            self.archival.again()
        return gone

"""Recall storage: every message ever, by substring, by words and by date.

Only what was said is searched; calls, results and alerts are kept for the queue alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from gswlab.language.stems import words
from gswlab.memory.memgpt.database import Database
from gswlab.memory.memgpt.index import TextIndex, taken
from gswlab.memory.memgpt.nouns import Hit, Message, Page, placed

By = Literal[
    "auto", "substring", "words", "ranked", "ranked_words", "ranked_meaning"
]  # fmt: skip
RANKED = ("ranked", "ranked_words", "ranked_meaning")  # messages in memory, all of them
PHRASE = 3  # words; a longer query is a question, which no message holds as it stands
_COLUMNS = (
    "id, role, kind, text, tokens, turn, speaker, time, chunk, document, start, stop,"
    " dates, items, most"
)


@dataclass(frozen=True)
class Recall:
    """The messages of one agent, in the order they came."""

    db: Database

    @cached_property
    def index(self) -> TextIndex:
        """What was said, by its words and characters."""
        return TextIndex(self.db, "messages")

    def append(self, message: Message) -> Message:
        """Keep a message, whose id is given here; on disk when the turn ends.

        Outside a turn it is on disk when this returns.
        """
        span = message.span
        place = (span.document, span.start, span.end) if span else (None, None, None)
        listed = json.dumps(message.dates), json.dumps(message.items)
        values = (
            message.role, message.kind, message.text, message.tokens, message.turn,
            message.speaker, message.time, message.chunk, *place, *listed, message.most,
        )  # fmt: skip
        columns = _COLUMNS.removeprefix("id, ")
        marks = ", ".join("?" * len(values))
        with self.db.transaction():
            sql = f"INSERT INTO messages ({columns}) VALUES ({marks})"
            kept = replace(message, id=self.db.write(sql, *values))
            if kept.kind == "message":
                self.index.add(kept.id, kept.text)
        return kept

    def __len__(self) -> int:
        """How many messages were said."""
        sql = "SELECT texts FROM counts WHERE name = 'messages'"
        return int(self.db.one(sql))

    def since(self, row: int) -> Iterator[Message]:
        """Everything from a row on, calls and results too."""
        sql = f"SELECT {_COLUMNS} FROM messages WHERE id >= ? ORDER BY id"
        return map(message_of, self.db.rows(sql, row))

    def before(self, row: int | None) -> list[Message]:
        """Everything said before a row, all of it without one."""
        sql = f"SELECT {_COLUMNS} FROM messages WHERE kind = 'message'"
        limit = "" if row is None else f" AND id < {int(row)}"
        return [
            message_of(found) for found in self.db.rows(f"{sql}{limit} ORDER BY id")
        ]

    def extent(self, before: int | None = None) -> tuple[int, int]:
        """How many messages there are, and the last row; of those before a row."""
        sql = "SELECT count(*), coalesce(max(id), 0) FROM messages WHERE kind ="
        limit = "" if before is None else f" AND id < {int(before)}"
        ((many, last),) = self.db.rows(f"{sql} 'message'{limit}")
        return many, last

    def get(self, rows: Iterable[int]) -> list[Message]:
        """Messages by their rows, in the order given; what is not there is left out."""
        asked = list(rows)
        marks = ", ".join("?" * len(asked))
        sql = f"SELECT {_COLUMNS} FROM messages WHERE id IN ({marks})"
        found = {row[0]: message_of(row) for row in self.db.rows(sql, *asked)}
        return [found[row] for row in asked if row in found]

    def search(
        self,
        query: str,
        size: int = 5,
        page: int = 0,
        by: By = "auto",
        before: int | None = None,
    ) -> Page:
        """A page of the messages that hold `query`, or that share its words.

        A substring is found newest first, by words the best comes first. `auto` looks
        for up to `PHRASE` words as they stand, and by words for more, or where nothing
        was found. An empty query finds nothing. With `before` only rows below that one
        are searched.
        """
        if not query.strip():
            return Page(query, (), 0, page, size, by="nothing")
        if by == "substring" or (by == "auto" and len(words(query)) <= PHRASE):
            rows = self._older(self.index.containing(query), before)
            found = self._paged(query, rows, size, page)
            if found.total or by == "substring":
                return replace(found, by="substring")
        ranked = [f for f in self.index.ranked(query) if not before or f[0] < before]
        first = ranked[page * size : (page + 1) * size]
        scores = dict(first)
        hits = [Hit(m, scores[m.id]) for m in self.get(scores)]
        return Page(query, tuple(hits), len(ranked), page, size, by="words")

    def between(self, first: str, last: str, size: int = 5, page: int = 0) -> Page:
        """A page of the messages of the days `first` to `last` (ISO), oldest first."""
        sql = (
            "SELECT id FROM messages WHERE time >= ? AND time < ? AND kind = 'message'"
            " ORDER BY time, id"
        )
        rows = (row for (row,) in self.db.rows(sql, first, f"{last}~"))
        return replace(self._paged(f"{first} to {last}", rows, size, page), by="date")

    def _paged(
        self, query: str, rows: Iterable[int | None], size: int, page: int
    ) -> Page:
        found, more = taken(rows, (page + 1) * size)
        hits = self.get(found[page * size : (page + 1) * size])
        return Page(query, tuple(map(Hit, hits)), len(found), page, size, more)

    def _older(
        self, rows: Iterable[int | None], before: int | None
    ) -> Iterator[int | None]:
        return (row for row in rows if not (before and row and row >= before))

    def around(self, row: int, reach: int) -> list[Message]:
        """What was said just before and after a message, itself included, in order."""
        low = "SELECT id FROM messages WHERE id <= ? AND kind = 'message'"
        high = "SELECT id FROM messages WHERE id > ? AND kind = 'message'"
        before = self.db.rows(f"{low} ORDER BY id DESC LIMIT {reach + 1}", row)
        after = self.db.rows(f"{high} ORDER BY id LIMIT {reach}", row)
        return self.get(sorted(found for (found,) in (*before, *after)))

    def forget(self, document: str) -> list[Message]:
        """Delete the messages of a document; what they were. The caller purges."""
        sql = f"SELECT {_COLUMNS} FROM messages WHERE document = ?"
        gone = [message_of(row) for row in self.db.rows(sql, document)]
        self.delete(gone)
        return gone

    def delete(self, gone: Iterable[Message]) -> None:
        """Delete messages and what is indexed of them. The caller purges."""
        with self.db.transaction():
            for message in gone:
                if message.kind == "message":
                    self.index.remove(message.id, message.text)
                self.db.write("DELETE FROM messages WHERE id = ?", message.id)


def message_of(row: tuple[Any, ...]) -> Message:
    """A message as its row has it."""
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    items, place = tuple(json.loads(values.pop("items"))), placed(values)
    return Message(**values, **place, items=items)

"""Full text that stays quick: by substring and by words, newest first.

- every three characters are indexed (FTS5 trigram, documents alone), so a substring is
  the texts that hold all of its threes, each then looked at;
- words are those of `baselines.bm25`: a character of a script without spaces is a
  word, so two kanji are found as a phrase;
- BM25 is exact over `EXACT` texts. Over more, nothing is done for all matches: ranking
  looks at the `LISTED` newest texts of each word and weighs as many, those with most of
  the rarest words; how many texts hold a word is judged by how dense these lie.
  Counting stops where a page is full and `LOOKED` texts were looked at.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from gswlab.language.stems import words
from gswlab.memgpt.database import Database
from gswlab.memgpt.nouns import Hit, Message, Page, placed

EXACT, LISTED, LOOKED = 2000, 300, 100
_PROBED, _GRAMS = (
    3,
    40,
)  # threes of a query that are asked for; the text is looked at anyway
_COMMON = " etaoinshrdlcumwfgypbvkxjqz"  # most frequent first
_LAST = 2**63 - 1
_END = "\n\n"  # so that the last characters of a text begin a three as well


@dataclass(frozen=True)
class TextIndex:
    """The texts of one table, by their rows; rows grow with time."""

    db: Database
    table: str
    k1: float = 1.5
    b: float = 0.75

    def add(self, row: int, text: str) -> None:
        """Index a text that was just written to the table."""
        self._put("", row, text, 1)

    def remove(self, row: int, text: str) -> None:
        """Take a text out, which must be the one that was added."""
        self._put("'delete', ", row, text, -1)

    def _put(self, command: str, row: int, text: str, sign: int) -> None:
        found = words(text)
        for table, said in (("words", " ".join(found)), ("grams", text + _END)):
            name = f"{self.table}_{table}"
            column = f"{name}, " if command else ""
            sql = f"INSERT INTO {name}({column}rowid, text) VALUES ({command}?, ?)"
            self.db.write(sql, row, said)
        sql = "UPDATE counts SET texts = texts + ?, words = words + ? WHERE name = ?"
        self.db.write(sql, sign, sign * len(found), self.table)

    def containing(self, query: str) -> Iterator[int | None]:
        """Rows of texts that hold `query`, whatever the case, newest first.

        None stands for a text that was looked at and does not hold it after all.
        """
        needle = query.lower()
        for row, text in self._candidates(query):
            yield row if needle in text.lower() else None

    def _candidates(self, query: str) -> Iterator[tuple[int, str]]:
        """Texts that may hold a query, newest first, by a few threes and then by all.

        Each three is a look-up in every part of the index. The three that are likely
        the rarest are mostly enough; all are asked for after `LOOKED` texts.
        """
        found = words(query)
        if len(query) >= 3:
            asked = threes(query)
            probes = self._matching("grams", asked[:_PROBED])
            for probed, (row, text) in enumerate(probes, 1):
                yield row, text
                if probed == LOOKED and asked[_PROBED:]:
                    yield from self._matching("grams", asked, row)
                    return
        elif found and not query.isascii() and "".join(found) == query.lower():
            yield from self._matching("words", [" ".join(found)])
        else:  # one or two letters: nothing holds them but the texts
            yield from self.db.rows(
                f"SELECT id, text FROM {self.table} ORDER BY id DESC"
            )

    def _matching(
        self, index: str, asked: Sequence[str], below: int = _LAST
    ) -> Iterator[tuple[int, str]]:
        name, wanted = f"{self.table}_{index}", " AND ".join(map(quoted, asked))
        sql = (
            f"SELECT t.id, t.text FROM {name} AS f CROSS JOIN {self.table} AS t"
            f" ON t.id = f.rowid WHERE {name} MATCH ? AND f.rowid < ?"
            " ORDER BY f.rowid DESC"
        )
        yield from self.db.rows(sql, wanted, below)

    def ranked(self, query: str) -> list[tuple[int, float]]:
        """Rows and BM25 scores, best first, ties newest first; no word, no row."""
        texts, total = self._counts()
        most = texts if texts <= EXACT else LISTED
        listed = {
            word: self._newest(word, most) for word in dict.fromkeys(words(query))
        }
        weights = {w: self._weight(rows, texts, most) for w, rows in listed.items()}
        promising: defaultdict[int, float] = defaultdict(float)
        for word, rows in listed.items():
            for row in rows:
                promising[row] += weights[word]
        order = sorted(promising, key=lambda row: (-promising[row], -row))[:most]
        mean, found = max(1, total) / max(1, texts), self._texts(order)
        scored = [(row, self._score(text, weights, mean)) for row, text in found]
        return sorted(scored, key=lambda found: (-found[1], -found[0]))

    def _newest(self, word: str, most: int) -> list[int]:
        name = f"{self.table}_words"
        sql = f"SELECT rowid FROM {name} WHERE {name} MATCH ? ORDER BY rowid DESC LIMIT"
        return [row for (row,) in self.db.rows(f"{sql} {most}", quoted(word))]

    def _weight(self, rows: Sequence[int], texts: int, most: int) -> float:
        held = float(len(rows))
        if len(rows) == most < texts:
            newest = self.db.one(f"SELECT max(id) FROM {self.table}")
            held = max(held, texts * most / (newest - rows[-1] + 1))
        return math.log(1 + max(0.0, texts - held + 0.5) / (held + 0.5))

    def _score(self, text: str, weights: dict[str, float], mean: float) -> float:
        found = words(text)
        counts = Counter(word for word in found if word in weights)
        long = 1 - self.b + self.b * len(found) / mean
        return sum(
            weights[word] * n / (n + self.k1 * long) for word, n in counts.items()
        )

    def _counts(self) -> tuple[int, int]:
        sql = "SELECT texts, words FROM counts WHERE name = ?"
        ((texts, total),) = self.db.rows(sql, self.table)
        return texts, total

    def _texts(self, rows: Sequence[int]) -> list[tuple[int, str]]:
        marks = ", ".join("?" * len(rows))
        sql = f"SELECT id, text FROM {self.table} WHERE id IN ({marks})"
        return [(row, text) for row, text in self.db.rows(sql, *rows)]


def threes(query: str) -> list[str]:
    """The threes of characters in a query, each once, the likely rarest first.

    >>> threes("the quay")
    ['qua', ' qu', 'uay', 'e q', 'the', 'he ']
    """
    found = (query[start : start + 3] for start in range(len(query) - 2))
    return sorted(dict.fromkeys(found), key=_rarity, reverse=True)[:_GRAMS]


def _rarity(three: str) -> int:
    """How seldom its characters are in English; those of other scripts are rare."""
    return sum(_COMMON.find(c) % (len(_COMMON) + 1) for c in three.lower())


def taken(rows: Iterable[int | None], wanted: int) -> tuple[list[int], bool]:
    """As many rows as may be counted, `wanted` at least, and whether there are more.

    >>> taken([9, None, 7], 5)
    ([9, 7], False)
    """
    found: list[int] = []
    for looked, row in enumerate(rows):
        if looked >= LOOKED and len(found) >= wanted:
            return found, True
        if row is not None:
            found.append(row)
    return found, False


def quoted(text: str) -> str:
    """A string of FTS5's query language, whatever it holds.

    >>> print(quoted('say no'), quoted('5" disk'))
    "say no" "5"" disk"
    """
    return '"' + text.replace('"', '""') + '"'


# Recall storage: every message ever, by substring, by words and by date.

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

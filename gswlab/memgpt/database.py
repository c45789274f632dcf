"""The SQLite file under an agent: recall, archival, core blocks and its state.

- write-ahead log and `synchronous=FULL`: what a transaction wrote is on the disk when
  it ends, and a killed process leaves whole transactions only;
- a turn is one transaction, its reply is given after it: a message whose reply was
  seen is in the file, and a turn that broke left nothing behind;
- `secure_delete` overwrites what is deleted; `purge` also clears it out of the text
  indexes and the log.

Full text stays quick, by substring and by words, newest first:

- every three characters are indexed (FTS5 trigram, documents alone), so a substring is
  the texts that hold all of its threes, each then looked at;
- words are those of `baselines.bm25`: a character of a script without spaces is a
  word, so two kanji are found as a phrase;
- BM25 is exact over `EXACT` texts. Over more, nothing is done for all matches: ranking
  looks at the `_LISTED` newest texts of each word and weighs as many, those with most
  of the rarest words; how many texts hold a word is judged by how dense these lie.
  Counting stops where a page is full and `LOOKED` texts were looked at.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.core.files import own
from gswlab.language.stems import bm25_words

_APPLICATION = 0x6D656D67  # "memg"
_SETTINGS = (
    *("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"),
    "cache_size = -65536",  # KiB: tops of all indexes
)
_SCHEMA = Path(__file__).with_name("schema.sql").read_text("utf-8")


class Database:
    """One connection to one file; without a path it lives in the process's memory.

    Raises:
        GswlabError: the file is something else, or cannot be written.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path else None
        try:
            if self.path:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                for ending in ("", "-wal", "-shm", "-journal"):
                    own(self.path.with_name(self.path.name + ending))
            file = path or ":memory:"
            self._db = sqlite3.connect(file, isolation_level=None, timeout=60)
            application = self.one("PRAGMA application_id")
            tables = self.one("SELECT count(*) FROM sqlite_master")
            acts = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')"
            if self.one(acts):  # ours has none: they would be somebody's statements
                application = -1
            if application not in (0, _APPLICATION) or (tables and not application):
                rule = "an agent's memory is the file that an agent wrote"
                problem = f"{self.path} is no agent's memory"
                raise GswlabError(problem, rule, "memory.file=")
            for setting in _SETTINGS:
                self._db.execute(f"PRAGMA {setting}")
            if not application:
                marks = f"PRAGMA application_id={_APPLICATION};PRAGMA user_version=1"
                self._db.executescript(f"BEGIN;{_SCHEMA};{marks};COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of a question, read as they are taken."""
        yield from self._db.execute(sql, values)

    def one(self, sql: str, *values: Any) -> Any:
        """The first value of the first row, None where there is no row."""
        row = self._db.execute(sql, values).fetchone()
        return row[0] if row else None

    def write(self, sql: str, *values: Any) -> int:
        """One statement inside a transaction, its own where none is open; the rowid."""
        with self.transaction():
            return self._db.execute(sql, values).lastrowid or 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of a block's writes or none of them; one inside another is part of it."""
        if self._db.in_transaction:
            yield
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        with self._db:
            yield

    def state(self) -> dict[str, Any]:
        """What an agent keeps beside its messages, by name."""
        found = self.rows("SELECT key, json FROM state ORDER BY key")
        return {key: json.loads(text) for key, text in found}

    def keep(self, **values: Any) -> None:
        """Keep named values of an agent's state."""
        sql = "INSERT OR REPLACE INTO state VALUES (?, ?)"
        for key, value in values.items():
            self.write(sql, key, json.dumps(value, ensure_ascii=False))

    def purge(self) -> None:
        """Clear what was deleted out of the full-text indexes and out of the log.

        An index of a million messages is rewritten whole: seconds, paid when deleting.
        """
        for name in ("messages", "passages"):
            for table in (f"{name}_words", f"{name}_grams"):
                self._db.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of the file; closing twice is no error."""
        self._db.close()

    def _unusable(self, error: Exception) -> GswlabError:
        rule = "a file that may be written, by one agent at a time"
        problem = f"{self.path or 'a memory'} cannot be used: {error}"
        return GswlabError(problem, rule, "memory.file=FILE")


EXACT, LOOKED = 2000, 100
_LISTED = 300
_K1, _B = 1.5, 0.75
# Threes of a query that are asked for first, and at all: the text is looked at anyway.
_PROBED, _GRAMS = 3, 40
_COMMON = " etaoinshrdlcumwfgypbvkxjqz"  # most frequent first
_LAST = 2**63 - 1
_END = "\n\n"  # so that the last characters of a text begin a three as well


@dataclass(frozen=True)
class TextIndex:
    """The texts of one table, by their rows; rows grow with time."""

    db: Database
    table: str

    def put(self, row: int, text: str, sign: int = 1) -> None:
        """Index a text that was just written to the table; with -1 take it out."""
        found = bm25_words(text)
        for part, said in (("words", " ".join(found)), ("grams", text + _END)):
            name = f"{self.table}_{part}"
            column, command = ("", "") if sign > 0 else (f"{name}, ", "'delete', ")
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

    def _candidates(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Texts that may hold a query, newest first, by a few threes and then by all.

        Each three is a look-up in every part of the index. The three that are likely
        the rarest are mostly enough; all are asked for after `LOOKED` texts.
        """
        found = bm25_words(query)
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
            sql = f"SELECT id, text FROM {self.table} ORDER BY id DESC"
            yield from self.db.rows(sql)

    def _matching(
        self, index: str, asked: Sequence[str], below: int = _LAST
    ) -> Iterator[tuple[Any, ...]]:
        name, wanted = f"{self.table}_{index}", " AND ".join(map(_quoted, asked))
        tables = f"{name} AS f CROSS JOIN {self.table} AS t ON t.id = f.rowid"
        sql = f"SELECT t.id, t.text FROM {tables} WHERE {name} MATCH ? AND f.rowid < ?"
        return self.db.rows(f"{sql} ORDER BY f.rowid DESC", wanted, below)

    def ranked(self, query: str) -> list[tuple[int, float]]:
        """Rows and BM25 scores, best first, ties newest first; no word, no row."""
        sql = "SELECT texts, words FROM counts WHERE name = ?"
        ((texts, total),) = self.db.rows(sql, self.table)
        most, name = texts if texts <= EXACT else _LISTED, f"{self.table}_words"
        sql = f"SELECT rowid FROM {name} WHERE {name} MATCH ? ORDER BY rowid DESC LIMIT"
        weights: dict[str, float] = {}
        promising: defaultdict[int, float] = defaultdict(float)
        # 1) the newest texts of each word, and what it weighs
        for word in dict.fromkeys(bm25_words(query)):
            rows = [row for (row,) in self.db.rows(f"{sql} {most}", _quoted(word))]
            held = float(len(rows))
            if len(rows) == most < texts:
                newest = self.db.one(f"SELECT max(id) FROM {self.table}")
                held = max(held, texts * most / (newest - rows[-1] + 1))
            weights[word] = math.log(1 + max(0.0, texts - held + 0.5) / (held + 0.5))
            for row in rows:
                promising[row] += weights[word]
        # 2) those with most of the rarest words
        order = sorted(promising, key=lambda row: (-promising[row], -row))[:most]
        # 3) each text as BM25 has it
        mean, scored = max(1, total) / max(1, texts), []
        sql = f"SELECT id, text FROM {self.table} WHERE id IN ({placeholders(order)})"
        for row, text in self.db.rows(sql, *order):
            found = bm25_words(text)
            counts = Counter(word for word in found if word in weights)
            long = _K1 * (1 - _B + _B * len(found) / mean)
            score = sum(weights[word] * n / (n + long) for word, n in counts.items())
            scored.append((row, score))
        return sorted(scored, key=lambda found: (-found[1], -found[0]))


def placeholders(values: Sequence[Any]) -> str:
    """A question mark a value, as SQL wants them."""
    return ", ".join("?" * len(values))


def threes(query: str) -> list[str]:
    """The threes of characters in a query, each once, the likely rarest first.

    >>> threes("the quay")
    ['qua', ' qu', 'uay', 'e q', 'the', 'he ']
    """

    def rarity(three: str) -> int:
        """How seldom its characters are in English; those of other scripts are rare."""
        return sum(_COMMON.find(c) % (len(_COMMON) + 1) for c in three.lower())

    found = (query[start : start + 3] for start in range(len(query) - 2))
    return sorted(dict.fromkeys(found), key=rarity, reverse=True)[:_GRAMS]


def _quoted(text: str) -> str:
    """A string of FTS5's query language, whatever it holds."""
    return '"' + text.replace('"', '""') + '"'

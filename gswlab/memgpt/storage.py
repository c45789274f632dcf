"""External context and what main context is rebuilt from: one file an agent.

>>> storage = Storage()
>>> _ = storage.archival.insert("Ann left Kobe on Monday.")
>>> storage.archival.search("kobe", how="words").header
'Showing 1 of 1 results (page 0/0)'
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gswlab.memgpt.archival_storage import Archival
from gswlab.memgpt.core_memory import Core
from gswlab.memgpt.database import Database
from gswlab.memgpt.nouns import Stored
from gswlab.memgpt.recall_storage import Recall
from gswlab.models.vectors.embedder import Embedder


class Storage:
    """Recall, archival and core memory over one file, in memory without a path."""

    def __init__(
        self,
        path: str | Path | None = None,
        embedder: Embedder | None = None,
        weight: float = 0.5,
    ) -> None:
        self.db = Database(path)
        self.recall = Recall(self.db)
        self.archival = Archival(self.db, embedder, weight)
        self.core = Core(self.db)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """All that a turn writes, or nothing; on disk when the block ends."""
        with self.db.transaction():
            yield

    def state(self) -> dict[str, Any]:
        """What an agent keeps beside its messages, by name."""
        found = self.db.rows("SELECT key, json FROM state ORDER BY key")
        return {key: json.loads(text) for key, text in found}

    def keep(self, **values: Any) -> None:
        """Keep named values of an agent's state."""
        sql = "INSERT OR REPLACE INTO state VALUES (?, ?)"
        for key, value in values.items():
            self.db.write(sql, key, json.dumps(value, ensure_ascii=False))

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
        return gone

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

"""A file of multi-hop questions as what a run reads and is asked.

The paragraphs alone are handed to a memory, and of a question its words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from gswlab.bench import digest
from gswlab.bench.datasets import PATH, given
from gswlab.bench.hops.layouts import COMMAND, load_hops
from gswlab.bench.hops.nouns import HopQuestion
from gswlab.bench.hops.worlds import World
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk


@dataclass
class Hops:
    """Questions over paragraphs: HotpotQA, MuSiQue, or a file of one's own.

    In the world `own` every question has a memory of its own paragraphs, and nothing
    is stepped through; in `pool` one memory reads them all. A reader is handed the
    first `paragraphs` that a memory recalls. With `first`, only so many questions of
    the file are asked, and only their paragraphs read.
    """

    file: str | None = field(default=None, metadata=PATH)
    world: Literal["own", "pool"] = "own"
    paragraphs: int = 5
    first: int | None = None

    def __post_init__(self) -> None:
        for name in ("paragraphs", "first"):
            if (count := getattr(self, name)) is not None and count < 1:
                problem = f"dataset.{name} cannot be {count}"
                raise GswlabError(problem, "1 or more", f"{COMMAND} dataset.{name}=5")

    def document(self) -> Document:
        """All paragraphs, each once: the text that every span points into."""
        return self.searched.document

    def chunks(self) -> tuple[Chunk, ...]:
        """What one memory reads; nothing where every question has its own."""
        return self.searched.chunks if self.world == "pool" else ()

    @cached_property
    def questions(self) -> Sequence[HopQuestion]:
        """The questions, with their gold: for scoring alone."""
        return load_hops(self._path)[: self.first]

    @cached_property
    def searched(self) -> World:
        """The paragraphs of all questions."""
        return World.of(self.questions)

    @property
    def _path(self) -> Path:
        return given(self.file, "dataset.file", COMMAND)

    def hashes(self) -> dict[str, str]:
        """The content hash of the file."""
        return {"questions": digest.of_files(self._path)}

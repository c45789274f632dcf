"""Workspaces of the published code as what a run reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from gswlab.bench.datasets import PATH, given
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk
from gswlab.gsw.official.text import Imported, imported

_COMMAND = "python -m gswlab read FILE.json"


@dataclass
class OfficialFile:
    """A JSON file of the published code, over its text where that is at hand.

    `sentences` is how many of `text` a chunk has; a file with texts of its own has its
    own chunks.
    """

    file: str | None = field(default=None, metadata=PATH)
    text: str | None = field(default=None, metadata=PATH)
    sentences: int = 3

    @cached_property
    def _imported(self) -> Imported:
        file = given(self.file, "dataset.file", _COMMAND)
        text = given(self.text, "dataset.text", _COMMAND) if self.text else None
        return imported(file, text, self.sentences)

    def document(self) -> Document:
        """The text, or a listing of what the file states where it has none."""
        return self._imported.document

    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks that the file's records are of."""
        return self._imported.chunks

"""Rows of a run over questions: each is on disk before the next question is asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, TypeVar

from gswlab.bench import runner
from gswlab.bench.bill import charge
from gswlab.bench.folder import ANSWERS
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk
from gswlab.core.protocols import Memory

M = TypeVar("M", bound=Memory)


class Asking(runner.Reading, Protocol):
    """What a run over questions needs of a `Lab`."""

    @property
    def budget(self) -> int:
        """Tokens of evidence that a memory may hand over for a question."""

    def blank(self) -> Memory:
        """A new memory of the run's settings that has read nothing."""


class Rows:
    """The rows of a run folder, and what its parts took in seconds.

    Left, it puts the seconds in the ledger, however the run ends.
    """

    def __init__(self, lab: Asking) -> None:
        lab.journal  # noqa: B018 - makes the run folder, the text beside the rows
        self._lab = lab
        self.known = lab.folder.read_lines(ANSWERS)
        self._spent: defaultdict[str, float] = defaultdict(float)

    def __enter__(self) -> Rows:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        charge(self._lab, **self._spent)

    def keep(
        self, row: dict[str, Any], number: object, seconds: Mapping[str, float]
    ) -> dict[str, Any]:
        """Write a row and what it took, and return the row."""
        self._lab.folder.append_line(ANSWERS, row)
        self.time(number, seconds)
        return row

    def time(self, number: object, seconds: Mapping[str, float]) -> None:
        """Write what something took: a question, a world's reading."""
        self._lab.folder.time((what, number, value) for what, value in seconds.items())
        for what, value in seconds.items():
            self._spent[what] += value


def read_into(memory: M, document: Document, chunks: Sequence[Chunk]) -> M:
    """The memory after it has read a world of its own to its end."""
    runner.announce(memory, document, chunks)
    for chunk in chunks:
        memory.partial_fit(chunk)
    memory.finish()
    return memory

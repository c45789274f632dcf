"""Messages as they are, ready for questions: stems, vectors, sessions, dates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import bm25s
import numpy as np
from numpy.typing import NDArray

from gswlab.core.budget import count_tokens
from gswlab.language.dates.find import find_dates
from gswlab.language.stems import terms
from gswlab.models.vectors.embedder import Embedder, Vectors

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Said(Protocol):
    """A message, whatever keeps it; `time` is ISO."""

    @property
    def text(self) -> str:
        """What was said, without its speaker's name."""

    @property
    def speaker(self) -> str | None:
        """Who said it, None where that is unknown."""

    @property
    def time(self) -> str | None:
        """When it was said, None where that is unknown."""


def line_of(message: Said) -> str:
    """A message under its speaker's name.

    >>> from gswlab.memory.memgpt.nouns import Message
    >>> line_of(Message(1, "user", "message", "It rains.", 3, 1, "Ann"))
    'Ann: It rains.'
    """
    return f"{message.speaker}: {message.text}" if message.speaker else message.text


@dataclass
class Conversation:
    """Messages in the order they were said; a session is those of one day.

    Raises:
        Whatever the embedder raises; without one there are no vectors.
    """

    said: Sequence[Said]
    embedder: Embedder | None = None
    stems: list[frozenset[str]] = field(init=False, repr=False)
    vectors: Vectors | None = field(default=None, init=False, repr=False)
    _index: bm25s.BM25 | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        counted = [terms(message.text) for message in self.said]
        self.stems = [frozenset(found) for found in counted]
        if any(counted):
            self._index = bm25s.BM25(
                k1=1.2, b=0.4
            )  # turns are short, long ones no worse
            self._index.index(counted, show_progress=False)
        if self.embedder is not None and self.said:
            self.vectors = self.embedder.embed([line_of(m) for m in self.said])

    def matched(self, asked: Sequence[str]) -> Floats:
        """BM25 of the stems `asked`, a score a message."""
        if self._index is None or not asked:
            return np.zeros(len(self.said))
        return np.asarray(self._index.get_scores(list(asked)), float)

    @cached_property
    def days(self) -> list[str | None]:
        """The day of each message, as ISO."""
        return [message.time[:10] if message.time else None for message in self.said]

    @cached_property
    def sessions(self) -> Rows:
        """The number of each message's session."""
        new = [one != other for one, other in zip(self.days, [None, *self.days])]  # noqa: B905
        return np.cumsum(np.array(new, np.intp))

    @cached_property
    def groups(self) -> list[Rows]:
        """The rows of each session."""
        bounds = np.flatnonzero(np.diff(self.sessions)) + 1
        return np.split(np.arange(len(self.said)), bounds)

    @cached_property
    def costs(self) -> Floats:
        """Tokens of each message, its speaker and the end of its line included."""
        return np.array([count_tokens(f"{line_of(m)}\n") for m in self.said], float)

    @cached_property
    def dates(self) -> list[tuple[str, ...]]:
        """The dates that each message names, resolved against its own."""
        pairs = zip(self.said, self.days, strict=True)
        found = ([d.day for d in find_dates(m.text, said=day)] for m, day in pairs)
        return [tuple(day for day in days if day) for days in found]

    @cached_property
    def dated(self) -> Floats:
        """1 for a message that names a date, resolved or not."""
        return np.array([bool(find_dates(m.text)) for m in self.said], float)

    @cached_property
    def asks(self) -> Floats:
        """1 for a message that ends as a question."""
        said = (message.text.rstrip() for message in self.said)
        return np.array([text.endswith(("?", "？")) for text in said], float)

    @cached_property
    def opens(self) -> Floats:
        """1 for the first message of a session."""
        found = np.zeros(len(self.said))
        found[[rows[0] for rows in self.groups if len(rows)]] = 1.0
        return found

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Who spoke, in the order of their first words."""
        return tuple(dict.fromkeys(m.speaker for m in self.said if m.speaker))

    def shifted(self, scores: Floats, by: int) -> Floats:
        """The score of the message `by` places before, in the same session; else 0."""
        rows = np.arange(len(scores)) - by
        inside = (rows >= 0) & (rows < len(scores))
        rows = np.clip(rows, 0, len(scores) - 1)
        same = inside & (self.sessions[rows] == self.sessions)
        return np.where(same, scores[rows], 0.0)

    def ordered(self, scores: Floats) -> Iterator[Rows]:
        """The rows of each session, the best first."""
        for rows in self.groups:
            yield rows[np.argsort(-scores[rows], kind="stable")]

"""A pattern: a regular expression and what its match means."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gswlab.text.dates.calendar import Calendar, Reading, Shift


@dataclass(frozen=True, slots=True)
class Found:
    """Where a text writes a date, and how to read it."""

    start: int
    end: int
    reading: Reading


@dataclass(frozen=True, slots=True)
class Pattern:
    """`read` gives the reading of a match, or None: then it is no date after all.

    A group named `date` narrows the span to itself (the `2024` of "in 2024").
    """

    regex: re.Pattern[str]
    read: Callable[[re.Match[str]], Reading | None]

    def find(self, text: str) -> Iterator[Found]:
        """Every match that reads as a date the calendar has."""
        group = "date" if "date" in self.regex.groupindex else 0
        for match in self.regex.finditer(text):
            reading = self.read(match)
            if reading is None or (isinstance(reading, Calendar) and not reading.valid):
                continue
            yield Found(match.start(group), match.end(group), reading)


def disjoint(found: Iterable[Found]) -> list[Found]:
    """Of overlapping finds the point of the calendar, the leftmost, the longest."""
    kept: list[Found] = []
    for item in sorted(found, key=_rank):
        at = bisect_left(kept, item.start, key=lambda f: f.start)
        if (at and kept[at - 1].end > item.start) or (
            at < len(kept) and kept[at].start < item.end
        ):
            continue
        kept.insert(at, item)
    return kept


def _rank(found: Found) -> tuple[bool, int, int]:
    return isinstance(found.reading, Shift), found.start, -found.end

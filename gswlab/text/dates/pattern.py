"""A pattern: a regular expression and what its match means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gswlab.text.dates.calendar import Calendar, Reading


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
        group = "date" if "date" in self.regex.groupindex else 0
        for match in self.regex.finditer(text):
            reading = self.read(match)
            if reading is None or (isinstance(reading, Calendar) and not reading.valid):
                continue
            yield Found(match.start(group), match.end(group), reading)


def disjoint(found: Iterable[Found]) -> list[Found]:
    """Of overlapping finds the leftmost, and of those the longest."""
    kept: list[Found] = []
    for item in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
    return kept

"""Dates found in a text, as spans with values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR
from functools import cache

from gswlab.core.nouns import Granularity
from gswlab.language.dates.anchor import Frame, heads
from gswlab.language.dates.calendar import (
    DAY,
    PATTERNS,
    Calendar,
    FoundDate,
    Shift,
    disjoint,
    parse_iso,
)
from gswlab.language.dates.resolve import Resolved, in_quotes, looks_back, tense
from gswlab.language.dates.table import by_rows
from gswlab.language.language import Language, languages, of

_DAYS = ("day", "hour", "part_of_day")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as a text writes it (`text`, from `start` to `end`) and as we read it.

    `value` is ISO 8601 truncated to what is known (without a year `--05-07`), None when
    a relative date has nothing to rest on. `basis` is the ISO date it was resolved
    against or filled from; for figures that allow two readings, the reading taken.
    """

    start: int
    end: int
    text: str
    value: str | None
    granularity: Granularity
    basis: str | None = None
    relative: bool = False

    @property
    def day(self) -> str | None:
        """The value without its time of day."""
        return self.value.partition("T")[0] if self.value else None


def find_dates(
    text: str,
    basis: str | None = None,
    language: str | None = None,
    narrated: bool = False,
    said: str | None = None,
) -> tuple[DateMention, ...]:
    """Every date of a text, in order, none inside another.

    >>> text = "They met on May 7th. Three days later it rained."
    >>> [mention.value for mention in find_dates(text, basis="2024-05-07")]
    ['2024-05-07', '2024-05-10']

    Args:
        text: prose.
        basis: ISO date that relative dates and missing years are resolved against.
        language: which writing habits to look for; all of them when None.
        narrated: let each day the text comes to become the basis of what follows, as a
            narrator does; steps back ("two days ago") leave the basis where it is.
        said: ISO date the text was written on, where that is known apart from the day
            told last, `basis`: "yesterday" counts from `said`; "that evening" from a
            day told just before, else from `basis`.
    """
    mentions = []
    basis, said = _within_reach(basis), _within_reach(said)
    last = (basis, 0) if said and basis else None
    frame = Frame(basis, said, last=last, narrated=narrated, first=basis)
    dates = [item for pattern in PATTERNS for item in pattern.find(text)]
    for one in [of(language)] if language else languages().values():
        dates = _finder(one)(text, dates)
    for found in disjoint(dates):
        resolved = frame.resolve(text, found)
        if resolved is None:
            continue
        place, written = (found.start, found.end), text[found.start : found.end]
        value, fine = resolved.value, resolved.granularity
        relative = isinstance(found.reading, Shift)
        mention = DateMention(*place, written, value, fine, resolved.basis, relative)
        mentions.append(mention)
        reached = resolved.value is None or _within_reach(resolved.value)
        if reached and not in_quotes(text, found.start):  # that moves no story on
            frame = _read(text, frame, found, resolved)
    return tuple(mentions)


def _within_reach(value: str | None) -> str | None:
    """A date to count from: the first and the last year of the calendar end it."""
    rim = (f"{MINYEAR:04d}", f"{MAXYEAR:04d}")
    return None if value is None or value.startswith(rim) else value


def _read(text: str, frame: Frame, found: FoundDate, resolved: Resolved) -> Frame:
    """The frame after one more date."""
    reading, dated = found.reading, resolved.granularity in _DAYS
    day = (resolved.value or "").partition("T")[0]
    if frame.flashback(text, found, resolved.value):  # the story only looks back to it
        counted = isinstance(reading, Shift) and reading.told
        known = day and dated and not counted
        return replace(frame, last=(day, found.end)) if known else frame
    named = isinstance(reading, Calendar) or reading.heading
    if named and heads(text, found.start, found.end):
        head = dated and resolved.value
        frame = replace(frame, entries=head[:DAY] if head else frame.entries)
    if isinstance(reading, Calendar) and reading.year:
        frame = replace(frame, year=(reading, found.end))
    elif resolved.value and (  # '48, or five years later: later ones count from it
        reading.short is not None
        if isinstance(reading, Calendar)
        else reading.told and reading.unit == "year"
    ):
        frame = replace(frame, year=(parse_iso(resolved.value), found.end))
    if resolved.granularity == "month" and resolved.value:
        frame = replace(frame, month=(parse_iso(resolved.value), found.end))
    if not dated:
        return frame
    if resolved.value is None:
        if text[: found.start].endswith((" a ", "（")):  # on 3 May, a Sunday
            return frame
        if frame.said is None and looks_back(text, found.start):
            return frame  # he had gone on Sunday: the story is where it was
        return replace(frame, last=("", found.end), told=("", found.end))
    frame = replace(frame, last=(day, found.end))
    if isinstance(reading, Shift) and not (reading.forward or reading.heading):
        return frame
    of_year = not day.startswith("-")
    only = frame.basis is None or frame.basis.startswith("-")  # no year is known
    beyond = frame.said is not None and of_year and day > frame.said
    if beyond and tense(text, found.start, found.end) == "past":
        frame = replace(frame, said=day)  # written on, day by day
    moves = frame.narrated and (of_year or only)
    return replace(frame, told=(day, found.end), basis=day if moves else frame.basis)


@cache
def _finder(
    language: Language,
) -> Callable[[str, Sequence[FoundDate]], list[FoundDate]]:
    return language.dates or by_rows(language.table("dates"))
